"""The hydration budget: whole artifacts only, symbols before files and what stands for them, then by first mention."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

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


def fitting(
    blocks: Sequence[Block], budget: int, count: Callable[[str], int], parts: Collection[str] = ()
) -> tuple[list[Block], list[Block]]:
    """The blocks that fit, in their order, and those that don't. `count`: tokens of a text. `parts`: symbols that stand
    for their file, whose text is unknown."""
    if sum(len(block.render().encode()) for block in blocks) <= budget:  # a token is at least one byte
        return list(blocks), []
    left, taken = budget, set[int]()
    for n in sorted(range(len(blocks)), key=lambda n: (_is_of_a_file(blocks[n].entity, parts), n)):
        cost = count(blocks[n].render())
        if cost <= left:
            taken.add(n)
            left -= cost
    return [b for n, b in enumerate(blocks) if n in taken], [b for n, b in enumerate(blocks) if n not in taken]


def _is_of_a_file(entity: str, parts: Collection[str]) -> bool:
    return "::" not in entity or entity in parts


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
