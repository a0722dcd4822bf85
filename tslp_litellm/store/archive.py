"""`tslp archive` and `tslp restore`: events leave the database for segments, and come back (SEMANTICS 12).

A segment is written, read back and compared before a row goes; its event, what it took along, and the rows that go are
one transaction. A process that dies before leaves a file that no Ledger names, and nothing else.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field

from sqlalchemy import Connection, delete, func, insert, select

from tslp_litellm.history import snapshots
from tslp_litellm.history.points import Point
from tslp_litellm.history.segments import (
    RESUMED,
    STAYING,
    SUFFIX,
    Contents,
    Segment,
    SegmentError,
    digest,
    listed,
    packed,
    unpacked,
)
from tslp_litellm.state.events import RECORDS, Entry, EventKind
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.state.values import Slice
from tslp_litellm.store import as_of, postgresql, segments, vault
from tslp_litellm.store.database import Database, StoreError
from tslp_litellm.store.folders import Folder
from tslp_litellm.store.maintenance import artifacts
from tslp_litellm.store.reading import EVENTS_BACK
from tslp_litellm.store.schema import (
    conversations,
    events,
    state_map,
    texts_gone,
    tombstones,
    uses_heads,
    webhook_cursors,
    webhooks,
    workspaces,
)
from tslp_litellm.store.schema import vault as vault_table
from tslp_litellm.store.statements import batches
from tslp_litellm.store.writing import WorkspaceWriter

EVENTS_MAX = 5_000
"""So many events one segment holds, or as many as lie between two checkpoints."""
HASH = re.compile(r"[0-9a-f]{64}")
_SILENT = (EventKind.CHECKPOINT, *RECORDS)
_W = workspaces.c
Hooks = Callable[[WorkspaceKey], Collection[str] | None]
"""Those that are to hear of a workspace; None for all that were ever known."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What becomes one segment: events `first` to `last` of a workspace. A checkpoint stands behind it."""

    workspace_id: int
    key: WorkspaceKey
    first: int
    last: int


@dataclass(slots=True)
class Plan:
    """Pieces in their order; which of them a text leaves with, the last that names it; what is kept as a part of such
    a text; up to which places the Ledgers were read for what they name."""

    pieces: list[Piece] = field(default_factory=list)
    leaves: dict[str, int] = field(default_factory=dict)
    parts: dict[str, list[str]] = field(default_factory=dict)
    read: dict[int, int] = field(default_factory=dict)


def archive(
    database: Database,
    to: Folder,
    at: str,
    before: Point | None = None,
    only: WorkspaceKey | None = None,
    hooks: Hooks = lambda key: (),
) -> Iterator[tuple[WorkspaceKey, Segment]]:
    """Write what may leave to segments, and remove its rows; each segment as soon as that is done.

    `before`: the last point that may leave; all but the newest EVENTS_BACK events if not given. `hooks`: the webhooks
    that are still to hear of what happens in a workspace. StoreError where the folder can't be used, or does not give
    back what was written: then nothing has left with that segment.
    """
    if before is not None:
        _close(database, at, before, only)
    with database.reading() as connection:
        plan = planned(connection, before, only, hooks)
    for number, piece in enumerate(plan.pieces):
        mine = {artifact for artifact, last in plan.leaves.items() if last == number}
        with database.reading() as connection:
            contents = Contents(
                tuple(segments.stored(connection, piece.workspace_id, piece.first - 1, piece.last)),
                _texts(connection, piece, mine),
            )
        segment = _written(to, contents)
        with database.writing() as connection:
            _remove(connection, database.sqlite, piece, segment, contents, plan, at)
        yield piece.key, segment


def _close(database: Database, at: str, before: Point, only: WorkspaceKey | None) -> None:
    """A checkpoint at the end of each workspace all of which may leave: it is what stays."""
    with database.reading() as connection:
        due = [
            key
            for workspace_id, key, head in _workspaces(connection, only)
            if (as_of.seq_of(connection, workspace_id, before) or 0) >= head
            and _pieces(connection, workspace_id, key, head + 1)
        ]
    for key in due:
        with database.writing() as connection:
            WorkspaceWriter(connection, *key, at).checkpoint(at)


def _workspaces(connection: Connection, only: WorkspaceKey | None) -> list[tuple[int, WorkspaceKey, int]]:
    query = select(_W.id, _W.tenant, _W.name, _W.head_seq).order_by(_W.id)
    if only is not None:
        query = query.where(_W.tenant == only.tenant, _W.name == only.workspace)
    return [(row.id, WorkspaceKey(row.tenant, row.name), row.head_seq) for row in connection.execute(query)]


# -- what leaves


def planned(
    connection: Connection, before: Point | None, only: WorkspaceKey | None = None, hooks: Hooks = lambda key: ()
) -> Plan:
    """What may leave: of each workspace what lies before a checkpoint, and the texts that nothing else names."""
    plan = Plan()
    for workspace_id, key, head in _workspaces(connection, only):
        limit = head - EVENTS_BACK if before is None else as_of.seq_of(connection, workspace_id, before) or 0
        needed = _needed(connection, workspace_id, min(limit, head), hooks(key))
        end = _end(connection, workspace_id, min(limit, head, *needed))
        if end is not None:
            plan.pieces += _pieces(connection, workspace_id, key, end)
    for number, piece in enumerate(plan.pieces):
        for entry in segments.stored(connection, piece.workspace_id, piece.first - 1, piece.last):
            plan.leaves |= dict.fromkeys(named(connection, entry), number)
    if plan.leaves:
        _keep(connection, plan)
    return plan


def _end(connection: Connection, workspace_id: int, limit: int) -> int | None:
    """The checkpoint before which all may leave: the last one behind nothing but what may."""
    query = select(func.max(events.c.seq)).where(
        events.c.workspace_id == workspace_id, events.c.kind == EventKind.CHECKPOINT.value, events.c.seq <= limit + 1
    )
    found: int | None = connection.execute(query).scalar_one()
    return found


def _needed(connection: Connection, workspace_id: int, limit: int, hooks: Collection[str] | None) -> Iterator[int]:
    """The last events that may leave by those who have not read all yet: the uses, webhooks, conversations that went on
    since."""
    read = select(uses_heads.c.seq).where(uses_heads.c.workspace_id == workspace_id)
    yield connection.execute(read).scalar_one_or_none() or 0
    mine = (webhook_cursors.c.webhook == webhooks.c.webhook) & (webhook_cursors.c.workspace_id == workspace_id)
    told = select(func.coalesce(webhook_cursors.c.seq, 0)).select_from(webhooks.outerjoin(webhook_cursors, mine))
    yield from connection.execute(told if hooks is None else told.where(webhooks.c.webhook.in_(hooks))).scalars()
    before = select(events.c.at).where(events.c.workspace_id == workspace_id, events.c.seq <= limit)
    since = connection.execute(before.order_by(events.c.seq.desc()).limit(1)).scalar_one_or_none() or ""
    c = conversations.c
    last = (events.c.workspace_id == c.workspace_id) & (events.c.episode_id == c.last_episode)
    turns = select(func.min(events.c.seq)).select_from(conversations.join(events, last))
    turns = turns.where(events.c.kind.not_in([str(kind) for kind in STAYING]))  # such may be here of one that left
    found = connection.execute(turns.where(c.workspace_id == workspace_id, c.used_at > since)).scalar_one()
    yield found - 1 if found is not None else limit


def _pieces(connection: Connection, workspace_id: int, key: WorkspaceKey, end: int) -> list[Piece]:
    """The pieces of what is in the database before a place, each up to a checkpoint or another segment."""
    found, first = list[Piece](), 1
    away = [one for one in segments.out(connection, workspace_id) if one.first < end]
    for last, following in [*((one.first - 1, one.last + 1) for one in away), (end - 1, end)]:
        found += _cut(connection, workspace_id, key, first, last)
        first = following
    return found


def _cut(connection: Connection, workspace_id: int, key: WorkspaceKey, first: int, last: int) -> Iterator[Piece]:
    inside = (events.c.workspace_id == workspace_id, events.c.seq >= first, events.c.seq <= last)
    told = select(events.c.seq).where(*inside, events.c.kind.not_in([str(kind) for kind in _SILENT])).limit(1)
    if connection.execute(told).first() is None:
        return  # to write down where a piece is takes as much as it does
    marks = select(events.c.seq).where(*inside, events.c.kind == EventKind.CHECKPOINT.value).order_by(events.c.seq)
    ends = [*(seq - 1 for seq in connection.execute(marks).scalars() if seq > first), last]
    while first <= last:
        fitting = [end for end in ends if first <= end < first + EVENTS_MAX]
        end = max(fitting, default=min(end for end in ends if end >= first))
        yield Piece(workspace_id, key, first, end)
        first = end + 1


def named(connection: Connection, entry: Entry) -> set[str]:
    """The texts that an event names, and those that a checkpoint's State Map does."""
    found = artifacts(entry) | {str(entry.content().get("answer"))}
    if entry.kind == EventKind.CHECKPOINT:
        found |= _of_snapshot(connection, entry)
    return found


def _of_snapshot(connection: Connection, checkpoint: Entry) -> set[str]:
    root = snapshots.root(checkpoint)
    return {*HASH.findall(segments.texts(connection, [root]).get(root, ""))}


def _keep(connection: Connection, plan: Plan) -> None:
    """Let stay what else is named: by State Maps and tombstones, by events that stay, by what is remembered of
    conversations."""
    for table in (state_map, tombstones):
        _stay(plan, connection.execute(select(table.c.artifact)).scalars())
    flags = select(conversations.c.turn_flags, conversations.c.next_flags, conversations.c.left_out)
    _stay(plan, _hashes(connection.execute(flags)))
    for workspace_id, _, head in _workspaces(connection, None):
        mine = [piece for piece in plan.pieces if piece.workspace_id == workspace_id]
        plan.read[workspace_id] = head
        ends = [one.last for one in segments.out(connection, workspace_id)] + [piece.last for piece in mine]
        for mark in segments.at(connection, workspace_id, [max(ends) + 1] if ends else []):
            _stay(plan, _of_snapshot(connection, mark))
        query = select(events.c.seq, events.c.body).where(events.c.workspace_id == workspace_id)
        for seq, body in connection.execute(query.execution_options(yield_per=500)):
            if not any(piece.first <= seq <= piece.last for piece in mine):
                _stay(plan, HASH.findall(body))
    for part, whole in parts(connection):
        if whole in plan.leaves:
            plan.parts.setdefault(whole, []).append(part)


def _stay(plan: Plan, hashes: Iterable[str]) -> None:
    for artifact in hashes:
        plan.leaves.pop(artifact, None)


def _hashes(rows: Iterable[Iterable[str]]) -> Iterator[str]:
    return itertools.chain.from_iterable(HASH.findall(said) for row in rows for said in row)


def parts(connection: Connection) -> Iterator[tuple[str, str]]:
    """The texts that are kept as a part of another, each with that."""
    query = select(vault_table.c.hash, vault_table.c.body).where(vault_table.c.encoding == vault.SLICE)
    rows = connection.execute(query.execution_options(yield_per=500))
    return ((artifact, bytes(body).decode().split(":")[0]) for artifact, body in rows)


def _texts(connection: Connection, piece: Piece, hashes: set[str]) -> dict[str, str | Slice]:
    """Texts as a segment holds them: the versions of a file side by side, and parts of others behind those."""
    order: dict[str, tuple[str, int]] = {}
    for entry in segments.stored(connection, piece.workspace_id, piece.first - 1, piece.last):
        for artifact in named(connection, entry) & hashes:
            order.setdefault(artifact, ("", entry.seq))
        for move in entry.moves():
            if move.artifact in hashes and order.get(move.artifact or "", ("",))[0] == "":
                order[move.artifact or ""] = (move.entity or "", entry.seq)
    parts = vault.parts(connection, hashes)
    texts = {k: v for batch in batches(order) for k, v in vault.get(connection, batch).items()}
    inside = {k: part for k, part in parts.items() if part.whole in texts and part.whole not in parts}
    wholes: dict[str, str | Slice] = {k: texts[k] for k in sorted(texts.keys() - inside.keys(), key=order.__getitem__)}
    return wholes | {k: inside[k] for k in sorted(inside, key=order.__getitem__)}


# -- out, and back


def _written(to: Folder, contents: Contents) -> Segment:
    """The segment, which is where it should be and says what it should."""
    data, first, last = packed(contents), contents.entries[0], contents.entries[-1]
    sha256 = hashlib.sha256(data).hexdigest()
    segment = Segment(
        first=first.seq,
        last=last.seq,
        prev=first.prev_hash,
        hash=last.hash,
        file=f"w{first.workspace_id}-{first.seq}-{last.seq}-{sha256[:16]}{SUFFIX}",
        folder=to.name,
        sha256=sha256,
        bytes=len(data),
        episodes=sum(entry.kind == EventKind.EPISODE for entry in contents.entries),
        texts=len(contents.texts),
        digest=digest([*contents.texts]),
        holds=listed(contents.entries),
    )
    to.write(segment.file, data)
    if _read(to, segment) != contents:
        raise StoreError(f"{segment.file} does not give back what was written to it; nothing has left the database.")
    return segment


def _read(source: Folder, segment: Segment) -> Contents:
    try:
        return unpacked(source.read(segment.file), segment)
    except SegmentError as error:
        raise StoreError(f"{segment.file} is not what was written: {error}.") from None


def _remove(
    connection: Connection, sqlite: bool, piece: Piece, segment: Segment, contents: Contents, plan: Plan, at: str
) -> None:
    """Record a segment, and remove its rows, but what has come to be named since the plan was made."""
    if not sqlite:
        postgresql.lock_writers(connection)
    writer = WorkspaceWriter(connection, *piece.key, at)
    if tuple(segments.stored(connection, piece.workspace_id, piece.first - 1, piece.last)) != contents.entries:
        raise StoreError("The Ledger is not what it was: is another `tslp archive` at work?")
    for workspace_id, _, head in _workspaces(connection, None):
        for entry in segments.stored(connection, workspace_id, plan.read.get(workspace_id, 0), head):
            _stay(plan, HASH.findall(entry.body))
        plan.read[workspace_id] = head
    gone = [artifact for artifact in contents.texts if artifact in plan.leaves]
    writer.append([segment.event()], None, at)
    number = plan.pieces.index(piece)
    stays = [p for whole in gone for p in plan.parts.get(whole, ()) if plan.leaves.get(p, number + 1) > number]
    let_go(connection, piece.workspace_id, EventKind.ARCHIVED, gone, stays)
    inside = (events.c.workspace_id == piece.workspace_id, events.c.seq >= piece.first, events.c.seq <= piece.last)
    connection.execute(delete(events).where(*inside, events.c.kind.not_in([str(k) for k in (*RECORDS, *STAYING)])))
    for kind, number in RESUMED.items():
        _remove_old(connection, piece.workspace_id, kind, number)


def _remove_old(connection: Connection, workspace_id: int, kind: EventKind, number: int) -> None:
    """Remove what segments hold of a kind, but for the newest, and reports of tests as far back as `--at green` reads
    them: a segment's whole or none of it, by which `segments.of_kind` sees that nothing is missing here."""
    mine = (events.c.workspace_id == workspace_id, events.c.kind == kind.value)
    newest = select(events.c.seq).where(*mine).order_by(events.c.seq.desc())
    stays = connection.execute(newest.offset(number - 1).limit(1)).scalar_one_or_none() or 0
    if kind == EventKind.REPORTED:
        try:
            stays = min(stays, as_of.green_and_read(connection, workspace_id)[1] or stays)
        except segments.ArchivedError:
            return
    oldest = connection.execute(select(func.min(events.c.seq)).where(*mine)).scalar_one() or stays
    for segment in segments.out(connection, workspace_id):
        if oldest <= segment.last < stays:
            inside = events.c.seq.between(segment.first, segment.last)
            connection.execute(delete(events).where(*mine, inside))


def let_go(
    connection: Connection, workspace_id: int, kind: EventKind, gone: Iterable[str], stays: Iterable[str]
) -> None:
    """Remove texts, by the event of a kind that was recorded last. `stays`: what is kept as a part of these, and is
    kept by itself from now on."""
    alone = {k: text for batch in batches(stays) for k, text in vault.get(connection, batch).items()}
    last = select(func.max(events.c.seq)).where(events.c.workspace_id == workspace_id, events.c.kind == kind.value)
    seq = connection.execute(last).scalar_one()
    for batch in batches(sorted({*gone, *alone})):
        rows = [{"hash": artifact, "workspace_id": workspace_id, "seq": seq} for artifact in batch]
        connection.execute(insert(texts_gone), rows)
        connection.execute(delete(vault_table).where(vault_table.c.hash.in_(batch)))
    vault.put(connection, alone)


def restore(
    database: Database, source: Folder, only: WorkspaceKey | None = None
) -> Iterator[tuple[WorkspaceKey, Segment]]:
    """Bring back what is there of the segments that are out; each as soon as that is done. Again, it does nothing.

    All are read and checked first: StoreError where one is not what was written, and nothing comes back.
    """
    there = source.files()
    with database.reading() as connection:
        due = [
            (workspace_id, key, segment)
            for workspace_id, key, _ in _workspaces(connection, only)
            for segment in segments.out(connection, workspace_id)
            if segment.file in there
        ]
    for _, _, segment in due:
        _read(source, segment)
    for workspace_id, key, segment in due:
        contents = _read(source, segment)
        with database.writing() as connection:
            if not database.sqlite:
                postgresql.lock_writers(connection)
            if segment in segments.out(connection, workspace_id):
                _bring_back(connection, contents)
        yield key, segment


def _bring_back(connection: Connection, contents: Contents) -> None:
    vault.put(connection, contents.texts)
    places = [entry.seq for entry in contents.entries]
    mine = events.c.workspace_id == contents.entries[0].workspace_id
    here = set[int]()
    for batch in batches(places):
        here |= set(connection.execute(select(events.c.seq).where(mine, events.c.seq.in_(batch))).scalars())
    rows = [_row(entry) for entry in contents.entries if entry.seq not in here]
    for piece in batches(rows):
        connection.execute(insert(events), piece)


def _row(entry: Entry) -> dict[str, object]:
    return {column.name: getattr(entry, column.name) for column in events.c}
