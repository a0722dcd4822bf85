"""Reads that were called before a change and whose results come after it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .helpers import Session

V1 = "def slug(s):\n    return s.lower()\n"
V2 = "def slug(s):\n    return s.strip().lower()\n"
V3 = "def slug(s):\n    return s.casefold()\n"
READ = {"name": "Read", "arguments": {"file_path": "util.py"}}
TASK = {"name": "Task", "arguments": {"description": "strip", "prompt": "Make slug strip."}}
EDIT = {"name": "Edit", "arguments": {"file_path": "util.py", "old_string": "s.lower", "new_string": "s.strip().lower"}}


def numbered(text: str) -> str:
    return "".join(f"{n}\t{line}\n" for n, line in enumerate([*text.splitlines(), ""], 1))[:-1]


@pytest.fixture
def main(sessions: Callable[..., Session]) -> Session:
    return sessions(tools=("Read", "Task"))


@pytest.fixture
def agent(sessions: Callable[..., Session]) -> Session:
    return sessions(tools=("Read", "Edit"), new_ids="agent")


def edits(agent: Session) -> None:
    agent.ask("Make slug strip.", None, {"a1": READ}).ask(None, None, {"a2": EDIT}, results={"a1": numbered(V1)})
    agent.ask(None, "Done.", results={"a2": "The file util.py has been updated successfully."})
    assert agent.holds("util.py", V2)


@pytest.mark.parametrize(("read", "held"), [(V1, V2), (V2, V2), (V3, V3)])
def test_a_read_beside_a_sub_agent_is_the_older_word(main: Session, agent: Session, read: str, held: str) -> None:
    main.ask("Have an agent make slug strip, and read util.py.", None, {"r1": READ, "t1": TASK})
    edits(agent)
    main.ask(None, "So it is.", results={"r1": numbered(read), "t1": "Done."})
    assert main.holds("util.py", held)


def test_a_read_that_was_called_after_the_change_counts(main: Session, agent: Session) -> None:
    edits(agent)
    main.ask("Read util.py.", None, {"r1": READ}).ask(None, "It lowers.", results={"r1": numbered(V1)})
    assert main.holds("util.py", V1)
