"""What a visit needs to know of its workspace, read in one snapshot."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, Select, func, select

from tslp_litellm.resolution.bench import Flag
from tslp_litellm.resolution.files import FileState, Known
from tslp_litellm.state.events import Entry
from tslp_litellm.state.model import Freshness, Source, Tracked
from tslp_litellm.store import vault
from tslp_litellm.store.schema import conversation_items, conversations, events, state_map, tombstones, workspaces

_BATCH = 500
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Conversation:
    """What is remembered of a conversation, its items aside.

    `turn_digest` is the user prompt that the present turn answers, `turn_flags` what its notices say; `next_flags`
    wait for the next prompt.
    """

    id: str
    items: int = 0
    last_episode: str | None = None
    turn_digest: bytes | None = None
    turn_flags: tuple[Flag, ...] = ()
    next_flags: tuple[Flag, ...] = ()


def batches(values: Iterable[T]) -> list[list[T]]:
    """Values in pieces that fit into one statement."""
    ordered = list(values)
    return [ordered[at : at + _BATCH] for at in range(0, len(ordered), _BATCH)]


class Reading:
    """One workspace in one snapshot. A workspace that does not exist yet is empty."""

    def __init__(self, connection: Connection, tenant: str, name: str) -> None:
        self.connection, self.tenant, self.name = connection, tenant, name
        row = self._workspace()
        self.workspace_id: int | None = row.id if row else None
        self.episodes: int = row.episodes if row else 0
        self.head: tuple[int, str] | None = (row.head_seq, row.head_hash) if row else None

    def _workspace(self) -> Row[tuple[int, int, str, int]] | None:
        return self.connection.execute(self._workspace_query()).one_or_none()

    def _workspace_query(self) -> Select[tuple[int, int, str, int]]:
        return select(workspaces.c.id, workspaces.c.head_seq, workspaces.c.head_hash, workspaces.c.episodes).where(
            workspaces.c.tenant == self.tenant, workspaces.c.name == self.name
        )

    # -- the State Map

    def files(self, paths: Collection[str]) -> dict[str, FileState]:
        """What is known of some files. Symbols of a file whose text is known carry no text of their own."""
        rows: dict[str, list[Any]] = defaultdict(list)
        columns = state_map.c
        for batch in batches(paths) if self.workspace_id is not None else ():
            query = select(columns.path, columns.symbol, columns.artifact, columns.freshness, columns.source).where(
                columns.workspace_id == self.workspace_id, columns.path.in_(batch)
            )
            for row in self.connection.execute(query):
                rows[row.path].append(row)
        return {path: self._file(path, found) for path, found in rows.items()}

    def _file(self, path: str, rows: Sequence[Any]) -> FileState:
        known = {row.symbol: Known(row.artifact, "", Freshness(row.freshness), Source(row.source)) for row in rows}
        whole = known.get(None)
        needed = [
            k.artifact
            for symbol, k in known.items()
            if symbol is None or whole is None or not whole.clean or k.source is Source.PATTERN
        ]
        texts = vault.get(self.connection, needed)
        known = {symbol: replace(k, text=texts.get(k.artifact, "")) for symbol, k in known.items()}
        return FileState(path, known.pop(None, None), {s: k for s, k in known.items() if s is not None})

    def tracked(
        self, *, paths: Collection[str] = (), basenames: Collection[str] = (), leaves: Collection[str] = ()
    ) -> list[Tracked]:
        """State Map rows with one of those paths, base names (files only) or last parts of a symbol."""
        if self.workspace_id is None:
            return []
        columns = state_map.c
        found: dict[str, Tracked] = {}
        for condition, values in ((columns.path, paths), (columns.basename, basenames), (columns.leaf, leaves)):
            for batch in batches(values):
                query = select(
                    columns.entity, columns.path, columns.symbol, columns.artifact, columns.freshness, columns.source
                ).where(columns.workspace_id == self.workspace_id, condition.in_(batch))
                for row in self.connection.execute(query):
                    found[row.entity] = Tracked(
                        row.entity,
                        row.path,
                        row.symbol,
                        row.artifact,
                        row.freshness == Freshness.CLEAN,
                        Source(row.source),
                    )
        return list(found.values())

    def holders(self, names: Collection[str]) -> dict[str, frozenset[str]]:
        """Symbol -> the files in which a symbol of that full name is tracked."""
        found: dict[str, set[str]] = defaultdict(set)
        for row in self.tracked(leaves={name.rsplit(".", 1)[-1].partition("#")[0] for name in names}):
            if row.symbol in names:
                found[row.symbol or ""].add(row.path)
        return {name: frozenset(paths) for name, paths in found.items()}

    def texts(self, artifacts: Iterable[str]) -> dict[str, str]:
        """Texts by hash."""
        return vault.get(self.connection, list(artifacts))

    def expired(self, after_episodes: int) -> list[str]:
        """Tombstones that have been listed long enough."""
        if self.workspace_id is None:
            return []
        query = select(tombstones.c.entity).where(
            tombstones.c.workspace_id == self.workspace_id, tombstones.c.episode <= self.episodes - after_episodes
        )
        return sorted(self.connection.execute(query).scalars())

    # -- conversations

    def related(self, digests: Collection[bytes], limit: int = 4) -> list[str]:
        """The conversations that hold most of those items, best and newest first."""
        counts: dict[str, int] = defaultdict(int)
        columns = conversation_items.c
        for batch in batches(set(digests)) if self.workspace_id is not None else ():
            query = (
                select(columns.conversation_id, func.count())
                .where(columns.workspace_id == self.workspace_id, columns.digest.in_(batch))
                .group_by(columns.conversation_id)
            )
            for conversation, n in self.connection.execute(query):
                counts[conversation] += n
        return sorted(counts, key=lambda c: (counts[c], c), reverse=True)[:limit]

    def memory(self, conversation: str, digests: Collection[bytes]) -> dict[bytes, list[int]]:
        """Where in a conversation those items were said, and where its last one was."""
        found: dict[bytes, list[int]] = defaultdict(list)
        columns = conversation_items.c
        for batch in batches(set(digests)):
            query = (
                select(columns.digest, columns.ordinal)
                .where(
                    columns.workspace_id == self.workspace_id,
                    columns.conversation_id == conversation,
                    columns.digest.in_(batch),
                )
                .order_by(columns.ordinal)
            )
            for digest, ordinal in self.connection.execute(query):
                found[bytes(digest)].append(ordinal)
        return dict(found)

    def conversation(self, conversation_id: str) -> Conversation | None:
        """A conversation by its id."""
        columns = conversations.c
        row = self.connection.execute(
            select(conversations).where(columns.workspace_id == self.workspace_id, columns.id == conversation_id)
        ).one_or_none()
        if row is None:
            return None
        return Conversation(
            row.id,
            row.items,
            row.last_episode,
            bytes(row.turn_digest) if row.turn_digest is not None else None,
            _flags(row.turn_flags),
            _flags(row.next_flags),
        )

    # -- the Ledger

    def entries_of(self, episode_id: str) -> list[Entry]:
        """An episode's Ledger entries, in order."""
        query = (
            select(events)
            .where(events.c.workspace_id == self.workspace_id, events.c.episode_id == episode_id)
            .order_by(events.c.seq)
        )
        return [Entry(*row) for row in self.connection.execute(query)]

    def entries_after(self, seq: int) -> Iterator[Entry]:
        """The workspace's Ledger entries behind a place, in order."""
        query = (
            select(events).where(events.c.workspace_id == self.workspace_id, events.c.seq > seq).order_by(events.c.seq)
        )
        return (Entry(*row) for row in self.connection.execute(query))


def _flags(text: str) -> tuple[Flag, ...]:
    return tuple(Flag(f["kind"], tuple(f["entities"]), f["detail"]) for f in json.loads(text))
