"""Two sequences aligned: where one gave way to the other. Near linear, for it runs on every candidate.

Anchors are what stands exactly once in both, in the longest order that they share (patience); between two anchors
the same is done again, a few times over.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

DEPTH_MAX = 6


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
