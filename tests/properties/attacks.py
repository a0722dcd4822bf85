"""Lines made to hurt a pattern."""

from __future__ import annotations

import re._constants as sre
from collections.abc import Iterable, Iterator
from typing import Any

_MANY = 8
REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)


def attacks(tree: Any, size: int) -> Iterator[str]:
    """Texts of `size` characters made to hurt a parsed pattern (`re._parser.parse`): for each repetition in it what
    leads to it, its body over and over, an end that fits nothing, and all that the pattern can ask to see."""
    for text in _attacks(tree, "", _sample(tree), size):
        yield text[:size]


def _attacks(nodes: Iterable[Any], before: str, after: str, size: int) -> Iterator[str]:
    for op, value in nodes:
        if op in REPEATS:
            _, most, body = value
            for pump in _bodies(body) if most >= _MANY else ():
                room = size - len(before) - len(after) - 1
                yield before + (pump * (max(room, 0) // len(pump) + 1) if pump else "")[: max(room, 0)] + "\x00" + after
            yield from _attacks(body, before, after, size)
        else:
            for inner in inside(op, value):
                yield from _attacks(inner, before, after, size)
        before += _sample([(op, value)])


def inside(op: Any, value: Any) -> list[Any]:
    """The sequences inside a node."""
    if op is sre.SUBPATTERN:
        return [value[-1]]
    if op is sre.BRANCH:
        return list(value[1])
    if op in (sre.ASSERT, sre.ASSERT_NOT):
        return [value[1]]
    return [value] if op is sre.ATOMIC_GROUP else []


def _bodies(body: Any) -> list[str]:
    """Samples of a repetition's body, one for each way at its beginning."""
    nodes = list(body)
    while len(nodes) == 1 and nodes[0][0] is sre.SUBPATTERN:
        nodes = list(nodes[0][1][-1])
    if nodes and nodes[0][0] is sre.BRANCH:
        return [_sample(branch) + _sample(nodes[1:]) for branch in nodes[0][1][1]]
    return [_sample(nodes)]


def _sample(nodes: Iterable[Any]) -> str:
    """A short text that a sequence of nodes matches, near enough."""
    out = ""
    for op, value in nodes:
        if op is sre.LITERAL:
            out += chr(value)
        elif op in (sre.NOT_LITERAL, sre.ANY):
            out += "a" if value != ord("a") else "b"
        elif op is sre.IN:
            out += _one_of(value)
        elif op in REPEATS:
            least, most, body = value
            out += _sample(body) * max(least, min(most, 1))
        elif op not in (sre.ASSERT, sre.ASSERT_NOT):
            inner = inside(op, value)
            out += _sample(inner[0]) if inner else ""
    return out


_IN_CATEGORY = {sre.CATEGORY_SPACE: " ", sre.CATEGORY_DIGIT: "0", sre.CATEGORY_NOT_WORD: "!"}


def _one_of(members: Any) -> str:
    """A character of a class; of a negated one, one that most likely is none of its members."""
    for op, value in members:
        if op is sre.NEGATE:
            return "a"
        if op is sre.LITERAL:
            return chr(value)
        if op is sre.RANGE:
            return chr(value[0])
        if op is sre.CATEGORY:
            return _IN_CATEGORY.get(value, "a")
    return "a"
