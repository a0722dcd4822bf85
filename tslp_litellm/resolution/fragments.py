"""Parts of files: their complete definitions, each of them judged by itself beside the file (§6, §7, SEMANTICS 3)."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import replace
from functools import cached_property, lru_cache

from tslp_litellm.resolution import gates
from tslp_litellm.resolution.decorations import decorations
from tslp_litellm.resolution.files import Piece
from tslp_litellm.resolution.gates import Limits, Refusal
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.syntax.left_out import placeholders
from tslp_litellm.syntax.outline import Kind, Outline, Symbol
from tslp_litellm.syntax.stubs import Beside


def pieces_of(candidate: Outline, base: Outline | None) -> list[Piece]:
    """A text's complete definitions: sound, nothing left out inside; of an incomplete container, its members."""
    gaps = placeholders(candidate, base)
    taken: list[Piece] = []
    covered = 0  # what stands in a piece that is taken is no piece of its own
    for symbol in sorted(candidate.symbols, key=lambda s: s.node_start):
        if symbol.node_end <= covered:
            continue
        above = bisect_left(gaps, symbol.node_start)
        if above > bisect_left(gaps, symbol.start):  # a placeholder that only stands above it is no part of it
            symbol = replace(symbol, start=candidate.text.find(b"\n", gaps[above - 1]) + 1)  # noqa: PLW2901
        if symbol.sound and bisect_left(gaps, symbol.start) == bisect_left(gaps, symbol.end):
            taken.append(Piece(symbol, candidate))
            covered = max(covered, symbol.end)
    return taken


class Fragment:
    """A part of a file beside the file. What all its definitions ask of the two is worked out once.

    `base`: the file's text, None where it is not known. `labelled`: it has a label of its file. `partly`: the types
    that it shows without some of their members, but with other lines of their own: what became of those is not known.
    """

    def __init__(self, seen: Outline, base: Outline | None, intent: Intent, *, labelled: bool = True) -> None:
        self.seen, self.base, self._intent = seen, base, intent
        self.partly: list[str] = []
        self.pieces = [part for piece in pieces_of(seen, base) for part in self._unfolded(piece, labelled)]

    def is_another(self, piece: Piece) -> bool:
        """Whether a piece is another definition of a name than the one that the file has: a setter beside the getter,
        what another trait asks for."""
        before = self._before(piece)
        if self.base is None or before is None or self._twins_before[before.base] > 1:
            return False
        return _role(self.seen, piece.symbol) != _role(self.base, before)

    def has_gaps(self, piece: Piece) -> bool:
        """Whether code of a definition gave way in a piece that has its name."""
        before = self._before(piece)
        return before is not None and bool(self._given_way(piece, before))

    def refused(self, piece: Piece, limits: Limits) -> Refusal | None:
        """Both gates for one of the definitions."""
        before = self._before(piece)
        if self.base is None or before is None:
            return None
        twins = self._twins_before[before.base]
        if twins > 1 and self._twins[before.base] != twins:
            return Refusal("ambiguous", (("definitions of that name", twins),), gate="A")
        gone = gates.left_out_at(self.seen, self._given_way(piece, before))
        if refusal := gone or gates.shrunk(piece.symbol, before, limits):
            return refusal
        was, now = decorations(self.base, before), decorations(self.seen, piece.symbol)
        if (lost := was - now) and not now - was:
            return Refusal("lost-decoration", (("lost", sorted(lost)), ("needed", "all of them")))
        return gates.parity(self.seen, self.base.members(piece.name), self._intent)

    def astray(self, piece: Piece) -> Refusal | None:
        """Whether a piece stands where an error may have torn it out of its place, or cut it short.

        After an error a grammar goes on as best it can: a local becomes a member, a body ends at its first brace. So
        what is new to the file or stands inside something is not believed beside an error, nor what the error follows.
        """
        errors, start = self._errors, piece.symbol.start
        if not errors:
            return None
        next_ = bisect_right(self._known_starts, start)
        end = self._known_starts[next_] if next_ < len(self._known_starts) else len(self.seen.text) + 1
        if (
            piece.symbol.parent is None
            and self._before(piece) is not None
            and bisect_left(errors, start) == bisect_left(errors, end)
        ):
            return None
        return Refusal(
            "syntax-error", (("errors", len(errors)), ("line", gates.line_at(self.seen, errors[0])), ("needed", 0))
        )

    def _unfolded(self, piece: Piece, labelled: bool) -> list[Piece]:
        """A type that is shown with some of its members only, as these members: small models leave the others out
        without a word. Under a label only where the prompt names all that it shows."""
        before = self._before(piece)
        if self.base is None or before is None or before.kind is not Kind.TYPE:
            return [piece]
        shown, known = self.seen.members(piece.name), self.base.members(before.name)
        names = {member.name for member in shown}
        missing = [m.name for m in known if m.name not in names and not self._intent.asks_to_lose(m.name)]
        inner = [m for m in shown if m.kind is not Kind.VALUE and m.name.rpartition(".")[0] == piece.name]
        if not missing or any(not m.sound for m in inner) or self.has_gaps(piece):
            return [piece]
        if labelled and not all(self._intent.mentions(m.name) for m in inner):
            return [piece]
        own = {line.strip() for line in self.base.slice(before).split("\n")}
        header = _words(self.base.signature(before))
        if any(line not in own and not _words(line) <= header for line in _besides(self.seen, piece.symbol, inner)):
            self.partly.append(before.name)
        elif not inner:
            return [piece]
        return [Piece(m, self.seen) for m in inner]

    def _before(self, piece: Piece) -> Symbol | None:
        return self.base.by_name.get(piece.name) if self.base is not None else None

    def _given_way(self, piece: Piece, before: Symbol) -> tuple[int, ...]:
        return self._beside.gave_way((piece.symbol, before)) if self._beside is not None else ()

    @cached_property
    def _beside(self) -> Beside | None:
        return gates.beside(self.seen, self.base, self._intent) if self.base is not None else None

    @cached_property
    def _twins(self) -> Counter[str]:
        return Counter(symbol.base for symbol in self.seen.symbols)

    @cached_property
    def _twins_before(self) -> Counter[str]:
        return Counter(symbol.base for symbol in (self.base.symbols if self.base is not None else ()))

    @cached_property
    def _errors(self) -> list[int]:
        """Where the errors begin that the file has not; a line of dots is left-out code, whose neighbours stand as they
        are."""
        old = self.base.error_lines() if self.base is not None else Counter()
        return [e.start for e, line in self.seen.errors_on_lines() if line not in old and not _DOTS.fullmatch(line)]

    @cached_property
    def _known_starts(self) -> list[int]:
        known = self.base.by_name if self.base is not None else {}
        return sorted(s.start for s in self.seen.symbols if s.parent is None and s.name in known)


_DOTS = re.compile(rb"\A(?=[^\w\"']*+\Z).*?(?:\.{3}|\xe2\x80\xa6).*", re.S)


_ACCESSOR = re.compile(r"@[\w.]+\.(?P<python>setter|deleter|getter)\b|(?:[a-z]+\s+)*(?P<ecma>get|set)\s+[\w#\[]")
_IMPL = re.compile(rb"^[ \t]*(?:unsafe[ \t]+)?impl\b(?P<of>[^{;\n]*(?:\n[^{;\n]*){0,8})\{", re.M)


def _role(seen: Outline, symbol: Symbol) -> str:
    """What tells apart definitions of one name: which accessor it is, or of which trait."""
    if seen.language == "rust":
        starts, traits = _impls(seen.text)
        at = bisect_left(starts, symbol.node_start)
        return traits[at - 1] if at and "." in symbol.name else ""
    found = _ACCESSOR.match(seen.slice(symbol).strip())
    return (found["python"] or found["ecma"]) if found is not None else ""


@lru_cache(maxsize=8)
def _impls(text: bytes) -> tuple[list[int], list[str]]:
    """Where the `impl` blocks of a text begin, and the trait of each; empty for a type's own."""
    found = list(_IMPL.finditer(text))
    parts = [one["of"].decode(errors="replace").rpartition(" for ") for one in found]
    return [one.start() for one in found], ["".join(trait.split()) if of else "" for trait, of, _ in parts]


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def _besides(seen: Outline, symbol: Symbol, inner: list[Symbol]) -> set[str]:
    """The lines of a type that are none of its members'."""
    found, at = [], symbol.start
    for member in sorted(inner, key=lambda m: m.start):
        found.append(seen.text[at : member.start])
        at = member.end
    found.append(seen.text[at : symbol.end])
    return {line.strip() for part in found for line in part.decode().split("\n") if line.strip()}
