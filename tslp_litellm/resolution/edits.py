"""Applying an edit: exact text, found exactly once (SEMANTICS 2, Edits)."""

from __future__ import annotations

from collections.abc import Iterable

from tslp_litellm.evidence.model import Replacement


def replaced(text: str, replacements: Iterable[Replacement]) -> str | None:
    """The text after the replacements, in order; None where one of them isn't found exactly once (or at all)."""
    for replacement in replacements:
        after = replace_one(text, replacement)
        if after is None:
            return None
        text = after
    return text


def replace_one(text: str, replacement: Replacement) -> str | None:
    """One replacement. An empty old text makes the new text the whole file."""
    if not replacement.old:
        return replacement.new
    found = occurrences(text, replacement.old)
    if found == 0 or (found > 1 and not replacement.everywhere):
        return None
    return text.replace(replacement.old, replacement.new)


def occurrences(text: str, part: str) -> int:
    """How often a part stands in a text, overlaps included, counted up to two."""
    first = text.find(part)
    if first < 0:
        return 0
    return 1 if text.find(part, first + 1) < 0 else 2
