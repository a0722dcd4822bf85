"""Functions of which only a stub is left: their bodies held code, and hold statements that do nothing (SEMANTICS 3)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter

from tslp_litellm.syntax.idle import Idle, Words, is_form
from tslp_litellm.syntax.outline import Outline, Symbol
from tslp_litellm.syntax.symbols import Kind

BODY_STATEMENTS_MIN = 2
"""A body of so many statements is code; one of fewer may become a constant by an edit."""


def hollow(candidate: Outline, base: Outline, words: Words) -> list[int]:
    """Functions that had a body, and have none any more."""
    pairs = ((s, base.by_name.get(s.name)) for s in candidate.symbols if s.kind is Kind.FUNCTION)
    return _declared(candidate, base) + [
        after.node_start
        for after, before in pairs
        if before is not None
        and before.kind is Kind.FUNCTION
        and candidate.text[after.inner : after.node_end] != base.text[before.inner : before.node_end]
        and _is_hollow(after, statements(candidate, after), statements(base, before), words)
    ]


_TYPED = frozenset({"typescript", "tsx"})
"""Languages in which a declaration may end in a type that reads like a body."""


def _declared(candidate: Outline, base: Outline) -> list[int]:
    """Functions that are only declared, while fewer of their name have a body than had one."""
    names = {s.base for s in base.symbols}
    bare = [s for s in candidate.symbols if s.kind is Kind.FUNCTION and s.base in names and _is_new(s, candidate, base)]
    bare = [s for s in bare if not _has_body(candidate, s)]
    if not bare:
        return []
    now, then = (_bodies(seen, {s.base for s in bare}) for seen in (candidate, base))
    return [s.node_start for s in bare if now[s.base] < then[s.base]]


def _is_new(symbol: Symbol, candidate: Outline, base: Outline) -> bool:
    before = base.by_name.get(symbol.name)
    return before is None or candidate.slice(symbol) != base.slice(before)


def _bodies(seen: Outline, names: set[str]) -> Counter[str]:
    """How many functions of each of some names have a body."""
    return Counter(s.base for s in seen.symbols if s.base in names and s.kind is Kind.FUNCTION and _has_body(seen, s))


def _has_body(seen: Outline, symbol: Symbol) -> bool:
    if symbol.body is not None or (seen.parsed and seen.language in _TYPED):
        return symbol.body is not None
    held = statements(seen, symbol)
    return bool(held) and not (seen.language == "cpp" and held == ["0"])  # one that is purely virtual


def _is_hollow(after: Symbol, now: list[str] | None, before: list[str] | None, words: Words) -> bool:
    """Whether a body that held code is nothing but statements which stand for none. A constant is an edit where there
    was little before and nothing is said of it."""
    if now is None or not before or all(is_form("stub", one) for one in before):
        return False
    if all(is_form("stub", one) for one in now):
        return True
    if set(now) >= set(before) or all(words.kinds(before)):
        return False
    kinds = list(words.kinds(now))
    if not all(kinds):
        return False
    if any(kind in (Idle.STUB, Idle.NOTHING, Idle.END) for kind in kinds):
        return True  # what stands beside that is for the compiler
    return len(before) >= BODY_STATEMENTS_MIN or words.say_more(after)


def statements(seen: Outline, symbol: Symbol) -> list[str] | None:
    """The statements of a function's body, roughly: its lines without comments, docstrings and brackets. None where
    it can't be told where the body begins."""
    text = _without_comments(seen, symbol)
    at = _body_start(text, seen.language)
    if at is None:
        return None
    body = _DOCSTRING.sub("", text[at:])
    parts = (" ".join(part.split()) for part in re.split(r"[\n;]|[{}](?=\s|$)", body))
    return [part for part in parts if part and (part == "pass" or not is_form("trivial", part))]


_DOCSTRING = re.compile(
    r"^[^\S\n]*+[rbuRBU]{0,2}(?:\"{3}[^\"]*+(?>(?:\"{1,2}[^\"]++)*)\"{3}|'{3}[^']*+(?>(?:'{1,2}[^']++)*)'{3})", re.M
)


def _without_comments(seen: Outline, symbol: Symbol) -> str:
    out, at = [], symbol.inner
    first = bisect_left(seen.comments, symbol.inner, key=lambda span: span.start)
    for comment in (seen.comments[n] for n in range(first, len(seen.comments))):
        if comment.start >= symbol.node_end:
            break
        if comment.start >= at:
            out.append(seen.text[at : comment.start])
            at = comment.end
    return b"".join([*out, seen.text[at : symbol.node_end]]).decode(errors="replace")


_OPENS, _CLOSES = "([", ")]"


def _body_start(text: str, language: str) -> int | None:
    """Where a function's body begins: behind its parameters and `{`, `:`, `=>`, `=`, or the first line's end."""
    depth, parameters = 0, "(" not in text.partition("\n")[0]
    for m in _JOINTS.finditer(text):
        mark = m.group()
        if mark in "([":
            depth += 1
        elif mark in ")]":
            depth -= 1
            parameters = parameters or depth == 0
        elif not depth and _opens_body(mark, text, m, parameters, language):
            return m.end()
    return None


_JOINTS = re.compile(r"=>|->|[()\[\]{:=\n]|\bdo\b")
_BY_COLON = re.compile(r"(?:async )?def ")
_BY_LINE = re.compile(r"(?:def|function|local function|sub|defp) ")


def _opens_body(mark: str, text: str, m: re.Match[str], parameters: bool, language: str) -> bool:
    match mark:
        case "=>" | "do":
            return True
        case "{" | "=":
            return parameters
        case ":":
            return parameters and language in ("python", "") and _BY_COLON.match(text) is not None
        case "\n":
            return _BY_LINE.match(text) is not None and text[: m.start()].rstrip()[-1:] not in (",", "{", ":", "(")
        case _:
            return False
