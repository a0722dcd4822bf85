"""Blocks between tags in free text: `<name …>…</name>`. Linear, whatever the text: an unclosed tag is no block."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from tslp_litellm.dialects import lines
from tslp_litellm.parser.budget import spend

_OPENING = re.compile(r"<([A-Za-z][\w-]*)((?:\s[^<>\n]*)?)>")


@dataclass(frozen=True, slots=True)
class Tagged:
    """One block: where it stands (tags included), its name, the text of its attributes, and what is inside."""

    start: int
    end: int
    name: str
    attributes: str
    inner: str


def tagged(text: str, names: Collection[str]) -> list[Tagged]:
    """The outermost blocks with one of those names, in order."""
    found: list[Tagged] = []
    unclosed: set[str] = set()
    at = 0
    while (opening := _OPENING.search(text, at)) is not None:
        spend()
        at = opening.end()
        name = opening[1]
        if name not in names or name in unclosed:
            continue
        close = text.find(f"</{name}>", at)
        if close < 0:
            unclosed.add(name)
            continue
        at = close + len(name) + 3
        found.append(Tagged(opening.start(), at, name, opening[2], text[opening.end() : close]))
    return found


def without(text: str, blocks: list[Tagged], filler: str = "\n") -> str:
    """The text with blocks replaced by a filler."""
    return lines.without(text, ((block.start, block.end) for block in blocks), filler)
