"""Diffs in a user's own text: below a sentence in which he says that he made that change (SEMANTICS 2, Told), and those
that he takes for made, so that they are quoted from his disk (SEMANTICS 2, Reads)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tslp_litellm.conversation.told_changes import tells
from tslp_litellm.dialects.fences import Fence, prose_lines
from tslp_litellm.dialects.lines import join_lines
from tslp_litellm.dialects.unified_diff import head_path, parse_diff
from tslp_litellm.dialects.values import Carrier, Drift, Edit, FileChange, Removal
from tslp_litellm.words.sentences import begins, holds, is_taken_back, listed, sentences

_OF_DIFF = re.compile(r"[ +\-\\]|@@|(?:diff --git|index|new file|deleted file|old mode|new mode|similarity|rename) ")


def own_diffs(text: str, blocks: Sequence[Fence]) -> list[FileChange]:
    """What the diffs with heads change, in fences and outside of them: all stated below a sentence which says so, as
    those that a client sends of its own doings; below one that takes them for made they only contradict our text."""
    lines, found, behind = prose_lines(text, [*blocks]), list[FileChange](), 0
    raw = _outside(lines)
    words = prose_lines(join_lines(lines), raw)
    for block in sorted([*blocks, *raw], key=lambda block: block.first):
        (said,) = sentences("\n".join(line for line in words[behind : block.first] if line.strip()))[-1:] or [""]
        if block.closed and head_path(block.body):
            changes = parse_diff(block.body, Carrier.TOLD, stated=True)
            below = sentences(join_lines(words[block.last + 1 :]))
            found += changes if tells(said) else _quoted(changes) if _is_made(said, below) else ()
        behind = block.last + 1
    return found


def _is_made(above: str, below: Sequence[str]) -> bool:
    """Whether a diff is taken for made: nothing is said of it, or the sentence above it (else the first one below)
    calls it the user's own or git's, or asks to make something else of it: `Write a commit message for this:`."""
    said = above or next(iter(below), "")
    elsewhere = rf"\b{listed('place')}\s+{listed('mine')}\b"  # `to my cart`
    own = holds(re.sub(elsewhere, " ", said, flags=re.I), "mine")
    return not said or (not is_taken_back(said) and (own or holds(said, "everywhere") or begins(said, "makes")))


def _quoted(changes: Sequence[FileChange]) -> Iterator[FileChange]:
    """What a diff contradicts: the old side of an edit, and a file that it says to be gone."""
    for change in changes:
        if isinstance(change, Edit):
            yield replace(change, stated=False)
        elif isinstance(change, Removal):
            yield Drift((change.path,), Carrier.TOLD)


def _outside(lines: list[str]) -> list[Fence]:
    """The diffs with heads that stand outside of fences; the last line of one has a mark."""
    found, n = list[Fence](), 0
    while n < len(lines):
        first, last = n, n
        if lines[n].startswith(("diff --git ", "--- ")):
            while n < len(lines) and (not lines[n] or _OF_DIFF.match(lines[n])):
                last, n = (n if lines[n] else last), n + 1
            found.append(Fence("diff", join_lines(lines[first : last + 1]) + "\n", first, last, closed=True))
        n = max(n, first + 1)
    return found
