"""What tools show of files whose text is known: what agrees changes nothing, what contradicts makes them DIRTY."""

from __future__ import annotations

import json
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


EDITS: list[tuple[str, dict[str, Any], str]] = [
    (
        "str_replace_editor",
        {"command": "str_replace", "path": "util.py", "old_str": "s.lower()", "new_str": "s.strip().lower()"},
        "The file util.py has been edited. Here's the result of running `cat -n` on a snippet of util.py:\n"
        "     3\t\n     4\tdef slug(s):\n     5\t    return s.strip().lower()\n     6\t\n"
        "Review the changes and make sure they are as expected (correct indentation, no duplicate lines, etc). Edit "
        "the file again if necessary.",
    ),
    (
        "Edit",
        {"file_path": "util.py", "old_string": "s.lower()", "new_string": "s.strip().lower()"},
        "The file util.py has been updated. Here's the result of running `cat -n` on a snippet of the edited file:\n"
        "     4→def slug(s):\n     5→    return s.strip().lower()",
    ),
    (
        "edit",
        {"file_path": "util.py", "old_string": "s.lower()", "new_string": "s.strip().lower()"},
        "The file: util.py has been updated. Showing lines 3-6 of 9 from the edited file:\n\n---\n\n\ndef slug(s):\n"
        "    return s.strip().lower()\n",
    ),
    (
        "replace",
        {"file_path": "util.py", "old_string": "s.lower()", "new_string": "s.strip().lower()"},
        "Successfully modified file: util.py (1 replacements). Here is the updated code:\n\n\ndef slug(s):\n"
        "    return s.strip().lower()\n\n\ndef shout(s):\n    return s.upper()\n",
    ),
    (
        "editor",
        {"path": "util.py", "old_text": "s.lower()", "new_text": "s.strip().lower()"},
        '{"query":"edit:util.py","result":"Edited util.py\\n```diff\\n-5:     return s.lower()\\n'
        '+5:     return s.strip().lower()\\n```","success":true}',
    ),
    ("edit", {"path": "util.py", "before": "s.lower()", "after": "s.strip().lower()"}, "Edited util.py (1 lines -> 1 lines)"),
    (
        "write",
        {"path": "util.py", "content": UTIL.replace("s.lower()", "s.strip().lower()")},
        "Wrote util.py (9 lines)",
    ),
]  # fmt: skip
OTHERWISE = [
    (0, "s.strip().lower()", "s.strip().casefold()"),
    (0, "5\t", "7\t"),
    (1, "s.strip().lower()", "s.strip().casefold()"),
    (2, "s.strip().lower()", "s.strip().casefold()"),
    (2, "of 9", "of 57"),
    (2, "3-6", "5-8"),
    (3, "s.strip().lower()", "s.strip().casefold()"),
    (3, "(1 replacements)", "(2 replacements)"),
    (4, "+5:     return s.strip().lower()", "+5:     return s.strip().casefold()"),
    (4, "-5:     return s.lower()", "-5:     return s.casefold()"),
    (4, "+5:     return s", "+5:     return str"),
    (4, '\\n```"', '\\n+6:     # formatted\\n```"'),
    (5, "1 lines ->", "3 lines ->"),
    (5, "-> 1 lines", "-> 9 lines"),
    (6, "(9 lines)", "(57 lines)"),
]


class TestWhatAnEditShows:
    @pytest.mark.parametrize(("tool", "arguments", "result"), EDITS)
    def test_what_agrees_is_the_truth(
        self, session: Session, tool: str, arguments: dict[str, Any], result: str
    ) -> None:
        known(session, "util.py", UTIL)
        assert answered(session, tool, result, **arguments).holds(
            "util.py", UTIL.replace("s.lower()", "s.strip().lower()")
        )

    @pytest.mark.parametrize(("n", "said", "shown"), OTHERWISE)
    def test_what_contradicts_it_dirties(self, session: Session, n: int, said: str, shown: str) -> None:
        tool, arguments, result = EDITS[n]
        assert said in result
        known(session, "util.py", UTIL)
        assert answered(session, tool, result.replace(said, shown), **arguments).state()["util.py"] == "DIRTY"

    @pytest.mark.parametrize(("line", "holds"), [(2, True), (12, False)])
    def test_where_it_says_that_it_inserted(self, session: Session, line: int, holds: bool) -> None:
        known(session, "util.py", UTIL)
        result = f'{{"query":"edit:util.py","result":"Inserted content at line {line} in util.py.","success":true}}'
        answered(session, "editor", result, path="util.py", insert_line=2, new_text="import re")
        assert session.holds("util.py", UTIL.replace("import os\n", "import os\nimport re\n")) == holds


PARTS: list[tuple[str, dict[str, Any], str]] = [
    (
        "read_file",
        {"file_path": "util.py", "offset": 3, "limit": 2},
        "Showing lines 4-5 of 9 total lines.\n\n---\n\ndef slug(s):\n    return s.lower()",
    ),
    (
        "read_file",
        {"file_path": "util.py", "start_line": 4, "end_line": 5},
        "\nIMPORTANT: The file content has been truncated.\nStatus: Showing lines 4-5 of 9 total lines.\nAction: To read "
        "more\n\n--- FILE CONTENT (truncated) ---\ndef slug(s):\n    return s.lower()",
    ),
    ("read_file_range", {"filepath": "util.py", "startLine": 4, "endLine": 5}, "def slug(s):\n    return s.lower()"),
    (
        "view",
        {"file_path": "util.py", "offset": 3, "limit": 2},
        "<file>\n     4|def slug(s):\n     5|    return s.lower()\n\n(File has more lines. Use 'offset' parameter to read "
        "beyond line 5)\n</file>\n",
    ),
    ("read", {"path": "util.py", "line": 4, "limit": 2}, "def slug(s):\n    return s.lower()\n"),
    ("mcp__filesystem__read_text_file", {"path": "util.py", "head": 5}, "import os\n\n\ndef slug(s):\n    return s.lower()"),
    ("mcp__filesystem__read_text_file", {"path": "util.py", "tail": 6}, "def slug(s):\n    return s.lower()\n\n\ndef shout(s):\n    return s.upper()"),
    (
        "mcp__filesystem__read_multiple_files",
        {"paths": ["a.py", "util.py", "b.py"]},
        f"a.py: Error - ENOENT\n---\nutil.py:\n{UTIL}\n\n---\nb.py: Error - ENOENT",
    ),
    ("Bash", {"command": "tail -n 6 util.py"}, "def slug(s):\n    return s.lower()\n\n\ndef shout(s):\n    return s.upper()\n"),
    (
        "Bash",
        {"command": "git blame -L 4,5 util.py"},
        "abc12345 (Me 2026-01-01 10:00:00 +0000 4) def slug(s):\nabc12345 (Me 2026-01-01 10:00:00 +0000 5)     return s.lower()\n",
    ),
    ("grep_search", {"pattern": "x"}, "Found 1 match\n---\nFile: util.py\nL5: return s.lower()\n---"),
]  # fmt: skip


class TestParts:
    @pytest.mark.parametrize(("tool", "arguments", "result"), PARTS)
    def test_one_that_agrees_changes_nothing(
        self, session: Session, tool: str, arguments: dict[str, Any], result: str
    ) -> None:
        known(session, "util.py", UTIL)
        assert answered(session, tool, result, **arguments).holds("util.py", UTIL)

    @pytest.mark.parametrize(("tool", "arguments", "result"), PARTS)
    def test_one_that_contradicts_dirties(
        self, session: Session, tool: str, arguments: dict[str, Any], result: str
    ) -> None:
        known(session, "util.py", UTIL)
        answered(session, tool, result.replace("lower", "casefold"), **arguments)
        assert session.state()["util.py"] == "DIRTY"

    def test_a_stated_total_that_is_not_ours(self, session: Session) -> None:
        known(session, "util.py", UTIL)
        tool, arguments, result = PARTS[0]
        assert answered(session, tool, result.replace("of 9", "of 57"), **arguments).state()["util.py"] == "DIRTY"


class TestToolsOfVersionControl:
    @pytest.mark.parametrize(
        ("tool", "arguments", "result"),
        [
            ("git_pull", {"remote": "origin"}, "Fast-forward\n util.py | 2 +-"),
            ("git_revert", {"commit": "HEAD"}, "Reverted"),
            ("git_apply", {"patch": "x"}, "ok"),
            ("mcp__git__git_merge", {"branch": "dev"}, "Merge made"),
            ("mcp__git__git_checkout", {"repo_path": "/w", "branch_name": "main"}, "Switched to branch 'main'"),
        ],
    )
    def test_any_file_may_be_another_then(
        self, session: Session, tool: str, arguments: dict[str, Any], result: str
    ) -> None:
        known(session, "util.py", UTIL)
        assert answered(session, tool, result, **arguments).state()["util.py"] == "DIRTY"

    @pytest.mark.parametrize("tool", ["git_status", "git_log", "mcp__git__git_diff_unstaged", "git_add"])
    def test_what_only_reads_changes_nothing(self, session: Session, tool: str) -> None:
        known(session, "util.py", UTIL)
        assert answered(session, tool, "modified: util.py", repo_path="/w").holds("util.py", UTIL)


class TestToolsThatNobodyKnows:
    @pytest.mark.parametrize("result", ["Updated util.py", "Done. 2 files:\n- modified: ./util.py\n- created: new.py"])
    def test_what_the_result_says_was_changed_is_dirty(self, session: Session, result: str) -> None:
        known(session, "util.py", UTIL)
        assert answered(session, "frobnicate", result, n=1).state()["util.py"] == "DIRTY"

    @pytest.mark.parametrize(
        ("tool", "result"),
        [
            ("frobnicate", "It stands in util.py."),
            ("frobnicate", "util.py:5: the name was changed"),
            ("frobnicate", "Updated other.py"),
            ("get_history", "Updated util.py"),
        ],
    )
    def test_what_it_only_names_or_reads_is_not(self, session: Session, tool: str, result: str) -> None:
        known(session, "util.py", UTIL)
        assert answered(session, tool, result, n=1).holds("util.py", UTIL)

    def test_only_what_is_tracked_is_known_to_be_a_path(self, session: Session) -> None:
        known(session, "util.py", UTIL)
        answered(
            session, "frobnicate", "ok", subject="Raise LIMIT in util.py", id="1", to="- [ ] edit util.py", at="util.py"
        )
        named = {state["entity"] for episode in session.recent() for state in episode["artifact_states"]}
        assert {name.partition("::")[0] for name in named} == {"util.py"}
        assert session.state()["util.py"] == "DIRTY"


class TestToolsOfTheClientsThemselves:
    @pytest.mark.parametrize(
        "tool",
        ["TaskCreate", "TaskUpdate", "LSP", "ToolSearch", "question", "lsp_diagnostics", "Checklist", "exit_plan_mode",
         "request_user_input", "spawn_agent", "manage_todo_list", "runSubagent", "todo__todo_write"],
    )  # fmt: skip
    def test_what_changes_no_file_changes_nothing(self, session: Session, tool: str) -> None:
        known(session, "util.py", UTIL)
        said = {"subject": "Raise LIMIT in util.py", "filePath": "util.py"}
        assert answered(session, tool, "#1 created: Raise LIMIT in util.py", **said).holds("util.py", UTIL)

    def test_a_message_to_a_sub_agent_types_nothing(self, session: Session) -> None:
        known(session, "util.py", UTIL)
        answered(session, "send_input", "ok", id="1", message="Look at util.py").holds("util.py", UTIL)
        assert answered(session, "send_input", "ok", id="1", text="rm util.py\n").state()["util.py"] == "DIRTY"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Edit", {"file_path": "util.py", "old_string": "lower", "new_string": "upper"}),
        ("Bash", {"command": "sed -i s/lower/upper/ util.py"}),
        ("Bash", {"command": "rm util.py"}),
    ],
)
@pytest.mark.parametrize(
    "said", ["Permission to use {tool} has been denied.", "Claude requested permissions to use {tool}, but you haven't granted it yet."]
)  # fmt: skip
def test_what_was_not_permitted_was_not_done(session: Session, tool: str, arguments: dict[str, Any], said: str) -> None:
    known(session, "util.py", UTIL)
    assert answered(session, tool, said.format(tool=tool), **arguments).holds("util.py", UTIL)


def test_a_disk_that_can_t_be_written_says_nothing_of_the_file(session: Session) -> None:
    known(session, "util.py", UTIL)
    arguments = {"file_path": "util.py", "old_string": "lower", "new_string": "upper"}
    assert answered(session, "Edit", "EACCES: permission denied, open 'util.py'", **arguments).holds("util.py", UTIL)


def test_what_the_user_changed_in_a_proposed_write_is_the_file(session: Session) -> None:
    known(session, "util.py", UTIL)
    edits = "@@ -4,2 +4,2 @@\n def slug(s):\n-    return s.upper()\n+    return s.casefold()\n"
    said = json.dumps({"path": "util.py", "operation": "modified", "user_edits": edits})
    answered(session, "write_to_file", said, path="util.py", content=UTIL.replace("lower", "upper"))
    assert session.holds("util.py", UTIL.replace("lower", "casefold"))


@pytest.mark.parametrize("count", [2, 3])
def test_several_edits_that_the_client_lists_are_those_of_the_call(session: Session, count: int) -> None:
    known(session, "util.py", UTIL)
    pairs = [("s.lower()", "s.casefold()"), ("s.upper()", "s.swapcase()")]
    edits = [{"old_string": old, "new_string": new} for old, new in pairs]
    listed = "\n".join(f'{n}. Replaced "{old}" with "{new}"' for n, (old, new) in enumerate(pairs, 1))
    answered(session, "MultiEdit", f"Applied {count} edits to util.py:\n{listed}", file_path="util.py", edits=edits)
    made = UTIL.replace("lower", "casefold").replace("upper", "swapcase")
    assert session.holds("util.py", made) if count == len(pairs) else session.state()["util.py"] == "DIRTY"


def rows(text: str, form: str) -> str:
    return "\n".join(form.format(n=n, line=line) for n, line in enumerate(text.removesuffix("\n").split("\n"), 1))


def opencode(text: str) -> str:
    end = f"(End of file - total {text.removesuffix(chr(10)).count(chr(10)) + 1} lines)"
    return f"<path>util.py</path>\n<type>file</type>\n<content>\n{rows(text, '{n}: {line}')}\n\n{end}\n</content>"


BLANK_ENDS = [
    ("read", {"filePath": "util.py"}, opencode(UTIL + "\n")),
    ("read_file", {"path": "util.py"}, f"File: util.py\n{rows(UTIL + chr(10), '{n:>2} | {line}')}"),
    (
        "read_files",
        {"files": [{"path": "util.py"}]},
        json.dumps([{"query": "util.py", "result": rows(UTIL + "\n", "{n:>2} | {line}"), "success": True}]),
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "result"), BLANK_ENDS)
class TestABlankLastLine:
    def test_is_the_file_s(self, session: Session, tool: str, arguments: dict[str, Any], result: str) -> None:
        assert answered(session, tool, result, **arguments).holds("util.py", UTIL + "\n")

    def test_leaves_our_text_as_it_is(
        self, session: Session, tool: str, arguments: dict[str, Any], result: str
    ) -> None:
        known(session, "util.py", UTIL + "\n")
        assert answered(session, tool, result, **arguments).holds("util.py", UTIL + "\n")

    def test_may_stand_for_the_end_of_ours(
        self, session: Session, tool: str, arguments: dict[str, Any], result: str
    ) -> None:
        known(session, "util.py", UTIL)
        assert answered(session, tool, result, **arguments).holds("util.py", UTIL)
