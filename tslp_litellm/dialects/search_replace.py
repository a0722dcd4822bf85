"""SEARCH/REPLACE blocks, as aider and Cline write them: a path, then one or more blocks, mostly inside a fence.

The path stands on a line above the block (a fence's opening line may stand between), or was given for the block
before. Matching is by whole lines, which is what these clients do.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from tslp_litellm.dialects import fences
from tslp_litellm.dialects.dialect import Taken
from tslp_litellm.dialects.labelled import as_meant
from tslp_litellm.dialects.lines import join_lines, split_lines
from tslp_litellm.dialects.paths import Hint, hint_in_info, hint_in_line
from tslp_litellm.dialects.values import Carrier, Edit, EditStep, Evidence, Insertion, Replacement
from tslp_litellm.parser.budget import spend

_HEAD = re.compile(r"^\s*+(?:<{3,9}|-{5,9}) SEARCH>?\s*+$")
_DIVIDER = re.compile(r"^\s*+={5,9}\s*+$")
_TAIL = re.compile(r"^\s*+(?:>{3,9}|\+{3,9}) REPLACE>?\s*+$")
_TAG_FENCE = re.compile(r"^\s*+</?(?:source|code|pre|codeblock|sourcecode)>\w*+\s*+$")
_STATED_LINE = re.compile(r"^:(?:start|end)_line: ?(\d{1,9})\s*+$")
_RULE = re.compile(r"^-{5,}+\s*+$")
_ESCAPED = re.compile(r"^\\(?=(?:<{5,9} SEARCH|={5,9}|>{5,9} REPLACE|-{5,9}|:(?:start|end)_line:))")
LINES_ABOVE = 3


@dataclass(frozen=True, slots=True)
class Block:
    """One block with the lines (counted from 0) that it and its path take up."""

    edit: Edit
    first: int
    last: int


def read(text: str) -> Taken:
    """The edits of a text's blocks, but for those that it says are none to make."""
    found = blocks(text)
    return Taken(tuple(_meant(text, found)), _without_blocks(text, found))


def _meant(text: str, found: list[Block]) -> Iterator[Evidence]:
    """The edits of the blocks as what stands above the first of them leaves them."""
    lines = fences.prose_lines(text, fences.fences(text)) if found else []
    start, above = 0, (0, 0)
    for block in found:
        between = [n for n in range(start, block.first) if lines[n].strip() and not is_fence_line(lines[n])]
        if between:
            above = start, between[-1] + 1
        start = block.last + 1
        yield from as_meant([block.edit], lines, *above)


def blocks(text: str, path: str | None = None) -> list[Block]:
    """The blocks of a text, in order. `path`: the file that is known beforehand (a tool's argument)."""
    if " SEARCH" not in text:
        return []
    lines = split_lines(text)
    heads = [n for n, line in enumerate(lines) if " SEARCH" in line and _HEAD.match(line)]
    if not heads:
        return []
    dividers = [n for n, line in enumerate(lines) if "=====" in line and _DIVIDER.match(line)]
    tails = [n for n, line in enumerate(lines) if " REPLACE" in line and _TAIL.match(line)]
    found: list[Block] = []
    known, free = path, 0
    for number, head in enumerate(heads):
        spend()
        if head < free:
            continue
        divider, tail = _next(dividers, head), _next(tails, head)
        following = heads[number + 1] if number + 1 < len(heads) else len(lines)
        if divider is None or tail is None or not divider < tail or following < divider:
            continue
        if (second := _next(dividers, divider)) is not None and second < tail:
            continue
        first, hint = _path_above(lines, head, free)
        known, free = path or hint or known, tail + 1
        if known is not None:
            step = _step(lines[head + 1 : divider], lines[divider + 1 : tail])
            found.append(Block(Edit(known, (step,), Carrier.SEARCH_REPLACE), first, tail))
    return found


def _step(old: list[str], new: list[str]) -> EditStep:
    """A block's step; Roo's head of a block (`:start_line:12`, `-------`) says where it is meant."""
    line = at = 0
    while at < len(old) and (stated := _STATED_LINE.match(old[at])):
        line = int(stated[1]) if "start" in stated[0] else line
        at += 1
    if at < len(old) and (old[at] == "-------" or (line and _RULE.match(old[at]))):
        at += 1
    old = old[at:]
    before, after = _text(old), _text(new)
    return Insertion("\n".join(new), line) if line and not old else Replacement(before, after, lines=True, line=line)


def _next(numbers: list[int], after: int) -> int | None:
    """The first of some line numbers (ascending) behind another."""
    at = bisect_right(numbers, after)
    return numbers[at] if at < len(numbers) else None


def _text(lines: list[str]) -> str:
    bare = [_ESCAPED.sub("", line) if line.startswith("\\") else line for line in lines]
    return join_lines(bare) + "\n" if bare else ""


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
        if not line.strip():
            continue
        hint = hint_in_line(line)
        if hint is not None and _usable(hint):
            opened = first == head and n > start and is_fence_line(lines[n - 1])  # the path stands inside the fence
            return n - opened, hint.path
        break
    return first, None


def is_fence_line(line: str) -> bool:
    """Whether a line opens or closes a fence, aider's tags included."""
    return fences.is_fence_line(line) or _TAG_FENCE.match(line) is not None


def _usable(hint: Hint) -> bool:
    return (hint.sure or "/" in hint.path or "." in hint.path) and not hint.excerpt


def _without_blocks(text: str, blocks: list[Block]) -> str:
    """The text with the lines of edit blocks, and the fence that closes behind one, blanked."""
    if not blocks:
        return text
    lines = split_lines(text)
    for block in blocks:
        closes = block.last + 1 < len(lines) and is_fence_line(lines[block.last + 1])
        for n in range(block.first, block.last + 1 + closes):
            lines[n] = ""
    return join_lines(lines)
