"""Names that lost the line which made them: code that was left out is missed by what goes on to use it.

Whatever stands in its place, and in whatever words. Only what is sure: a local that one line of a definition bound,
that is used on lines which stand there as before, and that nothing binds any more.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from tslp_litellm.syntax.outline import Kind, Outline, Symbol


@dataclass(frozen=True, slots=True)
class Code:
    """A line of code, without comments, and where it begins."""

    start: int
    text: str


_LITERAL = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`")
_WORDS = re.compile(r"(?<![\w.$@])[A-Za-z_$][\w$]*")
_BARE = frozenset({"python", "php", "elixir"})
"""Languages in which a local begins with its first assignment. In others a bare one may be a field's, and in Ruby a
name that nothing binds may be a call."""
_MADE = re.compile(
    r"\A(?P<front>(?:[\w<>\[\].*&?]{1,60}+ ){0,4})(?P<name>[A-Za-z_$][\w$]*)(?: ?: ?[\w<>\[\].|& ?]{1,80})? ?"
    r"(?P<sign>:?=)(?![=>~])"
)
_BINDERS = re.compile(
    r"\b(?:for|foreach|as|catch|except|case|when|match|lambda|fn|function|func|fun|def|import|using|with|local|my|let|var"
    r"|val|const|auto|rescue|global|nonlocal)\b(?P<bound>(?:(?!\b(?:in|of)\b)[^=:]){0,200})"
)
_PARAMETERS = re.compile(r"(?P<bound>[\w$, ()\[\]{}:]{1,200})(?:=>|->)|\|(?P<between>[^|]{1,200})\|")
_LEFT = re.compile(r"(?P<bound>[^=!<>]{1,200}):?=(?!=)")
LINE_CHARS_MAX = 400


def orphaned(candidate: Outline, base: Outline, new: Sequence[Code], old: Sequence[Code]) -> list[int]:
    """Byte offsets in a text of lines that use a name whose line is gone."""
    found: list[int] = []
    sides = _Side(candidate, new), _Side(base, old)
    functions = {symbol.name: symbol for symbol in sides[1].functions}
    for after in sides[0].functions:
        before = functions.get(after.name)
        if before is None or candidate.text[after.start : after.end] == base.text[before.start : before.end]:
            continue
        here, there = sides[0].within(after), sides[1].within(before)
        missed = _missed(here, there, bare=base.language in _BARE)
        found += [line.start for name, line in missed if not any(name in side.shared for side in sides)]
    return found


class _Side:
    """The lines of one of two texts, and its outermost functions."""

    def __init__(self, seen: Outline, lines: Sequence[Code]) -> None:
        self._seen, self._lines = seen, lines
        self._starts = [line.start for line in lines]
        self.functions: list[Symbol] = []
        for symbol in seen.in_order:
            if symbol.kind is Kind.FUNCTION and (not self.functions or self.functions[-1].end <= symbol.start):
                self.functions.append(symbol)

    @cached_property
    def shared(self) -> set[str]:
        """The names that may be more than a local: those outside of functions, and those of definitions."""
        found = {symbol.leaf for symbol in self._seen.symbols}
        ends = [0, *(symbol.end for symbol in self.functions)]
        starts = [*(symbol.start for symbol in self.functions), len(self._seen.text) + 1]
        for start, end in zip(ends, starts, strict=True):
            found.update(word for line in self._between(start, end) for word in _words(line.text))
        return found

    def within(self, symbol: Symbol) -> Sequence[Code]:
        return self._between(symbol.start, symbol.end)

    def _between(self, start: int, end: int) -> Sequence[Code]:
        return self._lines[bisect_left(self._starts, start) : bisect_left(self._starts, end)]


def _missed(here: Sequence[Code], there: Sequence[Code], bare: bool) -> Iterator[tuple[str, Code]]:
    """Names that a line of the one text made first, with the line of the other one that uses them all the same."""
    kept = {line.text for line in here} & {line.text for line in there}
    used: dict[str, list[Code]] = {}
    for line in here:
        for word in _words(line.text):
            used.setdefault(word, []).append(line)
    met: set[str] = set()
    for line in there:
        name = _made(line.text, bare) if line.text not in kept else None
        uses = used.get(name, []) if name is not None and name not in met else []
        if name is not None and uses and all(use.text in kept and name not in _bound(use.text) for use in uses):
            yield name, uses[0]
        met |= _words(line.text)


def _words(text: str) -> set[str]:
    return set(_WORDS.findall(_LITERAL.sub("''", text[:LINE_CHARS_MAX])))


def _made(text: str, bare: bool) -> str | None:
    """The local that a line begins, where it does nothing else but that."""
    m = _MADE.match(text[:LINE_CHARS_MAX])
    if m is None or not (m["front"] or m["sign"] == ":=" or bare):
        return None
    if text.endswith(",") or text.count(")") > text.count("("):
        return None  # an argument by name
    return m["name"] if m["name"] not in _words(text[m.end() :]) else None


def _bound(text: str) -> set[str]:
    """The names that a line may bind, rather too many."""
    text = _LITERAL.sub("''", text[:LINE_CHARS_MAX])
    found = [m["bound"] for m in (*_BINDERS.finditer(text), *_LEFT.finditer(text))]
    found += [m["bound"] or m["between"] for m in _PARAMETERS.finditer(text)]
    return {word for part in found for word in _WORDS.findall(part)}
