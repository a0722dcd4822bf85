"""Reads and notices that clients write into messages themselves: file texts after a mention or a compaction, drift."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tslp_litellm.clients import reads
from tslp_litellm.clients.frames import CALLED, is_machine, without_asking
from tslp_litellm.clients.reminders import MODIFIED
from tslp_litellm.dialects.dialect import Taken
from tslp_litellm.dialects.lines import Words, line_end, line_from, on_lines
from tslp_litellm.dialects.paths import paths_in
from tslp_litellm.dialects.values import Carrier, Drift, Evidence, Shown
from tslp_litellm.parser.budget import spend
from tslp_litellm.wire.turn import Item, ItemKind, Role

_CALLED = re.compile(
    r"Called the (?P<tool>\w++) tool with the following input: (?P<input>\{[^\n]*\})\s*+"
    r"(?:</system-reminder>\s*+<system-reminder>\s*+)?"
    r"Result of calling the (?P=tool) tool:[ \t]*+\n?"
)
_NEXT_CALL = re.compile(r"Called the \w++ tool with")
_CALL_ONLY = re.compile(r"\A\s*+Called the (?P<tool>\w+) tool with the following input: \{[^\n]*\}\s*\Z")
_ALERT = "CRITICAL FILE STATE ALERT: "
_ALERT_ENDS = ("\n\n", "</explicit_instructions>")
REFERENCED = "--- Content from referenced files ---"
REFERENCED_END = "--- End of content ---"
_HEAD = "Content from "
_CUT = re.compile(r"\A(?:\[(?:File|Content)[^\n]*(?:truncated|unchanged)|\s*+Showing lines \d)")


def rejoined(items: Iterable[Item]) -> list[Item]:
    """The items, with what a client spread over several parts of one message put together again."""
    out: list[Item] = []
    said: list[str] = []  # the parts of the last item, where it is in the middle of referenced files
    for item in items:
        spend()
        before = out[-1] if out else None
        joins = before is not None and _same_message(before, item)
        if said and before is not None and joins:
            out[-1], said = _continued(before, said, item.text)
            continue
        if said and before is not None:
            out[-1], said = replace(before, text="".join(said)), []
        if before is not None and joins and (call := _CALL_ONLY.match(before.text)):
            out[-1] = replace(
                before, text=f"{before.text.rstrip()}\nResult of calling the {call['tool']} tool:\n{item.text}"
            )
            said = _opened(out[-1].text)
            continue
        out.append(item)
        said = _opened(item.text)
    if said:
        out[-1] = replace(out[-1], text="".join(said))
    return out


def _opened(text: str) -> list[str]:
    """A text whose referenced files do not end in it, as parts; else none."""
    return [text] if REFERENCED in text and REFERENCED_END not in text else []


def _continued(before: Item, said: list[str], text: str) -> tuple[Item, list[str]]:
    """An item whose referenced files go on in another part, and the parts that it still has to be made of."""
    if text:
        said += [text] if said[-1].endswith("\n") or text.startswith("\n") else ["\n", text]
    elif not said[-1].endswith("\n"):
        said.append("\n")
    return (replace(before, text="".join(said)), []) if REFERENCED_END in text else (before, said)


def _same_message(one: Item, other: Item) -> bool:
    return one.kind is other.kind is ItemKind.TEXT and one.message == other.message >= 0 and one.role is other.role


def read(text: str) -> Taken:
    """What a client put into a message. A machine's message holds nothing else; of a user's, the rest is read on."""
    rest = "" if is_machine(text) else without_asking(text)
    if REFERENCED in rest:
        rest = _without_referenced(rest)
    return Taken(tuple(synthetic(text)), rest)


def _without_referenced(text: str) -> str:
    """The text without the files that a client put behind the user's words."""
    before, _, after = text.partition(REFERENCED)
    _, _, rest = after.partition(REFERENCED_END)
    return before + rest


def synthetic(text: str) -> list[Evidence]:
    """The reads and drift notices in a text."""
    found: list[Evidence] = []
    for call, result in _called(text) if CALLED in text else ():
        found += reads.read(call, result)
    if REFERENCED in text:
        found += _referenced(text[text.index(REFERENCED) :])
    paths = [match["path"] for match in on_lines(MODIFIED, text)]
    paths += [path for start, end in _alerts(text) for path in paths_in(text[start:end])]
    return [*found, Drift(tuple(paths), Carrier.REPORT)] if paths else found


def _called(text: str) -> Iterator[tuple[Item, Item]]:
    """The reads that a client made by itself: what it called, and what came of it."""
    ends = Words(text, ("</system-reminder>", "\n" + CALLED))
    at = line_from(text, 0, CALLED)
    while at >= 0:
        spend()
        head = _CALLED.match(text, at)
        if head is None:
            at = line_from(text, line_end(text, at), CALLED)
            continue
        hit = ends.first(head.end() - 1)
        while hit is not None and hit[0] < head.end() and hit[1].startswith("<"):
            hit = ends.first(head.end())
        while hit is not None and hit[1].startswith("\n") and not _NEXT_CALL.match(text, hit[0] + 1):
            hit = ends.first(hit[0] + 1)
        end = len(text) if hit is None else hit[0] + hit[1].startswith("\n")
        call = Item(Role.ASSISTANT, ItemKind.CALL, head["input"], name=head["tool"])
        yield call, Item(Role.TOOL, ItemKind.RESULT, _unquoted(text[head.end() : end]))
        at = line_from(text, end, CALLED) if end == 0 or text[end - 1] == "\n" else _line_behind(text, end)


def _line_behind(text: str, at: int) -> int:
    hit = text.find("\n" + CALLED, at)
    return hit + 1 if hit >= 0 else -1


def _alerts(text: str) -> Iterator[tuple[int, int]]:
    """Where a client lists files that have changed: below a line that says so, up to an empty one."""
    ends = Words(text, _ALERT_ENDS)
    hit = text.find(_ALERT)
    while hit >= 0:
        spend()
        start = line_end(text, hit + len(_ALERT)) + 1
        if start > len(text):
            return
        end = ends.first(start)
        yield start, end[0] if end else len(text)
        hit = text.find(_ALERT, end[0] + len(end[1])) if end else -1


def _unquoted(text: str) -> str:
    """A result that was put between quotes."""
    bare = text.strip()
    quoted = len(bare) > 1 and bare[0] == bare[-1] == '"' and "\n" in bare
    return bare[1:-1] if quoted else text.rstrip("\n") if not text.strip() else text


def _referenced(text: str) -> list[Shown]:
    end = text.find(REFERENCED_END)
    body = text[:end].removesuffix("\n") if end >= 0 else text
    heads = list(_heads(body))
    ends = [*(start - 1 for start, _, _ in heads[1:]), len(body)]
    found = [(path, body[start:stop]) for (_, start, path), stop in zip(heads, ends, strict=False)]
    return [
        Shown(path, shown, Carrier.ATTACHMENT, whole=True, ended=shown.endswith("\n"))
        for path, shown in found
        if not _CUT.match(shown)
    ]


def _heads(body: str) -> Iterator[tuple[int, int, str]]:
    """The lines that name a file: where each begins, where its text does, and the path."""
    at = line_from(body, 0, _HEAD)
    behind = -1  # a line just below another one's head is that one's text
    while at >= 0:
        spend()
        end = line_end(body, at)
        path = body[at + len(_HEAD) : end - 1].removeprefix("@")
        if at > behind and end < len(body) and body[end - 1] == ":" and path:
            yield at, end + 1, path.strip()
            behind = end + 1
        at = line_from(body, end, _HEAD)
