"""What became of a tool call, by the text of its result (`data/outcomes.json`)."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources

from tslp_litellm.evidence.attachments import attached
from tslp_litellm.evidence.model import Attempt, Outcome, Verdict
from tslp_litellm.wire.turn import Item

HEAD_CHARS = 4000
"""A verdict stands at a result's beginning or end; what lies between may be file text."""


@cache
def _verdicts() -> tuple[tuple[Verdict, re.Pattern[str]], ...]:
    data = json.loads((resources.files("tslp_litellm") / "data" / "outcomes.json").read_text("utf-8"))
    return tuple(
        (verdict, re.compile("|".join(f"(?:{p})" for p in data[verdict]), re.M))
        for verdict in (Verdict.DENIED, Verdict.FAILURE, Verdict.SUCCESS)
    )


def verdict_of(result: Item) -> Verdict:
    """The verdict of a result's text; an error flag outweighs a text that sounds like success."""
    text = (
        result.text
        if len(result.text) <= 2 * HEAD_CHARS
        else result.text[:HEAD_CHARS] + "\n" + result.text[-HEAD_CHARS:]
    )
    said = next((verdict for verdict, pattern in _verdicts() if pattern.search(text)), Verdict.UNKNOWN)
    return Verdict.FAILURE if result.is_error and said is not Verdict.DENIED else said


def outcome(made: Attempt, result: Item) -> Outcome:
    """The outcome of an attempt."""
    stated, _ = attached(result.text) if result.exact else ([], "")
    return Outcome(made, verdict_of(result), tuple(stated))
