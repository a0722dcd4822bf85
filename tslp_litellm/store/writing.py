"""A visit's changes, in one transaction: texts, events and their projection, what is remembered of the conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, delete, insert, select, update

from tslp_litellm.history import snapshots
from tslp_litellm.state.events import GENESIS, Entry, Event, EventKind, Op, chained
from tslp_litellm.state.fold import apply
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Conversation, Freshness, Held, Slice, Source, StateMap, Tombstone, artifact_hash
from tslp_litellm.store import as_of, conversations, uses, vault
from tslp_litellm.store.database import APPENDED
from tslp_litellm.store.projection import Mark, rows_of, state_row, tombstone_row
from tslp_litellm.store.reading import WORKSPACE, WorkspaceReader
from tslp_litellm.store.schema import (
    event_paths,
    events,
    state_map,
    tombstones,
    workspaces,
)
from tslp_litellm.store.statements import DIALECTS, Rows, Statement, inserting, upsert

# SQLite has no such clause, and no need: its transaction holds the only lock
_LOCKED = Statement(WORKSPACE.with_for_update())
_W: BindParameter[Any] = bindparam("w")
_VALUES: BindParameter[Any] = bindparam("values", expanding=True)
_S, _T = state_map.c, tombstones.c
_OPEN = Statement({d: inserting(d)(workspaces).on_conflict_do_nothing() for d in DIALECTS}, workspaces.c.keys()[1:])
_OF_STATE = select(_S.entity, _S.artifact, _S.freshness, _S.source, _S.updated_at).where(_S.workspace_id == _W)
_OF_GRAVES = select(_T.entity, _T.artifact, _T.since, _T.episode).where(_T.workspace_id == _W)
_ALL_HELD, _ALL_BURIED = Statement(_OF_STATE), Statement(_OF_GRAVES)
_HELD, _BURIED = Statement(_OF_STATE.where(_S.entity.in_(_VALUES))), Statement(_OF_GRAVES.where(_T.entity.in_(_VALUES)))
_NOTED = ("head_seq", "head_hash", "episodes", "rows", "digest")
_HEAD = Statement(update(workspaces).where(workspaces.c.id == _W), _NOTED)
_APPEND, _INDEX = (Statement(insert(table)) for table in (events, event_paths))


_HOLD, _BURY = upsert(state_map, ("workspace_id", "entity")), upsert(tombstones, ("workspace_id", "entity"))
_RELEASE, _UNBURY = (
    Statement(delete(t).where(t.c.workspace_id == _W, t.c.entity.in_(_VALUES))) for t in (state_map, tombstones)
)


class WorkspaceWriter(WorkspaceReader):
    """One workspace, locked for writing; made if it does not exist yet."""

    def __init__(self, connection: Connection, tenant: str, name: str, at: str) -> None:
        super().__init__(connection, tenant, name)
        self.at = at
        if self.workspace_id is None:
            self._open(at)

    def _find(self, query: Statement) -> None:
        super()._find(_LOCKED)

    def _open(self, at: str) -> None:
        """The workspace's row and its first event."""
        row = {"tenant": self.tenant, "name": self.name, "head_seq": 0, "head_hash": GENESIS, "episodes": 0}
        row |= {"rows": 0, "digest": Mark().digest, "proven_seq": 0}
        _OPEN.run(self.connection, row)
        self._find(_LOCKED)
        assert self.head is not None
        if self.head[0] == 0:
            self.append([Event(EventKind.OPENED, (), (("tenant", self.tenant), ("name", self.name)))], None, at)

    def put(self, contents: Mapping[str, str | Slice]) -> None:
        """Texts for the Vault."""
        vault.put(self.connection, contents)

    def append(self, new: Sequence[Event], episode_id: str | None, at: str) -> None:
        """Events at the end of the workspace's chain, and what they do to the State Map; checkpoints among them."""
        rest = new
        while rest:
            assert self.head is not None
            free = snapshots.EVERY - 1 - self.head[0] % snapshots.EVERY
            self._append(rest[:free], episode_id, at)
            rest = rest[free:]
            if self.head[0] % snapshots.EVERY == snapshots.EVERY - 1:
                self.checkpoint(at)

    def checkpoint(self, at: str) -> None:
        """A checkpoint of the State Map as it stands (SEMANTICS 12)."""
        event, text = snapshots.made(self._whole())
        self.put({artifact_hash(text): text})
        self._append([event], None, at)

    def _whole(self) -> StateMap:
        """The State Map: the last checkpoint's, and what came since. Where that is far, as in a Ledger of an older
        release, its rows, if they are what was noted of them."""
        assert self.workspace_id is not None and self.head is not None
        after, state = as_of.checkpoint(self.connection, self.workspace_id, self.head[0])
        if self.head[0] - after >= 2 * snapshots.EVERY and self.mark is not None:
            asked, found = {"w": self.workspace_id}, StateMap(episodes=self.episodes)
            _take(found, _ALL_HELD.all(self.connection, asked), _ALL_BURIED.all(self.connection, asked))
            if self.mark == Mark().moved((), rows_of(self.workspace_id, found)):
                return found
        return as_of.grown(self.connection, self.workspace_id, state, after, self.head[0])

    def _append(self, new: Sequence[Event], episode_id: str | None, at: str) -> None:
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
        _APPEND.run(self.connection, *(_event_row(entry) for entry in entries))
        _INDEX.run(
            self.connection,
            *(row for entry, event in zip(entries, new, strict=True) for row in path_rows(entry, event)),
        )
        touched = {move.entity for event in new for move in event.moves if move.entity is not None}
        before = self._part(touched)
        after = StateMap({**before.entities}, {**before.tombstones}, before.episodes)
        for entry, event in zip(entries, new, strict=True):
            apply(after, entry, event.moves)
        if touched:
            self._project(before, after)
        self._follow(new, seq)
        self.head, self.episodes = (seq, digest), after.episodes
        head = {"head_seq": seq, "head_hash": digest, "episodes": after.episodes}
        head |= {"rows": self.mark.rows, "digest": self.mark.digest} if self.mark else {"rows": None, "digest": None}
        _HEAD.run(self.connection, {"w": self.workspace_id, **head})

    def _follow(self, new: Sequence[Event], seq: int) -> None:
        """Events that make and end no uses need not be read for them, where all before them was."""
        assert self.workspace_id is not None and self.head is not None
        ops = {move.op for event in new for move in event.moves}
        self.has_removed = self.has_removed or Op.TOMBSTONE in ops
        if self.uses_head == self.head[0] and not ops & uses.MAKING:
            uses.follow(self.connection, self.workspace_id, self.uses_head, seq)
            self.uses_head = seq

    def _part(self, entities: set[str]) -> StateMap:
        """The State Map's rows of some entities."""
        part = StateMap(episodes=self.episodes)
        if not entities:
            return part
        _take(part, self._rows(_HELD, entities), self._rows(_BURIED, entities))
        return part

    def _project(self, before: StateMap, after: StateMap) -> None:
        """Write the difference between two parts of the State Map."""
        assert self.workspace_id is not None
        w = self.workspace_id
        if self.mark is not None:
            self.mark = self.mark.moved(rows_of(w, before), rows_of(w, after))
        self._rows(_RELEASE, before.entities.keys() - after.entities.keys())
        _HOLD.run(
            self.connection, *(state_row(w, e, h) for e, h in after.entities.items() if before.entities.get(e) != h)
        )
        self._rows(_UNBURY, before.tombstones.keys() - after.tombstones.keys())
        _BURY.run(
            self.connection,
            *(tombstone_row(w, e, t) for e, t in after.tombstones.items() if before.tombstones.get(e) != t),
        )

    def remember(self, conversation: Conversation, digests: Sequence[bytes]) -> None:
        """A conversation, and the items that are new in it."""
        assert self.workspace_id is not None
        conversations.remember(self.connection, self.workspace_id, conversation, digests, self.at)


def _take(state: StateMap, held: Rows, buried: Rows) -> None:
    """Rows into a State Map."""
    for entity, artifact, freshness, source, updated_at in held:
        state.entities[entity] = Held(artifact, Freshness(freshness), Source(source), updated_at)
    for entity, artifact, since, episode in buried:
        state.tombstones[entity] = Tombstone(artifact, since, episode)


def path_rows(entry: Entry, event: Event) -> list[dict[str, Any]]:
    """The index's rows of one event: the paths of the entities that it moves, or that an audit is about."""
    named = {move.entity for move in event.moves} | {value for key, value in event.about if key == "entity"}
    paths = sorted({Entity.parse(entity).path for entity in named if entity is not None})
    return [{"workspace_id": entry.workspace_id, "path": path, "seq": entry.seq} for path in paths]


def _event_row(entry: Entry) -> dict[str, Any]:
    return {
        "workspace_id": entry.workspace_id,
        "seq": entry.seq,
        "episode_id": entry.episode_id,
        "at": entry.at,
        "kind": str(entry.kind),
        "body": entry.body,
        "prev_hash": entry.prev_hash,
        "hash": entry.hash,
    }
