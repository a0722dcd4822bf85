"""Tool calls written as text, and their results in user messages: turned into the calls and results they are.

Cline's and Roo's XML, OpenHands' `<function=…>`, Continue's ```tool blocks, Hermes' `<tool_call>` JSON, and the
legacy blocks of avante. Behind this module nobody knows that they were text.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tslp_litellm.evidence.framing import spoken
from tslp_litellm.evidence.tags import tagged, without
from tslp_litellm.evidence.tools import bare_name
from tslp_litellm.wire.turn import Item, ItemKind, Role

_XML_TOOLS = (
    "write_to_file|replace_in_file|apply_diff|insert_content|search_and_replace|read_file|execute_command|edit_file|"
    "new_file|delete_file"
)
_XML = re.compile(rf"^[ \t]*<(?P<name>{_XML_TOOLS})>\s*?\n(?P<body>.*?)(?:^[ \t]*</(?P=name)>|\Z)", re.S | re.M)
_PARAMETER = re.compile(r"<(?P<name>[a-z_]+)>")
UNCLOSED_MAX = 50
_FUNCTION = re.compile(r"<function=(?P<name>[\w.-]+)>(?P<body>.*?)(?:</function>|</function\Z|\Z)", re.S)
_FUNCTION_PARAMETER = re.compile(r"<parameter=(?P<name>\w+)>")
_TOOL_FENCE = re.compile(r"^```tool\n(?P<body>.*?)(?:^```[ \t]*$|\Z)", re.S | re.M)
_TOOL_NAME = re.compile(r"^(?:TOOL_NAME|tool_name): *(?P<name>[\w.-]+)", re.M)
_ARGUMENT = re.compile(r"^BEGIN_ARG: *(?P<name>\w+)(?=\n)", re.M)
_AVANTE = re.compile(r"<FILEPATH>(?P<path>[^<\n]+)</FILEPATH>\s*<SEARCH>\n")
_AVANTE_BETWEEN = re.compile(r"\n</SEARCH>\s*<REPLACE>\n")
_RESULT = re.compile(
    r"\A\s*(?:\[(?P<bracket>[\w.-]+)(?: for '(?P<path>[^\n]*?)'(?:[^\n]*?)?)?\] Result:|"
    r"EXECUTION RESULT of \[(?P<executed>[\w.-]+)\]:|"
    r"Tool output for (?P<tool>[\w.-]+) tool call:)[ \t]*\n?"
)
_FENCED = re.compile(r"\A```[^\n]*\n(?P<body>.*?)\n?```\s*\Z", re.S)


@dataclass(frozen=True, slots=True)
class _Call:
    start: int
    end: int
    name: str
    arguments: dict[str, Any]


def expand(items: Iterable[Item]) -> tuple[Item, ...]:
    """The items with calls and results in text made items of their own. What has none is passed on as it is."""
    out: list[Item] = []
    waiting: list[Item] = []
    pending: Item | None = None
    for item in items:
        if item.kind is ItemKind.TEXT and item.role is Role.ASSISTANT:
            made = _said(item)
            waiting = [call for call in made if call.kind is ItemKind.CALL] or waiting
            out += made
            pending = None
        elif item.kind is ItemKind.TEXT and item.role is Role.USER and (waiting or pending):
            if pending is not None and item.message == pending.message:
                out[-1] = replace(out[-1], text=item.text)
                pending = None
                continue
            made = _answered(item, waiting)
            pending = made[-1] if len(made) == 1 and made[0].kind is ItemKind.RESULT and not made[0].text else None
            out += made
        else:
            out.append(item)
    return tuple(out)


def _said(item: Item) -> list[Item]:
    """An assistant text as its calls and what is left of it."""
    if not item.exact or not ("<" in item.text or "```tool" in item.text):
        return [item]
    text = spoken(item.text)
    calls = list(_calls(text))
    if not calls:
        return [item]
    rest, at = [], 0
    for call in calls:
        rest.append(text[at : call.start])
        at = call.end
    rest.append(text[at:])
    made = [
        replace(item, kind=ItemKind.CALL, text=_json(c), name=c.name, call_id=_id(c, n)) for n, c in enumerate(calls)
    ]
    return [replace(item, text="\n".join(rest)), *made]


def _json(call: _Call) -> str:
    return json.dumps(call.arguments, ensure_ascii=False)


def _id(call: _Call, number: int) -> str:
    """The same text is the same call whenever it is sent again."""
    content = f"{number}\0{call.name}\0{_json(call)}".encode(errors="replace")
    return "text-" + hashlib.blake2b(content, digest_size=12).hexdigest()


def _calls(text: str) -> Iterator[_Call]:
    found: list[_Call] = []
    for finder in _FINDERS:
        found += finder(text)
    end = 0
    for call in sorted(found, key=lambda c: c.start):
        if call.start >= end:
            end = call.end
            yield call


def _xml(text: str) -> Iterator[_Call]:
    for match in _XML.finditer(text) if any(f"<{name}>" in text for name in _XML_TOOLS.split("|")) else ():
        arguments = _xml_arguments(match["name"], match["body"])
        if arguments:
            yield _Call(match.start(), match.end(), match["name"], arguments)


def _xml_arguments(name: str, body: str) -> dict[str, Any]:
    """The parameters of an XML call. `content` and `diff` reach to their last closing tag: they may hold tags."""
    arguments: dict[str, Any] = {}
    several, one = body.find("<args>"), body.find("<content>")
    if several >= 0 and (one < 0 or several < one):
        return {"args": _files_of(body)}
    for long in ("content", "diff", "new_str"):
        start, end = body.find(f"<{long}>"), body.rfind(f"</{long}>")
        if 0 <= start < end:
            arguments[long] = _content(body[start + len(long) + 2 : end], name, long)
            body = body[:start] + body[end + len(long) + 3 :]
    for parameter, value in _parameters(body):
        arguments.setdefault(parameter, value.strip())
    return arguments


def _parameters(body: str) -> Iterator[tuple[str, str]]:
    """The tags of a call with what stands in them; those that are not closed are none."""
    unclosed: set[str] = set()
    at = 0
    while len(unclosed) < UNCLOSED_MAX and (opening := _PARAMETER.search(body, at)) is not None:
        name, at = opening["name"], opening.end()
        close = body.find(f"</{name}>", at) if name not in unclosed else -1
        if close < 0:
            unclosed.add(name)
            continue
        yield name, body[at:close]
        at = close + len(name) + 3


def _spans(text: str, opening: re.Pattern[str], closing: str) -> Iterator[tuple[re.Match[str], str]]:
    """What stands between each opening and the next closing mark."""
    at = 0
    while (start := opening.search(text, at)) is not None and (end := text.find(closing, start.end())) >= 0:
        yield start, text[start.end() : end]
        at = end + len(closing)


def _content(value: str, tool: str, parameter: str) -> str:
    """A long parameter without the line breaks around it; a file's text ends its last line."""
    value = value.removeprefix("\r").removeprefix("\n")
    if parameter != "content":
        return value
    fenced = _FENCED.match(value.strip())
    value = fenced["body"] if fenced else value.rstrip()
    return value + "\n" if value and tool != "insert_content" else value


def _files_of(body: str) -> list[dict[str, Any]]:
    """Roo's `<args><file>…`: several files in one call."""
    files = []
    for part in re.findall(r"<file>(.*?)</file>", body, re.S):
        path = re.search(r"<path>(.*?)</path>", part, re.S)
        contents = re.findall(r"<content>\n?(.*?)\n?</content>", part, re.S)
        if path:
            diffs = [{"content": re.sub(r"\A<!\[CDATA\[\n?|\n?\]\]>\Z", "", text)} for text in contents]
            files.append({"path": path[1].strip(), "diff": diffs} if diffs else {"path": path[1].strip()})
    return files


def _functions(text: str) -> Iterator[_Call]:
    for match in _FUNCTION.finditer(text) if "<function=" in text else ():
        arguments: dict[str, Any] = {}
        for parameter, given in _spans(match["body"], _FUNCTION_PARAMETER, "</parameter>"):
            value = given[1:-1] if given[:1] == given[-1:] == "\n" else given
            arguments[parameter["name"]] = _ended(parameter["name"], value)
        if arguments:
            yield _Call(match.start(), match.end(), match["name"], arguments)


def _tool_fences(text: str) -> Iterator[_Call]:
    for match in _TOOL_FENCE.finditer(text) if "```tool\n" in text else ():
        name = _TOOL_NAME.search(match["body"])
        given = _spans(match["body"], _ARGUMENT, "\nEND_ARG")
        arguments = {a["name"]: _ended(a["name"], _plain(value.removeprefix("\n"))) for a, value in given}
        if name and arguments:
            yield _Call(match.start(), match.end(), name["name"], arguments)


def _ended(name: str, value: Any) -> Any:
    """A whole file's text with its last line ended: the carrier does not show that."""
    whole = name in ("content", "contents", "file_text") and isinstance(value, str)
    return value + "\n" if whole and value and not value.endswith("\n") else value


def _plain(value: str) -> Any:
    """An argument that was sent as JSON when the history is replayed."""
    if value[:1] in '"[{' and value[-1:] in '"]}':
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _json_calls(text: str) -> Iterator[_Call]:
    for block in tagged(text, ("tool_call",)) if "<tool_call>" in text else ():
        try:
            body = json.loads(block.inner)
        except (ValueError, RecursionError):
            continue
        arguments = body.get("arguments") if isinstance(body, dict) else None
        if isinstance(arguments, dict) and isinstance(body.get("name"), str):
            yield _Call(block.start, block.end, body["name"], arguments)


def _avante(text: str) -> Iterator[_Call]:
    at = 0
    while "<FILEPATH>" in text and (start := _AVANTE.search(text, at)) is not None:
        at = start.end()
        between = _AVANTE_BETWEEN.search(text, at - 1)
        end = text.find("</REPLACE>", between.end()) if between else -1
        if between is None or end < 0:
            return
        old, new = text[at : between.start()], text[between.end() : end].removesuffix("\n")
        at = end + len("</REPLACE>")
        yield _Call(start.start(), at, "str_replace", {"path": start["path"].strip(), "old_str": old, "new_str": new})


_FINDERS: Sequence[Callable[[str], Iterator[_Call]]] = (_xml, _functions, _tool_fences, _json_calls, _avante)


def _answered(item: Item, waiting: list[Item]) -> list[Item]:
    """A user text as the results it holds, each for the first open call of that name, and what is left of it."""
    if "<tool_response>" in item.text:
        blocks = tagged(item.text, ("tool_response",))
        results = [_result(item, b.inner.strip(), call) for b, call in zip(blocks, list(waiting), strict=False)]
        del waiting[: len(results)]
        return [*results, replace(item, text=without(item.text, blocks, ""))]
    match = _RESULT.match(item.text)
    if match is None:
        return [item]
    name = bare_name(match["bracket"] or match["executed"] or match["tool"])
    call = next((c for c in waiting if bare_name(c.name) == name), None)
    if call is None:
        return [item]
    waiting.remove(call)
    return [_result(item, item.text[match.end() :], call)]


def _result(item: Item, text: str, call: Item) -> Item:
    return replace(item, role=Role.TOOL, kind=ItemKind.RESULT, text=text, call_id=call.call_id)
