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
    if replacement.lines and text and not text.endswith("\n"):
        text += "\n"  # clients that edit by lines end the last one
    found = occurrences(text, replacement.old, replacement.lines)
    if not found or (len(found) > 1 and not replacement.everywhere):
        return None
    if replacement.everywhere:
        return text.replace(replacement.old, replacement.new)
    at = found[0]
    return text[:at] + replacement.new + text[at + len(replacement.old) :]


def occurrences(text: str, part: str, lines: bool = False) -> list[int]:
    """Where a part stands in a text, overlaps included, at most two; `lines`: only where it begins a line."""
    found: list[int] = []
    at = text.find(part)
    while at >= 0 and len(found) < 2:
        if not lines or at == 0 or text[at - 1] == "\n":
            found.append(at)
        at = text.find(part, at + 1)
    return found
