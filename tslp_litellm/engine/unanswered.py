"""Calls whose result never came: the conversation goes on without it, and nobody knows what they did (SEMANTICS 2,
Outcomes)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tslp_litellm import shell
from tslp_litellm.clients.makers import attempt
from tslp_litellm.clients.shell import changes_of
from tslp_litellm.conversation.history import Age
from tslp_litellm.dialects.values import Outcome, Verdict
from tslp_litellm.wire.turn import Item, ItemKind, Role


def unanswered(items: Sequence[Item], ages: Sequence[Age]) -> list[int]:
    """The calls of the model's last words that nothing answers, where what stands behind them is new.

    A call in text may be one that the client did not even see: clients of that kind carry out one a turn.
    """
    end = max((n + 1 for n, item in enumerate(items) if item.role is Role.ASSISTANT), default=0)
    if end >= len(items) or ages[end] is not Age.NEW:
        return []
    start = end
    while start and items[start - 1].role is Role.ASSISTANT:
        start -= 1
    answered = {item.call_id for item in items[end:] if item.kind is ItemKind.RESULT}
    calls = (n for n in range(start, end) if items[n].kind is ItemKind.CALL)
    return [n for n in calls if items[n].call_id not in answered and not items[n].call_id.startswith("text-")]


def outcome_of(call: Item) -> list[Outcome]:
    """What a call may have done, if it can have changed files; a shell's folder is not known."""
    made = attempt(call, None)
    if made is None:
        return []
    if not made.scripts:
        return [Outcome(made, Verdict.UNKNOWN)]
    changes = (c for script, where in made.scripts for c in changes_of(script, where, shell.Outcome.UNKNOWN, None))
    return [Outcome(replace(made, changes=tuple(changes)), Verdict.SUCCESS)]
