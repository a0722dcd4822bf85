"""Comments where no syntax tree tells them: by the marks of the language, as data (`data/comments.json`)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from tslp_litellm.data.searching import find
from tslp_litellm.syntax.languages import language_of_fence

_ASIDE = r"[*_~> \t]*+(?:\[[^\[\]\n]+\]|\([^()\n]+\))[.*_~ \t]*+"


@dataclass(frozen=True, slots=True)
class Marks:
    """What tells a language's comments. `opens`: what begins one; `ends`: how each of its blocks ends; `holds`: signs
    of which a text with a comment has one."""

    opens: re.Pattern[str]
    ends: dict[str, str]
    holds: tuple[str, ...]


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
        re.compile(rf"{start}(?P<block>{blocks})|^[^\S\n]*+(?P<line>(?:{lines})[^\n]*|(?:{asides})$)", re.M),
        ends,
        (*ends, *row.get("lines", []), *(("[", "(") if row.get("asides") else ())),
    )


def marked(language: str, text: str) -> Iterator[tuple[int, str]]:
    """The comments of a text with the offsets of their first characters. A language without a row has none."""
    marks, at = _table().get(language), 0
    if marks is None or not any(sign in text for sign in marks.holds):
        return
    while (found := find(marks.opens, text, at)) is not None:
        start = found.start(found.lastgroup or 0)
        at = _end(marks, text, found)
        yield start, text[start:at]
        at = max(at, start + 1)


_REGION = re.compile(rb"^[^\S\n]*+(?P<said>#[ \t]*+(?:(?:pragma[ \t]++)?region\b|pragma[ \t]++mark\b)[^\n]*+)", re.M)
_BY_DIRECTIVES = frozenset({"c", "cpp", "objc", "csharp"})


def regions(language: str, text: bytes) -> list[tuple[int, str]]:
    """The directives of a text that only name a part of it, with their byte offsets."""
    if language not in _BY_DIRECTIVES or (b"region" not in text and b"mark" not in text):
        return []
    return [(m.start("said"), m["said"].decode(errors="replace").rstrip()) for m in _REGION.finditer(text)]


_FENCE = re.compile(r"^ {0,3}(?P<mark>`{3,}+|~{3,}+)[ \t]*+(?P<info>[^\s`]*+)[^\n]*\n?", re.M)


def in_blocks(text: str) -> Iterator[tuple[int, str]]:
    """The comments in the fenced blocks of a text in Markdown that hold nothing else, with their offsets."""
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif fence["mark"].startswith(opened["mark"]) and not fence["info"]:
            language, first = language_of_fence(opened["info"]), opened.end()
            if language is not None:
                said = list(marked(language.name, body := text[first : fence.start()]))
                is_all = "".join("".join(one for _, one in said).split()) == "".join(body.split())
                yield from ((first + at, one) for at, one in said if is_all)
            opened = None


def _end(marks: Marks, text: str, found: re.Match[str]) -> int:
    """Where a comment ends; a block that is not closed, at the end of its text."""
    if found["block"] is None:
        return found.end()
    last = marks.ends[found["block"]]
    end = text.find(last, found.end())
    return end + len(last) if end >= 0 else len(text)
