"""The gates (§6, §7, SEMANTICS 3): structural proof and structural parity, each refusal with its witness.

Theory of operation. A model's text is a candidate. It is held beside the *base*, the current text that it would
replace, and never weighed alone: an error or a "rest unchanged" that the base has already is nothing new. `Intent` says
what the prompt asks by name to remove; that is left out of every count.

First, is it the whole file or a part of it (`whole_files`)? In doubt it is a part, as a part deletes nothing.

*Gate A: is each definition whole?* (`whole_refused` for a file; `fragments` asks it of each definition of a part.) The
parser finds no new error; no comment or stub stands where code stood (`left_out`, `given_way`); at least half of the
nodes and tokens are still there (`collapsed`), but for what moved elsewhere in the same answer, and for what the answer
before showed in the same words, without a fault found.

*Gate B: does anybody vouch for it?* Here only the first of its five grants is given, parity (`parity`, `whole_parity`):
every top-level definition of the base is still there, unless the prompt asks by name to remove it. The other grants are
the shadow audit, the user who goes on, the client's confirmation and the user's own text. They make up for what parity
misses, and for nothing that gate A refused; only what a client or a user says is on the disk is the truth whatever it
is.

A definition lost and one gained that are equal but for the name are a rename (`renaming`); the user is asked.
A refusal is a value: its reason, and the witness, as {"compared": "nodes", "found": 27, "before": 139, "needed": 70}.
All of it is pure functions of outlines.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from tslp_litellm.resolution.intent import GUARD, Intent
from tslp_litellm.resolution.twins import goes_on_in, named_as_in
from tslp_litellm.syntax.alike import counted, keeps_most_lines, lines_of, shared
from tslp_litellm.syntax.conflicts import conflicts
from tslp_litellm.syntax.entries import entries, has_main_guard
from tslp_litellm.syntax.languages import language_of_path
from tslp_litellm.syntax.left_out import placeholders
from tslp_litellm.syntax.outline import Kind, Outline, Span, Symbol
from tslp_litellm.syntax.stubs import Beside
from tslp_litellm.syntax.unread import are_the_grammars

Lines = Counter[bytes]
MOVED_MIN_RATIO = 0.7
"""Of what a definition lost, so much stands elsewhere where it was moved."""
LOST_MAX = 50
"""So many lost names a witness holds."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What judging is bound by (settings): what may remain at the least, as a share of what is replaced; `refuses`:
    which texts may not be kept."""

    nodes_min_ratio: float = 0.5
    tokens_min_ratio: float = 0.5
    refuses: Callable[[str], bool] | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a candidate stays PROPOSED. `reason` is a code; `witness` says what was compared, found and needed."""

    reason: str
    witness: tuple[tuple[str, object], ...] = ()
    gate: str = "A"

    def body(self) -> dict[str, object]:
        """The refusal as the Ledger records it."""
        return {"gate": self.gate, "reason": self.reason, **dict(self.witness)}


@dataclass(frozen=True, slots=True)
class Excuses:
    """Why a definition may have shrunk. `elsewhere`: the lines that the same answer brings to other files; `again`:
    texts of the answer before that were refused for that, and that the user let stand."""

    elsewhere: Lines = field(default_factory=Lines)
    again: Sequence[str] = ()


NO_EXCUSE = Excuses()


def whole_refused(
    candidate: Outline,
    base: Outline | None,
    intent: Intent,
    limits: Limits,
    compiled: Sequence[Outline] = (),
    excuses: Excuses = NO_EXCUSE,
) -> Refusal | None:
    """Gate A for a whole text: None where it holds. `compiled`: the same text in all alternatives of conditional
    compilation, whose errors are those that count."""
    if candidate.refused is not None:
        return Refusal("unparsable", (("parser", candidate.refused),))
    known = base.error_lines() if base else Counter()
    new_errors = sum((seen.error_lines() - known for seen in compiled or [candidate]), Counter())
    if new_errors and not are_the_grammars(candidate, base):
        line = next(iter(new_errors)).decode(errors="replace")[:200]
        return Refusal("syntax-error", (("errors", sum(new_errors.values())), ("line", line), ("needed", 0)))
    refusal = left_out(candidate, base)
    if refusal is None and base is not None:
        refusal = given_way(candidate, base, intent) or collapsed(candidate, base, intent, limits, excuses)
    return refusal


def conflicting(candidate: Outline) -> Refusal | None:
    """A merge that was left undone in a part of a file: none of its definitions is known to be one side's."""
    found = conflicts(candidate.text)
    if not found:
        return None
    line = line_at(candidate, found[0].start)
    return Refusal("syntax-error", (("errors", len(found)), ("line", line), ("needed", 0)))


def left_out(candidate: Outline, base: Outline | None) -> Refusal | None:
    """Placeholders for left-out code anywhere in a text."""
    return left_out_at(candidate, placeholders(candidate, base))


def given_way(candidate: Outline, base: Outline, intent: Intent) -> Refusal | None:
    """Places where code gave way to comments or a stub, and nothing else."""
    return left_out_at(candidate, beside(candidate, base, intent).gave_way())


def beside(candidate: Outline, base: Outline, intent: Intent) -> Beside:
    """A text beside the one that it replaces, but for what the prompt asks to lose."""
    asked = [s for s in base.symbols if s.name not in candidate.by_name and intent.asks_to_lose(s.name)]
    return Beside(candidate, base, [Span(s.start, s.end) for s in asked])


def gave_way_unsaid(candidate: Outline, base: Outline | None, intent: Intent) -> bool:
    """Whether code of a text gave way to something that is not known to say so: it may have been left out, or gone."""
    if base is None:
        return False
    return not set(beside(candidate, base, intent).gave_way()) <= set(placeholders(candidate, base))


def left_out_at(candidate: Outline, found: Sequence[int]) -> Refusal | None:
    """The refusal for code that was left out at some byte offsets of a text, if at any."""
    if not found:
        return None
    return Refusal("left-out-code", (("placeholders", [line_at(candidate, at) for at in found[:5]]), ("needed", 0)))


def collapsed(
    candidate: Outline, base: Outline, intent: Intent, limits: Limits, excuses: Excuses = NO_EXCUSE
) -> Refusal | None:
    """Whether too little remains of a file, or of one of its symbols, without an excuse."""
    if not base.parsed and not base.by_pattern:
        return _shrunk("file", (0, len(candidate.text.split())), (0, len(base.text.split())), limits)
    if any("#" in symbol.name for symbol in (*base.symbols, *candidate.symbols)):
        candidate = named_as_in(base, candidate)
    excused = [*_gone(candidate, base, intent), *_shrunk_again(candidate, base, excuses.again)]
    nodes, tokens = base.nodes - sum(n for _, n, _ in excused), base.tokens - sum(n for _, _, n in excused)
    refusal = _shrunk("file", (candidate.nodes, candidate.tokens), (nodes, tokens), limits)
    lines = lines_of(candidate) + excuses.elsewhere, lines_of(base)
    if refusal is not None:
        return None if _moved(lines[1], lines_of(candidate), *lines) else refusal
    for before in base.symbols:
        after = candidate.by_name.get(before.name)
        inside = [one for one in excused if before.start <= one[0].node_start and one[0].node_end <= before.end]
        nodes, tokens = before.nodes - sum(n for _, n, _ in inside), before.tokens - sum(n for _, _, n in inside)
        left = replace(before, nodes=nodes, tokens=tokens)
        refusal = (
            symbol_collapsed(candidate, after, base, left, limits, lines, excuses.again) if after is not None else None
        )
        if refusal is not None:
            return refusal
    return None


def _gone(candidate: Outline, base: Outline, intent: Intent) -> list[tuple[Symbol, int, int]]:
    """The outermost symbols that went as the prompt asks, each with its nodes and tokens: none of them is counted."""
    gone = [s for s in base.symbols if s.name not in candidate.by_name and intent.asks_to_lose(s.name)]
    outer = [s for s in gone if not any(o is not s and o.start <= s.node_start and s.node_end <= o.end for o in gone)]
    return [(symbol, symbol.nodes, symbol.tokens) for symbol in outer]


def _shrunk_again(candidate: Outline, base: Outline, again: Sequence[str]) -> list[tuple[Symbol, int, int]]:
    """The functions that were shown so before, each with the nodes and tokens that it lost: these are not counted."""
    pairs = [(s, candidate.by_name.get(s.name)) for s in base.symbols if again and s.kind is Kind.FUNCTION]
    return [
        (before, max(0, before.nodes - after.nodes), max(0, before.tokens - after.tokens))
        for before, after in pairs
        if after is not None and any(candidate.slice(after).strip() in text for text in again)
    ]


_TOKEN = re.compile(rb"\w+|[^\w\s]")


def symbol_collapsed(
    candidate: Outline,
    after: Symbol,
    base: Outline,
    before: Symbol,
    limits: Limits,
    lines: tuple[Lines, Lines],
    again: Sequence[str] = (),
) -> Refusal | None:
    """Whether too little remains of a symbol whose code went nowhere else, and which was not shown so before. `lines`:
    those of the answer, and of the file before."""
    refusal = shrunk(after, before, limits)
    if refusal is None or any(candidate.slice(after).strip() in text for text in again):
        return None
    if _became_another(candidate, after, base, before, limits):
        return None
    return None if _moved(_own_lines(base, before), _own_lines(candidate, after), *lines) else refusal


def _became_another(candidate: Outline, after: Symbol, base: Outline, before: Symbol, limits: Limits) -> bool:
    """Whether a definition calls a new one of its name, an overload, which has most of its lines."""
    if not goes_on_in(candidate, after, base, before):
        return False
    was = _own_lines(base, before)
    new = [one for one in candidate.symbols if one.base == after.base and one.name not in base.by_name]
    like = [one for one in new if 2 * (was & _own_lines(candidate, one)).total() >= was.total()]
    return any(shrunk(one, before, limits) is None for one in like)


def _moved(before: Lines, after: Lines, answer: Lines, base: Lines) -> bool:
    """Whether most of the lines that a definition lost newly stand elsewhere: a part became a definition of its own."""
    lost = before - after
    return _tokens(lost & ((answer - after) - (base - before))) >= MOVED_MIN_RATIO * _tokens(lost)


def _tokens(lines: Lines) -> int:
    return sum(len(_TOKEN.findall(line)) * count for line, count in lines.items())


def _own_lines(seen: Outline, symbol: Symbol) -> Counter[bytes]:
    return counted(seen.text[symbol.start : symbol.end])


def shrunk(after: Symbol, before: Symbol, limits: Limits) -> Refusal | None:
    """Whether too little remains of a symbol."""
    return _shrunk(before.name, (after.nodes, after.tokens), (before.nodes, before.tokens), limits)


def _shrunk(what: str, now: tuple[int, int], before: tuple[int, int], limits: Limits) -> Refusal | None:
    for unit, n, b, ratio in zip(
        ("nodes", "tokens"), now, before, (limits.nodes_min_ratio, limits.tokens_min_ratio), strict=True
    ):
        if n < b * ratio:
            return Refusal(
                "collapse",
                (
                    ("of", what),
                    ("compared", unit),
                    ("found", n),
                    ("before", b),
                    ("limit", ratio),
                    ("needed", math.ceil(b * ratio)),
                ),
            )
    return None


def replaced(base: Outline) -> tuple[Symbol, ...]:
    """The top-level symbols of a file, constants included."""
    return tuple(s for s in base.symbols if s.parent is None)


def parity(candidate: Outline, lost_from: Iterable[Symbol], intent: Intent) -> Refusal | None:
    """Structural parity: each symbol of what is replaced is there, unless the prompt asks by name to remove it."""
    return _lost(_lacks(candidate, lost_from, intent))


def _lacks(candidate: Outline, lost_from: Iterable[Symbol], intent: Intent) -> list[str]:
    there = candidate.by_name.keys() | candidate.named
    lost = [s for s in lost_from if not is_there(s, there) and (s.kind is not Kind.VALUE or s.parent is None)]
    return [s.name for s in lost if not intent.asks_to_lose(s.name) and not taken_along(s.name, candidate, intent)]


def is_there(symbol: Symbol, there: Collection[str]) -> bool:
    """Whether a symbol is among some names: of a constant that conditions define twice, once is enough."""
    return symbol.name in there or (symbol.kind is Kind.VALUE and symbol.base in there)


def is_idle_import(name: str, base: Outline, candidate: Outline) -> bool:
    """Whether a name is what an import gives it (`const fs = require("fs")`), and a text that lacks it does not use
    it."""
    symbol = base.by_name.get(name)
    if symbol is None or symbol.kind is not Kind.VALUE or " ".join(base.slice(symbol).split()) not in base.preamble:
        return False
    return re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", candidate.text.decode()) is None


def taken_along(name: str, candidate: Outline, intent: Intent) -> bool:
    """Whether a text has a definition under the name that comes of a rename which the prompt asks for."""
    return intent.takes_along(name, [symbol.name for symbol in candidate.symbols])


def whole_parity(
    candidate: Outline, base: Outline, intent: Intent, path: str, besides: Collection[str] = ()
) -> Refusal | None:
    """Structural parity of a whole file: its top-level symbols, its main guard, a data file's keys or entries.

    `besides`: symbols that are looked at elsewhere.
    """
    lost = _lacks(candidate, [s for s in replaced(base) if s.name not in besides], intent)
    lost = [name for name in lost if not is_idle_import(name, base, candidate)]
    old, new = base.text.decode(), candidate.text.decode()
    if has_main_guard(old) and not has_main_guard(new) and not intent.asks_to_lose_guard():
        lost.append(GUARD)
    keys = _entries(path, old) - _entries(path, new)
    return _lost(lost + [key for key in sorted(keys) if not intent.asks_to_lose(key)])


def with_members(refusal: Refusal | None, candidate: Outline, base: Outline, intent: Intent) -> Refusal | None:
    """A refusal for what is lost or renamed, with the members that other definitions lack: they refuse nothing by
    themselves, and would go with the rest."""
    if refusal is None:
        return None
    said, there = dict(refusal.witness), candidate.by_name.keys() | candidate.named
    inside = [s.name for s in base.symbols if s.parent is not None and s.parent in there and s.name not in there]
    gone = [name for name in inside if not intent.asks_to_lose(name)]
    lost = [*_names(said.get("lost")), *gone][:LOST_MAX]
    return replace(refusal, witness=tuple((said | {"lost": lost}).items())) if gone else refusal


def _names(lost: object) -> list[str]:
    return list(lost) if isinstance(lost, list) else []


def _entries(path: str, text: str) -> frozenset[str]:
    language = language_of_path(path)
    return entries(path, language.name, text) if language is not None else frozenset()


def _lost(missing: list[str]) -> Refusal | None:
    if not missing:
        return None
    return Refusal(
        "lost-symbols", (("lost", missing[:LOST_MAX]), ("needed", "all of them, or the user's word by name")), gate="B"
    )


def symbols_missing(candidate: Outline, symbols: Iterable[str]) -> list[str]:
    """Tracked top-level symbols that a text lacks."""
    return [name for name in symbols if "." not in name and name not in candidate.by_name]


def belongs_to(candidate: Outline, base: Outline, other: Outline) -> bool:
    """Whether a text that stands for one file is another one's: it has most of its lines, and fewer of its own."""
    return keeps_most_lines(candidate, other) and shared(candidate, other) > shared(candidate, base)


def line_at(seen: Outline, at: int) -> str:
    """The line of a byte offset, as a witness shows it."""
    start, end = seen.text.rfind(b"\n", 0, at) + 1, seen.text.find(b"\n", at)
    return seen.text[start : end if end >= 0 else None].decode(errors="replace").strip()[:200]
