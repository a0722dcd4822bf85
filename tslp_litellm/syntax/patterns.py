"""The fallback patterns of `symbols.json`: read, and refused where they are bad (SEMANTICS 3, Confidence).

A pattern is tried on one line at a time, by an engine that gives up after a time. One that does not compile, has no
group `name` or matches the empty string is refused at start, by its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import regex

from tslp_litellm.syntax.languages import LANGUAGES
from tslp_litellm.syntax.symbols import Kind

LINE_CHARS_MAX = 500
"""Longer lines define nothing."""
MATCH_TIMEOUT_S = 0.2
PATTERNS_MAX = 500
ABOUT = "about"


class PatternError(Exception):
    """A pattern, or what surrounds it, is bad; the message names it."""


class Ending(StrEnum):
    """How a definition's last line is found."""

    BRACES = "braces"
    INDENTATION = "indentation"
    CLOSE = "close"
    LINE = "line"


@dataclass(frozen=True, slots=True)
class Definition:
    """One pattern. `close`: the closing line, `{name}` in it standing for the name. `flat`: what stands inside need
    not be indented. `joins`: definitions of one name that follow each other are one."""

    name: str
    kind: Kind
    pattern: Any
    end: Ending
    close: str = ""
    flat: bool = False
    joins: bool = False


@dataclass(frozen=True, slots=True)
class Rules:
    """One language. `comments`: what comment lines begin with. `skips`: first and last lines of what is no code."""

    definitions: tuple[Definition, ...]
    comments: tuple[str, ...] = ()
    skips: tuple[tuple[Any, Any], ...] = ()


Table = Mapping[str, Rules]


def table(content: object, where: str = "symbols.json") -> dict[str, Rules]:
    """Language -> its rules; PatternError with the name of what is bad."""
    if not isinstance(content, dict):
        raise PatternError(f"{where} must be an object of languages.")
    known = {language.name for language in LANGUAGES}
    found = {}
    for language, body in content.items():
        if language == ABOUT:
            continue
        if language not in known:
            raise PatternError(f"`{language}` in {where} is no language that TSLP knows: {', '.join(sorted(known))}.")
        found[language] = _rules(language, body)
    if sum(len(rules.definitions) for rules in found.values()) > PATTERNS_MAX:
        raise PatternError(f"{where} has more than {PATTERNS_MAX} patterns.")
    return found


def _rules(language: str, body: object) -> Rules:
    given = _fields(language, body, {"comments": list, "skips": list, "definitions": dict})
    comments, skips = given.get("comments", []), given.get("skips", [])
    if not all(isinstance(c, str) and c for c in comments):
        raise PatternError(f"`{language}.comments` must be a list of the strings that comment lines begin with.")
    if not all(isinstance(s, list) and len(s) == 2 for s in skips):
        raise PatternError(f"`{language}.skips` must be a list of pairs of patterns.")
    return Rules(
        tuple(_definition(f"{language}.{name}", made) for name, made in given.get("definitions", {}).items()),
        tuple(comments),
        tuple((_compiled(f"{language}.skips", a), _compiled(f"{language}.skips", b)) for a, b in skips),
    )


def _definition(name: str, body: object) -> Definition:
    given = _fields(name, body, {"pattern": str, "kind": str, "end": str, "close": str, "flat": bool, "joins": bool})
    if given.get("kind") not in set(Kind) or given.get("end") not in set(Ending):
        kinds, ends = ", ".join(Kind), ", ".join(Ending)
        raise PatternError(f"`{name}` needs a `kind` ({kinds}) and an `end` ({ends}).")
    end, close = Ending(given["end"]), given.get("close", "")
    if (end is Ending.CLOSE) != bool(close):
        raise PatternError(f"`{name}`: `close` goes with the end `close`, and with no other.")
    pattern = _compiled(name, given.get("pattern", ""))
    if "name" not in pattern.groupindex:
        raise PatternError(f"Pattern `{name}` has no group `name`.")
    if close:
        _compiled(f"{name}.close", close.replace("{name}", "name"))
    flat, joins = given.get("flat", False), given.get("joins", False)
    return Definition(name, Kind(given["kind"]), pattern, end, close, flat, joins)


def _fields(name: str, body: object, kinds: Mapping[str, type]) -> dict[str, Any]:
    if not isinstance(body, dict):
        raise PatternError(f"`{name}` must be an object.")
    for key, value in body.items():
        if key not in kinds or not isinstance(value, kinds[key]):
            raise PatternError(f"`{name}.{key}` is unknown or malformed; known are {', '.join(kinds)}.")
    return body


def _compiled(name: str, pattern: object) -> Any:
    """A pattern; PatternError for a bad one."""
    if not isinstance(pattern, str):
        raise PatternError(f"Pattern `{name}` is no string.")
    try:
        made = regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError) as error:
        raise PatternError(f"Pattern `{name}` does not compile: {error}.") from None
    if made.fullmatch("") or made.match(""):
        raise PatternError(f"Pattern `{name}` matches the empty string.")
    return made
