"""The gates (§6, §7, SEMANTICS 3): structural proof and structural parity, each refusal with its witness.

Gate A: no new syntax error, no left-out code, no collapse. Gate B.1, parity: no top-level symbol of what is replaced
is lost, but for those that the prompt asked by name to lose. Grants 2 to 5 are given elsewhere and can't heal gate A.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from tslp_litellm.resolution.files import Piece
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.state.values import FileState
from tslp_litellm.syntax.left_out import placeholders
from tslp_litellm.syntax.outline import Kind, Outline, Symbol


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


def whole_refused(candidate: Outline, base: Outline | None, intent: Intent, limits: Limits) -> Refusal | None:
    """Gate A for a whole text: None where it holds."""
    if candidate.refused is not None:
        return Refusal("unparsable", (("parser", candidate.refused),))
    new_errors = candidate.error_lines() - (base.error_lines() if base else Counter())
    if new_errors:
        line = next(iter(new_errors)).decode(errors="replace")[:200]
        return Refusal("syntax-error", (("errors", sum(new_errors.values())), ("line", line), ("needed", 0)))
    return left_out(candidate, base) or (collapsed(candidate, base, intent, limits) if base else None)


def left_out(candidate: Outline, base: Outline | None) -> Refusal | None:
    """Placeholders for left-out code anywhere in a text."""
    found = placeholders(candidate, base)
    if not found:
        return None
    return Refusal("left-out-code", (("placeholders", [_line_at(candidate, at) for at in found[:5]]), ("needed", 0)))


def collapsed(candidate: Outline, base: Outline, intent: Intent, limits: Limits) -> Refusal | None:
    """Whether too little remains of a file, or of one of its symbols whose code went nowhere else in the file."""
    if not base.parsed and not base.by_pattern:
        return _shrunk("file", (0, len(candidate.text.split())), (0, len(base.text.split())), limits)
    gone = [s for s in base.symbols if s.name not in candidate.by_name and intent.asks_to_lose(s.name)]
    outer = [s for s in gone if not any(o is not s and o.start <= s.node_start and s.node_end <= o.end for o in gone)]
    nodes, tokens = base.nodes - sum(s.nodes for s in outer), base.tokens - sum(s.tokens for s in outer)
    refusal = _shrunk("file", (candidate.nodes, candidate.tokens), (nodes, tokens), limits)
    if refusal is not None:
        return refusal
    pairs = [(s, candidate.by_name[s.name]) for s in base.symbols if s.name in candidate.by_name]
    for before, after in pairs:
        refusal = shrunk(after, before, limits)
        lost = before.tokens - after.tokens
        if refusal is not None and (candidate.tokens - tokens) + lost < lost / 2:
            return refusal
    return None


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


def parity(candidate: Outline, lost_from: Iterable[Symbol], intent: Intent) -> Refusal | None:
    """Structural parity: the symbols of what is replaced are all there, or the prompt asked by name to lose them."""
    there = candidate.by_name.keys() | candidate.named
    lost = [s for s in lost_from if s.name not in there and s.kind is not Kind.VALUE]
    missing = [s for s in lost if not intent.asks_to_lose(s.name)]
    return (
        Refusal(
            "lost-symbols",
            (("lost", [s.name for s in missing]), ("needed", "all of them, or the user's word by name")),
            gate="B",
        )
        if missing
        else None
    )


def renames(candidate: Outline, base: Outline) -> dict[str, str]:
    """Lost and gained top-level symbols whose definitions are equal but for the name: old -> new."""
    return _paired(_missing(base, candidate), _missing(candidate, base), base, candidate)


def moves(candidate: Outline, base: Outline, other: Outline, other_base: Outline | None) -> dict[str, str]:
    """Top-level symbols that a file lost and another one gained: name there -> name here."""
    gained = [s for s in other.top_level() if other_base is None or s.name not in other_base.by_name]
    return _paired(_missing(base, candidate), gained, base, other)


def _missing(whole: Outline, other: Outline) -> list[Symbol]:
    return [s for s in whole.top_level() if s.name not in other.by_name]


def _paired(lost: list[Symbol], gained: list[Symbol], base: Outline, candidate: Outline) -> dict[str, str]:
    found: dict[str, str] = {}
    for old in lost:
        for new in gained:
            names = (old.leaf, new.leaf)
            if new.name in found.values() or old.kind is not new.kind:
                continue
            if _body(base, old, names) == _body(candidate, new, names):
                found[old.name] = new.name
                break
    return found


def _body(seen: Outline, symbol: Symbol, names: tuple[str, str]) -> str:
    """A definition with both names blanked; behind a dot a name is something else's, but where it stands first."""
    text = seen.text[symbol.node_start : symbol.node_end].decode()
    text = re.sub(rf"(?<!\w){re.escape(symbol.leaf)}(?!\w)", "\x00", text, count=1)
    return re.sub(rf"(?<![\w.])(?:{'|'.join(map(re.escape, names))})(?!\w)", "\x00", text)


def is_whole(candidate: Outline, base: Outline, symbols: Iterable[str]) -> bool:
    """Whether a labelled text is its whole file: it holds the preamble, or all top-level symbols (SEMANTICS 2).

    In doubt it is a fragment, which deletes nothing: constants and loose statements that go missing from a file
    without a preamble must not be the most of them.
    """
    if not base.sections <= candidate.sections:  # a component's script without its markup
        return False
    if base.preamble and base.preamble <= candidate.preamble:
        return True
    if base.by_pattern:
        there = candidate.by_name.keys() | candidate.named
        return base.by_name.keys() <= there and 2 * len(base.loose & candidate.loose) >= len(base.loose)
    if _headers(base) and _headers(base) <= candidate.preamble:
        return True
    top = [s for s in base.symbols if s.parent is None]
    strong = {s.name for s in top if s.kind is not Kind.VALUE}
    if not top:
        return keeps_most_lines(candidate, base) and not symbols_missing(candidate, symbols)
    if {s.name for s in top} <= candidate.by_name.keys():
        return not symbols_missing(candidate, symbols)
    weak = {s.name for s in top if s.kind is Kind.VALUE} | base.loose
    kept = (weak & candidate.by_name.keys()) | (base.loose & candidate.loose)
    return bool(strong) and strong <= candidate.by_name.keys() and 2 * len(kept) >= len(weak)


def keeps_most_lines(candidate: Outline, base: Outline) -> bool:
    """Whether a text without symbols can be the whole file, not a part of it: it has half of the file's lines."""
    return 2 * _shared(candidate, base) >= _lines(base).total()


def _lines(seen: Outline) -> Counter[bytes]:
    return Counter(line.strip() for line in seen.text.splitlines() if line.strip())


def _shared(a: Outline, b: Outline) -> int:
    return (_lines(a) & _lines(b)).total()


def symbols_missing(candidate: Outline, symbols: Iterable[str]) -> list[str]:
    """Tracked top-level symbols that a text lacks."""
    return [name for name in symbols if "." not in name and name not in candidate.by_name]


def _headers(base: Outline) -> set[str]:
    """A file's package or module clause."""
    return {p for p in base.preamble if p.startswith(("package ", "module ", "namespace "))}


def pieces_of(candidate: Outline, base: Outline | None) -> list[Piece]:
    """A text's complete definitions: sound, nothing left out inside; of an incomplete container, its members."""
    gaps = placeholders(candidate, base)
    taken: list[Piece] = []
    for symbol in candidate.symbols:
        if any(p.symbol.start <= symbol.node_start and symbol.node_end <= p.symbol.end for p in taken):
            continue
        above = [gap for gap in gaps if symbol.start <= gap < symbol.node_start]
        if above:  # a placeholder that only stands above the definition is no part of it
            symbol = replace(symbol, start=candidate.text.find(b"\n", max(above)) + 1)  # noqa: PLW2901
        if symbol.sound and not any(symbol.start <= gap < symbol.end for gap in gaps):
            taken.append(Piece(symbol, candidate))
    return taken


def astray(piece: Piece, base: Outline | None) -> Refusal | None:
    """Whether a piece stands where an error may have torn it out of its place, or cut it short.

    After an error a grammar goes on as best it can: a local becomes a member, a body ends at its first brace. So what
    is new to the file or stands inside something is not believed beside an error, nor what the error follows.
    """
    seen = piece.outline
    old = base.error_lines() if base else Counter()
    errors = [e.start for e, line in seen.errors_on_lines() if line not in old and not _DOTS.fullmatch(line)]
    if not errors:
        return None
    known = {s.name for s in base.symbols} if base else set()
    after = [s.start for s in seen.symbols if s.parent is None and s.name in known and s.start > piece.symbol.start]
    end = min(after, default=len(seen.text) + 1)
    if (
        piece.symbol.parent is None
        and piece.name in known
        and not any(piece.symbol.start <= error < end for error in errors)
    ):
        return None
    return Refusal("syntax-error", (("errors", len(errors)), ("line", _line_at(seen, errors[0])), ("needed", 0)))


_DOTS = re.compile(rb"\A(?=[^\w\"']*+\Z).*?(?:\.{3}|\xe2\x80\xa6).*", re.S)
"""A line of dots is left-out code, whose neighbours stand as they are."""


def belongs_to(candidate: Outline, base: Outline, other: Outline) -> bool:
    """Whether a text that stands for one file is another one's: it has most of its lines, and fewer of its own."""
    return keeps_most_lines(candidate, other) and _shared(candidate, other) > _shared(candidate, base)


def piece_refused(
    piece: Piece, state: FileState, base: Outline | None, intent: Intent, limits: Limits
) -> Refusal | None:
    """Both gates for one definition of a fragment."""
    before = base.by_name.get(piece.name) if base else None
    if base is None or before is None:
        return None
    twins = sum(s.base == before.base for s in base.symbols)
    if twins > 1 and sum(s.base == before.base for s in piece.outline.symbols) != twins:
        return Refusal("ambiguous", (("definitions of that name", twins),), gate="A")
    refusal = shrunk(piece.symbol, before, limits)
    if refusal is not None:
        return refusal
    if lost := _decorations(base, before) - _decorations(piece.outline, piece.symbol):
        return Refusal("lost-decoration", (("lost", sorted(lost)), ("needed", "all of them")))
    return parity(piece.outline, base.members(piece.name), intent)


_BINDING = frozenset({"const", "let", "var", "async", "="})
"""Words in front of a definition that may change without loss."""


def _decorations(seen: Outline, symbol: Symbol) -> set[str]:
    """What stands in front of a definition and belongs to it: decorators and attributes by line, `export` by word."""
    front = seen.text[symbol.start : symbol.inner].decode()
    for comment in seen.comments:
        if symbol.start <= comment.start < symbol.inner:
            front = front.replace(seen.text[comment.start : comment.end].decode(), "")
    lines = {" ".join(line.split()) for line in front.splitlines()}
    marked = {line for line in lines if line.startswith(("@", "#"))}
    return (marked | {word for line in lines - marked for word in line.split()}) - _BINDING


def _line_at(seen: Outline, at: int) -> str:
    start, end = seen.text.rfind(b"\n", 0, at) + 1, seen.text.find(b"\n", at)
    return seen.text[start : end if end >= 0 else None].decode(errors="replace").strip()[:200]
