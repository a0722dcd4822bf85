"""The hydration budget: whole artifacts only, symbols before files, then by first mention; then signatures of the files
that did not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass

from tslp_litellm.hydration.blocks import Block
from tslp_litellm.state.names import Entity

TOKENS_MAX = 8192
TOKENS_IF_UNKNOWN = 1024
WINDOW_SHARE = 4
CHARS_A_TOKEN_MAX = 32
"""A longer line than so many characters for each token that is left is not counted: it does not fit."""


def tokens_max(setting: int | None, window: int | None, room: int | None = None) -> int:
    """The budget: the setting, else a quarter of the model's known window, at most 8192; 1024 if it is unknown.

    `room`: the tokens that the request leaves free in the window, if that is known; never more than those.
    """
    known = min(window // WINDOW_SHARE, TOKENS_MAX) if window else TOKENS_IF_UNKNOWN
    budget = setting if setting is not None else known
    return budget if room is None else max(0, min(budget, room))


@dataclass(frozen=True, slots=True)
class Fitted:
    """Blocks that fit, in their order, those that don't, and how many tokens are left."""

    blocks: Sequence[Block]
    left_out: Sequence[Block]
    rest: int


def fitting(blocks: Sequence[Block], budget: int, count: Callable[[str], int]) -> Fitted:
    """What fits into a budget. What stands inside another one's block needs none of its own. `count`: tokens of a
    text."""
    first = {block.entity: n for n, block in enumerate(blocks)}
    for n, block in enumerate(blocks):
        first |= {holder: min(first[holder], n) for holder in _holders(block.entity) if holder in first}

    def rank(n: int) -> tuple[bool, int, int]:
        """What holds another entity comes right before it."""
        entity = blocks[n].entity
        places = [first[one] for one in (entity, *_holders(entity)) if one in first and ("::" in one or one == entity)]
        return "::" not in entity, min(places), entity.count(".")

    left, taken = budget, dict[str, int]()
    for n in sorted(range(len(blocks)), key=rank):
        cost = count(blocks[n].render()) if left > 0 and not _covered(blocks[n].entity, taken) else left + 1
        if cost <= left:
            taken[blocks[n].entity] = n
            left -= cost
    out = [block for block in blocks if block.entity not in taken and not _covered(block.entity, taken)]
    return Fitted([blocks[n] for n in sorted(taken.values())], out, left)


def _covered(entity: str, taken: Container[str]) -> bool:
    return any(holder in taken for holder in _holders(entity))


def _holders(entity: str) -> list[str]:
    """The entities that an entity is a part of: its file, and the definitions around it."""
    name = Entity.parse(entity)
    if name.symbol is None:
        return []
    parts = name.symbol.split(".")
    return [name.path, *(str(Entity(name.path, ".".join(parts[:n]))) for n in range(1, len(parts)))]


def lines_fitting(lines: Sequence[tuple[int, str]], budget: int, count: Callable[[str], int]) -> tuple[list[str], int]:
    """The lines of a list that fit into a budget, in their order, and what is left of it.

    The first number of a line is its rank: the lowest ones are taken first.
    """
    kept, left = set[int](), budget
    for n in sorted(range(len(lines)), key=lambda n: (lines[n][0], n)):
        if left <= 0:
            break
        line = lines[n][1]
        cost = count(f"- {line}\n") if len(line) <= left * CHARS_A_TOKEN_MAX else left + 1
        if cost <= left:
            kept.add(n)
            left -= cost
    return [line for n, (_, line) in enumerate(lines) if n in kept], left
