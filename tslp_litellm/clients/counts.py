"""Whether the places, sizes and counts that a result states are those of its call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
    if told.get("steps") is not None and not counts_all([_count(told["steps"])], made):
        return False
    placed = told.get("line") is None or any(
        isinstance(s, Insertion) and s.before == _count(told["line"]) for s in steps
    )
    return placed and all(
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
    written = [change.text for change in made.changes if isinstance(change, Shown)]
    if unit == "line" and written:
        return any(_has_lines(text, count) for text in written)
    return unit not in _STEPS or counts_all([count], made)


def counts_all(counts: Sequence[int], made: Attempt) -> bool:
    """Whether what a result counts is, taken together, all that the call asked for; nobody knows where it asked for
    every place of a text."""
    steps = [step for change in made.changes if isinstance(change, Edit) for step in change.steps]
    everywhere = any(isinstance(step, Replacement) and step.everywhere for step in steps)
    return not counts or not steps or sum(counts) == len(steps) or (everywhere and sum(counts) >= len(steps))
