"""Reads: every line-number style, trailers, ranges, stubs and errors."""

import json

import pytest

from tslp_litellm.clients.reads import read
from tslp_litellm.dialects.values import Excerpt, Shown
from tslp_litellm.wire.turn import Item, ItemKind, Role

REMINDER = (
    "\n\n<system-reminder>\nWhenever you read a file, you should consider whether it would be considered malware.\n"
    "</system-reminder>\n"
)
TEXT = "def f():\n    return 1\n\n\nx = '1 | a'\n"
LINES = TEXT.split("\n")[:-1]
ROWS = "1\tone = 1\n2\ttwo = 2\n3\tthree = 3\n4\tfour = 4\n"


def shown(
    result: str, name: str = "read_file", error: bool = False, **arguments: object
) -> list[tuple[str, str, bool]]:
    call = Item(Role.ASSISTANT, ItemKind.CALL, json.dumps({"path": "a.py", **arguments}), name=name, call_id="c")
    answer = Item(Role.TOOL, ItemKind.RESULT, result, call_id="c", is_error=error)
    return [(s.path, s.text, s.ended) for s in read(call, answer) if isinstance(s, Shown)]


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
    ],
)
def test_numbers_are_stripped(form: str) -> None:
    (found,) = shown(numbered(form))
    assert found == ("a.py", TEXT.removesuffix("\n"), False)


@pytest.mark.parametrize("form", ["{n:6}→{line}", "{n}\t{line}"])
def test_a_numbered_empty_last_line_shows_the_final_newline(form: str) -> None:
    assert shown(numbered(form, [*LINES, ""])) == [("a.py", TEXT, True)]


@pytest.mark.parametrize(
    ("name", "arguments", "whole"),
    [
        ("read_file", {"path": "a.py"}, TEXT),  # what parses only without the numbers
        ("read_file", {"path": "a.md"}, None),
        ("read_text_file", {"path": "a.md"}, ROWS),  # whose contract is the text as it stands
        ("read", {"path": "a.md"}, ROWS),
        ("read", {"filepath": "a.md"}, ROWS),
        ("Read", {"file_path": "a.md"}, "one = 1\ntwo = 2\nthree = 3\nfour = 4"),  # which always numbers
    ],
)
def test_numbers_are_the_file_s_own_unless_the_tool_is_known_to_set_them(
    name: str, arguments: dict[str, object], whole: str | None
) -> None:
    text = numbered("{n}\t{line}", [*LINES, ""]) if whole == TEXT else ROWS
    call = Item(Role.ASSISTANT, ItemKind.CALL, json.dumps(arguments), name=name, call_id="c")
    (found,) = read(call, Item(Role.TOOL, ItemKind.RESULT, text, call_id="c"))
    assert (found.text if isinstance(found, Shown) else None) == whole


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
    claude = numbered("{n:6}→{line}", [*LINES, ""]) + REMINDER
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
    assert [(s.path, s.text) for s in found if isinstance(s, Shown)] == [("/w/a.py", TEXT.removesuffix("\n"))]
    assert [s for s in found if isinstance(s, Excerpt)] == [
        Excerpt("/w/b.py", 2, ("x", "y")),
        Excerpt("/w/c.py", 1, ()),
    ]


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


@pytest.mark.parametrize("arguments", [{"offset": 0}, {"offset": 1}, {"offset": None, "limit": None}])
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


def test_a_line_of_the_file_that_speaks_of_what_is_cut_is_no_cut_line() -> None:
    lines = ["def summary(text):", "    # <html> ... (truncated)", "    return text[:120]"]
    assert len(shown(numbered("{n}\t{line}", lines))) == 1
    lines[1] = "    # " + 100 * "html " + "... [truncated]"
    assert shown(numbered("{n}\t{line}", lines)) == []


def test_errors_and_other_tools_are_no_reads() -> None:
    assert shown(TEXT, error=True) == []
    assert shown(TEXT, name="get_weather") == []


OPENHANDS = "Here's the result of running `cat -n` on /w/a.py:\n"

WHOLE = [
    # avante, CodeCompanion, Continue, Cline 3 and Roo, Crush, qwen, gemini, opencode (old), mini-swe-agent
    (json.dumps({"content": TEXT, "total_line_count": 5, "is_truncated": False}), TEXT, True),
    (f"Read file `a.py` from line 0 to -1:\n````py\n{TEXT}````", TEXT, True),
    (f"```src/a.py\n{TEXT}```", TEXT.removesuffix("\n"), True),
    (
        f"[read_file for 'a.py'] Result:\n{numbered('{n} | {line}')}\n\n(File has 5 lines total.)",
        TEXT.removesuffix("\n"),
        False,
    ),
    (f"[read_file for 'a.py']\nFile: a.py\n{numbered('{n} | {line}')}", TEXT.removesuffix("\n"), False),
    (f"<file>\n{numbered('{n:6}|{line}')}\n</file>\n", TEXT.removesuffix("\n"), False),
    (f"<file>\n{numbered('{n:05}| {line}')}\n\n(End of file - total 5 lines)\n</file>", TEXT.removesuffix("\n"), False),
    (OPENHANDS + numbered("{n:6}\t{line}", [*LINES, ""]) + "\n", TEXT, True),
    (f"[read_file for 'a.py'] Result:\n{TEXT}", TEXT, True),
]


@pytest.mark.parametrize(("result", "text", "ended"), WHOLE)
def test_every_client_s_reads(result: str, text: str, ended: bool) -> None:
    found = shown(result)
    assert [(path, body.removesuffix("\n") if not ended else body) for path, body, _ in found] == [("a.py", text)]


@pytest.mark.parametrize(
    "result",
    [
        json.dumps({"content": TEXT, "total_line_count": 9, "is_truncated": True}),
        OPENHANDS
        + "     1\tx\n<response clipped><NOTE>To save on context only part of this file has been shown</NOTE>",
        "File: `/w/a.py`. Lines 1 to 40 (120 lines total): \n```py\nx = 1\n```",
        "[File: a.py (120 lines total)]\n(10 more lines above)\n11:x = 1",
        "1 | x = 1\n2 | y [line truncated]",
        "<path>a.py</path>\n<type>file</type>\n<content>\n1: x... (line truncated to 2000 chars)\n\n(End of file - total 1 lines)\n</content>",
        "<path>a.py</path>\n<type>file</type>\n<content>\n1: x\n\n(Output capped at 50 KB. Use offset=2 to continue.)\n</content>",
        "<path>src</path>\n<type>directory</type>\n<entries>\na.py\n</entries>",
        "<file>\n     1|x\n\n(File has more lines. Use 'offset' parameter to read beyond line 1)\n</file>\n",
        "IMPORTANT: The file content has been truncated.\nStatus: Showing lines 1-2 of 9 total lines.\nAction: x\n\n--- FILE CONTENT (truncated) ---\nx = 1\ny = 2",
        "[[NOTE] This file read has been removed to save space in the context window.]",
        "File: a.py\nStatus: Denied by user",
        "(The file `/w/a.py` exists, but is empty)",
        "1 | x\n3 | y",
        "2 | x\n3 | y",
        "1 | x\n2: y",
        "{broken",
    ],
)
def test_excerpts_and_messages_of_every_client(result: str) -> None:
    assert shown(result) == []


@pytest.mark.parametrize(
    "text",
    [
        "1 | a\n2 | b\n",  # a file that is numbered itself, read by a tool that numbers
        "1\tx\n2\ty\n",
        "(End of file)\n",
        "\n\n\n",
        "x\n\n\n",
        "\tx\n",
        " 1 | x\n",
    ],
)
@pytest.mark.parametrize("form", ["{n} | {line}", "{n:6}→{line}", "{n}\t{line}", "{n:6}|{line}"])
def test_only_the_reader_s_own_numbers_are_stripped(text: str, form: str) -> None:
    lines = text.split("\n") if form[-7] in "→\t" else text.split("\n")[:-1]
    for _, found, _ in shown(numbered(form, lines)):
        assert found.rstrip("\n") == text.rstrip("\n")


SHELL_READS = [
    (TEXT, TEXT),
    (
        f"Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 9\nOutput:\n{TEXT}",
        TEXT,
    ),
    (f"Exit code: 0\nWall time: 0 seconds\nOutput:\n{TEXT}", TEXT),
    (f"<returncode>0</returncode>\n<output>\n{TEXT}</output>", TEXT),
    (json.dumps([{"query": "cat a.py", "result": TEXT, "success": True}]), TEXT),
    (f"Command: cat a.py\nDirectory: (root)\nOutput: {TEXT}\nError: (none)\nExit Code: 0\nSignal: 0", TEXT),
]


def cat(result: str, command: str = "cat a.py") -> list[str]:
    call = Item(Role.ASSISTANT, ItemKind.CALL, json.dumps({"command": command}), name="bash", call_id="c")
    found = read(call, Item(Role.TOOL, ItemKind.RESULT, result, call_id="c"))
    return [s.text for s in found if isinstance(s, Shown)]


@pytest.mark.parametrize(("result", "text"), SHELL_READS)
def test_what_cat_printed(result: str, text: str) -> None:
    assert cat(result) == [text]
    assert cat(result, "cat -n a.py") == []
    assert cat(result, f"sed -n '1,{len(LINES)}p' a.py") == []


@pytest.mark.parametrize(("result", "text"), SHELL_READS)
@pytest.mark.parametrize("command", ["head a.py", "sed -n '1,240p' a.py"])
def test_fewer_lines_than_were_asked_for_are_all(command: str, result: str, text: str) -> None:
    assert cat(result, command) == [text]


@pytest.mark.parametrize(
    "result",
    [
        "",
        "cat: a.py: No such file or directory",
        "Exit code: 1\nWall time: 0 seconds\nOutput:\nx = 1\n",
        "x = 1\n…12 tokens truncated…\ny = 2\n",
        "x = 1\n... [20 lines truncated] ...\ny = 2\n",
        '[{"query":"cat a.py","result":"x = 1\\n","success":false}]',
        "[Old tool result content cleared]",
        "The user rejected permission to use this specific tool call.",
        "Command timed out",
    ],
)
def test_what_cat_did_not_print(result: str) -> None:
    assert cat(result) == []


CODEX = "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 9999\nOutput:\n"
CLIPPED = "x = 1\n\n\ndef f():\n    return 7…7999 tokens truncated…0\n\n\ny = 2\n"


@pytest.mark.parametrize(
    "result",
    [
        f"{CODEX}{CLIPPED}",
        f"{CODEX}{CLIPPED.replace('tokens', 'chars')}",
        f"{CODEX}Total output lines: 1200\n\n{TEXT}",
        f"{CODEX}Warning: truncated output (original token count: 9999)\nTotal output lines: 1200\n\n{TEXT}",
        f"{CODEX}Warning: truncated output (original token count: 9999)\n\n{TEXT}",
        f"Exit code: 0\nWall time: 0.1 seconds\nTotal output lines: 1200\nOutput:\n{TEXT}",
        json.dumps({"output": CLIPPED, "metadata": {"exit_code": 0, "duration_seconds": 0.1}}),
        CLIPPED,
    ],
)
@pytest.mark.parametrize("path", ["a.py", "a.md", "a.json"])
def test_output_that_the_client_clipped_shows_no_whole_file(result: str, path: str) -> None:
    assert cat(result, f"cat {path}") == []
    assert not any(isinstance(found, Shown) for found in raw(result, path))


def test_lines_that_only_speak_of_clipped_output() -> None:
    text = TEXT + "say('Total output lines: 3')\n"
    assert cat(CODEX + text) == [text]
    (found,) = claude("1\t# it prints …12 tokens truncated…\n2\tx = 1\n3\t")
    assert isinstance(found, Shown)
    assert raw("1 | x = 1\n2 | y…12 tokens truncated…5 | z = 2\n6 | a = 3\n") == []


def test_only_the_reminders_behind_a_file_are_cut() -> None:
    text = "a = (\n<system-reminder>\nmine\n</system-reminder>\n)\n"
    body = numbered("{n}\t{line}", text.split("\n"))
    for result in (body, body + REMINDER, body + REMINDER + REMINDER):
        (found,) = claude(result)
        assert isinstance(found, Shown)
        assert (found.text, found.ended) == (text, True)
    assert shown(text) == []  # bare output that does not parse proves nothing
    assert shown(TEXT + REMINDER) == []


def claude(result: str, **arguments: object) -> list[Shown | Excerpt]:
    call = Item(Role.ASSISTANT, ItemKind.CALL, json.dumps({"file_path": "a.py", **arguments}), name="Read", call_id="c")
    return list(read(call, Item(Role.TOOL, ItemKind.RESULT, result, call_id="c")))


def test_claude_code_numbers_what_follows_the_last_newline() -> None:
    (ended,) = claude("1\tx = 1\n2\ty = 2\n3\t")
    (open_end,) = claude("1\tx = 1\n2\ty = 2")
    assert isinstance(ended, Shown)
    assert isinstance(open_end, Shown)
    assert (ended.text, ended.ended) == ("x = 1\ny = 2\n", True)
    assert (open_end.text, open_end.ended) == ("x = 1\ny = 2", True)


@pytest.mark.parametrize("lines", [2000, 2001])
def test_as_many_lines_as_a_tool_shows_at_most_are_a_part(lines: int) -> None:
    (found,) = claude("\n".join(f"{n}\tx{n}" for n in range(1, lines + 1)))
    assert isinstance(found, Excerpt)
    assert len(claude("\n".join(f"{n}\tx{n}" for n in range(1, 2000)))) == 1


def test_a_range_that_reaches_beyond_the_end_shows_the_whole_file() -> None:
    assert isinstance(claude("1\tx = 1\n2\t", limit=100)[0], Shown)
    assert isinstance(claude("1\tx = 1\n2\ty = 2", limit=2)[0], Excerpt)
    assert claude("3\ty = 2\n4\tz = 3", offset=3, limit=2) == [Excerpt("a.py", 3, ("y = 2", "z = 3"))]


@pytest.mark.parametrize("form", ["{n}\t{line}", "{n:6}→{line}"])
def test_a_blank_last_line_counts_against_the_limit(form: str) -> None:
    rows = numbered(form, ["x = 1", "", "y = 2", ""])
    assert [type(claude(rows, limit=limit)[0]) for limit in (4, 5)] == [Excerpt, Shown]


def test_a_blank_last_line_counts_against_the_limit_of_the_tool() -> None:
    rows = "\n".join(f"{n}\tx{n}" for n in range(1, 2000))
    assert isinstance(claude(f"{rows}\n2000\t")[0], Excerpt)
    assert shown("def f():\n    return 1\n\n", limit=4) == []
    assert len(shown("def f():\n    return 1\n\n", limit=5)) == 1


@pytest.mark.parametrize("more", [{"ref": "v1"}, {"host": "prod"}, {"encoding": "latin-1"}, {"repo": "other"}])
def test_a_read_with_an_argument_that_nobody_knows_proves_nothing(more: dict[str, object]) -> None:
    assert claude("1\tx = 1\n2\t", **more) == []
    assert shown(TEXT, **more) == []


def test_a_frame_that_names_another_file_is_of_that() -> None:
    frame = "<path>{}</path>\n<type>file</type>\n<content>\n1: x = 1\n\n(End of file - total 1 lines)\n</content>"
    assert shown(frame.format("/w/b.py")) == []
    call = Item(Role.ASSISTANT, ItemKind.CALL, json.dumps({"filePath": "a.py"}), name="read", call_id="c")
    (found,) = read(call, Item(Role.TOOL, ItemKind.RESULT, frame.format("/w/a.py"), call_id="c"))
    assert isinstance(found, Shown)
    assert (found.path, found.named) == ("a.py", "/w/a.py")


def test_a_trailer_states_how_many_lines_there_are() -> None:
    assert shown("1 | x\n2 | y\n\n(File has 2 lines total.)") == [("a.py", "x\ny", False)]
    assert shown("1 | x\n2 | y\n\n(File has 9 lines total.)") == []


@pytest.mark.parametrize(
    "said",
    [
        "Note: The file a.py was too large and has been truncated to the first 2 lines.",
        "Nur ein Teil der Datei wurde gezeigt.",
        "The TodoWrite tool hasn't been used recently. Only half of a.py was shown.",
    ],
)
def test_a_reminder_that_may_speak_of_the_read_leaves_it_a_part(said: str) -> None:
    (found,) = claude(f"1\tx = 1\n2\ty = 2\n3\t\n\n<system-reminder>\n{said}\n</system-reminder>\n")
    assert isinstance(found, Excerpt)


def copilot(result: str, **arguments: object) -> list[Shown | Excerpt]:
    given = {"filePath": "/w/a.py", "startLine": 1, "endLine": 2, **arguments}
    call = Item(Role.ASSISTANT, ItemKind.CALL, json.dumps(given), name="read_file", call_id="c")
    return list(read(call, Item(Role.TOOL, ItemKind.RESULT, result, call_id="c")))


def test_copilot_says_where_it_shows_a_part() -> None:
    (whole,) = copilot("```python\nx = 1\ny = 2\n```")
    assert isinstance(whole, Shown)
    assert (whole.text, whole.whole, whole.ended) == ("x = 1\ny = 2", True, False)
    head = "File: `/w/a.py`. Lines {} to {} (9 lines total): \n```python\nx = 1\ny = 2\n```"
    assert copilot(head.format(4, 5)) == [Excerpt("/w/a.py", 4, ("x = 1", "y = 2"))]
    assert isinstance(copilot(head.format(1, 9))[0], Shown)
    assert copilot(head.replace("a.py", "b.py").format(1, 9)) == []
    assert copilot("```python\nx = 1\n[... 3 more lines ...]\n```") == []


def test_a_tool_with_frames_of_its_own_shows_a_file_in_no_other() -> None:
    assert copilot("x = 1\ny = 2\n") == []
    assert copilot("1\tx = 1\n2\ty = 2\n") == [Excerpt("/w/a.py", 1, ("x = 1", "y = 2"))]
    call = Item(Role.ASSISTANT, ItemKind.CALL, '{"path": "a.py"}', name="view", call_id="c")
    (part,) = read(call, Item(Role.TOOL, ItemKind.RESULT, "1\tx = 1\n2\ty = 2\n", call_id="c"))
    assert isinstance(part, Excerpt)
    crush = "<file>\n     1|x = 1\n     2|y = 2\n</file>\n"
    assert isinstance(read(call, Item(Role.TOOL, ItemKind.RESULT, crush, call_id="c"))[0], Shown)


@pytest.mark.parametrize(
    "path", ["https://x.org/a.py", "git://repo/a.py", "s3://bucket/a.py", "vscode-remote://h/a.py"]
)
def test_a_path_with_a_scheme_is_of_another_place(path: str) -> None:
    assert shown(TEXT, path=path) == []
    assert len(shown(TEXT, path="file:///w/a.py")) == 1
    assert shown(TEXT, query="f") == []


def raw(result: str, path: str = "a.py") -> list[Shown | Excerpt]:
    call = Item(Role.ASSISTANT, ItemKind.CALL, json.dumps({"path": path}), name="read_file", call_id="c")
    return list(read(call, Item(Role.TOOL, ItemKind.RESULT, result, call_id="c")))


@pytest.mark.parametrize(
    "line",
    [
        "# [其余内容已截断]",
        "# 240 lines total",
        "# et ainsi de suite",
        "next_cursor: ab12",
        "Fortsetzung: Seite 2",
        "（以下省略）",
    ],
)
def test_the_last_line_of_bare_code_may_be_the_tool_s(line: str) -> None:
    assert not any(isinstance(found, Shown) for found in raw(f"{TEXT}\n{line}\n"))
    assert not any(isinstance(found, Shown) for found in raw(f"{TEXT}{line}"))
    assert isinstance(raw(f"# {line}\n{TEXT}")[0], Shown) or "lines" in line
    assert isinstance(raw("class A:\n    x: int\n    # more to come\n\n\nA()\n")[0], Shown)


@pytest.mark.parametrize("line", ["（以下省略）", "[其余内容]", "(Fortsetzung folgt)", "…"])
def test_a_last_line_between_brackets_may_be_the_tool_s(line: str) -> None:
    text = "# Title\n\nSome words of prose.\n\n- one\n- two\n"
    assert isinstance(raw(text, "a.md")[0], Shown)
    assert not any(isinstance(found, Shown) for found in raw(f"{text}\n{line}\n", "a.md"))
    assert isinstance(raw(f"{text}\n[x](y) [z](w)\n", "a.md")[0], Shown)


DATA = [
    ("pom.xml", '<?xml version="1.0"?>\n<project>\n  <name>a</name>\n</project>\n'),
    ("ci.yml", "name: ci\non:\n  push:\njobs:\n  test:\n    env:\n      FLAGS: -Zstrict\n"),
    (
        "gradle.properties",
        "jvmargs=-XX:+HeapDumpOnOutOfMemoryError -Dfile.encoding=UTF-8\n\ngroup=a\nversion=1\ncode=b\n",
    ),
]


@pytest.mark.parametrize(("path", "text"), DATA)
def test_data_is_read_whole(path: str, text: str) -> None:
    assert [found.text for found in raw(text, path) if isinstance(found, Shown)] == [text]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pom.xml", f"{DATA[0][1]}</content>\n"),
        ("pom.xml", "<answer>\n<project>\n  <name>a</name>\n</project>\n</answer>\n"),
        ("ci.yml", f"{DATA[1][1]}FLAGS: cut\n"),
        ("ci.yml", "Error: file not found\n  at: read\n  path: ci.yml\n  code: 2\n"),
        ("gradle.properties", "An OutOfMemoryError occurred.\n\ngroup=a\nversion=1\ncode=b\n"),
    ],
)
def test_a_frame_around_data_may_be_the_tool_s(path: str, text: str) -> None:
    assert not any(isinstance(found, Shown) for found in raw(text, path))


def test_what_stands_before_a_cut_is_an_excerpt() -> None:
    assert raw(f"{TEXT}\n[... 120 more lines ...]\n") == [Excerpt("a.py", 1, tuple(LINES))]
    assert raw("x = 1\n\n[... 120 more lines ...]\n") == []


GONE = [
    "<tool_use_error>File does not exist.</tool_use_error>",
    "Error: File not found: /w/a.py",
    "File /w/a.py not found",
    "Error: ENOENT: no such file or directory, open '/w/a.py'",
    "Failed to read a.py: No such file or directory (os error 2)",
    "Error: die Datei gibt es nicht",
    '{"error": "nicht da"}',
]
NOT_GONE = [
    "The user denied this operation.",
    "<tool_use_error>Sibling tool call errored</tool_use_error>",
    "Error: File content (30000 tokens) exceeds maximum allowed tokens (25000).",
    "[Old tool result content cleared]",
    "File unchanged since last read.",
    "Please try again later.",
]


@pytest.mark.parametrize("said", GONE)
def test_a_read_that_is_refused_because_the_file_is_gone(said: str) -> None:
    for error in (False, True):
        call = Item(Role.ASSISTANT, ItemKind.CALL, '{"path": "a.py"}', name="read_file", call_id="c")
        found = read(call, Item(Role.TOOL, ItemKind.RESULT, said, call_id="c", is_error=error))
        assert found == [Excerpt("a.py", 1, ())]


@pytest.mark.parametrize("said", NOT_GONE)
def test_a_read_that_is_refused_for_another_reason(said: str) -> None:
    assert raw(said) == []
    assert raw(f"{TEXT}\n\n# File not found\n" * 3)[0] != Excerpt("a.py", 1, ())


def test_several_files_of_which_one_is_gone() -> None:
    rows = [
        {"query": "/w/a.py:1-9", "result": "", "error": "File not found: /w/a.py", "success": False},
        {"query": "/w/b.py", "result": "1 | x", "success": True},
    ]
    call = Item(Role.ASSISTANT, ItemKind.CALL, '{"files": [{"path": "/w/a.py"}]}', name="read_files", call_id="c")
    gone, there = read(call, Item(Role.TOOL, ItemKind.RESULT, json.dumps(rows), call_id="c"))
    assert gone == Excerpt("/w/a.py", 1, ())
    assert isinstance(there, Shown)


def test_a_note_that_a_file_is_empty_is_held_against_ours() -> None:
    assert raw("(The file `/w/a.py` exists, but is empty)") == [Excerpt("a.py", 1, ("",))]


@pytest.mark.parametrize(
    "shown",
    ["1:a3|X = 1", "1:a3|X = 1\n2:f0|Y = 2", "1:X = 1\n2:Y = 2", "1#a3:X = 1\n2#f0:Y = 2", "a3|X = 1\nf0|Y = 2"],
)
def test_anchors_are_no_numbers(shown: str) -> None:
    total = shown.count("\n") + 1
    framed = (
        f"<path>a.py</path>\n<type>file</type>\n<content>\n{shown}\n\n(End of file - total {total} lines)\n</content>"
    )
    call = Item(Role.ASSISTANT, ItemKind.CALL, '{"filePath": "a.py"}', name="read", call_id="c")
    for text in (framed, shown, shown + "\n"):
        assert [
            p for p in read(call, Item(Role.TOOL, ItemKind.RESULT, text, call_id="c")) if isinstance(p, Shown)
        ] == []
