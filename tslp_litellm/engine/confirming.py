"""What was shown as it is, while something that it uses is another: that confirms it (SEMANTICS 10, Freshness)."""

from __future__ import annotations

from tslp_litellm.engine.projecting import known_files, unread
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Move, Op
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Confidence, KeptUse, Known, Origin
from tslp_litellm.store import uses
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.uses.standing import Standing, Targets, needs, worst


def confirm(store: WorkspaceReader, unit: UnitOfWork) -> None:
    """Record which of the entities that were shown are confirmed by that; those whose uses stand as they stood need
    no event."""
    moves = [move for event in unit.events for move in event.moves if move.entity is not None]
    promoted = {move.entity for move in moves if move.op is Op.PROMOTE}
    shown = {entity for entity in unit.shown - promoted if (now := _known(unit, entity)) is not None and now.clean}
    if not shown or store.workspace_id is None:
        return
    paths = {Entity.parse(entity).path for entity in shown}
    kept = [use for use in uses.of_paths(store.connection, store.workspace_id, paths) if use.entity in shown]
    if not kept:
        return
    moved = {Entity.parse(move.entity or "").path for move in moves}
    moved |= unread(store, {Entity.parse(use.used).path for use in kept})
    found = {use.entity for use in kept if Entity.parse(use.used).path in moved}
    found |= _stale(store, store.workspace_id, [use for use in kept if use.entity not in found])
    unit.record([_confirmation(unit, entity) for entity in sorted(found)], origin=Origin.USER)


def _stale(store: WorkspaceReader, workspace_id: int, kept: list[KeptUse]) -> set[str]:
    held = uses.held(store.connection, workspace_id, {use.used for use in kept})
    known = known_files(store, {Entity.parse(use.used).path for use in kept})
    targets = Targets(held, known, uses.parts(store.connection, workspace_id, held))
    of_own = ((use, needs(Entity.parse(use.entity), [use], targets)) for use in kept)
    return {use.entity for use, found in of_own if worst(found) is not Standing.OK}


def _confirmation(unit: UnitOfWork, entity: str) -> Move:
    known = _known(unit, entity)
    return Move(Op.CONFIRM, entity, known.artifact if known is not None else None, Confidence.CONFIRMED)


def _known(unit: UnitOfWork, entity: str) -> Known | None:
    name = Entity.parse(entity)
    state = unit.file(name.path)
    return state.symbols.get(name.symbol) if name.symbol is not None else state.file
