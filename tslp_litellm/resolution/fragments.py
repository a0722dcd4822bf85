"""Parts of files: their complete definitions, each of them judged by itself beside the file (§6, §7, SEMANTICS 3)."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import cached_property

from tslp_litellm.resolution import gates
from tslp_litellm.resolution.decorations import are_spoken_of, decorations, words_for
from tslp_litellm.resolution.files import Piece
from tslp_litellm.resolution.gates import Limits, Lines, Refusal
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.resolution.twins import goes_on_in, role, twins
from tslp_litellm.syntax.alike import lines_of
from tslp_litellm.syntax.left_out import placeholders
from tslp_litellm.syntax.outline import Kind, Outline, Symbol
from tslp_litellm.syntax.stubs import Beside, is_constructor, statements
from tslp_litellm.words.sentences import holds

OVERLOADS = frozenset({"java", "csharp", "kotlin", "cpp", "swift", "scala"})
"""Languages in which functions of one name may differ in their parameters."""
SHOWN_MIN = 2
"""So many definitions are shown for each that is not, where a text of the user's may be the file, or a type in it."""


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

    `base`: the file's text, None where it is not known. `labelled`: it has a label of its file. `headed`: what
    stands around its members is a header of ours. `partly`: the types
    that it shows without some of their members, but with other lines of their own: what became of those is not known;
    with such a type all its members, where its head is another one, and none is shown (a class that became a record).
    """

    def __init__(
        self,
        seen: Outline,
        base: Outline | None,
        intent: Intent,
        *,
        labelled: bool = True,
        headed: bool = False,
        by_user: bool = False,
        excuses: gates.Excuses = gates.NO_EXCUSE,
    ) -> None:
        self.seen, self.base, self._intent, self.labelled = seen, base, intent, labelled
        self._headed, self._by_user, self._excuses = headed, by_user, excuses
        self.partly: list[str] = []
        whole = pieces_of(seen, base)
        self.pieces = [part for piece in whole for part in self._unfolded(piece)]
        inside = {s.name for piece in self.pieces for s in (piece.symbol, *seen.members(piece.name))}
        self._find_partly({piece.name for piece in whole} | inside)

    def is_another(self, piece: Piece) -> bool:
        """Whether a piece is another definition of a name than those that the file has, or one of several that can't be
        told apart: a setter beside the getter, what another trait asks for, an overload."""
        known, before = self._known.get(piece.symbol.base, ()), self._before(piece)
        if before is None:
            return 0 < len(self._shown[piece.symbol.base]) <= len(known)
        return len(known) == 1 and self._is_overload(piece, before)

    def _is_overload(self, piece: Piece, before: Symbol) -> bool:
        """Whether a definition with other parameters stands beside the one that the file has: the prompt says so, or it
        calls that one."""
        if self.base is None or self.seen.language not in OVERLOADS or before.kind is not Kind.FUNCTION:
            return False
        if self.seen.signature(piece.symbol) == self.base.signature(before):
            return False
        asked = holds(self._intent.prompt, "overload")
        return asked or goes_on_in(self.seen, piece.symbol, self.base, before)

    def is_placed(self, piece: Piece) -> bool:
        """Whether the file's text has a definition of a piece's name."""
        return self._before(piece) is not None

    def is_idle(self, piece: Piece) -> bool:
        """Whether a piece is a constant that nobody asked for and that nothing uses, beside other code without a label.
        Where it changes one that the file has, it may be asked for by its new value, and only what is shown uses it."""
        symbol, now, before = piece.symbol, word_counts(piece.text), self._before(piece)
        if self.labelled or symbol.kind is not Kind.VALUE or symbol.parent is not None or not self._shows_code:
            return False
        words, new = self._word_counts, Counter[str]()
        if self.base is not None and before is not None:
            words, new = self._shown_words, now - word_counts(self.base.slice(before))
            if not new:
                return False
        asked = self._intent.mentions(piece.name) or not new.keys().isdisjoint(self._prompt_words)
        return not asked and words[symbol.leaf] == now[symbol.leaf]

    def stands_alone(self, piece: Piece, others: Iterable[Piece]) -> bool:
        """Whether no other one of some pieces uses a word that a piece brings, or the name of a new one."""
        new = (
            word_counts(piece.text).keys()
            - word_counts(self.base.text.decode() if self.base is not None else "").keys()
        )
        new |= set() if self.is_placed(piece) or is_constructor(piece.symbol) else {piece.symbol.leaf}
        return all(new.isdisjoint(word_counts(other.text)) for other in others if other is not piece)

    def in_doubt(self, others: Iterable[Piece]) -> set[str]:
        """The definitions of the file, one of which another one may be the new text of: those of its name and role
        that are not shown, where there are several."""
        roles = {(piece.symbol.base, role(self.seen, piece.symbol)) for piece in others}
        several = [known for name in {name for name, _ in roles} if len(known := self._known[name]) > 1]
        return {
            old.name
            for known in several
            for old in known
            if old.name not in self.seen.by_name and self.base and (old.base, role(self.base, old)) in roles
        }

    def has_gaps(self, piece: Piece) -> bool:
        """Whether code of a definition gave way in a piece that has its name."""
        before = self._before(piece)
        return before is not None and bool(self._given_way(piece.symbol, before))

    def refused(self, piece: Piece, limits: Limits) -> Refusal | None:
        """Both gates for one of the definitions."""
        before = self._before(piece)
        if self.base is None or before is None:
            return None
        gone, again = gates.left_out_at(self.seen, self._given_way(piece.symbol, before)), self._excuses.again
        members = self.base.members(piece.name)
        declared = [m for m in members if m.name not in self.seen.by_name and self._is_declared(m, piece)]
        rest = replace(
            before,
            nodes=before.nodes - sum(m.nodes for m in declared),
            tokens=before.tokens - sum(m.tokens for m in declared),
        )
        if refusal := gone or gates.symbol_collapsed(
            self.seen, piece.symbol, self.base, rest, limits, self._lines, again
        ):
            return refusal
        if (lost := self._lost_decorations(piece)) and not self._were_to_go(lost):
            return Refusal("lost-decoration", (("lost", sorted(lost)), ("needed", "all of them")))
        return gates.parity(self.seen, [m for m in members if m not in declared], self._intent)

    def _is_declared(self, member: Symbol, piece: Piece) -> bool:
        """Whether a type says of its fields what a member said: a constructor that did nothing but set them. The class
        became a dataclass or a record."""
        assert self.base is not None
        inner = [m for m in self.seen.members(piece.name) if m.kind is not Kind.VALUE]
        fields = _words("\n".join(_besides(self.seen, piece.symbol, inner)))
        if member.kind is Kind.VALUE:
            return member.leaf in fields
        said = statements(self.base, member) if is_constructor(member) else None
        sets = [_SETS.match(one) for one in said or ()]
        return bool(sets) and all(one is not None and one["field"] in fields for one in sets)

    @cached_property
    def _lines(self) -> tuple[Lines, Lines]:
        return lines_of(self.seen) + self._excuses.elsewhere, lines_of(self.base) if self.base is not None else Lines()

    def lost_what_is_spoken_of(self, piece: Piece) -> bool:
        """Whether the prompt speaks of a decoration that a piece no longer has, and does not ask for it to go."""
        lost = self._lost_decorations(piece)
        return are_spoken_of("\n".join(lost), self._intent.prompt) and not self._were_to_go(lost)

    def _lost_decorations(self, piece: Piece) -> set[str]:
        """What no longer stands in front of a piece, and has given way to nothing else."""
        before = self._before(piece)
        if self.base is None or before is None:
            return set()
        was, now = decorations(self.base, before), decorations(self.seen, piece.symbol)
        return set() if now - was else was - now

    def _were_to_go(self, lost: Iterable[str]) -> bool:
        """Whether the prompt asks for decorations to go."""
        return any(self._intent.asks_to_lose(word) for word in words_for("\n".join(lost)))

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

    def _unfolded(self, piece: Piece) -> list[Piece]:
        """A type that is shown with some of its members only, as these members: small models leave the others out
        without a word. Under a label only where the prompt names all that it changes or brings, or where the user shows
        it without most of them."""
        before = self._before(piece)
        if self.base is None or before is None or before.kind is not Kind.TYPE:
            return [piece]
        shown, known = self.seen.members(piece.name), self.base.members(before.name)
        names = {member.name for member in shown}
        lacking = [m for m in known if m.name not in names and not self._is_declared(m, piece)]
        missing = [m.name for m in lacking if not self._intent.asks_to_lose(m.name)]
        inner = [m for m in shown if m.kind is not Kind.VALUE and m.name.rpartition(".")[0] == piece.name]
        if not (missing or self._headed) or any(not m.sound for m in inner):
            return [piece]
        if self._by_user:
            stands_for_all = SHOWN_MIN * len(missing) <= len(shown)
        else:
            stands_for_all = not all(self._intent.mentions(m.name) or self._is_as_it_was(m) for m in inner)
        if self.labelled and stands_for_all and not self.has_gaps(piece):
            return [piece]
        if self._has_lines_of_its_own(piece.symbol, before, inner):
            self.partly.append(before.name)
            if not inner and not _words(self.seen.signature(piece.symbol)) <= _words(self.base.signature(before)):
                self.partly += [member.name for member in known]
        elif not inner:
            return [piece]
        return [Piece(m, self.seen) for m in inner]

    def _is_as_it_was(self, symbol: Symbol) -> bool:
        before = self.base.by_name.get(symbol.name) if self.base is not None else None
        return self.base is not None and before is not None and self.seen.slice(symbol) == self.base.slice(before)

    def _find_partly(self, whole: Collection[str]) -> None:
        """Note the types and the sound values that are shown with left-out code and with other lines of their own."""
        for symbol in self.seen.symbols:
            before = self.base.by_name.get(symbol.name) if self.base is not None else None
            if symbol.name in whole or before is None or before.kind is not symbol.kind:
                continue
            if symbol.kind is Kind.FUNCTION or (symbol.kind is Kind.VALUE and not symbol.sound):
                continue
            inner = [m for m in self.seen.members(symbol.name) if m.kind is not Kind.VALUE]
            if self._has_lines_of_its_own(symbol, before, inner):
                self.partly.append(before.name)

    def _has_lines_of_its_own(self, symbol: Symbol, before: Symbol, inner: list[Symbol]) -> bool:
        """Whether a type has lines beside its members that it did not have; what stands for left-out code is none."""
        assert self.base is not None
        own = {line.strip() for line in self.base.slice(before).split("\n")}
        header = _words(self.base.signature(before))
        own |= self._placeholder_lines | {gates.line_at(self.seen, at) for at in self._given_way(symbol, before)}
        if self._headed:
            own |= {gates.line_at(self.seen, symbol.inner)} | {
                gates.line_at(self.seen, c.start) for c in self.seen.comments
            }
        return any(line not in own and not _words(line) <= header for line in _besides(self.seen, symbol, inner))

    def _before(self, piece: Piece) -> Symbol | None:
        return self.base.by_name.get(piece.name) if self.base is not None else None

    def _given_way(self, symbol: Symbol, before: Symbol) -> tuple[int, ...]:
        return self._beside.gave_way((symbol, before)) if self._beside is not None else ()

    @cached_property
    def _beside(self) -> Beside | None:
        return gates.beside(self.seen, self.base, self._intent) if self.base is not None else None

    @cached_property
    def _word_counts(self) -> Counter[str]:
        return self._shown_words + word_counts(self.base.text.decode() if self.base is not None else "")

    @cached_property
    def _shown_words(self) -> Counter[str]:
        return word_counts(self.seen.text.decode())

    @cached_property
    def _prompt_words(self) -> Counter[str]:
        return word_counts(self._intent.prompt)

    @cached_property
    def _shows_code(self) -> bool:
        return any(symbol.kind is not Kind.VALUE for symbol in self.seen.symbols)

    @cached_property
    def _placeholder_lines(self) -> set[str]:
        return {gates.line_at(self.seen, at) for at in placeholders(self.seen, self.base)}

    @cached_property
    def _shown(self) -> dict[str, list[Symbol]]:
        return twins(self.seen)

    @cached_property
    def _known(self) -> dict[str, list[Symbol]]:
        return twins(self.base) if self.base is not None else {}

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


_SETS = re.compile(r"(?:self\.|\$?this(?:\.|->))(?P<field>\w+)\s*=(?!=)")
_DOTS = re.compile(rb"\A(?=[^\w\"']*+\Z).*?(?:\.{3}|\xe2\x80\xa6).*", re.S)


def word_counts(text: str) -> Counter[str]:
    """The words of a text."""
    return Counter(re.findall(r"[\w$]+", text))


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
