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


def test_a_shell_that_may_say_something_of_its_own(session: Session) -> None:
    assert answered(session, "terminal", OLD, command="cat notes.md").state() == {}
    session.ask(f"notes.md\n```markdown\n{OLD}```\n")
    assert answered(session, "terminal", OLD, command="cat notes.md").holds("notes.md", OLD)
