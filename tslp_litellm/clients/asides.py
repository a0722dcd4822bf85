"""What a client says by itself in a user's message (`machine_tags` and `skills` in `data/clients.json`).

It is nobody's request and shows no file as it is (SEMANTICS 4).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from tslp_litellm.clients.frames import is_machine, patterns
from tslp_litellm.dialects.fences import fences
from tslp_litellm.dialects.tags import Tagged, tagged, without
from tslp_litellm.parser.budget import spend
from tslp_litellm.wire.turn import Item, ItemKind, Role


def without_skills(items: Iterable[Item]) -> list[Item]:
    """The items without the texts of skills, each of which stands right behind the result of its call."""
    out, due, message = list[Item](), 0, -1
    for item in items:
        due, message = (due, message) if item.message == message else (0, item.message)
        if item.kind is ItemKind.RESULT and patterns().skills.fullmatch(item.text.strip()):
            due += 1
        elif item.kind is ItemKind.TEXT and item.role is Role.USER and due and message >= 0:
            due -= 1
            if not is_machine(item.text):
                continue
        out.append(item)
    return out


def without_asides(text: str) -> str:
    """A user's text without the blocks between a client's own tags. A tag in a fence is code."""
    blocks = tagged(text, patterns().machine_tags) if "<" in text else []
    return without(text, _outside(text, blocks)) if blocks else text


def _outside(text: str, blocks: Iterable[Tagged]) -> list[Tagged]:
    """The blocks that neither begin nor end in a fence."""
    code = fences(text)
    begins = [fence.first for fence in code]

    def in_code(n: int) -> bool:
        before = bisect_right(begins, n)
        return before > 0 and n <= code[before - 1].last

    kept, at, line = list[Tagged](), 0, 0
    for block in blocks:
        spend()
        first = line + text.count("\n", at, block.start)
        last = first + text.count("\n", block.start, block.end)
        at, line = block.end, last
        if not in_code(first) and not in_code(last):
            kept.append(block)
    return kept
