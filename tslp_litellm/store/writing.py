"""A visit's changes, in one transaction: texts, events and their projection, what is remembered of the conversation."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import BindParameter, Connection, Row, bindparam, delete, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from tslp_litellm.resolution.bench import Flag, Slice
from tslp_litellm.state.events import GENESIS, Entry, Event, EventKind, chained
from tslp_litellm.state.fold import apply
from tslp_litellm.state.model import Freshness, Held, Source, StateMap, Tombstone
from tslp_litellm.state.names import Entity
from tslp_litellm.store import vault
from tslp_litellm.store.database import APPENDED
from tslp_litellm.store.reading import WORKSPACE, Conversation, Reading, batches
from tslp_litellm.store.schema import (
    conversation_items,
    conversations,
    event_paths,
    events,
    state_map,
    tombstones,
    workspaces,
)

# A visit's statements, built once: to build one costs more than to run it.
_LOCKED = WORKSPACE.with_for_update()  # SQLite has no such clause, and no need: its transaction holds the only lock
_W: BindParameter[Any] = bindparam("w")
_VALUES: BindParameter[Any] = bindparam("values", expanding=True)
_HELD = select(state_map).where(state_map.c.workspace_id == _W, state_map.c.entity.in_(_VALUES))
_BURIED = select(tombstones).where(tombstones.c.workspace_id == _W, tombstones.c.entity.in_(_VALUES))
_HEAD = update(workspaces).where(workspaces.c.id == _W)
_APPEND, _RECALL, _INDEX = insert(events), insert(conversation_items), insert(event_paths)
_UPSERT = {
    name: dialect.insert(conversations).on_conflict_do_update(
        index_elements=["workspace_id", "id"],
        set_={c.name: dialect.insert(conversations).excluded[c.name] for c in conversations.columns},
    )
    for name, dialect in (("sqlite", sqlite), ("postgresql", postgresql))
}


class Writing(Reading):
    """One workspace, locked for writing; made if it does not exist yet."""

    def __init__(self, connection: Connection, tenant: str, name: str, at: str) -> None:
        super().__init__(connection, tenant, name)
        if self.workspace_id is None:
            self._open(at)

    def _workspace(self) -> Row[tuple[int, int, str, int]] | None:
        return self._workspace_by(_LOCKED)

    def _open(self, at: str) -> None:
        """The workspace's row and its first event."""
        row = {"tenant": self.tenant, "name": self.name, "head_seq": 0, "head_hash": GENESIS, "episodes": 0}
        dialect = sqlite if self.connection.dialect.name == "sqlite" else postgresql
        self.connection.execute(dialect.insert(workspaces).on_conflict_do_nothing(), row)
        found = self._workspace()
        assert found is not None
        self.workspace_id, self.episodes, self.head = found.id, found.episodes, (found.head_seq, found.head_hash)
        if found.head_seq == 0:
            self.append([Event(EventKind.OPENED, (), (("tenant", self.tenant), ("name", self.name)))], None, at)

    def put(self, contents: Mapping[str, str | Slice]) -> None:
        """Texts for the Vault."""
        vault.put(self.connection, contents)

    def append(self, new: Sequence[Event], episode_id: str | None, at: str) -> None:
        """Events at the end of the workspace's chain, and what they do to the State Map."""
        if not new:
            return
        assert self.workspace_id is not None and self.head is not None
        self.connection.info.setdefault(APPENDED, []).extend((episode_id, event) for event in new)
        entries: list[Entry] = []
        seq, digest = self.head
        for event in new:
            entry = chained(
                event, workspace_id=self.workspace_id, seq=seq + 1, episode_id=episode_id, at=at, prev_hash=digest
            )
            seq, digest = entry.seq, entry.hash
            entries.append(entry)
        self.connection.execute(_APPEND, [_event_row(entry) for entry in entries])
        if about := [row for entry, event in zip(entries, new, strict=True) for row in path_rows(entry, event)]:
            self.connection.execute(_INDEX, about)
        touched = {move.entity for event in new for move in event.moves if move.entity is not None}
        before = self._part(touched)
        after = StateMap(dict(before.entities), dict(before.tombstones), before.episodes)
        for entry in entries:
            apply(after, entry)
        self._project(before, after)
        self.head, self.episodes = (seq, digest), after.episodes
        head = {"head_seq": seq, "head_hash": digest, "episodes": after.episodes}
        self.connection.execute(_HEAD, {"w": self.workspace_id, **head})

    def _part(self, entities: set[str]) -> StateMap:
        """The State Map's rows of some entities."""
        part = StateMap(episodes=self.episodes)
        for r in self._rows(_HELD, entities):
            part.entities[r.entity] = Held(r.artifact, Freshness(r.freshness), Source(r.source), r.updated_at)
        for r in self._rows(_BURIED, entities):
            part.tombstones[r.entity] = Tombstone(r.artifact, r.since, r.episode)
        return part

    def _project(self, before: StateMap, after: StateMap) -> None:
        """Write the difference between two parts of the State Map."""
        assert self.workspace_id is not None
        gone = before.entities.keys() - after.entities.keys()
        changed = {e: h for e, h in after.entities.items() if before.entities.get(e) != h}
        _delete(self.connection, state_map, self.workspace_id, gone | (changed.keys() & before.entities.keys()))
        if changed:
            self.connection.execute(insert(state_map), [state_row(self.workspace_id, e, h) for e, h in changed.items()])
        buried = {e: t for e, t in after.tombstones.items() if before.tombstones.get(e) != t}
        _delete(
            self.connection,
            tombstones,
            self.workspace_id,
            (before.tombstones.keys() - after.tombstones.keys()) | (buried.keys() & before.tombstones.keys()),
        )
        if buried:
            self.connection.execute(
                insert(tombstones), [tombstone_row(self.workspace_id, e, t) for e, t in buried.items()]
            )

    def remember(self, conversation: Conversation, digests: Sequence[bytes]) -> None:
        """A conversation, and the items that are new in it."""
        row = {
            "workspace_id": self.workspace_id,
            "id": conversation.id,
            "items": conversation.items + len(digests),
            "last_episode": conversation.last_episode,
            "turn_digest": conversation.turn_digest,
            "turn_flags": _flags(conversation.turn_flags),
            "next_flags": _flags(conversation.next_flags),
        }
        self.connection.execute(_UPSERT[self.connection.dialect.name], row)
        if digests:
            self.connection.execute(
                _RECALL,
                [
                    {
                        "workspace_id": self.workspace_id,
                        "conversation_id": conversation.id,
                        "ordinal": conversation.items + n,
                        "digest": d,
                    }
                    for n, d in enumerate(digests)
                ],
            )


def path_rows(entry: Entry, event: Event) -> list[dict[str, Any]]:
    """The index's rows of one event: the paths of the entities that it moves, or that an audit is about."""
    named = {move.entity for move in event.moves} | {value for key, value in event.about if key == "entity"}
    paths = sorted({Entity.parse(entity).path for entity in named if entity is not None})
    return [{"workspace_id": entry.workspace_id, "path": path, "seq": entry.seq} for path in paths]


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


def _event_row(entry: Entry) -> dict[str, Any]:
    return {
        "workspace_id": entry.workspace_id,
        "seq": entry.seq,
        "episode_id": entry.episode_id,
        "at": entry.at,
        "kind": entry.kind,
        "body": entry.body,
        "prev_hash": entry.prev_hash,
        "hash": entry.hash,
    }


def _delete(connection: Connection, table: Any, workspace_id: int, entities: set[str]) -> None:
    for batch in batches(entities):
        connection.execute(delete(table).where(table.c.workspace_id == workspace_id, table.c.entity.in_(batch)))


def _flags(flags: Sequence[Flag]) -> str:
    return json.dumps(
        [{"kind": f.kind, "entities": list(f.entities), "detail": f.detail} for f in flags], ensure_ascii=False
    )
