"""`rebuild` folds the Ledger anew; `verify` proves that nothing was altered (SEMANTICS 6).

Verify checks every content hash, the chain of every workspace, that the State Map is the fold of its Ledger, and the
coherence rule. It reports; it never repairs.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select, text, update

from tslp_litellm.history import snapshots
from tslp_litellm.history.segments import Segment, digest, was_erased
from tslp_litellm.state.events import GENESIS, Entry, Event, EventKind, Op, chain_hash
from tslp_litellm.state.fold import apply, apply_move
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Freshness, StateMap
from tslp_litellm.store import postgresql, projection, segments, vault
from tslp_litellm.store.database import Database
from tslp_litellm.store.projection import Mark, noted, rows_of
from tslp_litellm.store.schema import event_paths, events, state_map, texts_gone, tombstones, workspaces
from tslp_litellm.store.schema import vault as vault_table
from tslp_litellm.store.statements import batches
from tslp_litellm.store.writing import path_rows


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is not as it was written. `where`: vault, ledger, succession, state map, coherence, …"""

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
        known = list(connection.execute(select(workspaces.c.id).order_by(workspaces.c.id)).scalars())
        for table in _PROJECTED:
            connection.execute(delete(table).where(table.c.workspace_id.not_in(known)))
        done = sum(_folded(connection, workspace_id) for workspace_id in known)
        for workspace_id in known:
            _index_archived(connection, workspace_id)
        also(connection)
        return done


_PROJECTED = (state_map, tombstones, event_paths)


def _folded(connection: Connection, workspace_id: int) -> int:
    """A workspace's State Map made anew from its Ledger, behind what is in segments; the number of its events."""
    base = segments.base(connection, workspace_id)
    after, state = (base[0].seq - 1, copy.deepcopy(base[1])) if base is not None else (0, StateMap())
    for table in _PROJECTED:
        gone = delete(table).where(table.c.workspace_id == workspace_id)
        connection.execute(gone if table is not event_paths else gone.where(event_paths.c.seq > after))
    last, about = None, list[dict[str, Any]]()
    for entry in entries_after(connection, workspace_id, after):
        apply(state, entry)
        about += _path_rows(entry)
        last = entry
    for batch in batches(about):
        connection.execute(insert(event_paths), batch)
    rows = rows_of(workspace_id, state)
    _store(connection, rows)
    mark = Mark().moved((), rows)
    seq, digest = (last.seq, last.hash) if last is not None else (0, GENESIS)
    connection.execute(
        update(workspaces)
        .where(workspaces.c.id == workspace_id)
        .values(head_seq=seq, head_hash=digest, episodes=state.episodes, rows=mark.rows, digest=mark.digest)
    )
    return seq


def _index_archived(connection: Connection, workspace_id: int) -> None:
    """The index by file of what is in segments made anew, as far as these can be read."""
    for segment in segments.out(connection, workspace_id):
        try:
            entries = segments.loaded(segment).entries
        except segments.ArchivedError:
            continue
        p = event_paths.c
        inside = (p.workspace_id == workspace_id, p.seq >= segment.first, p.seq <= segment.last)
        connection.execute(delete(event_paths).where(*inside))
        for batch in batches([row for entry in entries for row in _path_rows(entry)]):
            connection.execute(insert(event_paths), batch)


def heal(database: Database, tenant: str, name: str) -> bool:
    """Make a State Map anew that is not that of its Ledger, under the workspace's lock; whether it was so.

    One that was never counted, as a release before this one left it, is only counted where it is what it should be.
    """
    named = (workspaces.c.tenant == tenant, workspaces.c.name == name)
    chosen = select(workspaces.c.id, workspaces.c.digest).where(*named)
    with database.reading() as connection:
        row = connection.execute(chosen).one_or_none()
        if row is None or projection.is_sound(connection, row.id):
            return False
    with database.writing() as connection:
        row = connection.execute(chosen.with_for_update() if not database.sqlite else chosen).one()
        if projection.is_sound(connection, row.id):
            return False
        was_right = row.digest is None and not any(_state_map(connection, row.id))
        _folded(connection, row.id)
        return not was_right


def _entries(connection: Connection, workspace_id: int) -> Iterator[Entry]:
    """Its events, but those in segments that can't be read, which `_archive` tells of."""
    return (one for one in segments.walk(connection, workspace_id) if isinstance(one, Entry))


def entries_after(connection: Connection, workspace_id: int, seq: int) -> Iterator[Entry]:
    """A workspace's Ledger entries behind a place, in order, as they are read; those in the database."""
    return segments.stored(connection, workspace_id, seq)


def _path_rows(entry: Entry) -> list[dict[str, Any]]:
    return path_rows(entry, Event(EventKind(entry.kind), tuple(entry.moves()), tuple(entry.content().items())))


def _store(connection: Connection, rows: list[dict[str, Any]]) -> None:
    for table in (state_map, tombstones):
        for batch in batches([row for row in rows if row.keys() == set(table.columns.keys())]):
            connection.execute(insert(table), batch)


def verify(
    database: Database, also: Callable[[Connection], Iterable[Problem]] = lambda connection: ()
) -> list[Problem]:
    """All problems found; none if the database is as it was written. `also`: checks other projections."""
    with database.reading() as connection:
        return [*checked(connection), *also(connection)]


def checked(connection: Connection) -> Iterator[Problem]:
    """All problems, on a connection of one's own."""
    for check in (_database, _vault, _archive, _ledger, _named, _erasures, _state_maps, _index, _coherence):
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


def _archive(connection: Connection) -> Iterator[Problem]:
    """Whether every segment can be read, is what was written, and says what the database still has of it."""
    for workspace_id in list(connection.execute(select(workspaces.c.id)).scalars()):
        for segment in segments.out(connection, workspace_id):
            try:
                entries = segments.loaded(segment).entries
                here = segments.stored(connection, workspace_id, segment.first - 1, segment.last)
                for entry in set(here) - {*entries}:
                    yield Problem("ledger", f"workspace {workspace_id}, event {entry.seq}: the archive has another one")
            except segments.ArchivedError as error:
                said = f"workspace {workspace_id}, events {segment.first} to {segment.last} were not checked. {error}"
                yield Problem("archive", said)


def _ledger(connection: Connection) -> Iterator[Problem]:
    known = {row.id: row for row in connection.execute(select(workspaces))}
    strays = set(connection.execute(select(events.c.workspace_id).distinct()).scalars()) - known.keys()
    for workspace_id in strays:
        yield Problem("ledger", f"events of workspace {workspace_id}, which does not exist")
    for workspace_id, row in known.items():
        seq, digest, episodes, erased, unread = 0, GENESIS, 0, 0, False
        for entry in segments.walk(connection, workspace_id):
            if isinstance(entry, segments.ArchivedError):
                seq, digest, episodes = entry.segment.last, entry.segment.hash, episodes + entry.segment.episodes
                unread = True
                continue
            seq += 1
            expected = chain_hash(workspace_id, seq, entry.episode_id, entry.at, entry.kind, entry.body, digest)
            if was_erased(entry.kind, entry.body):
                expected, erased = entry.hash, erased + 1  # only the chain's hashes are left of it
            erased -= entry.content()["words"] if entry.kind == EventKind.ERASED else 0
            if (entry.seq, entry.prev_hash, entry.hash) != (seq, digest, expected):
                yield Problem("ledger", f"workspace {workspace_id}, event {entry.seq}: the chain is broken")
            if seq == 1 and (
                entry.kind != EventKind.OPENED
                or (entry.content().get("tenant"), entry.content().get("name")) != (row.tenant, row.name)
            ):
                yield Problem("ledger", f"workspace {workspace_id}: it was opened under another name")
            episodes += entry.kind == EventKind.EPISODE
            digest = entry.hash
        if erased and not unread:
            yield Problem("ledger", f"workspace {workspace_id}: other words are missing than were erased")
        if (seq, digest, episodes) != (row.head_seq, row.head_hash, row.episodes):
            yield Problem("ledger", f"workspace {workspace_id}: its last event is not the one noted")


def _named(connection: Connection) -> Iterator[Problem]:
    """Whether every artifact that any event names is in the Vault or in a segment (SEMANTICS 12, Complete), but those
    that were erased, and those that only a segment holds that can't be read.

    An episode's `answer` is the hash of what was said, which is kept only as far as it was evidence: no artifact.
    """
    first: dict[str, str] = {}
    for workspace_id in list(connection.execute(select(workspaces.c.id)).scalars()):
        for entry in _entries(connection, workspace_id):
            for artifact in artifacts(entry):
                first.setdefault(artifact, f"workspace {workspace_id}, event {entry.seq}")
    for batch in batches(sorted(first)):
        kept = vault.kept(connection, batch)
        gone = segments.gone(connection, set(batch) - kept)
        for artifact in batch:
            if artifact not in kept and not _is_elsewhere(connection, artifact, gone.get(artifact, [])):
                yield Problem("vault", f"{artifact}: it is not there, and {first[artifact]} names it")


def _is_elsewhere(connection: Connection, artifact: str, places: list[tuple[int, int, str]]) -> bool:
    """Whether a text that is not in the Vault was erased, or is in a segment, as far as these can be read."""
    if any(kind == EventKind.ERASED for _, _, kind in places):
        return True
    try:
        return bool(places) and artifact in segments.texts(connection, [artifact])
    except segments.ArchivedError:
        return True


def _erasures(connection: Connection) -> Iterator[Problem]:
    """Whether what is said to be erased is what the Ledger says was."""
    of = (texts_gone.c.workspace_id == events.c.workspace_id) & (texts_gone.c.seq == events.c.seq)
    for row in connection.execute(select(events).where(events.c.kind == EventKind.ERASED.value)).all():
        entry = Entry(*row)
        query = select(texts_gone.c.hash).join(events, of)
        mine = query.where(events.c.workspace_id == entry.workspace_id, events.c.seq == entry.seq)
        if digest([*connection.execute(mine).scalars()]) != entry.content()["digest"]:
            yield Problem("vault", f"workspace {entry.workspace_id}, event {entry.seq}: it erased other texts")


def artifacts(entry: Entry) -> set[str]:
    """The texts that an event names: those of its moves, an audit's, an episode's prompt, its notices and its calls', a
    snapshot."""
    content = entry.content()
    named = {content.get(key) for key in ("artifact", "prompt", "snapshot")}
    named |= {*content.get("told", ()), *(artifact for _, _, artifact in entry.calls())}
    named |= {artifact for move in entry.moves() for artifact in (move.artifact, move.replaces)}
    return {artifact for artifact in named if artifact is not None}


def _state_maps(connection: Connection) -> Iterator[Problem]:
    known = list(connection.execute(select(workspaces.c.id)).scalars())
    for workspace_id in known:
        yield from _state_map(connection, workspace_id)
    for table in (state_map, tombstones):
        for row in connection.execute(select(table).where(table.c.workspace_id.not_in(known))):
            yield Problem("state map", f"{table.name}: {tuple(row)[:2]} is not what the Ledger says")


def _state_map(connection: Connection, workspace_id: int) -> Iterator[Problem]:
    state, behind = StateMap(), False
    for entry in segments.walk(connection, workspace_id):
        if isinstance(entry, segments.ArchivedError):
            behind = True
            continue
        if behind and entry.kind == EventKind.CHECKPOINT:
            state, behind = segments.snapshot(connection, entry), False
        if entry.kind == EventKind.CHECKPOINT and not snapshots.holds(entry, state):
            yield Problem(
                "ledger", f"workspace {workspace_id}, event {entry.seq}: no checkpoint of the State Map there"
            )
        for move in entry.moves():
            held = state.entities.get(move.entity or "")
            if move.op is Op.PROMOTE and move.replaces != (held.artifact if held is not None else None):
                yield Problem(
                    "succession", f"workspace {workspace_id}, event {entry.seq}: {move.entity} replaces another text"
                )
            apply_move(state, move, entry.at)
        state.episodes += entry.kind == EventKind.EPISODE
    rows = rows_of(workspace_id, state)
    for table in (state_map, tombstones):
        names = table.columns.keys()
        want = {tuple(row[name] for name in names) for row in rows if row.keys() == set(names)}
        have = {tuple(row) for row in connection.execute(select(table).where(table.c.workspace_id == workspace_id))}
        for row in sorted(want ^ have, key=str):
            said = "missing or altered" if row in want else "not what the Ledger says"
            yield Problem("state map", f"{table.name}: {row[:2]} is {said}")
    kept = connection.execute(select(workspaces.c.rows, workspaces.c.digest).where(workspaces.c.id == workspace_id))
    said_rows, digest = kept.one()
    if digest is not None and noted(said_rows, digest) != Mark().moved((), rows):
        yield Problem("state map", f"workspace {workspace_id}: the number or the digest of its rows is another one")


def _index(connection: Connection) -> Iterator[Problem]:
    """Whether the index by file is that of the Ledger: without it a history would have gaps."""
    for workspace_id in list(connection.execute(select(workspaces.c.id)).scalars()):
        want, unread = set[tuple[str, int]](), list[Segment]()
        for entry in segments.walk(connection, workspace_id):
            if isinstance(entry, segments.ArchivedError):
                unread.append(entry.segment)
            else:
                want |= {(row["path"], row["seq"]) for row in _path_rows(entry)}
        query = select(event_paths.c.path, event_paths.c.seq).where(event_paths.c.workspace_id == workspace_id)
        have = {(row.path, row.seq) for row in connection.execute(query)}
        for path, seq in sorted(want ^ have):
            if not any(one.first <= seq <= one.last for one in unread):
                said = f"{path}: event {seq} is missing, or is not about it; `tslp rebuild` makes it anew"
                yield Problem("index", said)


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
