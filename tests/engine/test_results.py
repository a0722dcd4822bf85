"""What tools show of files whose text is known: what agrees changes nothing, what contradicts makes them DIRTY."""

from __future__ import annotations

from typing import Any

import pytest

from .helpers import Session

UTIL = "import os\n\n\ndef slug(s):\n    return s.lower()\n\n\ndef shout(s):\n    return s.upper()\n"
ROWS = "1\talice\n2\tbob\n3\tcarol\n"


def known(session: Session, path: str, text: str) -> Session:
    """A workspace that knows one file exactly: it was written."""
    call = {"w": {"name": "write_file", "arguments": {"file_path": path, "content": text}}}
    session.ask("Write it.", None, call)
    return session.ask(None, "Done.", results={"w": f"Successfully overwrote file: {path}."})


def answered(session: Session, tool: str, result: str, **arguments: Any) -> Session:
    """A call of a tool, with its result."""
    session.ask("Go on.", None, {"c": {"name": tool, "arguments": arguments}})
    return session.ask(None, "Done.", results={"c": result})


class TestNumbersOfTheFileItself:
    @pytest.mark.parametrize(
        ("tool", "arguments"),
        [
            ("read_file", {"file_path": "d.tsv"}),
            ("read_file", {"path": "d.tsv"}),
            ("read", {"path": "d.tsv"}),
            ("read", {"filePath": "d.tsv"}),
            ("Read", {"filepath": "d.tsv"}),
            ("mcp__filesystem__read_text_file", {"path": "d.tsv"}),
        ],
    )
    def test_a_raw_tool_s_text_keeps_them(self, session: Session, tool: str, arguments: dict[str, str]) -> None:
        known(session, "d.tsv", ROWS)
        assert answered(session, tool, ROWS, **arguments).holds("d.tsv", ROWS)

    def test_a_reader_s_numbers_before_our_lines_change_nothing(self, session: Session) -> None:
        known(session, "d.txt", "alice\nbob\ncarol\n")
        answered(session, "read_file", ROWS, file_path="d.txt")
        assert session.holds("d.txt", "alice\nbob\ncarol\n")

    def test_what_contradicts_both_readings_dirties(self, session: Session) -> None:
        known(session, "d.tsv", ROWS)
        answered(session, "read_file", "1\tdave\n2\tbob\n3\tcarl\n", file_path="d.tsv")
        assert session.state()["d.tsv"] == "DIRTY"

    def test_what_nobody_can_tell_apart_proves_nothing(self, session: Session) -> None:
        assert answered(session, "read_file", ROWS, file_path="d.tsv").state() == {}


class TestWhereAShellRuns:
    @pytest.mark.parametrize(
        "extra",
        [
            {"container": "web"},
            {"host": "prod"},
            {"root": "/srv"},
            {"path": "/w/sub"},
            {"env_id": "remote-1"},
            {"cd": "sub"},
            {"workdir": "a", "cwd": "b"},
            {"is_input": True},
        ],
    )
    def test_an_argument_that_nobody_knows_proves_nothing(self, session: Session, extra: dict[str, Any]) -> None:
        known(session, "util.py", UTIL)
        answered(session, "bash", UTIL.replace("lower", "casefold"), command="cat util.py", **extra)
        assert session.holds("util.py", UTIL)
        script = f"cat > util.py <<'EOF'\n{UTIL.replace('lower', 'casefold')}EOF"
        answered(session, "bash", "", command=script, **extra)
        assert session.state()["util.py"] == "DIRTY"

    @pytest.mark.parametrize(
        "extra",
        [
            {"description": "Write it.", "timeout": 5000, "run_in_background": False},
            {"cwd": ".", "timeout": 5},
            {"cd": ".", "timeout_ms": 5},
            {"env": {}, "user": None, "is_input": "false"},
        ],
    )
    def test_known_arguments_leave_it_in_its_folder(self, session: Session, extra: dict[str, Any]) -> None:
        known(session, "util.py", UTIL)
        answered(session, "run_shell_command", UTIL.replace("lower", "casefold"), command="cat util.py", **extra)
        assert session.holds("util.py", UTIL.replace("lower", "casefold"))

    def test_a_folder_is_that_of_its_files(self, session: Session) -> None:
        known(session, "util.py", UTIL)
        answered(session, "run_shell_command", "X = 1\nY = 2\n", command="cat util.py", dir_path="sub")
        assert session.holds("util.py", UTIL)
        assert session.holds("sub/util.py", "X = 1\nY = 2\n")
