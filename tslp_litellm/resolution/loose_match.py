"""How clients that apply edits out of the model's text find the place of one: as loosely as they do, and no looser.

Each function gives the text after one block, None where the client refuses the block, and raises `UnfollowedError`
where what it would do is not known. A block's two sides are whole lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from posixpath import basename

LINES_COMPARED_MAX = 4_000_000
"""What one search may cost, in lines compared; what would cost more is not followed."""
DOTS = "...\n"
TELLING_CHARS = 10
"""A hunk's old side with fewer characters than these, white space aside, must stand only once."""


class UnfollowedError(Exception):
    """What the client does with a block is not known."""


class RefusedError(Exception):
    """The client fails on a block, and applies nothing of the answer."""


def searched(text: str, path: str, old: str, new: str, fence: tuple[str, str]) -> str | None:
    """A search/replace block: the first place where its lines stand, else where they stand otherwise indented, else
    without a blank line in front, else by its parts between lines of dots. Without an old side it appends."""
    old, new = (_unwrapped(side, path, fence) for side in (old, new))
    if not old.strip():
        return (text + new) or None
    whole, part, put = (_lines(side) for side in (text, old, new))
    found = _placed(whole, part, put)
    if not found and len(part) > 2 and not part[0].strip():
        found = _placed(whole, part[1:], put)
    return found or _between_dots("".join(whole), "".join(part), "".join(put)) or None


def hunked(text: str, old: str, new: str) -> str | None:
    """A hunk without line numbers: its old side, wherever it stands; blank lines around both count only if need be."""
    if not old.strip():
        return (text + new) or None
    telling = "".join(line.strip() for line in old.splitlines())
    if len(telling) < TELLING_CHARS and text.count(old) > 1:
        raise UnfollowedError
    for part, put, whole in ((old, new, text), tuple(side.strip("\n") + "\n" for side in (old, new, text))):
        if part in whole and (after := whole.replace(part, put)):
            return after
    raise UnfollowedError


def _unwrapped(side: str, path: str, fence: tuple[str, str]) -> str:
    """A side without a first line that names the file, and without a fence around it."""
    if not side:
        return side
    lines = side.splitlines()
    lines = lines[1:] if lines[0].strip().endswith(basename(path)) else lines
    if not lines:
        raise RefusedError
    lines = lines[1:-1] if lines[0].startswith(fence[0]) and lines[-1].startswith(fence[1]) else lines
    joined = "\n".join(lines)
    return joined + "\n" if joined and not joined.endswith("\n") else joined


def _lines(text: str) -> list[str]:
    return (text + "\n" if text and not text.endswith("\n") else text).splitlines(keepends=True)


def _placed(whole: list[str], part: list[str], put: list[str]) -> str | None:
    """The first place where the part stands as it is, else the first where it stands indented by so much more."""
    found = _runs(whole, part)
    after = "".join(whole[: found[0]] + put + whole[found[0] + len(part) :]) if found else ""
    return after or _reindented(whole, part, put)


def _reindented(whole: list[str], part: list[str], put: list[str]) -> str | None:
    said = [line for line in (*part, *put) if line.strip()]
    common = min((len(line) - len(line.lstrip()) for line in said), default=0)
    part, put = ([line[common:] if line.strip() else line for line in side] for side in (part, put))
    for at in _runs([line.lstrip() for line in whole], [line.lstrip() for line in part]):
        there = whole[at : at + len(part)]
        more = {line[: len(line) - len(own)] for line, own in zip(there, part, strict=True) if line.strip()}
        if len(more) == 1:
            indent = more.pop()
            moved = [indent + line if line.strip() else line for line in put]
            return "".join(whole[:at] + moved + whole[at + len(part) :])
    return None


def _runs(whole: Sequence[str], part: Sequence[str]) -> list[int]:
    """Where some lines stand in a row, ascending."""
    if not part:
        return [0]
    starts = [n for n in range(len(whole) - len(part) + 1) if whole[n] == part[0]]
    if len(starts) * len(part) > LINES_COMPARED_MAX:
        raise UnfollowedError
    return [n for n in starts if whole[n : n + len(part)] == part]


def _between_dots(whole: str, old: str, new: str) -> str | None:
    """The text with each part of the old side between lines of dots replaced by its counterpart, if each stands in it
    once and both sides have the same dots."""
    pieces, dots = _pieces(old)
    others, same = _pieces(new)
    if not dots or dots != same:
        return None
    for piece, other in zip(pieces, others, strict=True):
        if not piece:
            whole += "\n" + other if other and not whole.endswith("\n") else other
        elif whole.count(piece) == 1:
            whole = whole.replace(piece, other)
        else:
            return None
    return whole


def _pieces(side: str) -> tuple[list[str], list[str]]:
    """A side cut at its lines of dots, and those lines, each with the blank lines above it."""
    pieces, dots, piece = list[str](), list[str](), list[str]()
    for line in side.splitlines(keepends=True):
        if line.lstrip() != DOTS:
            piece.append(line)
            continue
        kept = len(piece)
        while kept and not piece[kept - 1].strip():
            kept -= 1
        pieces.append("".join(piece[:kept]))
        dots.append("".join(piece[kept:]) + line)
        piece = []
    return [*pieces, "".join(piece)], dots
