"""What became of a tool call, by the text of its result (`data/outcomes.json`)."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources
from typing import Any

from tslp_litellm.evidence.model import Attempt, Outcome, Verdict
from tslp_litellm.evidence.stated import stated_in
from tslp_litellm.wire.turn import Item

HEAD_CHARS = 4000
"""A verdict stands at a result's beginning or end; what lies between may be file text."""


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    data = json.loads((resources.files("tslp_litellm") / "data" / "outcomes.json").read_text("utf-8"))
    return {
        kind: re.compile("|".join(f"(?:{p})" for p in patterns), re.M)
        for kind, patterns in data.items()
        if kind != "about"
    }


def _ends(text: str) -> str:
    return text if len(text) <= 2 * HEAD_CHARS else text[:HEAD_CHARS] + "\n" + text[-HEAD_CHARS:]


def _spoken(text: str) -> str:
    """What the client itself says: without the file text and the diagnostics that it quotes."""
    return _ends(_patterns()["quotes"].sub("", text))


def verdict_of(result: Item, kind: str = "") -> Verdict:
    """The verdict of a result's text; an error flag outweighs a text that sounds like success."""
    if kind == "shell":
        text = _ends(result.text)
        denied = _patterns()["denied"].search(text)
        return Verdict.DENIED if denied and _opens(text, denied) else _verdict_of_shell(result, text)
    answers = _answers(result.text)
    verdicts = {_verdict_of_answer(answer) for answer in answers} or {_verdict_of_text(_spoken(result.text))}
    verdict = verdicts.pop() if len(verdicts) == 1 else Verdict.UNKNOWN
    return Verdict.FAILURE if result.is_error and verdict is not Verdict.DENIED else verdict


def _answers(text: str) -> list[dict[str, Any]]:
    """Answers in JSON that say whether they are a success (Cline)."""
    if not text.lstrip().startswith(("{", "[")) or '"success"' not in text:
        return []
    try:
        decoded = json.loads(text)
    except (ValueError, RecursionError):
        return []
    answers = decoded if isinstance(decoded, list) else [decoded]
    return answers if all(isinstance(a, dict) and isinstance(a.get("success"), bool) for a in answers) else []


def _verdict_of_answer(answer: dict[str, Any]) -> Verdict:
    if answer["success"]:
        return Verdict.SUCCESS
    said = _spoken(f"{answer.get('error', '')}\n{answer.get('result', '')}")
    return Verdict.DENIED if _patterns()["denied"].search(said) else Verdict.FAILURE


def _verdict_of_text(text: str) -> Verdict:
    """Words for both success and failure prove neither, unless the text opens with the failure."""
    known = _patterns()
    if known["denied"].search(text):
        return Verdict.DENIED
    failed, succeeded = known["failure"].search(text), known["success"].search(text)
    if failed is None or succeeded is None:
        return Verdict.FAILURE if failed else Verdict.SUCCESS if succeeded else Verdict.UNKNOWN
    return Verdict.FAILURE if failed.start() <= succeeded.start() and _opens(text, failed) else Verdict.UNKNOWN


def _opens(text: str, match: re.Match[str]) -> bool:
    """Whether a match stands in a text's first line."""
    return "\n" not in text[: match.start()].lstrip()


def _verdict_of_shell(result: Item, text: str) -> Verdict:
    """A shell command that says nothing has succeeded."""
    if result.is_error or _patterns()["shell_failure"].search(text):
        return Verdict.FAILURE
    return Verdict.UNKNOWN if _patterns()["shell_unknown"].search(text) else Verdict.SUCCESS


def outcome(made: Attempt, result: Item) -> Outcome:
    """The outcome of an attempt."""
    verdict = verdict_of(result, made.kind)
    text = _spoken(result.text)
    stated = stated_in(made, result.text) if result.exact else []
    return Outcome(
        made,
        verdict,
        tuple(stated),
        created=verdict is Verdict.SUCCESS and bool(_patterns()["created"].search(text)),
        moved=made.kind != "shell" and verdict is not Verdict.DENIED and bool(_patterns()["moved"].search(text)),
    )
