"""What a visit needs to know of its workspace, read in one snapshot."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, exists, literal, select

from tslp_litellm.state.events import BESIDE, Entry, EventKind, Op
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import (
    Conversation,
    FileState,
    Freshness,
    Known,
    Origin,
    Replaced,
    Source,
    StateMap,
    Tracked,
)
from tslp_litellm.store import conversations, lookup, removals, segments, vault
from tslp_litellm.store.postgresql import storable
from tslp_litellm.store.projection import Mark, noted
from tslp_litellm.store.schema import event_paths, events, state_map, tombstones, uses_heads, workspaces
from tslp_litellm.store.statements import Rows, Statement
from tslp_litellm.store.statements import batches as batches  # noqa: PLC0414 - queries takes it from here

EVENTS_BACK = 2000
"""How far back a report may reach."""
EVENTS_AT_ONCE = 1_000
"""So many of a long piece of the Ledger are held at once."""
ABOUT_BACK = 200
"""How many events about one file are looked at, the last ones."""
DECISIONS_BACK = 200
"""How many decisions about one file are looked at, the last ones."""

_W: BindParameter[Any] = bindparam("w")
_VALUES: BindParameter[Any] = bindparam("values", expanding=True)
_S = state_map.c
_C = workspaces.c
_READ = select(uses_heads.c.seq).where(uses_heads.c.workspace_id == _C.id).scalar_subquery()
_BURIED_NOW = exists().where(tombstones.c.workspace_id == _C.id)
_EXPIRED_THERE, _ARCHIVED_THERE = (
    exists().where(events.c.workspace_id == _C.id, events.c.kind == kind.value)
    for kind in (EventKind.EXPIRY, EventKind.ARCHIVED)
)
WORKSPACE = select(
    _C.id,
    _C.head_seq,
    _C.head_hash,
    _C.episodes,
    _C.rows,
    _C.digest,
    _READ,
    _BURIED_NOW | _EXPIRED_THERE | _ARCHIVED_THERE,
).where(workspaces.c.tenant == bindparam("tenant"), workspaces.c.name == bindparam("name"))
_WORKSPACE = Statement(WORKSPACE)
_FILES = Statement(
    select(_S.path, _S.symbol, _S.artifact, _S.freshness, _S.source).where(_S.workspace_id == _W, _S.path.in_(_VALUES))
)
_OF_EPISODES = Statement(select(events).where(events.c.workspace_id == _W, events.c.episode_id.in_(_VALUES)))
_TURNS = Statement(
    select(events)
    .where(events.c.workspace_id == _W, events.c.kind == EventKind.EPISODE, events.c.seq > bindparam("after"))
    .where(events.c.body.like(literal('%"conversation":"') + bindparam("said") + literal('"%')))
    .order_by(events.c.seq.desc())
)
_ABOUT = Statement(
    select(event_paths.c.path, events)
    .join(event_paths, (event_paths.c.workspace_id == events.c.workspace_id) & (event_paths.c.seq == events.c.seq))
    .where(event_paths.c.workspace_id == _W, event_paths.c.path.in_(_VALUES), event_paths.c.seq > bindparam("after"))
    .order_by(events.c.seq)
)
_PIECE = Statement(
    select(events)
    .where(events.c.workspace_id == _W, events.c.seq > bindparam("after"), events.c.seq <= bindparam("last"))
    .order_by(events.c.seq)
)
_NAMING = Statement(
    select(events)
    .join(event_paths, (event_paths.c.workspace_id == events.c.workspace_id) & (event_paths.c.seq == events.c.seq))
    .where(event_paths.c.workspace_id == _W, event_paths.c.path == bindparam("path"))
    .where(events.c.body.like(literal("%") + bindparam("artifact") + literal("%")))
)
_DECIDED = Statement(
    select(events)
    .join(event_paths, (event_paths.c.workspace_id == events.c.workspace_id) & (event_paths.c.seq == events.c.seq))
    .where(event_paths.c.workspace_id == _W, event_paths.c.path == bindparam("path"))
    .where(events.c.kind == EventKind.DECISION.value)
    .order_by(event_paths.c.seq.desc())
    .limit(DECISIONS_BACK)
)
_LAST_ABOUT = Statement(
    select(events)
    .join(event_paths, (event_paths.c.workspace_id == events.c.workspace_id) & (event_paths.c.seq == events.c.seq))
    .where(event_paths.c.workspace_id == _W, event_paths.c.path == bindparam("path"))
    .order_by(event_paths.c.seq.desc())
    .limit(ABOUT_BACK)
)
_ARCHIVED = Statement(
    select(events.c.seq).where(events.c.workspace_id == _W, events.c.kind == EventKind.ARCHIVED.value).limit(1)
)
_EXPIRED = Statement(
    select(tombstones.c.entity).where(tombstones.c.workspace_id == _W, tombstones.c.episode <= bindparam("last"))
)
_BURIED = Statement(
    select(tombstones.c.entity, tombstones.c.artifact)
    .where(tombstones.c.workspace_id == _W)
    .order_by(tombstones.c.entity)
)


def of_episode(connection: Connection, workspace_id: int | None, episode_ids: Iterable[str]) -> list[Entry]:
    """The Ledger entries of some episodes, in order.

    Put in order here: asked to, SQLite walks the whole Ledger by its key rather than sort what the index finds.
    """
    found = [Entry(*row) for row in _OF_EPISODES.of(connection, episode_ids, {"w": workspace_id})]
    return sorted(found, key=lambda entry: entry.seq)


def _is_turn(entry: Entry) -> bool:
    return entry.kind == EventKind.EPISODE and entry.content().get("conversation") is not None


class WorkspaceReader:
    """One workspace in one snapshot. A workspace that does not exist yet is empty.

    `uses_head`: the last event that was read for what entities use, 0 where none was; `has_removed`: whether anything
    may be gone; without that nobody has to look for it.
    """

    def __init__(self, connection: Connection, tenant: str, name: str) -> None:
        self.connection, self.tenant, self.name = connection, storable(tenant), storable(name)
        self.workspace_id: int | None = None
        self.head: tuple[int, str] | None = None
        self.episodes = 0
        self.mark: Mark | None = None
        self.uses_head, self.has_removed = 0, False
        self._find(_WORKSPACE)

    def _find(self, query: Statement) -> None:
        """The workspace's row, if it has one."""
        row = query.one(self.connection, {"tenant": self.tenant, "name": self.name})
        if row is not None:
            self.workspace_id, self.head, self.episodes = row[0], (row[1], row[2]), row[3]
            self.mark = noted(row[4], row[5])
            self.uses_head, self.has_removed = row[6] or 0, bool(row[7])

    def _rows(self, query: Statement, values: Iterable[Any], **more: Any) -> Rows:
        """A statement's rows for values in any number."""
        if self.workspace_id is None:
            return []
        return query.of(self.connection, values, {"w": self.workspace_id, **more})

    # -- the State Map

    def files(self, paths: Collection[str]) -> dict[str, FileState]:
        """What is known of some files. Symbols of a file whose text is known carry no text of their own."""
        rows: dict[str, Rows] = defaultdict(list)
        for path, *row in self._rows(_FILES, paths):
            rows[path].append(tuple(row))
        return {path: self._file(path, found) for path, found in rows.items()}

    def _file(self, path: str, rows: Sequence[tuple[Any, ...]]) -> FileState:
        known: dict[str | None, Known] = {
            symbol: Known(artifact, "", Freshness(freshness), Source(source))
            for symbol, artifact, freshness, source in rows
        }
        whole = known.get(None)
        needed = [
            k.artifact
            for symbol, k in known.items()
            if symbol is None or whole is None or not whole.clean or k.source is Source.PATTERN
        ]
        texts = vault.get(self.connection, needed)
        known = {symbol: replace(k, text=texts.get(k.artifact, "")) for symbol, k in known.items()}
        return FileState(path, known.pop(None, None), {s: k for s, k in known.items() if s is not None})

    def paths(self, folders: Collection[str] | None) -> set[str]:
        """The tracked files in some folders; None: all."""
        if self.workspace_id is None:
            return set()
        query = select(state_map.c.path).distinct().where(state_map.c.workspace_id == self.workspace_id)
        found = {row.path for row in self.connection.execute(query)}
        if folders is None:
            return found
        starts = tuple(folder + "/" for folder in folders)
        return {path for path in found if path.startswith(starts)}

    # -- what episodes did

    def replaced(self, episode_id: str) -> dict[str, Replaced]:
        """The files that an episode's answer changed, with their texts before."""
        made: dict[str, str] = {}
        before: dict[str, str | None] = {}
        for entry in self.entries_of(episode_id):
            for move in entry.moves() if entry.content().get("origin") == Origin.MODEL else ():
                if move.op is Op.PROMOTE and move.entity is not None and move.artifact and "::" not in move.entity:
                    made[move.entity] = move.artifact
                    before.setdefault(move.entity, move.replaces)
        texts = self.texts(artifact for artifact in before.values() if artifact is not None)
        return {path: Replaced(made[path], texts.get(artifact or "")) for path, artifact in before.items()}

    def last_change(self, conversation_id: str) -> str | None:
        """The last episode of a conversation whose answer changed a file, and that was not taken back since."""
        back: set[str] = set()
        own: set[str] = set()
        for entry in self.recent():
            content = entry.content()
            back |= {content.get("reinstates", ""), *content.get("left", ())}
            if entry.kind == EventKind.EPISODE and content.get("conversation") == conversation_id:
                own.add(entry.episode_id or "")
            changed = content.get("origin") == Origin.MODEL and any(m.op is Op.PROMOTE for m in entry.moves())
            if changed and entry.episode_id in own and entry.episode_id not in back:
                return entry.episode_id
        return None

    def waiting(self, paths: Collection[str]) -> dict[str, str]:
        """Whole files that a gate refused to a model, and of which nothing was decided since."""
        open_ones, found = set(paths), dict[str, str]()
        for entry in self.recent() if open_ones else ():
            for move in reversed(entry.moves()):
                path = Entity.parse(move.entity).path if move.entity is not None else None
                if path not in open_ones or move.op in BESIDE:
                    continue
                if move.op is not Op.PROPOSE:
                    open_ones.discard(path)
                elif move.entity == path and move.artifact and entry.content().get("refused"):
                    found[path] = move.artifact
                    open_ones.discard(path)
            if not open_ones:
                break
        return found

    def recent(self) -> Iterator[Entry]:
        """The workspace's last EVENTS_BACK events, newest first."""
        if self.head is None:
            return
        query = select(events).where(
            events.c.workspace_id == self.workspace_id, events.c.seq > self.head[0] - EVENTS_BACK
        )
        for row in self.connection.execute(query.order_by(events.c.seq.desc())):
            yield Entry(*row)

    def turns(self, conversation: str) -> list[Entry]:
        """A conversation's recent episodes, newest first. Others may have recorded hundreds since: these stay where
        they are."""
        if self.head is None:
            return []
        asked = {"w": self.workspace_id, "after": self.head[0] - EVENTS_BACK, "said": conversation}
        return [Entry(*row) for row in _TURNS.all(self.connection, asked)]

    def last_turn(self) -> Entry | None:
        """The workspace's newest episode that was a turn of a conversation, if it is recent."""
        return next((entry for entry in self.recent() if _is_turn(entry)), None)

    def was_said(self, digest: bytes) -> bool:
        """Whether an item of that identity stands in any conversation of the workspace."""
        return self.workspace_id is not None and conversations.was_said(self.connection, self.workspace_id, digest)

    # -- what words may mean

    def tracked(self, paths: Collection[str]) -> list[Tracked]:
        """All State Map rows of some files."""
        return [] if self.workspace_id is None else lookup.of_paths(self.connection, self.workspace_id, paths)

    def named(self, names: Collection[str]) -> tuple[list[Tracked], set[str]]:
        """Rows of symbols that end in one of those names; and the names that so many share that only some are given."""
        if self.workspace_id is None:
            return [], set()
        return lookup.of_names(self.connection, self.workspace_id, names)

    def with_tails(self, tails: Collection[str]) -> set[str]:
        """Tracked paths that are, or end in, one of those; of a tail that too many have, some."""
        return set() if self.workspace_id is None else lookup.with_tails(self.connection, self.workspace_id, tails)

    def holders(self, names: Collection[str]) -> dict[str, frozenset[str]]:
        """Symbol -> the files in which a symbol of that full name is tracked; `lookup.holders` says of which."""
        return {} if self.workspace_id is None else lookup.holders(self.connection, self.workspace_id, names)

    def buried(
        self, *, paths: Collection[str] = (), basenames: Collection[str] = (), leaves: Collection[str] = ()
    ) -> list[Tracked]:
        """Tombstones with one of those paths, base names or last parts of a symbol."""
        if self.workspace_id is None or not (paths or leaves):
            return []
        found: list[Tracked] = []
        for entity, artifact in _BURIED.all(self.connection, {"w": self.workspace_id}):
            name = Entity.parse(entity)
            if name.path in paths or posixpath.basename(name.path) in basenames or name.leaf in leaves:
                found.append(Tracked(entity, name.path, name.symbol, artifact, True, Source.AST))
        return found

    def texts(self, artifacts: Iterable[str]) -> dict[str, str]:
        """Texts by hash."""
        return vault.get(self.connection, list(artifacts))

    def expired(self, after_episodes: int) -> list[str]:
        """Tombstones that have been listed long enough."""
        if self.workspace_id is None:
            return []
        asked = {"w": self.workspace_id, "last": self.episodes - after_episodes}
        return sorted(entity for (entity,) in _EXPIRED.all(self.connection, asked))

    # -- conversations

    def related(self, digests: Iterable[bytes], limit: int = 4) -> list[str]:
        """The conversations that hold most of those items, best and last used first."""
        if self.workspace_id is None:
            return []
        return conversations.related(self.connection, self.workspace_id, digests, limit)

    def memory(self, conversation: str, digests: Collection[bytes]) -> dict[bytes, list[int]]:
        """Where in a conversation those items were said."""
        if self.workspace_id is None:
            return {}
        return conversations.memory(self.connection, self.workspace_id, conversation, digests)

    def conversation(self, conversation_id: str) -> Conversation | None:
        """A conversation by its id."""
        return conversations.conversation(self.connection, self.workspace_id, conversation_id)

    # -- the Ledger

    def entries_of(self, *episode_ids: str) -> list[Entry]:
        """The Ledger entries of some episodes, in order."""
        return of_episode(self.connection, self.workspace_id, episode_ids)

    def entries_about(self, paths: Collection[str], after: int = 0) -> dict[str, list[Entry]]:
        """For each of some files the Ledger entries behind a place that name it or what is in it, in order; in the
        place of those that are in segments what they had made of it by then."""
        found: dict[str, list[Entry]] = {path: [] for path in paths}
        base = self._base
        if base is not None and after < base[0].seq:
            after = base[0].seq
            for path in paths:
                found[path] += segments.as_events(*base, path)
        for path, *row in self._rows(_ABOUT, sorted(paths), after=after):
            found[path].append(Entry(*row))
        return found

    @cached_property
    def _base(self) -> tuple[Entry, StateMap] | None:
        """The checkpoint behind all that is in segments; asked once a snapshot, and parsed once a process."""
        if self.workspace_id is None or _ARCHIVED.one(self.connection, {"w": self.workspace_id}) is None:
            return None
        return segments.base(self.connection, self.workspace_id)

    def was_current(self, entity: str, artifact: str) -> bool:
        """Whether a text, by its hash, was ever an entity's current one."""
        if self.workspace_id is None:
            return False
        asked = {"w": self.workspace_id, "path": Entity.parse(entity).path, "artifact": artifact}
        return any((entity, artifact) in Entry(*row).made_true() for row in _NAMING.all(self.connection, asked))

    def last_about(self, path: str) -> list[Entry]:
        """The last Ledger entries that name a file or what is in it, the newest first."""
        if self.workspace_id is None:
            return []
        return [Entry(*row) for row in _LAST_ABOUT.all(self.connection, {"w": self.workspace_id, "path": path})]

    def removals(self, path: str) -> list[Entry]:
        """Of the last Ledger entries that name a file those that removed something, the newest first."""
        if self.workspace_id is None or not self.has_removed:
            return []
        return removals.of(self.connection, self.workspace_id, path)

    def removed_with(self, path: str) -> list[str]:
        """What the episodes removed in which a file was named first and last."""
        return [] if self.workspace_id is None else removals.beside(self.connection, self.workspace_id, path)

    def once_there(self, paths: Collection[str]) -> set[str]:
        """Those of some files in which something was removed."""
        if self.workspace_id is None or not self.has_removed:
            return set()
        return removals.once_there(self.connection, self.workspace_id, paths)

    def decisions_about(self, path: str) -> list[Entry]:
        """What users decided last about a file, the newest first."""
        if self.workspace_id is None:
            return []
        return [Entry(*row) for row in _DECIDED.all(self.connection, {"w": self.workspace_id, "path": path})]

    def entries_after(self, seq: int) -> Iterator[Entry]:
        """The workspace's Ledger entries behind a place, in order."""
        return self.entries_between(seq, self.head[0]) if self.head is not None else iter(())

    def entries_between(self, seq: int, last: int) -> Iterator[Entry]:
        """The workspace's Ledger entries behind a place, up to another and with it, in order."""
        for after in range(seq, last, EVENTS_AT_ONCE):
            asked = {"w": self.workspace_id, "after": after, "last": min(after + EVENTS_AT_ONCE, last)}
            yield from (Entry(*row) for row in _PIECE.all(self.connection, asked))


class WholeReader(WorkspaceReader):
    """One that reaches into segments, too: for what is made anew from a whole Ledger. ArchivedError where it can't."""

    def entries_between(self, seq: int, last: int) -> Iterator[Entry]:
        """As the other one's."""
        return segments.entries(self.connection, self.workspace_id, seq, last)

    def texts(self, artifacts: Iterable[str]) -> dict[str, str]:
        """As the other one's."""
        return segments.texts(self.connection, artifacts)
