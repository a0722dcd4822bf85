"""What clients do of themselves to the texts of their calls: what was written is not what the call says then. (What
Claude Code cuts at the ends of lines it cuts before it sends the call again, so the call says it.)

Such a habit counts only where both speak of it, the row of the tool (`data/tools.json`) and the words of its result
(`data/outcomes.json`): other clients have tools of the same names and arguments without it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from tslp_litellm.dialects.values import Attempt, Edit, FileChange, Replacement


def as_carried_out(made: Attempt, habits: Collection[str]) -> Attempt:
    """A call that was carried out by a client of some habits, as far as it shares them."""
    shared = made.habits & {*habits}
    return replace(made, changes=tuple(_done(change, shared) for change in made.changes)) if shared else made


def _done(change: FileChange, habits: Collection[str]) -> FileChange:
    if "whole-lines" in habits and isinstance(change, Edit):
        return replace(
            change, steps=tuple(replace(s, whole_lines=True) if isinstance(s, Replacement) else s for s in change.steps)
        )
    return change
