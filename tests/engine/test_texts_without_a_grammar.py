"""Texts that no grammar proves (SEMANTICS 2): a frame that is known, or a tool whose contract is raw text."""

from __future__ import annotations

from typing import Any

import pytest

from .helpers import Session

OLD = "# Notes\n\nOne thing.\n\n- a\n- b\n\nAnother thing.\n"
NEW = "# Notes\n\nOne thing.\n\n- a\n- b\n\nQuite another thing.\n"
README = '<p align="center">\n  <img src="logo.png">\n</p>\n\n# Notes\n\nOne thing.\n\n- a\n- b\n\nAnother thing.\n'


def answered(session: Session, tool: str, result: str, **arguments: Any) -> Session:
    session.ask("Go on.", None, {"c": {"name": tool, "arguments": arguments}})
    return session.ask(None, "Done.", results={"c": result})


def framed(text: str) -> list[str]:
    return [
        f"path: notes.md\ncontent: {text}was_truncated: False",
        f"path: notes.md\ncontent:\n{text}\nwas_truncated: False\n",
        f"was_truncated: False\n{text}",
        f"<context>\nbranch: main\n</context>\n{text}",
        f"[Context: branch main, 3 files changed]\n{text}",
        f"=== notes.md ===\n{text}",
        f"{text}</document>\n",
    ]


@pytest.mark.parametrize("text", framed(OLD))
@pytest.mark.parametrize("tool", ["read", "bash"])
def test_lines_around_it_leave_it_unproven(session: Session, tool: str, text: str) -> None:
    arguments = {"path": "notes.md"} if tool == "read" else {"command": "cat notes.md", "description": "x"}
    answered(session, tool, text, **arguments)
    assert session.state() == {}
    session.ask(f"notes.md\n```markdown\n{OLD}```\n")
    answered(session, tool, text, **arguments)
    assert session.state()["notes.md"] == "DIRTY" or session.holds("notes.md", OLD)


@pytest.mark.parametrize("text", [OLD, NEW, README])
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("read", {"path": "notes.md"}),
        ("read_file", {"path": "notes.md"}),
        ("bash", {"command": "cat notes.md", "description": "x"}),
        ("Bash", {"command": "cat notes.md"}),
    ],
)
def test_a_tool_whose_contract_is_raw_text(session: Session, tool: str, arguments: dict[str, str], text: str) -> None:
    assert answered(session, tool, text, **arguments).holds("notes.md", text)


@pytest.mark.parametrize("text", ["# Shop\n\nA small shop.\n", "# Shop\n\nA small shop.\n\n## Use\n"])
def test_a_few_lines_below_a_heading(session: Session, text: str) -> None:
    assert answered(session, "read_file", text, file_path="README.md").holds("README.md", text)
    edit = {"file_path": "README.md", "old_string": "small", "new_string": "tiny"}
    said = "The file: README.md has been updated."
    assert answered(session, "edit", said, **edit).holds("README.md", text.replace("small", "tiny"))


@pytest.mark.parametrize(
    ("path", "note"),
    [
        ("README.md", "# Error\n\nThere is no such file.\n"),
        ("README.md", "The tool was busy.\nAsk for it again.\n"),
        ("README.md", "# Shop\n"),
        ("notes.txt", "# The tool was busy\nAsk for it again.\n"),
    ],
)
def test_a_few_lines_that_may_be_a_note(session: Session, path: str, note: str) -> None:
    assert answered(session, "read_file", note, file_path=path).state() == {}


@pytest.mark.parametrize(("lines", "known"), [("1-3 of 3", True), ("1-3 of 4", False), ("2-4 of 4", False)])
def test_an_edit_that_shows_all_of_a_file_that_nobody_knew(session: Session, lines: str, known: bool) -> None:
    edit = {"file_path": "notes.txt", "old_string": "eggs", "new_string": "rice"}
    said = f"The file: notes.txt has been updated. Showing lines {lines} from the edited file:\n\n---\n\n"
    answered(session, "edit", said + "Buy milk\nand rice\n", **edit)
    assert session.holds("notes.txt", "Buy milk\nand rice\n") if known else "notes.txt" not in session.state()


def test_a_shell_that_may_say_something_of_its_own(session: Session) -> None:
    assert answered(session, "terminal", OLD, command="cat notes.md").state() == {}
    session.ask(f"notes.md\n```markdown\n{OLD}```\n")
    assert answered(session, "terminal", OLD, command="cat notes.md").holds("notes.md", OLD)


SHORT = {
    "Makefile": "test:\n\tpytest {}\n",
    "Dockerfile": "FROM python:3.11\nRUN pip install {}\n",
    "style.css": "a {{\n  color: {};\n}}\n",
    "run.sh": "#!/bin/sh\nset -e\necho {}\nexit 0\n",
    "setup.cfg": "[server]\nport = {}\n",
    "app.ini": "[server]\nport = {}\nhost = x\n\n[log]\nlevel = info\n",
    "c.yaml": "port: {}\nhost: localhost\n",
    "d.yaml": "port: {}\nhost: localhost\noutput:\n  - dist\n  - build\ncommand: serve\n",
}


@pytest.mark.parametrize("path", SHORT)
def test_a_few_lines_of_a_script_or_of_data(session: Session, path: str) -> None:
    old, new = SHORT[path].format("red"), SHORT[path].format("blue")
    assert answered(session, "read_file", old, absolute_path=path).holds(path, old)
    assert answered(session, "read_file", new, absolute_path=path).holds(path, new)
    session.ask(f"I changed {path} by hand.")
    assert session.state()[path] == "DIRTY"
    assert answered(session, "read_file", old, absolute_path=path).holds(path, old)


@pytest.mark.parametrize("path", SHORT)
@pytest.mark.parametrize(
    "note",
    [
        "Error: no such file\nhint: check the path\n",
        "This file was not read.\nAsk for it again.\n",
        "The tool was busy.\nAsk for it again.\n",
        "Command finished.\nExit code: 0\n",
    ],
)
def test_a_note_in_its_place_is_none(session: Session, path: str, note: str) -> None:
    assert answered(session, "read_file", note, absolute_path=path).state() == {}


@pytest.mark.parametrize("path", ["c.yaml", "app.ini"])
@pytest.mark.parametrize("frame", ["path: {}\n{}", "{1}was_truncated: False\n", "[Context: branch main]\n{1}"])
def test_lines_around_data_leave_it_unproven(session: Session, path: str, frame: str) -> None:
    assert answered(session, "read_file", frame.format(path, SHORT[path]), absolute_path=path).state() == {}
