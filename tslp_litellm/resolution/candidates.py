"""Candidates that wait for authority: they passed gate A and failed only gate B (SEMANTICS 3, grants 2 and 3).

Found in what was judged, by position; promoted only as what they were, on the state that they were judged on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tslp_litellm.parser import outline
from tslp_litellm.resolution.files import Change, Piece, adopt, insert, language_of, outline_of
from tslp_litellm.resolution.trust import Trust
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import BESIDE, Move, Op
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Confidence, FileState, Grant, Origin, Source

CANDIDATE = "candidate"
"""The kind of flag that a conversation carries for each of them until its next user turn; it is no notice."""

Judged = tuple[int, Sequence[Move], Mapping[str, Any]]
"""A judgement: its place in the order, its moves, and what it was about."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text of an entity that lacks nothing but authority. `at`: where in the order it was judged; `trust`: whose word
    counted there."""

    entity: str
    artifact: str
    source: Source
    reason: str
    at: int
    trust: Trust = Trust.PROOF

    @property
    def waits(self) -> bool:
        """Whether grants 2 and 3 may still make it the truth (SEMANTICS 13)."""
        return self.trust.takes_model


def open_candidates(judged: Iterable[Judged]) -> list[Candidate]:
    """The candidates of one answer that nothing later in it has touched, the latest of each entity."""
    found: dict[str, Candidate] = {}
    for at, moves, about in judged:
        for move in moves:
            if move.op in BESIDE or move.entity is None:
                continue
            for entity in [e for e in found if touched(e, move, same_answer=True)]:
                del found[entity]
            if _only_authority_lacks(move, about):
                assert move.artifact is not None
                source = Source(move.source) if move.source else Source.AST
                trust = Trust(about.get("trust") or Trust.PROOF)
                found[move.entity] = Candidate(move.entity, move.artifact, source, move.reason or "", at, trust)
    return list(found.values())


def _only_authority_lacks(move: Move, about: Mapping[str, Any]) -> bool:
    return (
        move.op is Op.PROPOSE
        and move.artifact is not None
        and move.confidence == Confidence.CONFIRMED
        and about.get("origin") == Origin.MODEL
        and (about.get("refused") or {}).get("gate") == "B"
    )


def touched(candidate: str, move: Move, *, same_answer: bool) -> bool:
    """Whether a move says anything of what a candidate would replace, even if it only proposes.

    Inside one answer the definitions of a fragment don't touch each other, but for those that hold each other; later
    whatever happens to the file does.
    """
    if move.op in BESIDE or move.entity is None:
        return False
    ours, theirs = Entity.parse(candidate), Entity.parse(move.entity)
    if ours.path != theirs.path:
        return False
    if ours.symbol is None or not same_answer:
        return True
    if theirs.symbol is None:
        return False
    a, b = ours.symbol + ".", theirs.symbol + "."
    return a.startswith(b) or b.startswith(a)


def promote(unit: UnitOfWork, candidate: Candidate, text: str, grant: Grant, **about: Any) -> bool:
    """Make a candidate the truth; False where it does not fit what is there now, or where the trust of the turn that
    brought it, or of this one, lets the model's text become true by no such grant."""
    if not (candidate.waits and unit.trust.takes_model):
        return False
    change = _change(unit.file(Entity.parse(candidate.entity).path), candidate, text, grant)
    return change is not None and unit.change(change, **about, grant=grant)


def _change(state: FileState, candidate: Candidate, text: str, grant: Grant) -> Change | None:
    symbol = Entity.parse(candidate.entity).symbol
    if symbol is None:
        return adopt(state, text, candidate.source, grant)
    seen = outline(language_of(state), text)
    found, known = seen.by_name.get(symbol), state.symbols.get(symbol)
    if found is None or not found.sound or seen.slice(found) != text or known is None or not known.clean:
        return None
    return insert(state, [Piece(found, seen)], grant)


def current_text(state: FileState, symbol: str | None) -> str | None:
    """The known current text of a file or of one of its symbols."""
    if symbol is None:
        return state.text()
    known = state.symbols.get(symbol)
    if known is None or not known.clean:
        return None
    seen = outline_of(state) if state.text() is not None else None
    found = seen.by_name.get(symbol) if seen is not None else None
    return seen.slice(found) if seen is not None and found is not None else known.text or None


def lost(state: FileState, candidate: Candidate, text: str) -> list[str]:
    """The tracked symbols that a candidate lacks, of what it would replace."""
    symbol = Entity.parse(candidate.entity).symbol
    names = outline(language_of(state), text).by_name
    return [s for s in state.symbols if s not in names and (symbol is None or s.startswith(symbol + "."))]
