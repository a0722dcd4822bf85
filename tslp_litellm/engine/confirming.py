"""What was shown as it is, while something that it uses is another: that confirms it (SEMANTICS 10, Freshness). So does
a whole file, where only a model's text had made it true: it stands, though the answer be left (2, Going back)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from tslp_litellm.engine.projecting import known_files, unread
from tslp_litellm.resolution.going_back import is_models
from tslp_litellm.resolution.trust import admits
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Event, Move, Op
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Confidence, KeptUse, Known, Origin
from tslp_litellm.store import uses
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.uses.standing import Standing, Targets, needs, worst

_WORD = re.compile(r"[\w$]+")


def confirm(store: WorkspaceReader, unit: UnitOfWork, origin: Origin = Origin.USER) -> None:
    """Record which of the entities that were shown are confirmed by that; those whose uses stand as they stood need
    no event. What is written anew beside nothing that became true is a quotation, and confirms nothing; nor does it
    where something that it uses is gone, which whoever wrote it has still to see."""
    moves = [move for event in unit.events for move in event.moves if move.entity is not None]
    promoted = {move.entity for move in moves if move.op is Op.PROMOTE}
    rewritten = unit.rewritten if promoted else set[str]()
    shown = _clean(unit, (unit.shown | rewritten) - promoted)
    stands = _stands(store, unit, promoted)
    for path in sorted(stands):
        unit.record([_confirmation(unit, path)], **unit.shown_whole[path], whole=True)
    found = _overtaken(unit)
    if store.workspace_id is not None and shown:
        found |= _confirmed(store, store.workspace_id, shown, rewritten - unit.shown, moves)
    unit.record([_confirmation(unit, entity) for entity in sorted(found - stands)], origin=origin)


def _stands(store: WorkspaceReader, unit: UnitOfWork, promoted: Collection[str | None]) -> set[str]:
    """The files shown whole as they are whose text the user's side has not shown before."""
    found = set[str]()
    for path in _clean(unit, unit.shown_whole.keys() - promoted):
        known, about = unit.file(path).file, unit.shown_whole[path]
        counts = admits(unit.trust, about["origin"], about["carrier"], about["grant"])
        if known is not None and counts and is_models(path, known.artifact, store.last_about(path)):
            found.add(path)
    return found


def _clean(unit: UnitOfWork, entities: Iterable[str]) -> set[str]:
    return {entity for entity in entities if (now := _known(unit, entity)) is not None and now.clean}


def _confirmed(
    store: WorkspaceReader, workspace_id: int, shown: set[str], rewritten: set[str], moves: Collection[Move]
) -> set[str]:
    """Those of what is shown as it is that use what may be another since; not of what is `rewritten` those that use
    what is gone."""
    paths = {Entity.parse(entity).path for entity in shown}
    kept = [use for use in uses.of_paths(store.connection, workspace_id, paths) if use.entity in shown]
    held = uses.held(store.connection, workspace_id, {use.used for use in kept}) if kept else {}
    gone = {use.used for use in kept} - held.keys() - {move.entity for move in moves if move.op is Op.PROMOTE}
    gone |= {move.entity for move in moves if move.op is Op.TOMBSTONE and move.entity is not None}
    left = {use.entity for use in kept if use.used in gone and use.entity in rewritten}
    kept = [use for use in kept if use.entity not in left]
    if not kept:
        return set()
    moved = {Entity.parse(move.entity or "").path for move in moves}
    moved |= unread(store, {Entity.parse(use.used).path for use in kept})
    found = {use.entity for use in kept if Entity.parse(use.used).path in moved}
    return found | _stale(store, workspace_id, [use for use in kept if use.entity not in found])


def _overtaken(unit: UnitOfWork) -> set[str]:
    """What became true before something that its text names did, of what was said at once: it was written for that,
    but for what a tool read."""
    found, names = set[str](), set[str]()
    for event in filter(_is_written, reversed(unit.events)):
        made = [move for move in event.moves if move.op is Op.PROMOTE and move.entity is not None]
        if names:
            texts = {move.entity: now.text for move in made if (now := _known(unit, move.entity or "")) and now.clean}
            found |= {entity for entity, text in texts.items() if entity and not names.isdisjoint(_WORD.findall(text))}
        names |= {leaf for move in made if (leaf := Entity.parse(move.entity or "").leaf) is not None}
    return found


def _is_written(event: Event) -> bool:
    about = dict(event.about)
    return about.get("origin") != Origin.TOOL or "call" in about


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
