"""What became of a tool call, by the text of its result (`data/outcomes.json`)."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources

from tslp_litellm.evidence.model import Attempt, Outcome, Verdict
from tslp_litellm.evidence.stated import stated_in
from tslp_litellm.wire.turn import Item

HEAD_CHARS = 4000
"""A verdict stands at a result's beginning or end; what lies between may be file text."""


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    data = json.loads((resources.files("tslp_litellm") / "data" / "outcomes.json").read_text("utf-8"))
    return {
        kind: re.compile("|".join(f"(?:{p})" for p in data[kind]), re.M)
        for kind in ("denied", "failure", "success", "created", "moved", "shell_failure", "shell_unknown")
    }


def _ends(text: str) -> str:
    return text if len(text) <= 2 * HEAD_CHARS else text[:HEAD_CHARS] + "\n" + text[-HEAD_CHARS:]


def verdict_of(result: Item, kind: str = "") -> Verdict:
    """The verdict of a result's text; an error flag outweighs a text that sounds like success."""
    text, known = _ends(result.text), _patterns()
    if known["denied"].search(text):
        return Verdict.DENIED
    if kind == "shell":
        return _verdict_of_shell(result, text)
    if result.is_error or known["failure"].search(text):
        return Verdict.FAILURE
    return Verdict.SUCCESS if known["success"].search(text) else Verdict.UNKNOWN


def _verdict_of_shell(result: Item, text: str) -> Verdict:
    """A shell command that says nothing has succeeded."""
    if result.is_error or _patterns()["shell_failure"].search(text):
        return Verdict.FAILURE
    return Verdict.UNKNOWN if _patterns()["shell_unknown"].search(text) else Verdict.SUCCESS


def outcome(made: Attempt, result: Item) -> Outcome:
    """The outcome of an attempt."""
    verdict = verdict_of(result, made.kind)
    text = _ends(result.text)
    stated = stated_in(made, result.text) if result.exact else []
    return Outcome(
        made,
        verdict,
        tuple(stated),
        created=verdict is Verdict.SUCCESS and bool(_patterns()["created"].search(text)),
        moved=made.kind != "shell" and verdict is not Verdict.DENIED and bool(_patterns()["moved"].search(text)),
    )
