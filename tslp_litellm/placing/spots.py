"""Where in a file lines go that define nothing by themselves: in the place of lines like them, or beside them.

`app.listen(8080);` is like `app.listen(3000);`: it begins with the same name, and keeps most of its words. Pure
functions.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from tslp_litellm.parser import outline
from tslp_litellm.parser.budget import spend
from tslp_litellm.syntax.languages import Language
from tslp_litellm.syntax.opening import opened
from tslp_litellm.syntax.outline import Kind, Outline, Symbol
from tslp_litellm.words.sentences import holds, mentions_word

LINES_MAX, CHARS_MAX, FILE_LINES_MAX = 60, 20_000, 5_000
"""What is shown without a definition around it is short; in a longer file nobody looks for it."""
SPOTS_MAX = 64
"""A line that is like more lines than these may be anywhere."""
SHARED_MIN = 2
"""So many words, and half of those that stood there, a line shares with the one that it is like."""
_TOKEN = re.compile(r"\w+|[^\s\w;,]")
_HEAD = re.compile(r"\s*([@$\w]+(?:(?:\.|::|->|\?\.)[$\w]+)*)")


class _Line(NamedTuple):
    """A line, and the constant that it gives a value to, if any."""

    text: str
    name: str


class Spot(NamedTuple):
    """The definitions that lines go into (none: they stand in no one), and the line that they are like, if any."""

    inside: frozenset[str]
    like: str = ""


def spot_of(language: Language, text: str, said: str, base: Outline, named: Collection[str]) -> Spot | None:
    """Where the lines of a text go in a file, below a sentence; None: nowhere. `named`: the definitions of the file
    that the prompt or the sentence speaks of.

    >>> from tslp_litellm.syntax.languages import language_named
    >>> ecma = language_named("javascript")
    >>> app = outline(ecma, "function f(a) {\\n  return a + 1;\\n}\\n\\napp.listen(3000);\\n")
    >>> [spot_of(ecma, one, "Now:", app, ()) for one in ("return a + 2;", "app.listen(80);", "f(2);")]
    [Spot(inside=frozenset({'f'}), like='  return a + 1;'), Spot(inside=frozenset(), like='app.listen(3000);'), None]
    """
    if text.count("\n") > LINES_MAX or len(text) > CHARS_MAX or base.text.count(b"\n") > FILE_LINES_MAX:
        return None
    seen, ours = outline(language, text), _bare(base)
    if not (lines := _lines(seen)):
        return None
    said_of = [name for name in named if mentions_word(said, _leaf(name))]
    holding = {n: _around(base, n, bool(seen.symbols)) for n in _alike_at_an_end(lines, ours)}
    meant = [n for n, around in holding.items() if around.intersection(said_of or named)] or [*holding]
    if said_of and not any(holding[n].intersection(said_of) for n in meant):
        meant = []
    if meant and _fits(language, text, base, meant[0]):
        return Spot(frozenset().union(*(holding[n] for n in meant)), ours[meant[0]])
    if len(said_of) == 1 and _goes_into(language, text, said, base, said_of[0]):
        return Spot(frozenset(said_of))
    goes_on = any(_goes_on(line.text, ours, base) for line in lines if not line.name)
    return Spot(frozenset()) if goes_on and _fits(language, text, base, len(ours) - 1) else None


def is_quoted(text: str, language: Language, base: Outline) -> bool:
    """Whether each line of a text stands in a file, its comments and what ends a statement aside."""
    here, there = ({tuple(_TOKEN.findall(line)) for line in _bare(seen)} for seen in (outline(language, text), base))
    return here <= there | {()}


def calls(text: str, base: Outline) -> set[str]:
    """The functions and types of a file that the outermost lines of a text call."""
    outer = "\n".join(line for line in textwrap.dedent(text).split("\n") if not line[:1].isspace())
    leaves = {symbol.leaf for symbol in base.symbols if symbol.kind is not Kind.VALUE}
    return leaves & set(re.findall(r"(\w+)\s*\(", outer))


def _bare(seen: Outline) -> list[str]:
    """The lines of a text, its comments blanked."""
    text = bytearray(seen.text)
    for comment in seen.comments:
        text[comment.start : comment.end] = re.sub(rb"[^\n]", b" ", text[comment.start : comment.end])
    return text.decode(errors="replace").split("\n")


def _lines(seen: Outline) -> list[_Line]:
    """The lines of a text that hold something."""
    names = {n: symbol.leaf for symbol in seen.symbols for n in _rows(seen, symbol)}
    return [_Line(line, names.get(n, "")) for n, line in enumerate(_bare(seen)) if line.strip()]


def _rows(seen: Outline, symbol: Symbol) -> range:
    first = seen.text[: symbol.start].count(b"\n")
    return range(first, first + seen.text[symbol.start : symbol.end].count(b"\n") + 1)


def _alike_at_an_end(lines: Sequence[_Line], ours: Sequence[str]) -> list[int]:
    """The lines of a file that the first line of a text is like, or else its last one that has a word."""
    back = [line for line in reversed(lines) if re.search(r"\w", line.text)]
    return _alike(lines, ours) or [len(ours) - 1 - n for n in _alike(back, ours[::-1])]


def _alike(lines: Sequence[_Line], ours: Sequence[str]) -> list[int]:
    """The lines of a file that the first one of a text is like, those aside that give a value to another name; of
    several the ones whose next lines share most with the text's next ones."""
    heads = [_head(line) for line in ours]
    for begin, first in enumerate(lines):
        spend()
        head = _head(first.text)
        spots = [n for n, other in enumerate(heads) if other == head != "" and _is_like(ours[n], first)]
        if spots or not first.name:
            rest = [line.text for line in lines[begin:]]
            few = spots if len(spots) <= SPOTS_MAX else []
            shared = {n: sum(_shared(a, b) for a, b in zip(ours[n:], rest, strict=False)) for n in few}
            return [n for n, most in shared.items() if most == max(shared.values())]
    return []


def _is_like(old: str, new: _Line) -> bool:
    shared = _shared(old, new.text) if not new.name or mentions_word(old, new.name) else 0
    return shared >= SHARED_MIN and 2 * shared >= _words(old).total()


def _head(line: str) -> str:
    """The name that a line begins with: `app.get` of `app.get("/users", …)`, `return` of `return 1`."""
    found = _HEAD.match(line)
    return found[1] if found is not None else ""


def _root(line: str) -> str:
    return re.split(r"\W", _head(line), maxsplit=1)[0]


def _words(line: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", line))


def _shared(a: str, b: str) -> int:
    return (_words(a) & _words(b)).total()


def _around(base: Outline, n: int, beside: bool) -> frozenset[str]:
    """The definitions that a line of a file stands in. `beside`: what has names of its own takes no value's place."""
    return frozenset(s.name for s in _holding(base, n) if not (beside and s.kind is Kind.VALUE))


def _holding(base: Outline, n: int) -> list[Symbol]:
    lines = base.text.split(b"\n", n + 1)
    begin = sum(len(line) + 1 for line in lines[:n])
    return [s for s in base.symbols if s.start <= begin + len(lines[n]) and begin < s.end]


def _fits(language: Language, text: str, base: Outline, n: int) -> bool:
    """Whether a file, or the definition that a line of it stands in, reads as well with a text in that line's place, or
    in front of it."""
    outer = [symbol for symbol in _holding(base, n) if symbol.parent is None]
    if not outer and outline(language, opened(language, text)).sound:
        return True
    rows = _rows(base, outer[0]) if outer else range(base.text.count(b"\n") + 1)
    lines, at = base.text.decode().split("\n")[rows.start : rows.stop], n - rows.start
    margin = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    put = textwrap.indent(textwrap.dedent(text).strip("\n"), margin)
    tried = [lines, *([*lines[:at], put, *lines[at + skipped :]] for skipped in (1, 0))]
    was, *now = (len(outline(language, opened(language, "\n".join(one))).errors) for one in tried)
    return min(now) <= was


def _goes_on(line: str, ours: Sequence[str], base: Outline) -> bool:
    """Whether a line begins with a constant of the file, as some of the file's outermost ones do: `app.use(…)`."""
    root = _root(line)
    known = base.by_name.get(root)
    if known is None or known.kind is not Kind.VALUE:
        return False
    return any(_root(one) == root != _head(one) for one in ours if not one[:1].isspace())


def _goes_into(language: Language, text: str, said: str, base: Outline, name: str) -> bool:
    """Whether a text goes into the one definition of which the sentence above it speaks: it begins as a line of it
    does, or is said to be added, and does not use it."""
    symbol = base.by_name.get(name)
    if symbol is None or mentions_word(text, _leaf(name)):
        return False
    inner = _rows(base, symbol)[1:]
    ours, root = base.text.decode().split("\n"), _root(text.strip("\n"))
    spots = [n for n in inner if _root(ours[n]) == root != ""] or (inner if holds(said, "adds") else [])
    return bool(spots) and any(_fits(language, text, base, n) for n in (spots[0], spots[-1]))


def _leaf(name: str) -> str:
    return name.rpartition(".")[2]
