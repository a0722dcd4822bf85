"""What a client says by itself in a user message: hooks, background tasks, the editor's context (SEMANTICS 4).

Owns the reading of `asides` in `data/clients.json`. It is nobody's request and shows no file as it is; what it tells of
changes is told.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cache

from tslp_litellm.clients.frames import Prompts, is_machine
from tslp_litellm.data import table
from tslp_litellm.data.schema import Clients
from tslp_litellm.dialects.fences import fences
from tslp_litellm.dialects.tags import Tagged, tagged, without
from tslp_litellm.parser.budget import spend
from tslp_litellm.wire.turn import Item, ItemKind, Role


@cache
def _asides() -> tuple[Prompts, frozenset[str]]:
    known = table("clients", Clients).asides
    return Prompts.of(known.begins), known.tags


def without_skills(items: Iterable[Item]) -> list[Item]:
    """The items without the texts of skills, each of which stands right behind the result of its call."""
    known = [re.compile(pattern) for pattern in table("clients", Clients).skills]
    out, due, message = list[Item](), 0, -1
    for item in items:
        due, message = (due, message) if item.message == message else (0, item.message)
        if item.kind is ItemKind.RESULT and any(pattern.fullmatch(item.text.strip()) for pattern in known):
            due += 1
        elif item.kind is ItemKind.TEXT and item.role is Role.USER and due and message >= 0:
            due -= 1
            if not is_machine(item.text):
                continue
        out.append(item)
    return out


def apart(text: str) -> tuple[str, str]:
    """What a client says by itself in a user's text, and the text without it. A tag in a fence is code."""
    begins, tags = _asides()
    if begins.fit(text):
        return text, ""
    blocks = tagged(text, tags) if "<" in text else []
    if not blocks:
        return "", text
    own = list(_outside(text, blocks))
    return "\n".join(block.inner for block in own), without(text, own)


def _outside(text: str, blocks: Iterable[Tagged]) -> Iterator[Tagged]:
    """The blocks that neither begin nor end in a fence."""
    code = fences(text)
    begins = [fence.first for fence in code]

    def in_code(n: int) -> bool:
        before = bisect_right(begins, n)
        return before > 0 and n <= code[before - 1].last

    at, line = 0, 0
    for block in blocks:
        spend()
        first = line + text.count("\n", at, block.start)
        last = first + text.count("\n", block.start, block.end)
        at, line = block.end, last
        if not in_code(first) and not in_code(last):
            yield block
