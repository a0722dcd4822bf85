"""How what entities use stands (SEMANTICS 10), as the diagnostics tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tslp_litellm.state.names import Entity
from tslp_litellm.store import uses
from tslp_litellm.store.queries import workspace_id
from tslp_litellm.uses.following import is_within
from tslp_litellm.uses.known import decoded
from tslp_litellm.uses.standing import Need, Standing, Targets, by_holder, needs, worst

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from tslp_litellm.state.values import KeptUse


def of_entity(connection: Connection, tenant: str, workspace: str, asked: str) -> dict[str, Any]:
    """An entity's `dependencies`, its `uses` one by one, and what uses it or a part of it (`used_by`)."""
    found, name = workspace_id(connection, tenant, workspace), Entity.parse(asked)
    if found is None:
        return {}
    needed = _needs(connection, found, uses.of_paths(connection, found, [name.path]), [asked])[asked]
    users = {
        use.entity
        for use in uses.to_paths(connection, found, [name.path])
        if is_within(name, Entity.parse(use.used)) and not is_within(name, Entity.parse(use.entity))
    }
    return {"dependencies": str(worst(needed)), "uses": [_row(need) for need in needed], "used_by": sorted(users)}


def of_all(connection: Connection, tenant: str, workspace: str, entities: Sequence[str]) -> dict[str, str]:
    """The `dependencies` of many entities of a workspace."""
    found = workspace_id(connection, tenant, workspace)
    if found is None:
        return {}
    kept = uses.of_paths(connection, found, {Entity.parse(entity).path for entity in entities})
    return {entity: str(worst(needed)) for entity, needed in _needs(connection, found, kept, entities).items()}


def stale(connection: Connection, tenant: str, workspace: str) -> list[str]:
    """The entities of a workspace that use something stale or pending, by name."""
    found = workspace_id(connection, tenant, workspace)
    if found is None:
        return []
    kept = uses.all_rows(connection, found)
    standing = _needs(connection, found, kept, sorted({use.entity for use in kept}))
    return [entity for entity, needed in standing.items() if worst(needed) is not Standing.OK]


def _needs(
    connection: Connection, workspace: int, kept: Sequence[KeptUse], asked: Sequence[str]
) -> dict[str, list[Need]]:
    held = uses.held(connection, workspace, {use.used for use in kept})
    bodies = uses.bodies(connection, workspace, {Entity.parse(use.used).path for use in kept})
    known = {path: decoded(body) for path, body in bodies.items()}
    of, targets = by_holder(kept), Targets(held, known, uses.parts(connection, workspace, held))
    return {entity: needs(Entity.parse(entity), of.get(entity, ()), targets) for entity in asked}


def _row(need: Need) -> dict[str, Any]:
    before = {"before": need.use.signature} if need.standing is Standing.STALE else {}
    return {
        "entity": need.use.used,
        "route": need.use.route,
        "standing": str(need.standing),
        "signature": need.now,
        **before,
    }
