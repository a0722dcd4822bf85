"""Jobs in the background: what one may have written when it has ended."""

from __future__ import annotations

import pytest

from tests.engine.helpers import Session, make_engine
from tslp_litellm.clients.jobs import Jobs, may_have_changed
from tslp_litellm.dialects.values import Drift
from tslp_litellm.store.database import Database
from tslp_litellm.wire.turn import Item, ItemKind, Role

WRITES = '{"command": "sleep 9; sed -i s/a/b/ a.py", "run_in_background": true}'
BEGUN = "Command running in background with ID: b1"
ENDED = "<status>completed</status>\n\n<exit_code>0</exit_code>"


def call(name: str, arguments: str) -> Item:
    return Item(Role.ASSISTANT, ItemKind.CALL, arguments, name=name, call_id="c")


def result(text: str) -> Item:
    return Item(Role.TOOL, ItemKind.RESULT, text, call_id="c")


def ended(begun: str, name: str, arguments: str, said: str) -> bool:
    first = call("Bash", WRITES)
    jobs = Jobs([result(begun), result(said)], [first, call(name, arguments)])
    return jobs.ended(1) == (0, first)


@pytest.mark.parametrize(
    ("begun", "name", "arguments", "said"),
    [
        (BEGUN, "BashOutput", '{"bash_id": "b1"}', ENDED),
        (BEGUN, "TaskOutput", '{"task_id": "b1", "block": true}', "all done"),
        ("Process running with session ID 5", "write_stdin", '{"session_id": 5}', "Process exited with code 0"),
    ],
)
def test_a_job_that_ended(begun: str, name: str, arguments: str, said: str) -> None:
    assert ended(begun, name, arguments, said)


@pytest.mark.parametrize(
    ("begun", "name", "arguments", "said"),
    [
        (BEGUN, "BashOutput", '{"bash_id": "b2"}', ENDED),
        (BEGUN, "BashOutput", '{"bash_id": "b1"}', "<status>running</status>"),
        ("all done", "BashOutput", '{"bash_id": "b1"}', ENDED),
        (BEGUN, "Read", '{"file_path": "/w/b1.py"}', "x"),
    ],
)
def test_what_ends_none(begun: str, name: str, arguments: str, said: str) -> None:
    assert not ended(begun, name, arguments, said)


def test_what_it_may_have_changed_is_of_unknown_text() -> None:
    found = may_have_changed(call("Bash", '{"command": "echo x > a.py; mv b.py c.py"}'), "")
    assert all(isinstance(change, Drift) for change in found)
    assert {path for change in found if isinstance(change, Drift) for path in change.paths} == {"a.py", "b.py", "c.py"}


def test_what_was_read_before_it_ended_is_not_known() -> None:
    database = Database("sqlite://")
    database.migrate()
    session = Session(make_engine(database), database, tools=("Bash", "BashOutput"))
    session.ask("a.py\n```python\nx = 1\n```\nGo on.")
    bash = {"command": "sleep 9; sed -i s/a/b/ a.py", "run_in_background": True}
    session.ask("Run it.", None, {"c1": {"name": "Bash", "arguments": bash}}, "tool_calls")
    session.ask(None, None, {"c2": {"name": "Bash", "arguments": {"command": "cat a.py"}}}, "tool_calls", {"c1": BEGUN})
    looks = {"c3": {"name": "BashOutput", "arguments": {"bash_id": "b1"}}}
    session.ask(None, None, looks, "tool_calls", {"c2": "x = 1\n"})
    assert session.holds("a.py", "x = 1\n")
    session.ask(None, "So.", results={"c3": ENDED})
    assert session.state()["a.py"] == "DIRTY"
