"""Tool calls written as text, and their results in user messages: turned into the calls and results they are.

Cline's and Roo's XML, OpenHands' `<function=…>`, Continue's ```tool blocks, Hermes' `<tool_call>` JSON, and the
legacy blocks of avante. Behind this module nobody knows that they were text.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tslp_litellm.clients.tools import bare_name
from tslp_litellm.dialects.framing import spoken
from tslp_litellm.dialects.lines import first_on_lines, line_end, line_from, line_of, lines_with
from tslp_litellm.dialects.tags import tagged, without
from tslp_litellm.parser.budget import spend
from tslp_litellm.wire.turn import Item, ItemKind, Role

_XML_TOOLS = (
    "write_to_file",
    "replace_in_file",
    "apply_diff",
    "insert_content",
    "search_and_replace",
    "read_file",
    "execute_command",
    "edit_file",
    "new_file",
    "delete_file",
)
_MARKS = (*(f"<{name}>" for name in _XML_TOOLS), "<function=", "```tool\n", "<tool_call>", "<FILEPATH>")
"""Of which each call holds one."""
_PARAMETER = re.compile(r"<(?P<name>[a-z_]++)>")
_PARAMETER_END = re.compile(r"</([a-z_]++)>")
_FUNCTION = re.compile(r"<function=(?P<name>[\w.-]++)>")
_FUNCTION_PARAMETER = re.compile(r"<parameter=(?P<name>\w++)>")
_TOOL_NAME = re.compile(r"^(?:TOOL_NAME|tool_name): *(?P<name>[\w.-]+)", re.M)
_ARGUMENT = re.compile(r"^BEGIN_ARG: *(?P<name>\w++)(?=\n)", re.M)
_AVANTE = re.compile(r"<FILEPATH>(?P<path>[^<\n]+)</FILEPATH>\s*<SEARCH>\n")
_AVANTE_BETWEEN = re.compile(r"\n</SEARCH>\s*<REPLACE>\n")
_RESULT = re.compile(
    r"\A\s*+(?:\[(?P<bracket>[\w.-]++)(?: for '[\s\S]*?)?\] Result:|"
    r"EXECUTION RESULT of \[(?P<executed>[\w.-]++)\]:|"
    r"Tool output for (?P<tool>[\w.-]++) tool call:)[ \t]*+\n?"
)
"""What stands in front of a result: the call's name, and what it was given, of as many lines as that has."""
_SURROUNDINGS, _SURROUNDINGS_END = "\n<environment_details>", "</environment_details>"


@dataclass(frozen=True, slots=True)
class _Call:
    start: int
    end: int
    name: str
    arguments: dict[str, Any]


class _Waiting:
    """Calls without a result yet, in order, and by name."""

    def __init__(self, calls: Iterable[Item] = ()) -> None:
        self._calls = dict(enumerate(calls))
        self._named: dict[str, deque[int]] = {}
        for n, call in self._calls.items():
            self._named.setdefault(bare_name(call.name), deque()).append(n)

    def __bool__(self) -> bool:
        return bool(self._calls)

    def take(self) -> Item | None:
        """The first of all."""
        return self._calls.pop(next(iter(self._calls))) if self._calls else None

    def take_named(self, name: str) -> Item | None:
        """The first of that name."""
        numbers = self._named.get(name, deque())
        while numbers:
            if (call := self._calls.pop(numbers.popleft(), None)) is not None:
                return call
        return None


IN_TEXT = "text-"
"""What the ids of calls that were written as text begin with."""


def is_in_text(call: Item) -> bool:
    """Whether a call was written as text: its id tells it from no other of the same words."""
    return call.call_id.startswith(IN_TEXT)


def expand(items: Iterable[Item]) -> tuple[Item, ...]:
    """The items with calls and results in text made items of their own. What has none is passed on as it is."""
    out: list[Item] = []
    waiting = _Waiting()
    pending: Item | None = None
    for item in items:
        spend()
        if item.kind is ItemKind.TEXT and item.role is Role.ASSISTANT:
            made = _said(item)
            waiting = _Waiting([call for call in made if call.kind is ItemKind.CALL]) or waiting
            out += made
            pending = None
        elif item.kind is ItemKind.TEXT and item.role is Role.USER and (waiting or pending):
            if pending is not None and item.message == pending.message:
                out[-1:] = _apart(item, replace(out[-1], text=item.text))
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
    if not item.exact or not any(mark in item.text for mark in _MARKS):
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
    return IN_TEXT + hashlib.blake2b(content, digest_size=12).hexdigest()


def _calls(text: str) -> Iterator[_Call]:
    found: list[_Call] = []
    for finder in _FINDERS:
        found += finder(text)
    end = 0
    for call in sorted(found, key=lambda c: c.start):
        spend()
        if call.start >= end:
            end = call.end
            yield call


def _xml(text: str) -> Iterator[_Call]:
    tags = [f"<{name}>" for name in _XML_TOOLS]
    behind = 0
    for start, end in lines_with(text, tags) if any(tag in text for tag in tags) else ():
        name = text[start:end].strip(" \t\r")[1:-1]
        if start < behind or end == len(text) or name not in _XML_TOOLS:
            continue
        close, behind = _closing_tag(text, end + 1, f"</{name}>")
        arguments = _xml_arguments(name, text[end + 1 : close])
        if arguments:
            yield _Call(start, behind, name, arguments)


def _closing_tag(text: str, at: int, tag: str) -> tuple[int, int]:
    """The line that begins with a closing tag (blanks apart): where it begins, and where the tag ends."""
    while (hit := text.find(tag, at)) >= 0:
        line = text.rfind("\n", at - 1, hit) + 1 or at
        if not text[line:hit].strip(" \t"):
            return line, hit + len(tag)
        at = line_end(text, hit) + 1
    return len(text), len(text)


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
    last = {match[1]: match.start() for match in _PARAMETER_END.finditer(body)}
    at = 0
    while (opening := _PARAMETER.search(body, at)) is not None:
        name, at = opening["name"], opening.end()
        if last.get(name, -1) >= at:
            close = body.index(f"</{name}>", at)
            yield name, body[at:close]
            at = close + len(name) + 3


def _spans(text: str, mark: str, opening: re.Pattern[str], closing: str) -> Iterator[tuple[re.Match[str], str]]:
    """What stands between each opening, which begins with a mark, and the next closing one."""
    at = 0
    while (hit := text.find(mark, at)) >= 0:
        start = opening.match(text, hit)
        at = hit + len(mark)
        if start is None:
            continue
        end = text.find(closing, start.end())
        if end < 0:
            return
        yield start, text[start.end() : end]
        at = end + len(closing)


def _between(text: str, opening: str, closing: str) -> Iterator[str]:
    """What stands between each opening mark and the next closing one."""
    at = 0
    while (start := text.find(opening, at)) >= 0 and (end := text.find(closing, start + len(opening))) >= 0:
        yield text[start + len(opening) : end]
        at = end + len(closing)


def _content(value: str, tool: str, parameter: str) -> str:
    """A long parameter without the line breaks around it; a file's text ends its last line."""
    value = value.removeprefix("\r").removeprefix("\n")
    if parameter != "content":
        return value
    fenced = _unfenced(value.strip())
    value = value.rstrip() if fenced is None else fenced
    return value + "\n" if value and tool != "insert_content" else value


def _unfenced(text: str) -> str | None:
    """What stands between the fences that a text begins and ends with; None where it does not."""
    first = line_end(text, 0) + 1
    if not (text.startswith("```") and text.endswith("```") and first <= len(text) - 3):
        return None
    return text[first:-3].removesuffix("\n")


def _files_of(body: str) -> list[dict[str, Any]]:
    """Roo's `<args><file>…`: several files in one call."""
    files: list[dict[str, Any]] = []
    for part in _between(body, "<file>", "</file>"):
        spend()
        path = next(_between(part, "<path>", "</path>"), None)
        contents = [text.removeprefix("\n").removesuffix("\n") for text in _between(part, "<content>", "</content>")]
        if path is not None:
            diffs = [{"content": _without_cdata(text)} for text in contents]
            files.append({"path": path.strip(), "diff": diffs} if diffs else {"path": path.strip()})
    return files


def _without_cdata(text: str) -> str:
    if text.startswith("<![CDATA["):
        text = text.removeprefix("<![CDATA[").removeprefix("\n")
    return text.removesuffix("]]>").removesuffix("\n") if text.endswith("]]>") else text


def _functions(text: str) -> Iterator[_Call]:
    at = 0
    while (hit := text.find("<function=", at)) >= 0:
        opening = _FUNCTION.match(text, hit)
        at = opening.end() if opening else hit + 1
        if opening is None:
            continue
        close = text.find("</function>", at)
        end = close if close >= 0 else len(text.removesuffix("</function"))
        arguments: dict[str, Any] = {}
        for parameter, given in _spans(text[at:end], "<parameter=", _FUNCTION_PARAMETER, "</parameter>"):
            value = given[1:-1] if given[:1] == given[-1:] == "\n" else given
            arguments[parameter["name"]] = _ended(parameter["name"], value)
        at = close + len("</function>") if close >= 0 else len(text)
        if arguments:
            yield _Call(opening.start(), at, opening["name"], arguments)


def _tool_fences(text: str) -> Iterator[_Call]:
    start = line_from(text, 0, "```tool\n")
    while start >= 0:
        close = line_of(text, start + 8, "```")
        close = close if close >= 0 else len(text)
        body, end = text[start + 8 : close], line_end(text, close)
        name = first_on_lines(_TOOL_NAME, body)
        given = _spans(body, "BEGIN_ARG:", _ARGUMENT, "\nEND_ARG")
        arguments = {a["name"]: _ended(a["name"], _plain(value.removeprefix("\n"))) for a, value in given}
        if name and arguments:
            yield _Call(start, end, name["name"], arguments)
        start = line_from(text, end, "```tool\n")


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


def _answered(item: Item, waiting: _Waiting) -> list[Item]:
    """A user text as the results it holds, each for the first open call of that name, and what is left of it."""
    if "<tool_response>" in item.text:
        blocks = tagged(item.text, ("tool_response",))
        results = [_result(item, b.inner.strip(), call) for b in blocks if (call := waiting.take()) is not None]
        return [*results, replace(item, text=without(item.text, blocks, ""))]
    match = _RESULT.match(item.text)
    call = waiting.take_named(bare_name(match["bracket"] or match["executed"] or match["tool"])) if match else None
    return _apart(item, _result(item, item.text[match.end() :], call)) if match and call else [item]


def _apart(item: Item, result: Item) -> list[Item]:
    """A result, and what Cline and Roo put behind it in the same string: the surroundings, which are none of it."""
    text = f"\n{result.text}"
    end = text.rfind(_SURROUNDINGS)
    if end < 0 or not text.rstrip().endswith(_SURROUNDINGS_END):
        return [result]
    shown = text[1:end].rstrip()
    return [replace(result, text=shown and f"{shown}\n"), replace(item, text=text[end + 1 :])]


def _result(item: Item, text: str, call: Item) -> Item:
    return replace(item, role=Role.TOOL, kind=ItemKind.RESULT, text=text, call_id=call.call_id)
