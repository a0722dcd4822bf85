"""Tool calls by table, and what became of them."""

import json

import pytest

from tslp_litellm.evidence.makers import attempt
from tslp_litellm.evidence.model import Shown, Verdict
from tslp_litellm.evidence.outcomes import outcome, verdict_of
from tslp_litellm.evidence.tools import edits_files, kind_of
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


VERDICTS = [
    (
        Verdict.SUCCESS,
        "File created successfully at: /w/a.py (file state is current in your context — no need to Read it back)",
    ),
    (Verdict.SUCCESS, "The file /w/a.py has been updated successfully."),
    (Verdict.SUCCESS, "Wrote file successfully."),
    (Verdict.SUCCESS, "Successfully overwrote file: /w/a.py."),
    (Verdict.SUCCESS, "Successfully created and wrote to new file: /w/a.py."),
    (Verdict.SUCCESS, '{"query":"edit:/w/a.py","result":"File created successfully at: /w/a.py","success":true}'),
    (Verdict.SUCCESS, '{"path":"a.py","operation":"created","notice":"You do not need to re-read the file"}'),
    (Verdict.SUCCESS, "Created a.py (3 lines)"),
    (Verdict.SUCCESS, "true"),
    (Verdict.SUCCESS, "File created successfuly"),
    (Verdict.DENIED, "The user rejected permission to use this specific tool call."),
    (Verdict.DENIED, '{"status":"denied","message":"The user denied this operation."}'),
    (
        Verdict.DENIED,
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, …).",
    ),
    (Verdict.DENIED, "[Operation Cancelled] Reason: User did not allow tool call"),
    (Verdict.DENIED, 'User rejected the changes for `a.py`, with the reason "no"'),
    (
        Verdict.FAILURE,
        "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>",
    ),
    (Verdict.FAILURE, '{"query":"edit:/w/a.py","result":"","error":"Editor operation failed: …","success":false}'),
    (Verdict.FAILURE, "File already exists. You must use an edit tool to modify it."),
    (Verdict.FAILURE, "Error: EACCES"),
    (Verdict.FAILURE, "ERROR:\nNo replacement was performed, old_str `x` did not appear verbatim in a.py."),
    (Verdict.FAILURE, "`content` contains an omission placeholder (for example 'rest of methods ...')."),
    (Verdict.UNKNOWN, "Hm."),
    (Verdict.UNKNOWN, ""),
]


@pytest.mark.parametrize(("verdict", "text"), VERDICTS)
def test_verdicts(verdict: Verdict, text: str) -> None:
    assert verdict_of(Item(Role.TOOL, ItemKind.RESULT, text)) is verdict


def test_an_error_flag_outweighs_the_text() -> None:
    assert verdict_of(Item(Role.TOOL, ItemKind.RESULT, "Wrote file successfully.", is_error=True)) is Verdict.FAILURE
    assert (
        verdict_of(Item(Role.TOOL, ItemKind.RESULT, "The user denied this operation.", is_error=True)) is Verdict.DENIED
    )


def test_a_stated_file_text_is_part_of_the_outcome() -> None:
    made = attempt(call("write_to_file", {"path": "a.py", "content": "x"}))
    assert made is not None
    text = 'The content was successfully saved to a.py.\n\n<final_file_content path="a.py">\ny = 1\n\n</final_file_content>\n'
    done = outcome(made, Item(Role.TOOL, ItemKind.RESULT, text))
    assert done.verdict is Verdict.SUCCESS
    assert [(s.path, s.text) for s in done.stated if isinstance(s, Shown)] == [("a.py", "y = 1\n")]
