"""SEARCH/REPLACE blocks, as aider and Cline write them: a path, then one or more blocks, mostly inside a fence.

The path stands on a line above the block (a fence's opening line may stand between), or was given for the block
before. Matching is by whole lines, which is what these clients do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tslp_litellm.evidence.fences import is_fence_line
from tslp_litellm.evidence.model import Carrier, Edit, Replacement
from tslp_litellm.evidence.paths import Hint, hint_in_info, hint_in_line

_HEAD = re.compile(r"^\s*(?:<{5,9}|-{5,9}|<{3,9}) SEARCH>?\s*$")
_DIVIDER = re.compile(r"^\s*={5,9}\s*$")
_TAIL = re.compile(r"^\s*(?:>{3,9}|\+{3,9}) REPLACE>?\s*$")
LINES_ABOVE = 3


@dataclass(frozen=True, slots=True)
class Block:
    """One block with the lines (counted from 0) that it and its path take up."""

    edit: Edit
    first: int
    last: int


def blocks(text: str, path: str | None = None) -> list[Block]:
    """The blocks of a text, in order. `path`: the file that is known beforehand (a tool's argument)."""
    lines = text.split("\n")
    found: list[Block] = []
    at, known = 0, path
    while at < len(lines):
        if not _HEAD.match(lines[at]):
            at += 1
            continue
        end = _parts(lines, at)
        if end is None:
            at += 1
            continue
        divider, tail = end
        first, hint = _path_above(lines, at, found[-1].last + 1 if found else 0)
        known = path or hint or known
        if known is not None:
            old, new = (_text(lines[a:b]) for a, b in ((at + 1, divider), (divider + 1, tail)))
            edit = Edit(known, (Replacement(old, new, lines=True),), Carrier.SEARCH_REPLACE)
            found.append(Block(edit, first, tail))
        at = tail + 1
    return found


def _parts(lines: list[str], head: int) -> tuple[int, int] | None:
    """Where a block's divider and its end stand; None where it is not whole."""
    divider = next((n for n in range(head + 1, len(lines)) if _DIVIDER.match(lines[n])), None)
    if divider is None or any(_HEAD.match(line) for line in lines[head + 1 : divider]):
        return None
    tail = next((n for n in range(divider + 1, len(lines)) if _TAIL.match(lines[n]) or _DIVIDER.match(lines[n])), None)
    return None if tail is None or _DIVIDER.match(lines[tail]) else (divider, tail)


def _text(lines: list[str]) -> str:
    return "".join(line + "\n" for line in lines)


def _path_above(lines: list[str], head: int, start: int) -> tuple[int, str | None]:
    """The first line that belongs to a block, and the path given for it there."""
    first = head
    for n in range(head - 1, max(start, head - 1 - LINES_ABOVE) - 1, -1):
        line = lines[n]
        if is_fence_line(line):
            first = n
            hint = hint_in_info(line.strip().strip("`~"))
            if hint is not None:
                return first, hint.path
            continue
        hint = hint_in_line(line) if line.strip() else None
        if hint is not None and _usable(hint):
            opened = first == head and n > start and is_fence_line(lines[n - 1])  # the path stands inside the fence
            return n - opened, hint.path
        break
    return first, None


def _usable(hint: Hint) -> bool:
    return (hint.sure or "/" in hint.path) and not hint.excerpt
