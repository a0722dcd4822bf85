"""Whether the places, sizes and counts that a result states are those of its call."""

from __future__ import annotations

from collections.abc import Mapping

from tslp_litellm.dialects.values import Attempt, Edit, Insertion, Replacement, Shown

_STEPS = frozenset({"edit", "change", "replacement", "occurrence", "hunk", "block"})


def measures(told: Mapping[str, str | None], made: Attempt) -> bool:
    """Whether the places and sizes in a known form are those of the call."""
    steps = [step for change in made.changes if isinstance(change, Edit) for step in change.steps]
    texts = {
        "size": [change.text for change in made.changes if isinstance(change, Shown)],
        "old": [step.old for step in steps if isinstance(step, Replacement)],
        "new": [step.new for step in steps],
    }
    placed = told.get("line") is None or any(
        isinstance(s, Insertion) and s.before == _count(told["line"]) for s in steps
    )
    counted = told.get("edits") is None or _count(told["edits"]) == len(steps)
    return (placed and counted) and all(
        not texts[name] or any(_has_lines(text, _count(told[name])) for text in texts[name])
        for name in texts
        if told.get(name) is not None
    )


def _count(said: str | None) -> int:
    return int(said or 0)


def _has_lines(text: str, count: int) -> bool:
    """Whether a text has so many lines, an empty last one counted or not."""
    return count in (text.count("\n"), text.count("\n") + 1)


def adds_up(count: int, unit: str, made: Attempt) -> bool:
    """Whether a stated count of edits is that of the call's steps, or of lines that of the text. Other sizes are the
    tool's own (line ends, encodings)."""
    steps = [step for change in made.changes if isinstance(change, Edit) for step in change.steps]
    written = [change.text for change in made.changes if isinstance(change, Shown)]
    if unit == "line" and written:
        return any(_has_lines(text, count) for text in written)
    if unit not in _STEPS:
        return True
    return count == len(steps) or any(isinstance(s, Replacement) and s.everywhere for s in steps)
