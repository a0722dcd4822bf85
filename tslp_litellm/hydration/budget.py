"""The hydration budget: whole artifacts only, by rank, then by first mention."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tslp_litellm.hydration.blocks import Block

TOKENS_MAX = 8192
TOKENS_IF_UNKNOWN = 1024
WINDOW_SHARE = 4
CHARS_A_TOKEN_MAX = 32
"""A text of more characters for each token that is left is not counted: it does not fit."""


def tokens_max(setting: int | None, window: int | None, free: Callable[[int], int] = int) -> int:
    """The budget: the setting, else a quarter of the model's known window, at most 8192 and at most what the request
    leaves free (`free`: of so many tokens); 1024 if it is unknown."""
    if setting is not None:
        return setting
    return free(min(window // WINDOW_SHARE, TOKENS_MAX)) if window else TOKENS_IF_UNKNOWN


def is_file(entity: str) -> bool:
    """Whether an entity is a file: the rank where nothing more is known, as symbols come first."""
    return "::" not in entity


def fitting(
    blocks: Sequence[Block], budget: int, count: Callable[[str], int], rank: Callable[[str], int] = is_file
) -> tuple[list[Block], list[Block]]:
    """The blocks that fit, in their order, and those that don't, in that of their ranks: the lowest are taken first.
    `count`: tokens of a text; `rank`: of an entity."""
    if sum(len(block.render().encode()) for block in blocks) <= budget:  # a token is at least one byte
        return list(blocks), []
    room, taken, left = budget, set[int](), list[Block]()
    for n in sorted(range(len(blocks)), key=lambda n: (rank(blocks[n].entity), n)):
        cost = count(blocks[n].render())
        if cost <= room:
            taken.add(n)
            room -= cost
        else:
            left.append(blocks[n])
    return [b for n, b in enumerate(blocks) if n in taken], left


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
