"""Diffs in a user's own text, below a sentence in which he says that he made that change (SEMANTICS 2, Told)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tslp_litellm.conversation.told_changes import tells
from tslp_litellm.dialects.fences import Fence, prose_lines
from tslp_litellm.dialects.lines import join_lines
from tslp_litellm.dialects.unified_diff import head_path, parse_diff
from tslp_litellm.dialects.values import Carrier, FileChange
from tslp_litellm.words.sentences import sentences

_OF_DIFF = re.compile(r"[ +\-\\]|@@|(?:diff --git|index|new file|deleted file|old mode|new mode|similarity|rename) ")


def own_diffs(text: str, blocks: Sequence[Fence]) -> list[FileChange]:
    """What the diffs with heads change, in fences and outside of them, that stand below such a sentence; all stated, as
    those that a client sends of its own doings."""
    lines, found, behind = prose_lines(text, [*blocks]), list[FileChange](), 0
    raw = _outside(lines)
    words = prose_lines(join_lines(lines), raw)
    for block in sorted([*blocks, *raw], key=lambda block: block.first):
        (said,) = sentences("\n".join(line for line in words[behind : block.first] if line.strip()))[-1:] or [""]
        if block.closed and head_path(block.body) and tells(said):
            found += parse_diff(block.body, Carrier.TOLD, stated=True)
        behind = block.last + 1
    return found


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
