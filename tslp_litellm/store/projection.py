"""The State Map as rows, and whether they are those of the Ledger, asked without folding it (SEMANTICS 13).

A workspace notes how many rows its State Map and its tombstones have, and the sum of their hashes, which each change
brings up to date with what it takes away and adds. Reads only; `maintenance` mends.
"""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from tslp_litellm.state.events import GENESIS, EventKind, canonical
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Held, StateMap, Tombstone
from tslp_litellm.store import segments
from tslp_litellm.store.schema import events, state_map, tombstones, workspaces

_BYTES = 16
_MODULUS = 1 << (8 * _BYTES)


@dataclass(frozen=True, slots=True)
class Mark:
    """How many rows there are, and the sum of their hashes."""

    rows: int = 0
    total: int = 0

    @property
    def digest(self) -> str:
        """The sum in hex."""
        return f"{self.total:0{2 * _BYTES}x}"

    def moved(self, less: Iterable[Mapping[str, Any]], more: Iterable[Mapping[str, Any]]) -> Mark:
        """Without some rows, and with others."""
        gone, come = [*map(_hash, less)], [*map(_hash, more)]
        return Mark(self.rows - len(gone) + len(come), (self.total - sum(gone) + sum(come)) % _MODULUS)


def _hash(row: Mapping[str, Any]) -> int:
    """Of a row in all its columns; a tombstone has others than a State Map's row."""
    said = canonical(sorted((name, value) for name, value in row.items() if value is not None))
    return int.from_bytes(hashlib.sha256(said.encode("utf-8", "replace")).digest()[:_BYTES])


def noted(rows: int | None, digest: str | None) -> Mark | None:
    """What a workspace notes of its State Map; None where it notes nothing, or what can be no mark."""
    try:
        return Mark(rows, int(digest, 16)) if rows is not None and digest is not None else None
    except ValueError:
        return None


def rows_of(workspace_id: int, state: StateMap) -> list[dict[str, Any]]:
    """The rows of a State Map and its tombstones."""
    held = [state_row(workspace_id, entity, one) for entity, one in state.entities.items()]
    return held + [tombstone_row(workspace_id, entity, one) for entity, one in state.tombstones.items()]


def is_sound(connection: Connection, workspace_id: int) -> bool:
    """Whether a State Map's head, its number of rows and their digest are those of its Ledger."""
    row = connection.execute(select(workspaces).where(workspaces.c.id == workspace_id)).one()
    of = events.c.workspace_id == workspace_id
    last = connection.execute(select(events.c.seq, events.c.hash).where(of).order_by(events.c.seq.desc()).limit(1))
    kept = select(func.count()).select_from(events).where(of, events.c.kind == EventKind.EPISODE)
    head = tuple(last.one_or_none() or (0, GENESIS))
    away = sum(one.episodes for one in segments.out(connection, workspace_id))
    if (row.head_seq, row.head_hash, row.episodes) != (*head, connection.execute(kept).scalar_one() + away):
        return False
    found: list[Mapping[str, Any]] = []
    for table in (state_map, tombstones):
        rows = connection.execute(select(table).where(table.c.workspace_id == workspace_id)).mappings()
        found += [dict(one) for one in rows]
    return noted(row.rows, row.digest) == Mark().moved((), found)


def unsound(connection: Connection) -> list[tuple[str, str]]:
    """Tenant and name of each workspace whose State Map, once it was counted, is not that of its Ledger."""
    counted = select(workspaces.c.id, workspaces.c.tenant, workspaces.c.name).where(workspaces.c.digest.is_not(None))
    known = connection.execute(counted).all()
    return [(row.tenant, row.name) for row in known if not is_sound(connection, row.id)]


def state_row(workspace_id: int, entity: str, held: Held) -> dict[str, Any]:
    """A State Map row: the fold's value, and the columns by which it is found."""
    name = Entity.parse(entity)
    return {
        "workspace_id": workspace_id,
        "entity": entity,
        "path": name.path,
        "basename": posixpath.basename(name.path),
        "symbol": name.symbol,
        "leaf": name.leaf,
        "artifact": held.artifact,
        "freshness": str(held.freshness),
        "source": str(held.source),
        "updated_at": held.updated_at,
    }


def tombstone_row(workspace_id: int, entity: str, grave: Tombstone) -> dict[str, Any]:
    """A tombstone's row."""
    return {
        "workspace_id": workspace_id,
        "entity": entity,
        "artifact": grave.artifact,
        "since": grave.since,
        "episode": grave.episode,
    }
