"""What changes no state: verdicts of test runs, failed tools, stated decisions (SEMANTICS 12)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tslp_litellm.diagnostics import reports, resuming
from tslp_litellm.history import points
from tslp_litellm.store.database import Database

from .helpers import Session, sha

Sessions = Callable[..., Session]
A, B = "def f():\n    return 1\n", "def f():\n    return 2\n"
GREEN, RED = "=== 3 passed in 0.12s ===", "=== 1 failed, 2 passed in 0.12s ==="
PYTEST = {"name": "bash", "arguments": {"command": "pytest", "description": "Run the tests"}}


def shown(path: str, text: str) -> str:
    return f"{path}\n```python\n{text}```\nThis is it."


def ran(session: Session, output: str, call: dict[str, Any] = PYTEST) -> list[dict[str, Any]]:
    """A tool call and its result; what the Ledger holds of verdicts."""
    name = f"c{len(session.messages)}"
    session.ask("Go on.", None, calls={name: call}).ask(None, "Done.", results={name: output})
    return session.events("tool.reported")


def resume(database: Database) -> dict[str, Any]:
    with database.reading() as connection:
        return resuming.resume(connection, "local", "w")


def text_at(database: Database, at: str) -> str | None:
    with database.reading() as connection:
        found = reports.entity(connection, "local", "w", "a.py", at=points.parse(at))
    return found["current"]["artifact"] if found and found["current"] else None


class TestReported:
    def test_a_test_run_is_reported_once(self, sessions: Sessions) -> None:
        session = sessions(tools=("bash",))
        assert ran(session, RED) == [
            {"origin": "tool", "tool": "pytest", "verdict": "red", "tests": True, "counts": {"failed": 1, "passed": 2}}
        ]
        session.ask("And now?")
        assert len(session.events("tool.reported")) == 1, "the history comes again with each request"

    def test_the_exit_status_where_it_is_stated(self, sessions: Sessions) -> None:
        codex = {"name": "exec_command", "arguments": {"cmd": "npx tsc --noEmit"}}
        session = sessions(tools=("exec_command",))
        said = ran(session, "Chunk ID: 1\nWall time: 1 seconds\nProcess exited with code 0\nOutput:\n", codex)
        assert said == [{"origin": "tool", "tool": "tsc", "verdict": "green", "exit": 0}]

    def test_rows_of_json(self, sessions: Sessions) -> None:
        cline = {"name": "run_commands", "arguments": {"commands": ["pytest"]}}
        said = ran(
            sessions(tools=("run_commands",)), f'[{{"query":"pytest","result":"{GREEN}","success":true}}]', cline
        )
        assert [one["verdict"] for one in said] == ["green"]

    @pytest.mark.parametrize(
        "call",
        [
            {"name": "bash", "arguments": {"command": "cat out.log", "description": "Look"}},
            {"name": "Read", "arguments": {"file_path": "/w/out.log"}},
            {"name": "search_web", "arguments": {"query": "pytest"}},
        ],
    )
    def test_what_only_shows_it_is_no_run(self, sessions: Sessions, call: dict[str, Any]) -> None:
        assert ran(sessions(tools=("bash", "Read")), GREEN, call) == []

    def test_a_pasted_terminal(self, session: Session) -> None:
        session.ask(f"It fails:\n```console\n$ pytest\n{RED}\n```\nWhy?")
        (said,) = session.events("tool.reported")
        assert (said["origin"], said["verdict"]) == ("user", "red")

    def test_a_model_and_a_file_that_say_it_are_no_runs(self, session: Session) -> None:
        session.ask("Run them.", f"```\n{GREEN}\n```")
        session.ask(f"notes.txt\n```\n{GREEN}\n```\nMy notes.")
        session.ask("And?", GREEN)
        assert session.events("tool.reported") == []

    def test_a_red_test_demotes_nothing_and_no_prompt_tells(self, sessions: Sessions) -> None:
        session = sessions(tools=("bash",)).ask(shown("a.py", A))
        ran(session, RED)
        session.ask("What does `f` in a.py do?")
        assert session.holds("a.py", A)
        assert "pytest" not in session.prompt


class TestGreen:
    def test_the_state_when_tests_were_last_green(self, sessions: Sessions, database: Database) -> None:
        session = sessions(tools=("bash",)).ask(shown("a.py", A))
        assert text_at(database, "green") is None
        ran(session, GREEN)
        session.ask(shown("a.py", B))
        ran(session, RED)
        assert text_at(database, "green") == sha(A)
        ran(session, GREEN)
        assert text_at(database, "green") == sha(B)

    def test_a_run_comes_before_what_came_after_it(self, sessions: Sessions, database: Database) -> None:
        """Two results in one request: the tests ran before the file was written."""
        session = sessions(tools=("bash", "write")).ask(shown("a.py", A))
        write = {"name": "write", "arguments": {"filePath": "a.py", "content": B}}
        session.ask("Do both.", None, calls={"c1": PYTEST, "c2": write})
        session.ask(None, "Done.", results={"c1": GREEN, "c2": "Wrote file successfully."})
        assert session.holds("a.py", B)
        assert text_at(database, "green") == sha(A)

    def test_one_red_run_among_them_is_not_green(self, sessions: Sessions, database: Database) -> None:
        session = sessions(tools=("bash",)).ask(shown("a.py", A))
        ran(session, f"{GREEN}\nTests:       1 failed, 2 total")
        assert text_at(database, "green") is None

    def test_a_linter_runs_no_tests(self, sessions: Sessions, database: Database) -> None:
        session = sessions(tools=("bash",)).ask(shown("a.py", A))
        ran(session, "All checks passed!")
        assert text_at(database, "green") is None


class TestErrors:
    def test_a_failed_edit(self, sessions: Sessions) -> None:
        session = sessions(tools=("edit",)).ask(shown("a.py", A))
        edit = {"name": "edit", "arguments": {"filePath": "a.py", "oldString": "zzz", "newString": "y"}}
        session.ask("Edit it.", None, calls={"c": edit})
        session.ask(None, "Hm.", results={"c": "Could not find oldString in the file. It must match exactly."})
        (said,) = session.events("error.seen")
        assert (said["tool"], said["paths"]) == ("edit", ["a.py"])
        assert said["says"].startswith("Could not find oldString")

    def test_one_that_went_well_and_a_command_are_none(self, sessions: Sessions) -> None:
        session = sessions(tools=("write", "bash"))
        write = {"name": "write", "arguments": {"filePath": "a.py", "content": B}}
        session.ask("Do it.", None, calls={"c": write}).ask(None, "Ok.", results={"c": "Wrote file successfully."})
        ran(session, RED)
        assert session.events("error.seen") == []


class TestStated:
    def test_a_users_line(self, session: Session) -> None:
        session.ask("Look.\n\nDecision: we keep SQLite until 2027\n\nGo on.", "decision: model's own")
        assert session.events("decision.stated") == [{"origin": "user", "says": "we keep SQLite until 2027"}]

    @pytest.mark.parametrize(
        "text",
        ["decision 7f3a: 1", "> decision: quoted", "```\ndecision: in a fence\n```", "My decision: none", "decision:"],
    )
    def test_other_lines_are_none(self, session: Session, text: str) -> None:
        session.ask(f"Hello.\n\n{text}\n\nGo on.")
        assert session.events("decision.stated") == []

    def test_a_secret_is_not_kept_where_none_may_be(self, sessions: Sessions) -> None:
        session = sessions(refuse_secrets=True)
        session.ask("decision: the key is AKIAIOSFODNN7EXAMPLQ and password=hunter2hunter2")
        assert session.events("decision.stated") == []


def test_where_a_workspace_stands(sessions: Sessions, database: Database) -> None:
    session = sessions(tools=("bash",)).ask(shown("a.py", A)).ask(shown("b.py", B))
    ran(session, GREEN)
    ran(session, RED)
    session.ask("decision: keep f")
    sed = {"name": "bash", "arguments": {"command": "sed -i s/1/2/ a.py", "description": "x"}}
    ran(session, "", sed)
    found = resume(database)
    assert [(row["path"], row["event"]) for row in found["changed"]] == [("a.py", "dirty"), ("b.py", "promote")]
    assert found["dirty"] == ["a.py"]
    assert [row["says"] for row in found["stated"]] == ["keep f"]
    assert [(row["tool"], row["verdict"]) for row in found["reported"]] == [("pytest", "red")]
    assert found["green"]["seq"] < found["reported"][0]["seq"] < found["head"]["seq"]
    assert (found["checkpoint"], found["errors"], found["decisions"]) == (None, [], [])
