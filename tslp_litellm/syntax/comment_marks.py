"""Comments where no syntax tree tells them: by the marks of the language, as data (`data/comments.json`)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

_ASIDE = r"[*_~> \t]*+(?:\[[^\[\]\n]+\]|\([^()\n]+\))[.*_~ \t]*+"


@dataclass(frozen=True, slots=True)
class Marks:
    """What tells a language's comments. `opens`: what begins one; `ends`: how each of its blocks ends."""

    opens: re.Pattern[str]
    ends: dict[str, str]


@cache
def _table() -> dict[str, Marks]:
    rows = json.loads((resources.files("tslp_litellm") / "data" / "comments.json").read_text("utf-8"))["rows"]
    return {language: _marks(row) for row in rows for language in row["languages"]}


def _marks(row: dict[str, list[Any]]) -> Marks:
    ends = {str(first): str(last) for first, last in row.get("blocks", [])}
    blocks = "|".join(map(re.escape, ends)) or r"(?!)"
    lines = "|".join(map(re.escape, sorted(row.get("lines", []), key=len, reverse=True))) or r"(?!)"
    asides = _ASIDE if row.get("asides") else r"(?!)"
    start = r"(?:^|(?<=[\s>{(\[;,]))"
    return Marks(
        re.compile(rf"{start}(?P<block>{blocks})|^[^\S\n]*+(?P<line>(?:{lines})[^\n]*|(?:{asides})$)", re.M), ends
    )


def marked(language: str, text: str) -> Iterator[tuple[int, str]]:
    """The comments of a text with the offsets of their first characters. A language without a row has none."""
    marks, at = _table().get(language), 0
    while marks is not None and (found := marks.opens.search(text, at)) is not None:
        start = found.start(found.lastgroup or 0)
        at = _end(marks, text, found)
        yield start, text[start:at]
        at = max(at, start + 1)


def _end(marks: Marks, text: str, found: re.Match[str]) -> int:
    """Where a comment ends; a block that is not closed, at the end of its text."""
    if found["block"] is None:
        return found.end()
    last = marks.ends[found["block"]]
    end = text.find(last, found.end())
    return end + len(last) if end >= 0 else len(text)
