"""Tool calls by table: what each is called for."""

import json

import pytest

from tslp_litellm.clients.makers import attempt
from tslp_litellm.clients.tools import edits_files, kind_of, may_change, renamed_symbols, shell_folder
from tslp_litellm.dialects.values import Shown
from tslp_litellm.wire.turn import Item, ItemKind, Role


def call(name: str, arguments: object) -> Item:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return Item(Role.ASSISTANT, ItemKind.CALL, text, name=name, call_id="c1")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("Write", {"file_path": "a.py", "content": "x"}),
        ("write", {"filePath": "a.py", "content": "x"}),
        ("write_to_file", {"path": "a.py", "content": "x"}),
        ("write_to_file", {"path": "a.py", "the_content": "x"}),
        ("create_file", {"filePath": "a.py", "content": "x"}),
        ("create_new_file", {"filepath": "a.py", "contents": "x"}),
        ("write_file", {"file_path": "a.py", "content": "x"}),
        ("str_replace_editor", {"command": "create", "path": "a.py", "file_text": "x"}),
        ("mcp__fs__write_file", {"path": "a.py", "content": "x"}),
        ("functions.Write", {"file_path": "a.py", "content": "x"}),
    ],
)
def test_whole_file_writes(name: str, arguments: dict[str, str]) -> None:
    made = attempt(call(name, arguments))
    assert made is not None
    (change,) = made.changes
    assert isinstance(change, Shown)
    assert (change.path, change.text, change.whole, made.call_id) == ("a.py", "x", True, "c1")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("get_weather", {"path": "a.py", "content": "x"}),
        ("Write", {"content": "x"}),
        ("Write", {"file_path": 3, "content": "x"}),
        ("Write", {"file_path": "a.py", "content": None}),
        ("Write", "not json"),
        ("Write", "[]"),
        ("Write", ""),
        ("str_replace_editor", {"command": "view", "path": "a.py"}),
    ],
)
def test_other_and_malformed_calls_attempt_nothing(name: str, arguments: object) -> None:
    assert attempt(call(name, arguments)) is None


def test_kinds() -> None:
    assert kind_of("Read", {}) == "read"
    assert kind_of("str_replace_editor", {"command": "view"}) == "read"
    assert kind_of("str_replace_editor", {}) is None
    assert kind_of("unheard_of", {}) is None


def test_which_clients_edit_by_tools() -> None:
    assert edits_files(("Read", "Write"))
    assert edits_files(("exec_command",))
    assert not edits_files(("get_weather", "Read"))
    assert not edits_files(())


@pytest.mark.parametrize(
    ("arguments", "folder"),
    [
        ({"command": "ls"}, ""),
        ({"command": "ls", "timeout": 5, "description": "x", "run_in_background": True}, ""),
        ({"cmd": "ls", "workdir": "sub", "yield_time_ms": 5, "login": True}, "sub"),
        ({"type": "exec", "command": ["ls"], "env": {}, "user": None, "working_directory": "/w"}, "/w"),
        ({"command": "ls", "dir_path": "sub"}, "sub"),
        ({"command": "ls", "cd": "/w/sub"}, "/w/sub"),
        ({"command": "ls", "cd": "project"}, None),
        ({"command": "ls", "cwd": "a", "directory": "b"}, None),
        ({"command": "ls", "cwd": 3}, None),
        ({"command": "ls", "env": {"HOME": "/x"}}, None),
        ({"command": "ls", "is_input": True}, None),
        ({"command": "ls", "work_dir": "/w/sub"}, None),
    ],
)
def test_where_a_shell_call_runs(arguments: dict[str, object], folder: str | None) -> None:
    assert shell_folder(arguments) == folder


@pytest.mark.parametrize(
    ("name", "arguments", "changed"),
    [
        ("git_pull", {"remote": "origin"}, ()),
        ("git_revert", {"commit": "HEAD"}, ()),
        ("git_apply", {"patch": "x"}, ()),
        ("mcp__git__git_merge", {"branch": "dev"}, ()),
        ("mcp__git__merge", {"branch": "dev"}, ()),
        ("mcp__git__git_checkout", {"repo_path": "/w", "branch_name": "main"}, ()),
        ("git_bisect", {}, ()),
        ("git", {"command": "pull --rebase"}, ()),
        ("git", {"args": ["stash", "pop"]}, ()),
        ("git_checkout_files", {"paths": ["a.py"]}, ("a.py",)),
        ("restore_checkpoint", {}, ()),
        ("checkout_branch", {"branch": "dev"}, ()),
        ("git", {"command": "status"}, None),
        ("git_status", {"repo_path": "/w"}, None),
        ("mcp__git__git_diff_unstaged", {"repo_path": "/w"}, None),
        ("git_commit", {"message": "x", "repo_path": "/w"}, None),
        ("git_create_branch", {"branch_name": "x"}, None),
        ("mcp__github__merge_pull_request", {"owner": "o", "repo": "r", "pullNumber": 1}, None),
        ("git_merge", {"owner": "o", "repo": "r"}, None),
        ("get_file", {"path": "a.py"}, None),
        ("frobnicate", {"path": "a.py"}, ("a.py",)),
        ("frobnicate", {"n": 1}, None),
    ],
)
def test_what_a_tool_that_nobody_knows_may_change(
    name: str, arguments: dict[str, object], changed: tuple[str, ...] | None
) -> None:
    assert may_change(name, arguments) == changed


def test_of_a_rename_only_what_names_the_symbol_is_its_old_name() -> None:
    said = {"old_name": "total", "new_name": "sum", "kind": "function", "scope": "project"}
    assert renamed_symbols("rename_symbol", said) == ("total",)
    assert renamed_symbols("rename_symbol", {"target": "sum", "what": "total", "kind": "method"}) == ("total",)
