"""Notebooks: what clients show of them cell by cell is not their files' text (SEMANTICS 2, Reads)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .helpers import Session

CELL = {"cell_type": "code", "source": ["X = 1\n", "X"], "metadata": {}, "outputs": [], "execution_count": None}
NOTEBOOK = json.dumps({"cells": [CELL], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"
VIEWS = [
    '<VSCode.Cell id="#VSC-6011bf7c" language="python">\nX = 1\nX\n</VSCode.Cell>\n',
    '<cell id="cell-0">X = 1\nX</cell id="cell-0">\n',
    "X = 1\nX\n",
]


def answered(session: Session, tool: str, result: str, **arguments: Any) -> Session:
    session.ask("Go on.", None, {"c": {"name": tool, "arguments": arguments}})
    return session.ask(None, "Done.", results={"c": result})


def test_a_pasted_notebook_is_a_file(session: Session) -> None:
    assert session.ask(f"model.ipynb\n```json\n{NOTEBOOK}```\n").holds("model.ipynb", NOTEBOOK)


def test_a_notebook_that_was_read(session: Session) -> None:
    assert answered(session, "read_file", NOTEBOOK, path="model.ipynb").holds("model.ipynb", NOTEBOOK)


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_is_no_text_of_it(session: Session, view: str) -> None:
    lines = view.rstrip("\n").split("\n")
    numbered = "\n".join(f"{n}: {line}" for n, line in enumerate(lines, 1))
    framed = (
        f"<path>model.ipynb</path>\n<type>file</type>\n<content>\n{numbered}\n\n"
        f"(End of file - total {len(lines)} lines)\n</content>"
    )
    for known in (False, True):
        if known:
            session.ask(f"model.ipynb\n```json\n{NOTEBOOK}```\n")
        answered(session, "read", framed, filePath="model.ipynb")
        fenced = f"```xml\n{view}```"
        answered(session, "read_file", fenced, filePath="model.ipynb", startLine=1, endLine=9)
        session.ask(f'<attachment filepath="model.ipynb">\n```xml\n{view}```\n</attachment>\nLook.')
        session.ask("Show it.", f"model.ipynb\n```xml\n{view}```\n")
        assert session.holds("model.ipynb", NOTEBOOK) is known and ("model.ipynb" in session.state()) is known


def test_a_view_that_is_written_makes_it_unknown(session: Session) -> None:
    session.ask(f"model.ipynb\n```json\n{NOTEBOOK}```\n")
    answered(session, "create_file", "File created at model.ipynb", filePath="model.ipynb", content=VIEWS[0])
    assert session.state()["model.ipynb"] == "DIRTY"
