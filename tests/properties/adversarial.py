"""Texts made to hurt readers, and what reads them: every way in which words of others come to a function."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.properties.test_fuzz_dialects import CODE, MARKS, NESTS, SHELL
from tslp_litellm import secrets
from tslp_litellm.clients import frames
from tslp_litellm.clients.makers import attempt
from tslp_litellm.clients.outcomes import outcome
from tslp_litellm.clients.reads import read
from tslp_litellm.clients.reports import report_in
from tslp_litellm.clients.side_requests import side_request, stated_diffs
from tslp_litellm.clients.stated import stated_in
from tslp_litellm.clients.synthetic import rejoined, synthetic
from tslp_litellm.clients.text_calls import expand
from tslp_litellm.conversation import history
from tslp_litellm.conversation.model_text import read_answer
from tslp_litellm.conversation.told_changes import told_changes
from tslp_litellm.conversation.user_text import read_user_text
from tslp_litellm.dialects import framing, labelled, paths, search_replace
from tslp_litellm.dialects.apply_patch import is_patch, parse_patch, patches_in
from tslp_litellm.dialects.attachments import attached
from tslp_litellm.dialects.listings import listed_files
from tslp_litellm.dialects.unified_diff import parse_diff
from tslp_litellm.dialects.values import Attempt, Carrier, Drift, Shown, Snippet
from tslp_litellm.hydration import standing
from tslp_litellm.placing.rules import place
from tslp_litellm.placing.values import Asked, Known
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.state.markers import holds_marker
from tslp_litellm.state.values import FileState
from tslp_litellm.syntax import left_out
from tslp_litellm.wire import FORMATS
from tslp_litellm.wire.sse import EventParser
from tslp_litellm.wire.turn import Item, ItemKind, Role, Turn
from tslp_litellm.words import mentions, sentences

PIECES = (
    *MARKS, *CODE, *SHELL, *NESTS,
    " ", "\t", "a", "1", "\r", "\r\n", "a ", " \n", "a\n", "a/", "a.b ", ".", "-", "=", "`", "~", "<", "<a ", "</a>", "[]", "[],",
    '{"a":1},', '"a":"b",', "\\u0061", "é", "…", "// ... \n", "/*", "<!--", "```\n~~~\n", "```py\nx\n```\n", "`a.py`\n```py\nx\n```\n",
    "a.py\n```\nx\n```\n\n", "```md\n```\n", "```md\nx\n```\n\na.py\n", "- ```\n", "    ```\n", "\n```", "\n\na.py\n```\nx```",
    "a.py\n<<<<<<< SEARCH\n", "<<<<<<< SEARCH\n=======\n", "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n", ":start_line:" + "9" * 5000 + "\n",
    "*** Begin Patch\n*** End Patch\n", "*** Update File: a.py\n@@\n-x\n+y\n", "*** Add File: ", "*** Add File: a  ", "@@ ",
    "@@ -" + "9" * 5000 + " +1 @@\n", "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n", "--- a ", '--- "', "diff --git a/ b/",
    '<files><file><path>a</path><content lines="1-2">\n', "<file><path>a</path><content>\nx\n</content></file>\n", "<file>", "<path>",
    "<content>", "</content>", '<content lines="', '<a b="', 'a="', "a='", "<environment_details>", "<write_to_file> ",
    "<write_to_file>\n<path>a</path>\n<content>\nx\n</content>\n</write_to_file>\n", "<function=x>", "<parameter=a>b</parameter>",
    "<tool_call>{}</tool_call>", "<tool_response>x</tool_response>", "BEGIN_ARG: a\nx\nEND_ARG\n", "<FILEPATH>a</FILEPATH>",
    "<think>x</think>\n", "[CURRENT STATE: AUTHORITATIVE]x[END CURRENT STATE]", "[END NOTICE]", "<system-reminder>x</system-reminder>\n",
    'Called the Read tool with the following input: {"file_path":"a.txt"}\nResult of calling the Read tool:\n1\tx\n',
    "Called the Read tool with the following input: {", "Content from @", "Note: a was modified", "CRITICAL FILE STATE ALERT: ",
    "\na\n<source>\n", "a.py\n<source>\nx\n</source>\n", "a\n<code>\n", "Working directory: ", "Working directory: /a", "<cwd>a",
    "Current Working Directory (", "- **Workspace Directories:**\n", "\n\n# *SEARCH/REPLACE block* Rules:", "\n\n# File editing rules",
    "     1→a\n", "0000", "Index: ", "---\n", "<problems>", "<problems></problems>", "auto-formatting to your content:\n",
    "auto-formatting to your content:\n\n\nHere is", "File a ", "The edit to a", "sh: a", '{"output"', '"exit_code": ', "Command: a\n",
    "\nError: x", "…1 tokens truncated", "exact lines in a row", "lines that match:\n```\nx\n```\n", '{"success": true},',
    '[{"query":"a","result":"x","success":true}],', "http://", "a://b ", "a::b ", "a.b::c ", "`a` ", "`a", "a#", "->", "([{", "a()", "@a ",
    "Aa", "A", "a_", "data: {}\n\n", "data: ", "-----BEGIN PRIVATE KEY-----", "AKIA", "sk-", "eyJ", "eyJaaaaaaaa.", "xoxb-", "ghp_",
    "//a/:_authToken=", "://a",
)  # fmt: skip


NOWHERE = Known(FileState, lambda _: (), lambda _: (), lambda _: [])
"""Nothing is tracked."""


def repeated(piece: str, size: int) -> str:
    """A piece over and over, cut to a size."""
    return (piece * (size // len(piece) + 1))[:size]


def item(role: Role, text: str) -> Item:
    return Item(role, ItemKind.TEXT, text, 1)


def call(name: str, arguments: dict[str, object] | str) -> Item:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return Item(Role.ASSISTANT, ItemKind.CALL, text, name=name, call_id="c")


def result(text: str) -> Item:
    return Item(Role.TOOL, ItemKind.RESULT, text, call_id="c")


def turn(text: str) -> Turn:
    return Turn((item(Role.SYSTEM, text), item(Role.USER, text)))


def said(before: str, after: str = "") -> Callable[[str], object]:
    """An answer with a call in text, and the client's reply."""
    return lambda text: expand(rejoined([item(Role.ASSISTANT, before + text + after), item(Role.USER, text)]))


def reading(name: str, arguments: dict[str, object], before: str = "") -> Callable[[str], object]:
    return lambda text: read(call(name, arguments), result(before + text))


def trying(name: str, argument: str, **others: object) -> Callable[[str], object]:
    return lambda text: attempt(call(name, {"path": "a.py", **others, argument: text}))


def streamed(text: str) -> None:
    parser, raw = EventParser(), text.encode()
    for start in range(0, len(raw), 4096):
        list(parser.feed(raw[start : start + 4096]))


def many_turns(text: str) -> None:
    """A call in text, and then as many answers to it as the text has lines, up to a quarter of a million."""
    lines = [item(Role.USER, f"[read_file] Result:{line}") for line in text.split("\n")[:250_000]]
    rejoined(
        expand([item(Role.ASSISTANT, "<execute_command>\n<command>x</command>\n</execute_command>\n" * 100), *lines])
    )


WRITE = Attempt("c", "Write", (Shown("a.py", "x", Carrier.WRITE, whole=True),), "write")
SHELL_CALL = Attempt("c", "bash", (Drift(("a.py",), Carrier.SHELL),), "shell")
ADDED = "I have *added these files to the chat*\n\na.py\n```\n"
COMMITS = (
    "You are an expert software engineer that generates concise, \none-line Git commit messages based on the provided "
    "diffs.\nReview the provided context and diffs which are about to be committed to a git repo.\nReview the diffs."
)

READERS: dict[str, Callable[[str], object]] = {
    "answer": read_answer,
    "user text": read_user_text,
    "notices": synthetic,
    "attachments": attached,
    "listing": lambda text: listed_files(ADDED + text),
    "reports": report_in,
    "reported blocks": lambda text: report_in("# 1 SEARCH/REPLACE block failed to match!\n" + text),
    "reported hunks": lambda text: report_in("UnifiedDiffNoMatch: hunk failed to apply\n" + text),
    "diff": parse_diff,
    "stated diff": lambda text: parse_diff(text, stated=True, path="a.py"),
    "patch": lambda text: (is_patch(text), parse_patch("*** Begin Patch\n" + text), patches_in(text)),
    "blocks": lambda text: (search_replace.blocks(text, "a.py"), search_replace.blocks(text)),
    "fences": labelled.shown_in,
    "frames": lambda text: (framing.spoken(text), holds_marker(text)),
    "calls": said(""),
    "calls in XML": said("<write_to_file>\n<path>a</path>\n"),
    "calls in JSON": said("<tool_call>", "</tool_call>"),
    "calls with files": said("<apply_diff>\n<args>"),
    "functions": said("<function=x>"),
    "tool fences": said("```tool\nTOOL_NAME: x\n"),
    "answered": lambda text: expand([item(Role.ASSISTANT, "<read_file>\n<path>a</path>"), item(Role.USER, "[a for '" + text)]),
    "many turns": many_turns,
    "write": trying("Write", "content"),
    "edits": trying("Edit", "edits"),
    "block edit": trying("apply_diff", "diff"),
    "insertion": trying("insert_content", "line", content="x"),
    "path": lambda text: attempt(call("Write", {"path": text, "content": "x"})),
    "arguments": lambda text: attempt(call("Write", text)),
    "tool name": lambda text: attempt(call(text, {"path": "a"})),
    "outcome": lambda text: outcome(WRITE, result(text)),
    "outcome of shell": lambda text: outcome(SHELL_CALL, result(text)),
    "outcome in JSON": lambda text: outcome(WRITE, result("{" + text)),
    "read": reading("read_file", {"path": "a.txt"}),
    "numbered read": reading("read_file", {"path": "a.txt"}, "1\t"),
    "framed read": reading("read_file", {"path": "a.txt"}, "<path>a</path>\n<type>file</type>\n<content>\n"),
    "several reads": reading("read_files", {"files": []}),
    "several framed reads": reading("read_files", {"files": []}, "<files>"),
    "printed": reading("bash", {"command": "cat a.txt"}),
    "printed by a command": reading("bash", {"command": "cat a.txt"}, "Command: a\nOutput: "),
    "stated": lambda text: stated_in(WRITE, text),
    "stated by the user": lambda text: stated_in(WRITE, "<user_edits>" + text + "</user_edits>"),
    "stated in JSON": lambda text: stated_in(WRITE, '{"user_edits": ' + text),
    "working directory": lambda text: frames.working_directory(turn(text)),
    "side requests": lambda text: (side_request(turn(text)), frames.is_editor(turn(text)), frames.edit_forms(turn(text))),
    "errands": lambda text: stated_diffs(Turn((item(Role.SYSTEM, COMMITS), item(Role.USER, text)))),
    "machine messages": frames.is_machine,
    "own items": lambda text: frames.after_examples((item(Role.USER, text), item(Role.ASSISTANT, text))),
    "digest": lambda text: history.digest(item(Role.USER, text)),
    "paths": lambda text: (paths.paths_in(text), paths.hint_in_line(text), paths.hint_in_info(text), paths.hint_in_first_line(text)),
    "sentences": lambda text: (sentences.is_taken_back(text), sentences.merely_asks(text, "a"), told_changes(text)),
    "intent": lambda text: (Intent(text, "a.py").asks_to_lose("a"), Intent(text).asks_to_rename("a", "f")),
    "placing": lambda text: place(Snippet(text[:4_000], "", text[:4_000]), Asked(text[:4_000], by_model=True), NOWHERE),
    "mentions": mentions.mentions,
    "standing": lambda text: (standing.telling(text), standing._contains(text, text[: len(text) // 2]), standing._contains(text + "x", text)),
    "secrets": secrets.redact,
    "placeholder": lambda text: (left_out.is_placeholder(text), left_out.is_placeholder(text[:300])),
    "chat": lambda text: FORMATS["completion"].parse({"messages": [{"role": "user", "content": text}]}),
    "stream": streamed,
}  # fmt: skip
