"""What became of a tool call, by the text of its result (`data/outcomes.json`)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from tslp_litellm.evidence.lines import LineSearch, Words, first_on_lines
from tslp_litellm.evidence.stated import stated_in
from tslp_litellm.evidence.values import Attempt, Outcome, Verdict
from tslp_litellm.wire.turn import Item

LINES_MAX = 40
"""A verdict stands in a result's first lines."""


@dataclass(frozen=True, slots=True)
class Sayings:
    """What results say: at their beginning (`\\A`), or on any line."""

    beginning: re.Pattern[str]
    lines: re.Pattern[str] | None

    @classmethod
    def of(cls, patterns: list[str]) -> Sayings:
        """Patterns of which each holds for the beginning of a text, or within a line."""
        first = [p.removeprefix(r"\A") for p in patterns if p.startswith(r"\A")]
        others = [p for p in patterns if not p.startswith(r"\A")]
        return cls(_union(first) if first else re.compile(r"(?!)"), _union(others) if others else None)

    def first(self, text: str) -> re.Match[str] | None:
        """The first place where a text says so."""
        begun = self.beginning.match(text)
        return begun if begun is not None or self.lines is None else first_on_lines(self.lines, text)


def _union(patterns: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{p})" for p in patterns), re.M)


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads((resources.files("tslp_litellm") / "data" / "outcomes.json").read_text("utf-8"))
    return data


@cache
def sayings() -> dict[str, Sayings]:
    """The patterns by what they say, read once."""
    return {kind: Sayings.of(patterns) for kind, patterns in _data().items() if kind not in ("about", "quotes")}


@cache
def quotes() -> tuple[re.Pattern[str], tuple[tuple[str, ...], ...]]:
    """Where file text and other programs' words begin (group `qN`), and for each N the marks that end it: without
    one, it reaches to the end."""
    rows = _data()["quotes"]
    opening = re.compile("|".join(f"(?P<q{n}>{row['from']})" for n, row in enumerate(rows)), re.M)
    return opening, tuple(tuple(row.get("to", ())) for row in rows)


def _own_words(text: str) -> str:
    """What the client itself says: without the file text and the diagnostics that it quotes."""
    opening, ends = quotes()
    openings, parts, at = LineSearch(opening, text), list[str](), 0
    closings: dict[tuple[str, ...], Words] = {}
    while (match := openings.first(at)) is not None:
        parts.append(text[at : match.start()])
        marks = tuple(end.format_map(match.groupdict()) for end in ends[_number(match)])
        if marks not in closings:
            closings[marks] = Words(text, marks)
        hit = closings[marks].first(match.end())
        at = hit[0] + len(hit[1]) if hit else len(text)
    return "".join([*parts, text[at:]])


def _number(match: re.Match[str]) -> int:
    """Which quote an opening opens."""
    return next(int(name[1:]) for name, said in match.groupdict().items() if name != "tag" and said is not None)


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
        return Verdict.DENIED if sayings()["denied"].first(said) else Verdict.FAILURE
    if any(row.get("status") == "denied" for row in rows):
        return Verdict.DENIED
    good = ("success", "operation", "path")
    return Verdict.SUCCESS if all(any(row.get(k) for k in good) or row.get("status") for row in rows) else None


def verdict_of(result: Item, kind: str = "", own: str | None = None) -> Verdict:
    """The verdict of a result: the first of its lines that says one; an error flag outweighs it.

    `own`: what of it are the client's own words, if that is known already.
    """
    if kind == "shell":
        return _verdict_of_shell(result)
    said = _of_json(result.text)
    if said is None:
        own = _own_words(result.text) if own is None else own
        lines = own.split("\n", LINES_MAX)[:LINES_MAX]
        if any(sayings()["denied"].first(line) for line in lines):
            return Verdict.DENIED
        said = next((v for line in lines if (v := _of_line(line)) is not None), Verdict.UNKNOWN)
    return Verdict.FAILURE if result.is_error and said is not Verdict.DENIED else said


def _of_line(line: str) -> Verdict | None:
    if sayings()["failure"].first(line):
        return Verdict.FAILURE
    return Verdict.SUCCESS if sayings()["success"].first(line) else None


def _verdict_of_shell(result: Item) -> Verdict:
    """A shell command that says nothing has succeeded; what its exit status says outweighs its output."""
    known, text = sayings(), result.text
    if (denied := known["denied"].first(text)) and "\n" not in text[: denied.start()].lstrip():
        return Verdict.DENIED
    if known["shell_success"].first(text) and not result.is_error:
        return Verdict.SUCCESS
    if result.is_error or known["shell_failure"].first(text):
        return Verdict.FAILURE
    return Verdict.UNKNOWN if known["shell_unknown"].first(text) else Verdict.SUCCESS


def outcome(made: Attempt, result: Item) -> Outcome:
    """The outcome of an attempt."""
    text = _own_words(result.text) if made.kind != "shell" or sayings()["created"].first(result.text) else ""
    verdict = verdict_of(result, made.kind, text)
    stated = stated_in(made, result.text) if result.exact else []
    return Outcome(
        made,
        verdict,
        tuple(stated),
        created=verdict is Verdict.SUCCESS and sayings()["created"].first(text) is not None,
        moved=made.kind != "shell" and verdict is not Verdict.DENIED and sayings()["moved"].first(text) is not None,
    )
