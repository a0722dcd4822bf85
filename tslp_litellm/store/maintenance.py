"""`rebuild` folds the Ledger anew; `verify` proves that nothing was altered (SEMANTICS 6).

Verify checks every content hash, the chain of every workspace, that the State Map is the fold of its Ledger, and the
coherence rule. It reports; it never repairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select, text, update

from tslp_litellm.state.events import GENESIS, Entry, Event, EventKind, chain_hash
from tslp_litellm.state.fold import apply, fold
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Freshness, StateMap
from tslp_litellm.store import postgresql, vault
from tslp_litellm.store.database import Database
from tslp_litellm.store.schema import event_paths, events, state_map, tombstones, workspaces
from tslp_litellm.store.schema import vault as vault_table
from tslp_litellm.store.statements import batches
from tslp_litellm.store.writing import path_rows, state_row, tombstone_row


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is not as it was written. `where`: vault, ledger, state map, coherence or database."""

    where: str
    detail: str


def workspace_names(connection: Connection) -> list[tuple[str, str]]:
    """Tenant and name of every workspace."""
    query = select(workspaces.c.tenant, workspaces.c.name).order_by(workspaces.c.id)
    return [(tenant, name) for tenant, name in connection.execute(query)]


def rebuild(database: Database, also: Callable[[Connection], None] = lambda connection: None) -> int:
    """Drop the State Map of every workspace and fold it anew from the Ledger; the number of events folded.

    `also`: makes other projections anew, in the same transaction.
    """
    with database.writing() as connection:
        if not database.sqlite:
            postgresql.lock_writers(connection)
        connection.execute(delete(state_map))
        connection.execute(delete(tombstones))
        connection.execute(delete(event_paths))
        done = 0
        for workspace_id in list(connection.execute(select(workspaces.c.id).order_by(workspaces.c.id)).scalars()):
            state, last, about = StateMap(), None, list[dict[str, Any]]()
            for entry in _entries(connection, workspace_id):
                apply(state, entry)
                about += _path_rows(entry)
                last, done = entry, done + 1
            for batch in batches(about):
                connection.execute(insert(event_paths), batch)
            _store(connection, workspace_id, state)
            if last is not None:
                connection.execute(
                    update(workspaces)
                    .where(workspaces.c.id == workspace_id)
                    .values(head_seq=last.seq, head_hash=last.hash, episodes=state.episodes)
                )
        also(connection)
        return done


def _entries(connection: Connection, workspace_id: int) -> Iterator[Entry]:
    query = (
        select(events)
        .where(events.c.workspace_id == workspace_id)
        .order_by(events.c.seq)
        .execution_options(yield_per=1000)
    )
    return (Entry(*row) for row in connection.execute(query))


def _path_rows(entry: Entry) -> list[dict[str, Any]]:
    return path_rows(entry, Event(EventKind(entry.kind), tuple(entry.moves()), tuple(entry.content().items())))


def _store(connection: Connection, workspace_id: int, state: StateMap) -> None:
    rows = [state_row(workspace_id, entity, held) for entity, held in state.entities.items()]
    graves = [tombstone_row(workspace_id, entity, grave) for entity, grave in state.tombstones.items()]
    for table, found in ((state_map, rows), (tombstones, graves)):
        for batch in batches(found):
            connection.execute(insert(table), batch)


def verify(
    database: Database, also: Callable[[Connection], Iterable[Problem]] = lambda connection: ()
) -> list[Problem]:
    """All problems found; none if the database is as it was written. `also`: checks other projections."""
    with database.reading() as connection:
        return [*checked(connection), *also(connection)]


def checked(connection: Connection) -> Iterator[Problem]:
    """All problems, on a connection of one's own."""
    for check in (_database, _vault, _ledger, _named, _state_maps, _index, _coherence):
        try:
            yield from check(connection)
        except Exception as error:  # noqa: BLE001 - altered bytes may break whatever reads them
            yield Problem(check.__name__.strip("_").replace("_", " "), f"can't be read: {error}"[:300])


def _database(connection: Connection) -> Iterator[Problem]:
    if connection.dialect.name == "sqlite":
        for line in connection.execute(text("PRAGMA integrity_check")).scalars():
            if line != "ok":
                yield Problem("database", str(line))


def _vault(connection: Connection) -> Iterator[Problem]:
    hashes = []
    for row in connection.execute(select(vault_table).execution_options(yield_per=500)):
        hashes.append(row.hash)
        if vault.checksum(row.encoding, row.body) != row.crc:
            yield Problem("vault", f"{row.hash}: the stored row was altered")
    for batch in batches(hashes):
        yield from _texts(connection, batch)


def _texts(connection: Connection, hashes: list[str]) -> Iterator[Problem]:
    """Whether the texts are the ones that their hashes name; one by one where something is wrong."""
    try:
        vault.get(connection, hashes)
    except vault.AlteredError as error:
        if len(hashes) == 1:
            yield Problem("vault", str(error))
            return
        for artifact in hashes:
            yield from _texts(connection, [artifact])


def _ledger(connection: Connection) -> Iterator[Problem]:
    known = {row.id: row for row in connection.execute(select(workspaces))}
    strays = set(connection.execute(select(events.c.workspace_id).distinct()).scalars()) - known.keys()
    for workspace_id in strays:
        yield Problem("ledger", f"events of workspace {workspace_id}, which does not exist")
    for workspace_id, row in known.items():
        seq, digest, episodes = 0, GENESIS, 0
        for entry in _entries(connection, workspace_id):
            seq += 1
            expected = chain_hash(workspace_id, seq, entry.episode_id, entry.at, entry.kind, entry.body, digest)
            if (entry.seq, entry.prev_hash, entry.hash) != (seq, digest, expected):
                yield Problem("ledger", f"workspace {workspace_id}, event {entry.seq}: the chain is broken")
            if seq == 1 and (
                entry.kind != EventKind.OPENED
                or (entry.content().get("tenant"), entry.content().get("name")) != (row.tenant, row.name)
            ):
                yield Problem("ledger", f"workspace {workspace_id}: it was opened under another name")
            episodes += entry.kind == EventKind.EPISODE
            digest = entry.hash
        if (seq, digest, episodes) != (row.head_seq, row.head_hash, row.episodes):
            yield Problem("ledger", f"workspace {workspace_id}: its last event is not the one noted")


def _named(connection: Connection) -> Iterator[Problem]:
    """Whether every artifact that any event names is in the Vault (SEMANTICS 12, Complete).

    An episode's `answer` is the hash of what was said, which is kept only as far as it was evidence: no artifact.
    """
    first: dict[str, str] = {}
    for workspace_id in list(connection.execute(select(workspaces.c.id)).scalars()):
        for entry in _entries(connection, workspace_id):
            for artifact in _artifacts(entry):
                first.setdefault(artifact, f"workspace {workspace_id}, event {entry.seq}")
    for batch in batches(sorted(first)):
        kept = set(connection.execute(select(vault_table.c.hash).where(vault_table.c.hash.in_(batch))).scalars())
        for artifact in batch:
            if artifact not in kept:
                yield Problem("vault", f"{artifact}: it is not there, and {first[artifact]} names it")


def _artifacts(entry: Entry) -> set[str]:
    """The artifacts that an event names: those of its moves, an audit's, and an episode's prompt."""
    content = entry.content()
    named = {content.get("artifact"), content.get("prompt")}
    named |= {artifact for move in entry.moves() for artifact in (move.artifact, move.replaces)}
    return {artifact for artifact in named if artifact is not None}


def _state_maps(connection: Connection) -> Iterator[Problem]:
    wanted: dict[str, list[dict[str, Any]]] = {"state_map": [], "tombstones": []}
    for workspace_id in list(connection.execute(select(workspaces.c.id)).scalars()):
        state = fold(_entries(connection, workspace_id))
        wanted["state_map"] += [state_row(workspace_id, entity, held) for entity, held in state.entities.items()]
        wanted["tombstones"] += [
            tombstone_row(workspace_id, entity, grave) for entity, grave in state.tombstones.items()
        ]
    for table in (state_map, tombstones):
        want = {tuple(row[c.name] for c in table.columns) for row in wanted[table.name]}
        have = {tuple(row) for row in connection.execute(select(table))}
        for row in sorted(want ^ have, key=str):
            yield Problem(
                "state map",
                f"{table.name}: {row[:2]} is {'missing or altered' if row in want else 'not what the Ledger says'}",
            )


def _index(connection: Connection) -> Iterator[Problem]:
    """Whether the index by file is that of the Ledger: without it a history would have gaps."""
    for workspace_id in list(connection.execute(select(workspaces.c.id)).scalars()):
        want = {(row["path"], row["seq"]) for entry in _entries(connection, workspace_id) for row in _path_rows(entry)}
        query = select(event_paths.c.path, event_paths.c.seq).where(event_paths.c.workspace_id == workspace_id)
        for path, seq in sorted(want ^ {(row.path, row.seq) for row in connection.execute(query)}):
            yield Problem("index", f"{path}: event {seq} is missing, or is not about it; `tslp rebuild` makes it anew")


def _coherence(connection: Connection) -> Iterator[Problem]:
    """Where a file's text is known, every clean symbol under it is a slice of it; every artifact is in the Vault."""
    files: dict[tuple[int, str], str] = {}
    rows = list(
        connection.execute(
            select(state_map.c.workspace_id, state_map.c.entity, state_map.c.artifact, state_map.c.freshness)
        )
    )
    for workspace_id, entity, artifact, freshness in rows:
        if Entity.parse(entity).symbol is None and freshness == Freshness.CLEAN:
            files[workspace_id, entity] = artifact
    for batch in batches(rows):
        texts = vault.get(
            connection,
            {r[2] for r in batch} | {files[k] for r in batch if (k := (r[0], Entity.parse(r[1]).path)) in files},
        )
        for workspace_id, entity, artifact, freshness in batch:
            whole = files.get((workspace_id, Entity.parse(entity).path))
            if artifact not in texts:
                yield Problem("coherence", f"{entity}: its text {artifact} is not in the Vault")
            elif whole is not None and freshness == Freshness.CLEAN and texts[artifact] not in texts.get(whole, ""):
                yield Problem("coherence", f"{entity}: it is no part of its file")
