"""Every parser of a dialect against random composites of real markers: it never raises, hangs or makes text up.

`TSLP_FUZZ_INPUTS` sets how many inputs the slow run makes.
"""

import json
import os
import random
import re
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

from tslp_litellm import shell
from tslp_litellm.clients.frames import patterns
from tslp_litellm.clients.makers import attempt
from tslp_litellm.clients.outcomes import outcome
from tslp_litellm.clients.reads import read
from tslp_litellm.clients.reports import report_in
from tslp_litellm.clients.shell import changes_of, path_shown
from tslp_litellm.clients.stated import stated_in
from tslp_litellm.clients.synthetic import rejoined, synthetic
from tslp_litellm.clients.text_calls import expand
from tslp_litellm.conversation.model_text import read_answer
from tslp_litellm.conversation.user_text import read_user_text
from tslp_litellm.dialects.apply_patch import is_patch, parse_patch
from tslp_litellm.dialects.attachments import attached
from tslp_litellm.dialects.listings import listed_files
from tslp_litellm.dialects.search_replace import blocks
from tslp_litellm.dialects.unified_diff import parse_diff
from tslp_litellm.dialects.values import Attempt, Carrier, Edit, Outcome, Replacement, Shown, Transfer
from tslp_litellm.resolution.edits import applied
from tslp_litellm.wire.turn import Item, ItemKind, Role

INPUTS = int(os.environ.get("TSLP_FUZZ_INPUTS", "1000000"))
SHORT_RUN = 3000
PIECES_MAX = 24
SECONDS = 120
"""A hang, not a speed: no input takes a hundredth of this."""

PATHS = ("a.py", "src/b.ts", "/w/c.go", "Makefile", "docs/x y.md", "ü.rs", "../d.py", "C:\\e.cs", "a/../f.js", "~/g.sh")
CODE = (
    "def f():\n    return 1\n", "x = 1\n", "class A {\n  int b;\n}\n", "\n", "    \n", "\t\n", "end", "# comment\n",
    "...\n", "// ... existing code ...\n", "ünïcode ✓\n", "a\r\nb\r\n", "{}", "'", '"', "`", "1 | a\n", "1: a\n", "1\ta\n",
    "     1→a\n", "2 | b\n", "12: \n", "\\", "\0", "\x1b[0m", "\ufeff", "\u2028", "\f",
)  # fmt: skip
MARKS = (
    "```python\n", "```\n", "````\n", "~~~\n", "```diff\n", "```tool\n", "```bash\n", "```1:2:a.py\n", "```src/b.ts\n",
    "<<<<<<< SEARCH\n", "=======\n", ">>>>>>> REPLACE\n", "------- SEARCH\n", "+++++++ REPLACE\n", ":start_line:3\n",
    "-------\n", "*** Begin Patch\n", "*** End Patch\n", "*** Update File: a.py\n", "*** Add File: a.py\n",
    "*** Delete File: a.py\n", "*** Move to: b.py\n", "*** End of File\n", "@@\n", "@@ def f():\n", "@@ -1,2 +1,2 @@\n",
    "@@ -0,0 +1 @@\n", "@@ -999999999999 +1 @@\n", "--- a/a.py\n", "+++ b/a.py\n", "--- /dev/null\n", "+++ /dev/null\n",
    '+++ "b/\\303\\274.py"\n', "diff --git a/a.py b/b.py\n", "rename from a.py\n", "rename to b.py\n", "+x\n", "-x\n",
    " x\n", "\\ No newline at end of file\n", "<write_to_file>\n", "</write_to_file>\n", "<path>a.py</path>\n",
    "<content>\n", "</content>\n", "<diff>\n", "</diff>\n", "<replace_in_file>\n", "</replace_in_file>\n", "<args>\n",
    "<file>\n", "</file>\n", "</args>\n", "<apply_diff>\n", "</apply_diff>\n", "<insert_content>\n", "<line>0</line>\n",
    "<function=str_replace_editor>\n", "</function>\n", "<parameter=path>", "<parameter=file_text>", "</parameter>\n",
    "<parameter=command>create</parameter>\n", "TOOL_NAME: create_new_file\n", "BEGIN_ARG: filepath\n", "END_ARG\n",
    "BEGIN_ARG: contents\n", "<tool_call>", "</tool_call>", '{"name": "Write", "arguments": ', "<tool_response>\n",
    "</tool_response>\n", "<FILEPATH>a.py</FILEPATH>\n", "<SEARCH>\n", "</SEARCH>\n", "<REPLACE>\n", "</REPLACE>\n",
    '<file_content path="a.py">\n', "</file_content>\n", '<final_file_content path="a.py">\n', "</final_file_content>\n",
    '<attachment filepath="a.py">\n', "</attachment>\n", "<think>\n", "</think>\n", "[CURRENT STATE: AUTHORITATIVE]\n",
    "[END CURRENT STATE]\n", "[STATE NOTICE]\n", "<system-reminder>\n", "</system-reminder>\n", "<path>a.py</path>\n<type>file</type>\n<content>\n",
    "(End of file - total 2 lines)\n", "(Showing lines 1-2 of 9)\n", "Content of a.py:\n", "[read_file for 'a.py'] Result:\n",
    'Called the Read tool with the following input: {"file_path":"a.py"}\n', "Result of calling the Read tool:\n",
    "--- Content from referenced files ---\n", "Content from @a.py:\n", "--- End of content ---\n",
    "I have *added these files to the chat* so you can go ahead\n\n", "# 1 SEARCH/REPLACE block failed to match!\n",
    "UnifiedDiffNoMatch: hunk failed to apply!\n", "CRITICAL FILE STATE ALERT: x\n", "Note: a.py was modified, either by the user or by a linter\n",
    "EXECUTION RESULT of [str_replace_editor]:\n", "Tool output for create_new_file tool call:\n", "Diff:\n",
    "Output:\n", "Exit code: 0\n", "Exit Code: 1\n", "<returncode>0</returncode>\n<output>\n", "</output>", "<user_edits>\n", "</user_edits>",
    "User modified the `content` to be: ", "Success. Updated the following files:\n", "<tool_use_error>", "File not found: a.py\n",
)  # fmt: skip
SHELL = (
    "cat > a.py <<'EOF'\n", "cat <<EOF >> b.py\n", "EOF\n", "apply_patch <<'EOF'\n", "rm a.py", "rm -rf src", "mv a.py b.py",
    "cp -r a b", "sed -i 's/a/b/' a.py", "git checkout -- a.py", "echo x > a.py", "printf 'a\\n' > b.py", "tee a.py", "cd src",
    " && ", " || ", "; ", " | ", "\n", " & ", "(", ")", "{ ", "; }", "if true; then ", "; fi", "for x in *; do ", "; done",
    "$x", "$(", "`", "'", '"', "\\", " > a.py", " >> ", "2>&1", "*", "bash -lc '", "sudo ", "python - <<'EOF'\n", "open('a.py','w')\n",
)  # fmt: skip
NESTS = ("(", "[", "{", "<a>", "<file>\n", "```\n", "> ", "$(", "'", '{"a":', "[[", "<args>")
ARGUMENTS = (
    "path", "file_path", "filePath", "content", "file_text", "old_string", "new_string", "old_text", "new_text", "insert_line",
    "edits", "diff", "input", "patch", "command", "cmd", "commands", "line", "args", "files", "mode", "replace_all", "offset",
    "replacements", "code_edit", "source", "destination", "search", "replace", "workdir",
)  # fmt: skip
TOOLS = (
    "Write", "Edit", "write_to_file", "apply_diff", "apply_patch", "str_replace_editor", "editor", "bash", "run_commands",
    "insert_content", "search_and_replace", "multi_edit", "multi_replace_string_in_file", "delete_file", "move_file", "edit_file",
    "read_file", "read_files", "Read", "notebook_edit", "update_document", "x",
)  # fmt: skip


def composite(rng: random.Random, *sources: tuple[str, ...]) -> str:
    """Random pieces one after the other, some of them repeated, nested or cut."""
    pieces: list[str] = []
    for _ in range(rng.randrange(PIECES_MAX)):
        piece = rng.choice(rng.choice(sources))
        chance = rng.random()
        if chance < 0.03:
            piece = rng.choice(NESTS) * rng.choice((3, 50, 700))
        elif chance < 0.08:
            piece *= rng.randrange(2, 6)
        elif chance < 0.12:
            piece = piece[: rng.randrange(len(piece) + 1)]
        elif chance < 0.2:
            piece = rng.choice(PATHS) + rng.choice(("\n", ":\n", "\n```\n", " "))
        pieces.append(piece)
    return "".join(pieces)


def value(rng: random.Random, depth: int = 0) -> Any:
    """A random value of a tool's argument."""
    kind = rng.randrange(9)
    if kind < 4 or depth > 2:
        return rng.choice(PATHS) if rng.random() < 0.4 else composite(rng, CODE, MARKS, SHELL)
    if kind == 4:
        return rng.choice((None, True, False, 0, 1, -1, 3, 2**70, 1.5, "0", "3", ""))
    if kind == 5:
        return [value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice(ARGUMENTS): value(rng, depth + 1) for _ in range(rng.randrange(4))}


def call(rng: random.Random) -> Item:
    arguments = {rng.choice(ARGUMENTS): value(rng) for _ in range(rng.randrange(6))}
    if rng.random() < 0.6:
        arguments["path"] = rng.choice(PATHS)
    if rng.random() < 0.3:
        arguments["command"] = rng.choice(("create", "view", "str_replace", "insert", "undo_edit"))
    text = json.dumps(arguments) if rng.random() < 0.97 else composite(rng, CODE, MARKS)
    return Item(Role.ASSISTANT, ItemKind.CALL, text, 1, name=rng.choice(TOOLS), call_id="c")


# -- no text that was not there

_NUMBER = re.compile(r"^\s*\d+ ?[|→\t:] ?|^[ \t]+")


def squeezed(text: str) -> str:
    """A text without what the documented completions and strippings change: line numbers, marks, white space, escapes."""
    lines = (
        _NUMBER.sub("", line.lstrip("+- \\")) for line in text.replace("\\n", "\n").replace("\\t", "\t").split("\n")
    )
    return re.sub(r"[\s\\\"]+", "", "".join(lines))


def texts_of(pieces: Iterable[Any]) -> Iterator[str]:
    """Every text that some evidence holds."""
    for piece in pieces:
        if isinstance(piece, Shown):
            yield piece.text
        elif isinstance(piece, (Edit, Transfer)):
            for step in piece.steps:
                yield step.new
                if isinstance(step, Replacement):
                    yield step.old
        elif isinstance(piece, Attempt):
            yield from texts_of(piece.changes)
        elif isinstance(piece, Outcome):
            yield from texts_of((*piece.attempt.changes, *piece.stated))


def lines_stand_in(text: str, source: str) -> bool:
    """Whether each line of a text stands in the source, but for the completions."""
    known = squeezed(source)
    return all(squeezed(line) in known for line in text.split("\n"))


def check(pieces: Iterable[Any], source: str) -> None:
    for text in texts_of(pieces):
        assert lines_stand_in(text, source), (text, source)


# -- the parsers


def items(rng: random.Random) -> list[Item]:
    roles = (Role.ASSISTANT, Role.USER)
    return [
        Item(rng.choice(roles), ItemKind.TEXT, composite(rng, MARKS, CODE), rng.randrange(3))
        for _ in range(rng.randrange(1, 6))
    ]


def fuzz_answer(rng: random.Random) -> None:
    text = composite(rng, MARKS, CODE)
    check(read_answer(text), text)


def fuzz_user_text(rng: random.Random) -> None:
    text = composite(rng, MARKS, CODE)
    check(read_user_text(text).evidence, text)


def fuzz_diff(rng: random.Random) -> None:
    text = composite(rng, MARKS[:40], CODE)
    check(parse_diff(text), text)
    check(parse_diff(text, stated=True, path=rng.choice((None, "a.py"))), text)


def fuzz_patch(rng: random.Random) -> None:
    text = composite(rng, MARKS[:40], CODE)
    assert isinstance(is_patch(text), bool)
    check(parse_patch(text), text)


def fuzz_blocks(rng: random.Random) -> None:
    text = composite(rng, MARKS[9:16], CODE, MARKS)
    check((block.edit for block in blocks(text, rng.choice((None, "a.py")))), text)


def fuzz_shell(rng: random.Random) -> None:
    text = composite(rng, SHELL, SHELL, CODE)
    quoted = re.compile(r"[\s\\\"']+")
    bare = quoted.sub("", text)
    for found in texts_of(
        changes_of(text, rng.choice(("", "/w", None)), rng.choice(list(shell.Outcome)), rng.choice(("", None)))
    ):
        words = found.split()  # redirections may have stood between them
        assert all(quoted.sub("", word) in bare for word in words), (found, text)
    shown = path_shown(text)
    assert shown is None or shown.replace("\\", "") in text.replace("\\", "").replace("'", "").replace('"', "")


def fuzz_text_calls(rng: random.Random) -> None:
    said = items(rng)
    source = "\n".join(item.text for item in said)
    for item in expand(rejoined(said)):
        if item.kind is ItemKind.CALL and (made := attempt(item)):
            check([made], source)


def fuzz_calls(rng: random.Random) -> None:
    item = call(rng)
    made = attempt(item)
    if made is not None:
        check([made], "\n".join(strings(item.text)))
        result = Item(Role.TOOL, ItemKind.RESULT, composite(rng, MARKS, CODE), call_id="c", is_error=rng.random() < 0.1)
        done = outcome(made, result)
        check(done.stated, result.text + "&lt;&gt;&amp;")


def strings(text: str) -> Iterator[str]:
    """All strings in a JSON text; the text itself where it is none."""
    try:
        decoded = json.loads(text)
    except (ValueError, RecursionError):
        yield text
        return
    waiting = [decoded]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
            if one[:1] in ("[", "{"):
                yield from strings(one) if one != text else ()
        elif isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def fuzz_reads(rng: random.Random) -> None:
    text = composite(rng, MARKS[-50:], CODE)
    if rng.random() < 0.2:
        text = json.dumps([{"query": "a.py", "result": text, "success": True}])
    name, arguments = rng.choice(
        (("Read", {"path": "a.py"}), ("read_files", {"files": []}), ("bash", {"command": "cat a.py"}))
    )
    item = Item(Role.ASSISTANT, ItemKind.CALL, json.dumps(arguments), name=name, call_id="c")
    source = "\n".join((text, *strings(text)))
    check(read(item, Item(Role.TOOL, ItemKind.RESULT, text, call_id="c")), source)


def fuzz_notices(rng: random.Random) -> None:
    text = composite(rng, MARKS, CODE)
    check(synthetic(text), text)
    check(listed_files(text), text)
    check(attached(text)[0], text)
    report = report_in(text)
    assert report is None or all(lines_stand_in(old, text) for old in report.failed)
    check(stated_in(Attempt("c", "x", (Shown("a.py", "", Carrier.WRITE),)), text), text)


def fuzz_edits(rng: random.Random) -> None:
    """Steps applied to a text: the exact result or none."""
    base = composite(rng, CODE)
    lines = base.split("\n")
    at = rng.randrange(len(lines))
    old = "\n".join(lines[at : at + rng.randrange(1, 3)]) if rng.random() < 0.7 else composite(rng, CODE)
    step = Replacement(old, composite(rng, CODE), everywhere=rng.random() < 0.2)
    result = applied(base, [step], placed=rng.random() < 0.3)
    crlf = "\r" in base
    if result is None or crlf:
        return
    if not old:
        assert result == step.new
    elif step.everywhere:
        assert result == base.replace(old, step.new)
    else:
        assert base.count(old) >= 1
        assert result == base.replace(old, step.new, 1)


FUZZERS: dict[str, Callable[[random.Random], None]] = {
    name.removeprefix("fuzz_"): fuzzer for name, fuzzer in list(globals().items()) if name.startswith("fuzz_")
}


@contextmanager
def no_hang(what: str) -> Iterator[None]:
    """Fails on an input that does not come to an end."""

    def hung(_signal: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"no end: {what}")

    before = signal.signal(signal.SIGALRM, hung)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def run(name: str, inputs: int, start: int = 0) -> None:
    for seed in range(start, start + inputs):
        with no_hang(f"{name}, seed {seed}"):
            FUZZERS[name](random.Random(f"{name}-{seed}"))


@pytest.mark.parametrize("name", FUZZERS)
def test_a_short_run(name: str) -> None:
    run(name, SHORT_RUN // len(FUZZERS))


@pytest.mark.slow
@pytest.mark.parametrize("name", FUZZERS)
def test_a_long_run(name: str) -> None:
    run(name, INPUTS // len(FUZZERS), start=SHORT_RUN)


# -- size alone must not matter

SIZE = 100_000
LONG = [
    *(nest * (SIZE // len(nest)) for nest in NESTS),
    *(mark * (SIZE // len(mark)) for mark in (*MARKS, *CODE, *SHELL)),
    *(char * SIZE for char in ' \n\t\r`*#-=.a1/(<"'),
    *("\n".join([mark.strip("\n")] * (SIZE // (len(mark) + 1))) + "x" for mark in MARKS[9:20]),
]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(LONG)))
def test_long_repetitions(number: int) -> None:
    text = LONG[number]
    with no_hang(repr(text[:60])):
        every_parser(text)


def test_some_long_repetitions() -> None:
    for text in LONG[::9]:
        with no_hang(repr(text[:60])):
            every_parser(text[: SIZE // 20])


def every_parser(text: str) -> None:
    """Text as whatever it could be."""
    read_answer(text)
    read_user_text(text)
    parse_diff(text, stated=True)
    blocks(text, "a.py")
    patterns().machine.fit(text)
    said = Item(Role.ASSISTANT, ItemKind.TEXT, text, 1)
    expand(rejoined([said, Item(Role.USER, ItemKind.TEXT, text, 2)]))
    for name in ("Write", "Edit", "bash", "apply_patch", "apply_diff"):
        given = {"path": "a.py", "content": text, "command": text, "input": text, "diff": text}
        made = attempt(Item(Role.ASSISTANT, ItemKind.CALL, json.dumps(given), name=name, call_id="c"))
        if made is not None:
            outcome(made, Item(Role.TOOL, ItemKind.RESULT, text, call_id="c"))
    read(
        Item(Role.ASSISTANT, ItemKind.CALL, '{"path": "a.py"}', name="read_file", call_id="c"),
        Item(Role.TOOL, ItemKind.RESULT, text, call_id="c"),
    )
