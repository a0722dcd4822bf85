"""A model's text: the files it shows in fences, and its edits, without our frames and its thinking."""

from __future__ import annotations

from tslp_litellm.evidence import search_replace
from tslp_litellm.evidence.fences import fences
from tslp_litellm.evidence.framing import spoken
from tslp_litellm.evidence.labelled import shown_by
from tslp_litellm.evidence.model import Evidence


def read_answer(text: str) -> list[Evidence]:
    """The evidence in what a model said: files and snippets in fences, then edits, each in order."""
    text = spoken(text)
    edits = search_replace.blocks(text)
    rest = _without(text, edits)
    return [*shown_by(rest, fences(rest)), *(block.edit for block in edits)]


def _without(text: str, blocks: list[search_replace.Block]) -> str:
    """The text with the lines of edit blocks, and the fence that closes behind one, blanked."""
    if not blocks:
        return text
    lines = text.split("\n")
    for block in blocks:
        closes = block.last + 1 < len(lines) and search_replace.is_fence_line(lines[block.last + 1])
        for n in range(block.first, block.last + 1 + closes):
            lines[n] = ""
    return "\n".join(lines)
