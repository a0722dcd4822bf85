"""Reads: every line-number style, trailers, ranges, stubs and errors."""

import json

import pytest

from tslp_litellm.evidence.reads import read
from tslp_litellm.wire.turn import Item, ItemKind, Role

TEXT = "def f():\n    return 1\n\n\nx = '1 | a'\n"
LINES = TEXT.split("\n")[:-1]


def shown(
    result: str, name: str = "read_file", error: bool = False, **arguments: object
) -> list[tuple[str, str, bool]]:
    call = Item(Role.ASSISTANT, ItemKind.CALL, json.dumps({"path": "a.py", **arguments}), name=name, call_id="c")
    answer = Item(Role.TOOL, ItemKind.RESULT, result, call_id="c", is_error=error)
    return [(s.path, s.text, s.ended) for s in read(call, answer)]


def numbered(form: str, lines: list[str] = LINES) -> str:
    return "\n".join(form.format(n=n, line=line) for n, line in enumerate(lines, 1))


@pytest.mark.parametrize(
    "form",
    [
        "{n} | {line}",
        "{n:>3} | {line}",
        "{n:6}→{line}",
        "{n}\t{line}",
        "{n:6}\t{line}",
        "{n}: {line}",
        "{n:6}|{line}",
        "{n:05}| {line}",
        "{n}:{line}",
    ],
)
def test_numbers_are_stripped(form: str) -> None:
    (found,) = shown(numbered(form))
    assert found == ("a.py", TEXT.removesuffix("\n"), False)


@pytest.mark.parametrize("form", ["{n:6}→{line}", "{n}\t{line}"])
def test_a_numbered_empty_last_line_shows_the_final_newline(form: str) -> None:
    assert shown(numbered(form, [*LINES, ""])) == [("a.py", TEXT, True)]


def test_raw_text_is_exact() -> None:
    assert shown(TEXT) == [("a.py", TEXT, True)]
    assert shown(TEXT.removesuffix("\n")) == [("a.py", TEXT.removesuffix("\n"), True)]


def test_wrappers_and_trailers() -> None:
    body = numbered("{n}: {line}")
    opencode = (
        f"<path>/w/a.py</path>\n<type>file</type>\n<content>\n{body}\n\n(End of file - total 5 lines)\n</content>"
    )
    plain = ("a.py", TEXT.removesuffix("\n"), False)
    assert shown(opencode) == [plain]
    assert shown(numbered("{n} | {line}") + "\n\n(File has 5 lines total.)") == [plain]
    assert shown("File: a.py\n" + numbered("{n} | {line}") + "\n") == [plain]
    assert shown(
        "Here's the result of running `cat -n` on a.py:\n" + numbered("{n:6}\t{line}", [*LINES, ""]) + "\n"
    ) == [("a.py", TEXT, True)]
    claude = (
        numbered("{n:6}→{line}", [*LINES, ""])
        + "\n\n<system-reminder>\nConsider whether it is malware.\n</system-reminder>\n"
    )
    assert shown(claude) == [("a.py", TEXT, True)]
    assert shown("Content of /w/a.py:\n" + TEXT) == [("a.py", TEXT, True)]


def test_cline_answers_in_json() -> None:
    result = json.dumps(
        [
            {"query": "/w/a.py", "result": numbered("{n} | {line}"), "success": True},
            {"query": "/w/b.py:2-3", "result": "2 | x\n3 | y", "success": True},
            {"query": "/w/c.py", "result": "", "error": "no", "success": False},
        ]
    )
    call = Item(
        Role.ASSISTANT, ItemKind.CALL, json.dumps({"files": [{"path": "/w/a.py"}]}), name="read_files", call_id="c"
    )
    found = read(call, Item(Role.TOOL, ItemKind.RESULT, result, call_id="c"))
    assert [(s.path, s.text) for s in found] == [("/w/a.py", TEXT.removesuffix("\n"))]


@pytest.mark.parametrize(
    "arguments",
    [
        {"offset": 10},
        {"limit": 5},
        {"start_line": 2, "end_line": 4},
        {"view_range": [1, 2]},
        {"startLine": 5},
        {"line": 3},
    ],
)
def test_a_range_is_no_whole_file(arguments: dict[str, object]) -> None:
    assert shown(numbered("{n} | {line}"), **arguments) == []


@pytest.mark.parametrize(
    "arguments", [{"offset": 0}, {"offset": 1}, {"offset": None, "limit": None}, {"should_read_entire_file": True}]
)
def test_arguments_that_mean_the_whole_file(arguments: dict[str, object]) -> None:
    assert len(shown(numbered("{n} | {line}"), **arguments)) == 1


@pytest.mark.parametrize(
    "result",
    [
        "18: def f():\n19:     return 1\n",
        "1 | def f():\n2 | x\n\n[Showing lines 1-2 of 9. Use start_line/end_line to read other sections.]",
        "IMPORTANT: File content truncated.\nStatus: Showing lines 1-2 of 9 total lines.\n\n1 | x\n2 | y",
        "Wasted call — file unchanged since your last Read. Refer to that earlier tool_result instead.",
        "[File README.md unchanged since last read in this session — see above]",
        "[outdated - see the latest file content]",
        "[Old tool result content cleared]",
        "<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>",
        "File not found: a.py",
        "Error: ENOENT: no such file or directory, open '/w/a.py'",
        "The user denied this operation.",
        "Permission denied",
        "cat: a.py: No such file or directory",
        "No such tool is available here, sorry.",
        "1 | def f():\n2 | x\nand so on",
    ],
)
def test_what_is_not_the_file(result: str) -> None:
    assert shown(result) == []


def test_errors_and_other_tools_are_no_reads() -> None:
    assert shown(TEXT, error=True) == []
    assert shown(TEXT, name="get_weather") == []
