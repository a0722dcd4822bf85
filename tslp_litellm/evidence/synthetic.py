"""Reads and notices that clients write into messages themselves: file texts after a mention or a compaction, drift."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from tslp_litellm.evidence.clients import CALLED
from tslp_litellm.evidence.paths import paths_in
from tslp_litellm.evidence.reads import read
from tslp_litellm.evidence.values import Carrier, Drift, Evidence, Shown
from tslp_litellm.wire.turn import Item, ItemKind, Role

_CALLED = re.compile(
    r"^Called the (?P<tool>\w+) tool with the following input: (?P<input>\{[^\n]*\})\s*"
    r"(?:</system-reminder>\s*<system-reminder>\s*)?"
    r"Result of calling the (?P=tool) tool:[ \t]*\n?(?P<text>.*?)(?=^Called the \w+ tool with|</system-reminder>|\Z)",
    re.S | re.M,
)
_CALL_ONLY = re.compile(r"\A\s*Called the (?P<tool>\w+) tool with the following input: \{[^\n]*\}\s*\Z")
_MODIFIED = re.compile(r"^Note: (?P<path>\S[^\n]*?) was modified, either by the user or by a linter", re.M)
_ALERT = re.compile(r"CRITICAL FILE STATE ALERT: [^\n]*\n(?P<paths>.*?)(?:\n\n|</explicit_instructions>|\Z)", re.S)
REFERENCED = "--- Content from referenced files ---"
REFERENCED_END = "--- End of content ---"
_REFERENCED = re.compile(
    r"^Content from @?(?P<path>[^\n]+?):\n(?P<text>.*?)(?=\nContent from @?[^\n]+:\n|\Z)",
    re.S | re.M,
)


def rejoined(items: Iterable[Item]) -> list[Item]:
    """The items, with what a client spread over several parts of one message put together again."""
    out: list[Item] = []
    for item in items:
        before = out[-1] if out else None
        if before is not None and _same_message(before, item):
            if call := _CALL_ONLY.match(before.text):
                out[-1] = replace(
                    before, text=f"{before.text.rstrip()}\nResult of calling the {call['tool']} tool:\n{item.text}"
                )
                continue
            if REFERENCED in before.text and REFERENCED_END not in before.text:
                gap = "" if before.text.endswith("\n") or item.text.startswith("\n") else "\n"
                out[-1] = replace(before, text=before.text + gap + item.text)
                continue
        out.append(item)
    return out


def _same_message(one: Item, other: Item) -> bool:
    return one.kind is other.kind is ItemKind.TEXT and one.message == other.message >= 0 and one.role is other.role


def synthetic(text: str) -> list[Evidence]:
    """The reads and drift notices in a text."""
    found: list[Evidence] = []
    if CALLED in text:
        for match in _CALLED.finditer(text):
            call = Item(Role.ASSISTANT, ItemKind.CALL, match["input"], name=match["tool"])
            found += read(call, Item(Role.TOOL, ItemKind.RESULT, _unquoted(match["text"])))
    if REFERENCED in text:
        found += _referenced(text[text.index(REFERENCED) :])
    paths = [match["path"] for match in _MODIFIED.finditer(text)]
    paths += [path for match in _ALERT.finditer(text) for path in paths_in(match["paths"])]
    return [*found, Drift(tuple(paths), Carrier.REPORT)] if paths else found


def _unquoted(text: str) -> str:
    """A result that was put between quotes."""
    bare = text.strip()
    quoted = len(bare) > 1 and bare[0] == bare[-1] == '"' and "\n" in bare
    return bare[1:-1] if quoted else text.rstrip("\n") if not text.strip() else text


def _referenced(text: str) -> list[Shown]:
    end = text.find(REFERENCED_END)
    body = text[:end].removesuffix("\n") if end >= 0 else text
    return [
        Shown(m["path"].strip(), m["text"], Carrier.ATTACHMENT, whole=True, ended=m["text"].endswith("\n"))
        for m in _REFERENCED.finditer(body)
        if not re.match(r"\[(?:File|Content)[^\n]*(?:truncated|unchanged)|\s*Showing lines \d", m["text"])
    ]
