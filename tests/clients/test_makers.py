"""Tool calls: what the arguments of every client's tools would change."""

import json
from typing import Any

import pytest

from tslp_litellm.clients.makers import attempt, shell_read, told_by
from tslp_litellm.dialects.values import (
    Carrier,
    Drift,
    Edit,
    FileChange,
    Insertion,
    Removal,
    Replacement,
    Shown,
    Transfer,
)
from tslp_litellm.shell.targets import Like
from tslp_litellm.wire.turn import Item, ItemKind, Role

T = Carrier.TOOL_EDIT
PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch"
BLOCK = "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE"
DASHES = "------- SEARCH\nx\n=======\ny\n+++++++ REPLACE"


def wrote(path: str = "a.py", text: str = "x\n") -> list[FileChange]:
    return [Shown(path, text, Carrier.WRITE, whole=True)]


def swapped(*steps: tuple[str, str], path: str = "a.py", everywhere: bool = False) -> list[FileChange]:
    return [Edit(path, tuple(Replacement(old, new, everywhere) for old, new in steps), T)]


def by_lines(*steps: tuple[str, str], path: str = "a.py", line: int = 0) -> list[FileChange]:
    return [Edit(path, tuple(Replacement(o, n, lines=True, line=line) for o, n in steps), T)]


def inserted(new: str, before: int | None) -> list[FileChange]:
    return [Edit("a.py", (Insertion(new, before),), T)]


def drift(*paths: str) -> list[FileChange]:
    return [Drift(paths, T)]


PATCHED: list[FileChange] = [Edit("a.py", (Replacement("x\n", "y\n", lines=True),), Carrier.PATCH)]
PATCHED_IN_SHELL: list[FileChange] = [Edit("a.py", (Replacement("x\n", "y\n", lines=True),), Carrier.SHELL)]

CALLS: list[tuple[str, Any, list[FileChange]]] = [
    # Claude Code
    ("Write", {"file_path": "a.py", "content": "x\n"}, wrote()),
    ("Edit", {"file_path": "a.py", "old_string": "x", "new_string": "y"}, swapped(("x", "y"))),
    ("Edit", {"file_path": "a.py", "old_string": "x", "new_string": "y", "replace_all": False}, swapped(("x", "y"))),
    (
        "Edit",
        {"file_path": "a.py", "old_string": "x", "new_string": "y", "replace_all": True},
        swapped(("x", "y"), everywhere=True),
    ),
    ("Edit", {"file_path": "a.py", "old_string": "", "new_string": "y\n"}, swapped(("", "y\n"))),
    ("Edit", {"file_path": "a.py", "old_string": "x", "new_string": ""}, swapped(("x", ""))),
    (
        "MultiEdit",
        {
            "file_path": "a.py",
            "edits": [{"old_string": "x", "new_string": "y"}, {"old_string": "y", "new_string": "z"}],
        },
        swapped(("x", "y"), ("y", "z")),
    ),
    ("NotebookEdit", {"notebook_path": "a.ipynb", "new_source": "x"}, drift("a.ipynb")),
    ("Bash", {"command": "rm a.py", "description": "d"}, [Removal("a.py", Carrier.SHELL)]),
    ("Bash", {"command": "ls"}, []),
    # opencode, Kilo
    ("write", {"filePath": "a.py", "content": "x\n"}, wrote()),
    ("edit", {"filePath": "a.py", "oldString": "x", "newString": "y"}, swapped(("x", "y"))),
    (
        "edit",
        {"filePath": "a.py", "oldString": "x", "newString": "y", "replaceAll": True},
        swapped(("x", "y"), everywhere=True),
    ),
    ("multiedit", {"filePath": "a.py", "edits": [{"oldString": "x", "newString": "y"}]}, swapped(("x", "y"))),
    ("apply_patch", {"patchText": PATCH}, PATCHED),
    # Codex
    ("apply_patch", PATCH, PATCHED),
    ("apply_patch", {"input": PATCH}, PATCHED),
    ("apply_patch", {"content": PATCH}, PATCHED),
    ("apply_patch", {"patch": PATCH}, PATCHED),
    ("shell", {"command": ["apply_patch", PATCH]}, PATCHED_IN_SHELL),
    ("shell", {"command": ["bash", "-lc", f"apply_patch <<'EOF'\n{PATCH}\nEOF\n"]}, PATCHED_IN_SHELL),
    (
        "shell",
        {"command": ["bash", "-lc", f"cd src && apply_patch <<'EOF'\n{PATCH}\nEOF\n"]},
        [Edit("src/a.py", (Replacement("x\n", "y\n", lines=True),), Carrier.SHELL)],
    ),
    ("shell", {"command": ["rm", "a b.py"], "workdir": "/w"}, [Removal("/w/a b.py", Carrier.SHELL)]),
    ("shell", {"command": ["rm", "$x"]}, [Removal("$x", Carrier.SHELL)]),
    ("exec_command", {"cmd": f"apply_patch <<'EOF'\n{PATCH}\nEOF\n"}, PATCHED_IN_SHELL),
    ("exec_command", {"cmd": "rm a.py", "workdir": "/w"}, [Removal("/w/a.py", Carrier.SHELL)]),
    ("local_shell", {"type": "exec", "command": ["bash", "-lc", "rm a.py"]}, [Removal("a.py", Carrier.SHELL)]),
    # Gemini, Qwen
    ("write_file", {"file_path": "a.py", "content": "x\n"}, wrote()),
    ("replace", {"file_path": "a.py", "instruction": "i", "old_string": "x", "new_string": "y"}, swapped(("x", "y"))),
    (
        "replace",
        {"file_path": "a.py", "old_string": "x", "new_string": "y", "allow_multiple": True},
        swapped(("x", "y"), everywhere=True),
    ),
    (
        "replace",
        {"file_path": "a.py", "old_string": "x", "new_string": "y", "expected_replacements": 2},
        swapped(("x", "y"), everywhere=True),
    ),
    (
        "replace",
        {"file_path": "a.py", "old_string": "x", "new_string": "y", "expected_replacements": 1},
        swapped(("x", "y")),
    ),
    (
        "edit",
        {"file_path": "a.py", "old_string": "x", "new_string": "y", "replace_all": True},
        swapped(("x", "y"), everywhere=True),
    ),
    ("run_shell_command", {"command": "rm a.py", "is_background": False}, [Removal("a.py", Carrier.SHELL)]),
    # OpenHands
    *[
        case
        for name in ("str_replace_editor", "str_replace_based_edit_tool", "file_editor")
        for case in (
            (name, {"command": "create", "path": "a.py", "file_text": "x\n"}, wrote()),
            (name, {"command": "str_replace", "path": "a.py", "old_str": "x", "new_str": "y"}, swapped(("x", "y"))),
            (name, {"command": "str_replace", "path": "a.py", "old_str": "x"}, swapped(("x", ""))),
            (name, {"command": "insert", "path": "a.py", "insert_line": 0, "new_str": "y"}, inserted("y", 1)),
            (name, {"command": "insert", "path": "a.py", "insert_line": 3, "new_str": "y"}, inserted("y", 4)),
            (name, {"command": "insert", "path": "a.py", "insert_line": "3", "new_str": "y"}, inserted("y", 4)),
            (name, {"command": "undo_edit", "path": "a.py"}, drift("a.py")),
            (name, {"command": "view", "path": "a.py"}, []),
        )
    ],
    (
        "edit_file",
        {"path": "a.py", "content": "#EDIT: x\n# ... existing code ...", "start": 1, "end": -1},
        drift("a.py"),
    ),
    ("execute_bash", {"command": "rm a.py"}, [Removal("a.py", Carrier.SHELL)]),
    # goose
    ("developer__write", {"path": "a.py", "content": "x\n"}, wrote()),
    ("edit", {"path": "a.py", "before": "x", "after": "y"}, swapped(("x", "y"))),
    ("developer__text_editor", {"command": "write", "path": "a.py", "file_text": "x\n"}, wrote()),
    (
        "developer__text_editor",
        {"command": "str_replace", "path": "a.py", "old_str": "x", "new_str": "y"},
        swapped(("x", "y")),
    ),
    ("developer__text_editor", {"command": "undo_edit", "path": "a.py"}, drift("a.py")),
    ("developer__shell", {"command": "rm a.py"}, [Removal("a.py", Carrier.SHELL)]),
    # Zed
    ("edit_file", {"display_description": "d", "path": "a.py", "mode": "edit"}, drift("a.py")),
    ("edit_file", {"display_description": "d", "path": "a.py", "mode": "create"}, drift("a.py")),
    ("streaming_edit_file", {"display_description": "d", "path": "a.py", "mode": "write", "content": "x\n"}, wrote()),
    (
        "streaming_edit_file",
        {"display_description": "d", "path": "a.py", "mode": "edit", "edits": [{"old_text": "x", "new_text": "y"}]},
        swapped(("x", "y")),
    ),
    (
        "streaming_edit_file",
        {"display_description": "d", "path": "a.py", "mode": "edit", "edits": '[{"old_text": "x", "new_text": "y"}]'},
        swapped(("x", "y")),
    ),
    (
        "streaming_edit_file",
        {"display_description": "d", "path": "a.py", "mode": "edit", "edits": "[broken"},
        drift("a.py"),
    ),
    ("delete_path", {"path": "a.py"}, [Removal("a.py", T, tree=True)]),
    ("move_path", {"source_path": "a.py", "destination_path": "b.py"}, [Transfer("a.py", "b.py", T)]),
    # Copilot
    (
        "insert_edit_into_file",
        {"explanation": "e", "filePath": "a.py", "code": "// ...existing code..."},
        drift("a.py"),
    ),
    ("replace_string_in_file", {"filePath": "a.py", "oldString": "x", "newString": "y"}, swapped(("x", "y"))),
    (
        "multi_replace_string_in_file",
        {
            "explanation": "e",
            "replacements": [
                {"filePath": "a.py", "oldString": "x", "newString": "y"},
                {"filePath": "b.py", "oldString": "p", "newString": "q"},
            ],
        },
        swapped(("x", "y")) + swapped(("p", "q"), path="b.py"),
    ),
    ("create_file", {"filePath": "a.py", "content": "x\n"}, wrote()),
    ("apply_patch", {"input": PATCH, "explanation": "e"}, PATCHED),
    ("edit_notebook_file", {"filePath": "a.ipynb", "editType": "insert"}, drift("a.ipynb")),
    ("run_in_terminal", {"command": "rm a.py", "explanation": "e"}, [Removal("a.py", Carrier.SHELL)]),
    # Crush
    ("edit", {"file_path": "a.py", "old_string": "x", "new_string": ""}, swapped(("x", ""))),
    ("multiedit", {"file_path": "a.py", "edits": [{"old_string": "", "new_string": "y"}]}, swapped(("", "y"))),
    # avante
    ("write_to_file", {"path": "a.py", "the_content": "x\n"}, wrote()),
    ("str_replace", {"path": "a.py", "old_str": "x", "new_str": "y"}, swapped(("x", "y"))),
    ("replace_in_file", {"path": "a.py", "the_diff": DASHES}, by_lines(("x\n", "y\n"))),
    ("edit_file", {"path": "a.py", "instructions": "i", "code_edit": "// ... existing code ..."}, drift("a.py")),
    # CodeCompanion
    (
        "insert_edit_into_file",
        {"filepath": "a.py", "edits": [{"oldText": "x", "newText": "y", "replaceAll": False}]},
        swapped(("x", "y")),
    ),
    (
        "insert_edit_into_file",
        {"filepath": "a.py", "edits": [{"oldText": "", "newText": "y"}], "mode": "append"},
        drift("a.py"),
    ),
    ("create_file", {"filepath": "a.py", "content": "x\n"}, wrote()),
    # Continue
    ("create_new_file", {"filepath": "a.py", "contents": "x\n"}, wrote()),
    ("edit_existing_file", {"filepath": "a.py", "changes": "// ... existing code ..."}, drift("a.py")),
    (
        "single_find_and_replace",
        {"filepath": "a.py", "old_string": "x", "new_string": "y", "replace_all": True},
        swapped(("x", "y"), everywhere=True),
    ),
    (
        "multi_edit",
        {"filepath": "a.py", "edits": [{"old_string": "x", "new_string": "y", "replace_all": True}]},
        swapped(("x", "y"), everywhere=True),
    ),
    ("run_terminal_command", {"command": "rm a.py"}, [Removal("a.py", Carrier.SHELL)]),
    # Cline 4
    ("editor", {"path": "a.py", "new_text": "x\n"}, swapped(("", "x\n"))),
    ("editor", {"path": "a.py", "old_text": "x", "new_text": "y"}, swapped(("x", "y"))),
    ("editor", {"path": "a.py", "new_text": "y\n", "insert_line": 3}, inserted("y\n", 3)),
    ("editor", {"path": "a.py", "old_text": None, "new_text": "y\n", "insert_line": 1}, inserted("y\n", 1)),
    (
        "run_commands",
        {"commands": ["rm a.py", "rm b.py"]},
        [Removal("a.py", Carrier.SHELL), Removal("b.py", Carrier.SHELL)],
    ),
    ("run_commands", {"commands": ["rm a.py"]}, [Removal("a.py", Carrier.SHELL)]),
    # Cline 3 native
    ("write_to_file", {"absolutePath": "a.py", "content": "x\n"}, wrote()),
    ("replace_in_file", {"absolutePath": "a.py", "diff": DASHES}, by_lines(("x\n", "y\n"))),
    # Roo, Kilo
    ("write_to_file", {"path": "a.py", "content": "x\n", "line_count": 1}, wrote()),
    ("apply_diff", {"path": "a.py", "diff": BLOCK}, by_lines(("x\n", "y\n"))),
    (
        "apply_diff",
        {"path": "a.py", "diff": "<<<<<<< SEARCH\n:start_line:12\n-------\nx\n=======\ny\n>>>>>>> REPLACE"},
        by_lines(("x\n", "y\n"), line=12),
    ),
    (
        "apply_diff",
        {
            "path": "a.py",
            "diff": "<<<<<<< SEARCH\n:start_line:12\n:end_line:13\n-------\nx\n=======\ny\n>>>>>>> REPLACE",
        },
        by_lines(("x\n", "y\n"), line=12),
    ),
    (
        "apply_diff",
        {"path": "a.py", "diff": "<<<<<<< SEARCH\n\\=======\n=======\ny\n>>>>>>> REPLACE"},
        by_lines(("=======\n", "y\n")),
    ),
    ("apply_diff", {"path": "a.py", "diff": "nothing"}, drift("a.py")),
    (
        "apply_diff",
        {
            "args": {
                "file": [
                    {"path": "a.py", "diff": [{"content": BLOCK, "start_line": 3}]},
                    {"path": "b.py", "diff": {"content": BLOCK}},
                ]
            }
        },
        by_lines(("x\n", "y\n")) + by_lines(("x\n", "y\n"), path="b.py"),
    ),
    ("edit", {"file_path": "a.py", "old_string": "x", "new_string": "y"}, swapped(("x", "y"))),
    ("search_replace", {"file_path": "a.py", "old_string": "x", "new_string": "y"}, swapped(("x", "y"))),
    ("edit_file", {"file_path": "a.py", "old_string": "", "new_string": "x\n"}, swapped(("", "x\n"))),
    ("apply_patch", {"patch": PATCH}, PATCHED),
    ("apply_patch", {"type": "update_file", "path": "a.py", "diff": "@@\n-x\n+y\n"}, PATCHED),
    ("apply_patch", {"type": "create_file", "path": "a.py", "diff": "+x"}, [Shown("a.py", "x\n", Carrier.PATCH, True)]),
    ("apply_patch", {"type": "delete_file", "path": "a.py"}, [Removal("a.py", Carrier.PATCH)]),
    ("insert_content", {"path": "a.py", "line": 3, "content": "y"}, inserted("y", 3)),
    ("insert_content", {"path": "a.py", "line": "0", "content": "y"}, inserted("y\n", None)),
    ("insert_content", {"path": "a.py", "line": "x", "content": "y"}, drift("a.py")),
    ("search_and_replace", {"path": "a.py", "search": "x", "replace": "y"}, swapped(("x", "y"), everywhere=True)),
    ("search_and_replace", {"path": "a.py", "search": "x+", "replace": "y", "use_regex": "true"}, drift("a.py")),
    ("search_and_replace", {"path": "a.py", "search": "x", "replace": "y", "ignore_case": "true"}, drift("a.py")),
    (
        "search_and_replace",
        {"path": "a.py", "search": "x", "replace": "y", "start_line": "1", "end_line": "9"},
        drift("a.py"),
    ),
    ("delete_file", {"path": "a.py"}, [Removal("a.py", T, tree=True)]),
    ("edit_file", {"target_file": "a.py", "instructions": "i", "code_edit": "// ... existing code ..."}, drift("a.py")),
    # Cursor
    ("edit_file", {"target_file": "a.py", "instructions": "i", "code_edit": "x"}, drift("a.py")),
    ("search_replace", {"file_path": "a.py", "old_string": "x", "new_string": "y"}, swapped(("x", "y"))),
    ("delete_file", {"target_file": "a.py"}, [Removal("a.py", T, tree=True)]),
    ("run_terminal_cmd", {"command": "rm a.py", "is_background": False}, [Removal("a.py", Carrier.SHELL)]),
    # the file-system server of the Model Context Protocol, and unheard-of names
    ("mcp__fs__write_file", {"path": "a.py", "content": "x\n"}, wrote()),
    ("mcp__fs__edit_file", {"path": "a.py", "edits": [{"oldText": "x", "newText": "y"}]}, swapped(("x", "y"))),
    ("mcp__fs__move_file", {"source": "a.py", "destination": "b.py"}, [Transfer("a.py", "b.py", T)]),
    ("update_document_text", {"path": "a.py", "whatever": "x"}, drift("a.py")),
    ("patch_source", {"path": "a.py", "old": "x", "new": "y"}, drift("a.py")),
    ("insert_text", {"path": "a.py", "text": "x", "position": 3}, drift("a.py")),
    ("update_file", {"path": "a.py", "new_content": "x", "anchor": "y"}, drift("a.py")),
    ("append_file", {"path": "a.py", "content": "x"}, drift("a.py")),
    ("write_file", {"path": "a.py", "content": "x", "mode": "append"}, drift("a.py")),
    ("write_file", {"path": "a.py", "content": "x", "append": True}, drift("a.py")),
    ("run_commands", {"commands": ["ls", "rm a.py"]}, [Removal("a.py", Carrier.SHELL)]),
    ("run_commands", {"commands": [{"command": "rm", "args": ["a b.py"]}]}, [Removal("a b.py", Carrier.SHELL)]),
    (
        "multi_edit",
        {"filepath": "a.py", "edits": [{"old_string": "x", "new_string": "y"}, {"old_string": "", "new_string": "z"}]},
        drift("a.py"),
    ),
    ("create_directory", {"path": "src"}, []),
    ("create_issue", {"path": "a.py", "content": "x"}, drift("a.py")),
    ("list_files", {"path": "."}, []),
]


def changes_of(name: str, arguments: Any) -> list[FileChange]:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    made = attempt(Item(Role.ASSISTANT, ItemKind.CALL, text, name=name, call_id="c1"))
    assert made is None or (made.call_id, made.tool) == ("c1", name)
    return list(made.changes) if made else []


@pytest.mark.parametrize(("name", "arguments", "changes"), CALLS)
def test_calls(name: str, arguments: Any, changes: list[FileChange]) -> None:
    assert changes_of(name, arguments) == changes


def test_stated_lines_move_with_what_was_put_in_above() -> None:
    block = "<<<<<<< SEARCH\n:start_line:{}\n-------\n{}\n=======\n{}\n>>>>>>> REPLACE\n"
    late, early = block.format(9, "x", "y"), block.format(2, "a", "a\nb\nc")
    (change,) = changes_of("apply_diff", {"path": "a.py", "diff": late + early})
    assert isinstance(change, Edit)
    assert [(step.old, step.line) for step in change.steps if isinstance(step, Replacement)] == [
        ("a\n", 2),
        ("x\n", 11),
    ]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("Write", {"content": "x"}),
        ("Write", {"file_path": "a.py"}),
        ("Write", {"file_path": 3, "content": "x"}),
        ("Write", "[]"),
        ("Write", "{"),
        ("Write", ""),
        ("apply_patch", {"input": 3}),
        ("apply_patch", {}),
        ("apply_patch", "no patch"),
        ("apply_patch", {"type": "update_file", "path": "a.py", "diff": "?x"}),
        ("apply_patch", {"type": "rename_file", "path": "a.py", "diff": "-x"}),
        ("shell", {"command": 3}),
        ("shell", {"command": ["rm", 3]}),
        ("shell", {}),
        ("delete_file", {}),
        ("delete_file", {"path": 3}),
        ("move_file", {"source": "a.py"}),
        ("insert_content", {"path": "a.py"}),
        ("multi_edit", {"edits": [3, None, "x"]}),
        ("apply_diff", {"args": [[]]}),
    ],
)
def test_malformed_calls_change_nothing(name: str, arguments: Any) -> None:
    assert changes_of(name, arguments) == []


@pytest.mark.parametrize(
    "arguments",
    [
        {"file_path": "a.py"},
        {"file_path": "a.py", "old_string": 3, "new_string": "y"},
        {"file_path": "a.py", "old_string": "x", "new_string": 3},
        {"file_path": "a.py", "edits": [3]},
        {"file_path": "a.py", "edits": []},
        {"file_path": "a.py", "edits": [{"new_string": "y"}]},
        {"file_path": "a.py", "insert_line": "x", "new_string": "y"},
    ],
)
def test_an_edit_that_is_not_understood_is_drift(arguments: Any) -> None:
    assert changes_of("Edit", arguments) == drift("a.py")


def test_a_write_of_json_as_json_is_of_unknown_text() -> None:
    assert changes_of("Write", {"file_path": "a.json", "content": {"a": 1}}) == [Drift(("a.json",), Carrier.WRITE)]


def test_several_commands_and_single_ones() -> None:
    one = attempt(Item(Role.ASSISTANT, ItemKind.CALL, '{"commands": ["rm a.py"]}', name="run_commands"))
    two = attempt(Item(Role.ASSISTANT, ItemKind.CALL, '{"commands": ["rm a.py", "ls"]}', name="run_commands"))
    assert one is not None
    assert two is not None
    assert (one.kind, one.certain, two.certain) == ("shell", True, False)


def test_a_repaired_call_attempts_nothing() -> None:
    text = '{"file_path": "a.py", "content": "x"}'
    assert attempt(Item(Role.ASSISTANT, ItemKind.CALL, text, name="Write", exact=False)) is None


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ({"command": "cat a.py"}, ("a.py", 0)),
        ({"command": "sed -n '1,200p' a.py"}, ("a.py", 200)),
        ({"command": "sed -n '5,200p' a.py"}, None),
        ({"command": "head -n 50 a.py"}, ("a.py", 50)),
        ({"command": "cd src && cat a.py"}, None),
        ({"cmd": "cat a.py", "workdir": "/w"}, ("/w/a.py", 0)),
        ({"command": ["bash", "-lc", "cat a.py"]}, ("a.py", 0)),
        ({"command": ["cat", "a b.py"]}, ("a b.py", 0)),
        ({"commands": ["cat a.py"]}, ("a.py", 0)),
        ({"commands": ["cat a.py", "cat b.py"]}, None),
        ({"command": "nl -ba a.py"}, None),
        ({}, None),
    ],
)
def test_shell_reads(arguments: dict[str, Any], shown: tuple[str, int] | None) -> None:
    assert shell_read(arguments) == shown


@pytest.mark.parametrize(
    "more",
    [
        {"start_line": 2, "end_line": 2},
        {"offset": 10},
        {"line": 2},
        {"start": 2},
        {"after": "import re"},
        {"fnord": 1},
        {"mode": "insert"},
        {"mode": "prepend"},
        {"append": "true"},
        {"overwrite": False},
        {"file_path": "b.py"},
        {"text": "other"},
    ],
)
def test_a_write_with_an_argument_that_places_it_or_that_nobody_knows_is_no_whole_file(more: dict[str, object]) -> None:
    for name, arguments in (("write_file", {"path": "a.py", "content": "x\n"}), ("editor", {"path": "a.py"})):
        (change,) = changes_of(name, {"new_text": "x\n", **arguments, **more} if name == "editor" else arguments | more)
        assert isinstance(change, Drift), more


@pytest.mark.parametrize(
    "more", [{"mode": "overwrite"}, {"append": False}, {"overwrite": True}, {"file_path": "a.py"}, {"reason": "why"}]
)
def test_a_write_that_says_in_known_ways_that_it_is_whole(more: dict[str, object]) -> None:
    assert changes_of("write_file", {"path": "a.py", "content": "x\n", **more}) == wrote()


@pytest.mark.parametrize("more", [{"occurrence": 2}, {"line": 4}, {"regex": True}, {"insert_after": True}])
def test_one_of_several_edits_with_an_argument_that_nobody_knows(more: dict[str, object]) -> None:
    part = {"oldText": "x", "newText": "y"}
    assert changes_of("edit_file", {"path": "a.py", "edits": [part, {**part, **more}]}) == drift("a.py")
    many = {"replacements": [{"filePath": "a.py", "oldString": "x", "newString": "y", **more}]}
    assert changes_of("multi_replace_string_in_file", many) == drift("a.py")


def test_an_insertion_replaces_nothing() -> None:
    assert changes_of("editor", {"path": "a.py", "old_text": "", "new_text": "x", "insert_line": 3}) == inserted("x", 3)
    assert changes_of("editor", {"path": "a.py", "old_text": "y", "new_text": "x", "insert_line": 3}) == drift("a.py")
    assert changes_of("editor", {"path": "a.py", "old_text": "", "new_text": "x", "start_line": 3}) == drift("a.py")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("write_stdin", {"session_id": 3, "chars": "sed -i s/a/b/ a.py\n"}),
        ("send_keys", {"keys": "rm a.py\n"}),
        ("terminal", {"input": "rm a.py\n"}),
        ("tmux_send", {"text": "rm a.py", "enter": True}),
        ("exec", {"argv": ["sed", "-i", "s/a/b/", "a.py"]}),
    ],
)
def test_what_is_typed_may_change_what_it_names(name: str, arguments: dict[str, object]) -> None:
    made = attempt(Item(Role.ASSISTANT, ItemKind.CALL, json.dumps(arguments), name=name, call_id="c"))
    assert made is not None
    assert any(isinstance(c, Drift) and (not c.paths or "a.py" in c.paths or c.like) for c in made.changes)


@pytest.mark.parametrize("arguments", [{"session_id": 3, "chars": ""}, {"session_id": 3}])
def test_to_wait_for_a_program_changes_nothing(arguments: dict[str, object]) -> None:
    assert attempt(Item(Role.ASSISTANT, ItemKind.CALL, json.dumps(arguments), name="write_stdin", call_id="c")) is None


@pytest.mark.parametrize(
    ("name", "result", "told"),
    [
        ("frobnicate", "Updated util.py", [Drift((), Carrier.REPORT, (Like(None, "util.py"),))]),
        ("frobnicate", "Wrote /w/util.py", [Drift(("/w/util.py",), Carrier.REPORT)]),
        ("frobnicate", "It stands in util.py.", []),
        ("get_history", "Updated util.py", []),
        ("Edit", "Updated util.py", []),
    ],
)
def test_what_results_of_tools_that_nobody_knows_tell(name: str, result: str, told: list[Drift]) -> None:
    arguments = {"file_path": "a.py", "old_string": "x", "new_string": "y"} if name == "Edit" else {"n": 1}
    call = Item(Role.ASSISTANT, ItemKind.CALL, json.dumps(arguments), name=name, call_id="c")
    assert told_by(call, Item(Role.TOOL, ItemKind.RESULT, result, call_id="c")) == told
