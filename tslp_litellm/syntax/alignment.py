"""Two sequences aligned: where one gave way to the other. Near linear, for it runs on every candidate.

Anchors are what stands exactly once in both, in the longest order that they share (patience); between two anchors
the same is done again, a few times over.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

DEPTH_MAX = 6
ALIKE_LINES_MAX = 40
"""Places of more lines are not looked at line by line."""
ALIKE_MIN = 0.5
"""Of so many of their words and signs in common, two lines are one that changed."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """Elements `old:old_end` of the one sequence stand where `new:new_end` of the other do."""

    old: int
    old_end: int
    new: int
    new_end: int


def hunks(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Hunk]:
    """Where two sequences differ, in order."""
    found: list[Hunk] = []
    work = [(Hunk(0, len(old), 0, len(new)), 0)]
    while work:
        hunk, depth = work.pop()
        hunk = _trimmed(old, new, hunk)
        if hunk.old == hunk.old_end and hunk.new == hunk.new_end:
            continue
        anchors = _anchors(old, new, hunk) if depth < DEPTH_MAX else []
        if anchors:
            work += [(gap, depth + 1) for gap in _between(hunk, anchors)]
        else:
            found.append(hunk)
    return sorted(found, key=lambda hunk: (hunk.old, hunk.new))


def _trimmed(old: Sequence[Hashable], new: Sequence[Hashable], hunk: Hunk) -> Hunk:
    a, a_end, b, b_end = hunk.old, hunk.old_end, hunk.new, hunk.new_end
    while a < a_end and b < b_end and old[a] == new[b]:
        a, b = a + 1, b + 1
    while a < a_end and b < b_end and old[a_end - 1] == new[b_end - 1]:
        a_end, b_end = a_end - 1, b_end - 1
    return Hunk(a, a_end, b, b_end)


def _anchors(old: Sequence[Hashable], new: Sequence[Hashable], hunk: Hunk) -> list[tuple[int, int]]:
    here, there = Counter(old[hunk.old : hunk.old_end]), Counter(new[hunk.new : hunk.new_end])
    where = {new[n]: n for n in range(hunk.new, hunk.new_end) if there[new[n]] == 1}
    pairs = [(n, where[old[n]]) for n in range(hunk.old, hunk.old_end) if here[old[n]] == 1 and old[n] in where]
    return _longest_rise(pairs)


def _longest_rise(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs whose second numbers rise; their first ones do."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for n, (_, place) in enumerate(pairs):
        at = bisect_left(tails, place)
        before.append(ends[at - 1] if at else -1)
        tails[at : at + 1], ends[at : at + 1] = [place], [n]
    out, n = [], ends[-1] if ends else -1
    while n >= 0:
        out.append(pairs[n])
        n = before[n]
    return out[::-1]


def _between(hunk: Hunk, anchors: list[tuple[int, int]]) -> list[Hunk]:
    out, a, b = [], hunk.old, hunk.new
    for x, y in anchors:
        out.append(Hunk(a, x, b, y))
        a, b = x + 1, y + 1
    return [*out, Hunk(a, hunk.old_end, b, hunk.new_end)]


_TOKEN = re.compile(r"\w+|[^\w\s]")


def alike(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """The lines of a place that only changed, as pairs of their numbers, in order; as many as there are. None where the
    place is large."""
    if not old or not new or max(len(old), len(new)) > ALIKE_LINES_MAX:
        return []
    here, there = ([Counter(_TOKEN.findall(line)) for line in side] for side in (old, new))
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    same = [[_likeness(a, b) for b in there] for a in here]
    for x in range(len(old) - 1, -1, -1):
        for y in range(len(new) - 1, -1, -1):
            best[x][y] = max(best[x + 1][y], best[x][y + 1], best[x + 1][y + 1] + same[x][y])
    pairs, x, y = [], 0, 0
    while x < len(old) and y < len(new):
        if same[x][y] and best[x][y] == best[x + 1][y + 1] + same[x][y]:
            pairs.append((x, y))
            x, y = x + 1, y + 1
        elif best[x][y] == best[x + 1][y]:
            x += 1
        else:
            y += 1
    return pairs


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    """The share of what two lines are made of that they have in common; 0 where it is little, or no word."""
    common, size = one & other, max(one.total(), other.total())
    share = common.total() / size if size else 0.0
    return share if share >= ALIKE_MIN and any(token[0].isalnum() or token[0] == "_" for token in common) else 0.0
