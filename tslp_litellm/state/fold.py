"""The fold: from Ledger events to the State Map. The same function serves the projection and `tslp rebuild`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tslp_litellm.state.events import Entry, EventKind, Move, Op
from tslp_litellm.state.lifecycle import STEPS
from tslp_litellm.state.values import ArtifactState, Freshness, Held, Source, StateMap, Tombstone


def fold(entries: Iterable[Entry]) -> StateMap:
    """The State Map that a workspace's Ledger entries, in order, make. ValueError where they can't be ours."""
    state = StateMap()
    for entry in entries:
        apply(state, entry)
    return state


def apply(state: StateMap, entry: Entry, moves: Sequence[Move] | None = None) -> None:
    """One entry's moves, in place. `moves`: the entry's, where they are known already."""
    if entry.kind == EventKind.EPISODE:
        state.episodes += 1
    for move in entry.moves() if moves is None else moves:
        apply_move(state, move, entry.at)


def apply_move(state: StateMap, move: Move, at: str) -> None:
    """One move, in place. What names no entity, or only proposes, changes nothing."""
    name = move.entity
    if name is None:
        return
    step, held = STEPS[move.op], state.entities.get(name)
    if held is not None and step.held is ArtifactState.TOMBSTONED:
        del state.entities[name]
        state.tombstones[name] = Tombstone(held.artifact, at, state.episodes)
    if step.named is ArtifactState.AUTHORITATIVE:
        if move.artifact is None:
            raise ValueError(f"a promotion of {name} without an artifact")
        state.entities[name] = Held(move.artifact, Freshness.CLEAN, Source(move.source or Source.AST), at)
        state.tombstones.pop(name, None)
    if held is not None and move.op is Op.DIRTY:
        state.entities[name] = Held(held.artifact, Freshness.DIRTY, held.source, at)
    if move.op is Op.EXPIRE:
        state.tombstones.pop(name, None)
