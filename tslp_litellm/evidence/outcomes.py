"""What became of a tool call, by the text of its result (`data/outcomes.json`)."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources

from tslp_litellm.evidence.stated import stated_in
from tslp_litellm.evidence.values import Attempt, Outcome, Verdict
from tslp_litellm.wire.turn import Item

LINES_MAX = 40
"""A verdict stands in a result's first lines."""


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    data = json.loads((resources.files("tslp_litellm") / "data" / "outcomes.json").read_text("utf-8"))
    return {
        kind: re.compile("|".join(f"(?:{p})" for p in patterns), re.M)
        for kind, patterns in data.items()
        if kind != "about"
    }


def _own_words(text: str) -> str:
    """What the client itself says: without the file text and the diagnostics that it quotes."""
    return _patterns()["quotes"].sub("", text)


def _of_json(text: str) -> Verdict | None:
    """The verdict of a result in JSON, by its fields."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        decoded, _ = json.JSONDecoder().raw_decode(text.lstrip())
    except (ValueError, RecursionError):
        return None
    rows = [row for row in (decoded if isinstance(decoded, list) else [decoded]) if isinstance(row, dict)]
    if not rows:
        return None
    if any(row.get("success") is False or row.get("status") == "error" or row.get("error") for row in rows):
        said = " ".join(str(row.get("error") or row.get("message") or "") for row in rows)
        return Verdict.DENIED if _patterns()["denied"].search(said) else Verdict.FAILURE
    if any(row.get("status") == "denied" for row in rows):
        return Verdict.DENIED
    good = ("success", "operation", "path")
    return Verdict.SUCCESS if all(any(row.get(k) for k in good) or row.get("status") for row in rows) else None


def verdict_of(result: Item, kind: str = "") -> Verdict:
    """The verdict of a result: the first of its lines that says one; an error flag outweighs it."""
    known = _patterns()
    if kind == "shell":
        return _verdict_of_shell(result)
    said = _of_json(result.text)
    if said is None:
        lines = _own_words(result.text).split("\n")[:LINES_MAX] or [""]
        if known["denied"].search("\n".join(lines)):
            return Verdict.DENIED
        said = next((v for line in lines if (v := _of_line(line)) is not None), Verdict.UNKNOWN)
    return Verdict.FAILURE if result.is_error and said is not Verdict.DENIED else said


def _of_line(line: str) -> Verdict | None:
    if _patterns()["failure"].search(line):
        return Verdict.FAILURE
    return Verdict.SUCCESS if _patterns()["success"].search(line) else None


def _verdict_of_shell(result: Item) -> Verdict:
    """A shell command that says nothing has succeeded; what its exit status says outweighs its output."""
    known, text = _patterns(), result.text
    if (denied := known["denied"].search(text)) and "\n" not in text[: denied.start()].lstrip():
        return Verdict.DENIED
    if known["shell_success"].search(text) and not result.is_error:
        return Verdict.SUCCESS
    if result.is_error or known["shell_failure"].search(text):
        return Verdict.FAILURE
    return Verdict.UNKNOWN if known["shell_unknown"].search(text) else Verdict.SUCCESS


def outcome(made: Attempt, result: Item) -> Outcome:
    """The outcome of an attempt."""
    verdict = verdict_of(result, made.kind)
    text = _own_words(result.text)
    stated = stated_in(made, result.text) if result.exact else []
    return Outcome(
        made,
        verdict,
        tuple(stated),
        created=verdict is Verdict.SUCCESS and bool(_patterns()["created"].search(text)),
        moved=made.kind != "shell" and verdict is not Verdict.DENIED and bool(_patterns()["moved"].search(text)),
    )
