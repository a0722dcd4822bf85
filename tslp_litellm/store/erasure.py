"""`tslp erase`: texts, prompts and words are removed for good; the chain, its hashes and its moves stay (SEMANTICS 12).

What somebody else's events name as well stays. What the State Map holds by an erased text alone is no entity any more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from sqlalchemy import Connection, Table, delete, select, update

from tslp_litellm.history.segments import digest
from tslp_litellm.state.events import WORDS, Entry, Event, EventKind, Move, Op
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.state.values import artifact_hash
from tslp_litellm.store import postgresql, segments, vault
from tslp_litellm.store.archive import HASH, let_go, parts
from tslp_litellm.store.database import Database, StoreError
from tslp_litellm.store.maintenance import artifacts
from tslp_litellm.store.schema import conversation_items, conversations, events, state_map, tombstones, workspaces
from tslp_litellm.store.statements import batches
from tslp_litellm.store.writing import WorkspaceWriter


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose: a workspace's, or a user's in every workspace, by the name that his episodes give."""

    workspace: WorkspaceKey | None = None
    user: str | None = None


@dataclass(slots=True)
class Erased:
    """How much was erased, and the files of segments that may hold it still: `folder/file`."""

    texts: int = 0
    words: int = 0
    entities: int = 0
    files: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Found:
    """Of a workspace: the places of the events in scope, its episodes with their conversations, and the texts that it
    is the first to name."""

    key: WorkspaceKey
    places: list[int] = field(default_factory=list)
    episodes: dict[str | None, str | None] = field(default_factory=dict)
    texts: set[str] = field(default_factory=set)


def erase(
    database: Database, scope: Scope, at: str, also: Callable[[Connection], None] = lambda connection: None
) -> Erased:
    """Erase in one transaction. StoreError where something in scope is in a segment: it is to be restored first.

    `also`: makes other projections anew, in the same transaction.
    """
    with database.writing() as connection:
        if database.sqlite:
            connection.exec_driver_sql("PRAGMA secure_delete = ON")
        else:
            postgresql.lock_writers(connection)
        found, gone = _in_scope(connection, scope)
        done = [_erase(connection, one, mine, gone, scope, at) for one, mine in found.items()]
        if found:
            also(connection)
        if database.sqlite:
            connection.exec_driver_sql("PRAGMA secure_delete = OFF")
    if database.sqlite:
        database.checkpoint()
    return Erased(
        sum(one.texts for one in done),
        sum(one.words for one in done),
        sum(one.entities for one in done),
        sorted({file for one in done for file in one.files}),
    )


def _in_scope(connection: Connection, scope: Scope) -> tuple[dict[int, _Found], set[str]]:
    """What is in scope by workspace, and the texts that nothing else names."""
    found, named, others = dict[int, _Found](), set[str](), set[str]()
    rows = connection.execute(select(workspaces.c.id, workspaces.c.tenant, workspaces.c.name).order_by(workspaces.c.id))
    for row in rows.all():
        mine = _Found(WorkspaceKey(row.tenant, row.name))
        if scope.workspace in (None, mine.key):
            mine.episodes = _episodes(connection, row.id, scope.user)
        for entry in segments.stored(connection, row.id, 0):
            if entry.episode_id in mine.episodes or (scope.workspace == mine.key and scope.user is None):
                mine.places.append(entry.seq)
                mine.texts |= _texts(entry) - named
            else:
                others.update(HASH.findall(entry.body))
        named |= mine.texts
        base = segments.base(connection, row.id)
        others |= {held.artifact for held in base[1].entities.values()} if base is not None else set()
        if mine.places:
            found[row.id] = mine
    return found, vault.kept(connection, named - others)


def _episodes(connection: Connection, workspace_id: int, user: str | None) -> dict[str | None, str | None]:
    """A user's episodes, or all there are, each with its conversation's id, where it has one.

    StoreError where a part of some is in a segment.
    """
    query = select(events).where(events.c.workspace_id == workspace_id, events.c.kind == EventKind.EPISODE.value)
    rows = (Entry(*row) for row in connection.execute(query.execution_options(yield_per=500)))
    here = {entry.episode_id: entry.content().get("conversation") for entry in rows if _is_by(entry, user)}
    for segment in segments.out(connection, workspace_id):
        if user is None or any(e.episode_id in here or _is_by(e, user) for e in segments.loaded(segment).entries):
            raise StoreError(
                f"Some of it is in the archive at {segment.folder}: `tslp restore` it first, then erase, then archive."
            )
    return here


def _is_by(entry: Entry, user: str | None) -> bool:
    if entry.kind != EventKind.EPISODE:
        return False
    return user is None or (entry.content().get("by") or {}).get("user") == user


def _texts(entry: Entry) -> set[str]:
    """The texts that an event names; a checkpoint's snapshot holds names and hashes alone, and stays."""
    return (artifacts(entry) | {str(entry.content().get("answer"))}) - {entry.content().get("snapshot")}


def _erase(connection: Connection, workspace_id: int, one: _Found, gone: set[str], scope: Scope, at: str) -> Erased:
    """Record it in a workspace, and do it: its own part of the texts, the words, the entities, what is remembered."""
    mine = one.texts & gone
    stays = [part for part, whole in parts(connection) if whole in mine and part not in mine]
    held = _held(connection, state_map, workspace_id, None if scope.user is None else gone)
    buried = _held(connection, tombstones, workspace_id, None if scope.user is None else gone)
    moves = [Move(Op.TOMBSTONE, entity, artifact) for entity, artifact in held]
    moves += [Move(Op.EXPIRE, entity) for entity, _ in (*held, *buried)]
    whose = {"user": artifact_hash(scope.user)} if scope.user is not None else {}
    words = _with_words(connection, workspace_id, one.places)
    said = {**whose, "events": len(one.places), "words": len(words), "digest": digest([*mine, *stays])}
    event = Event(EventKind.ERASED, tuple(moves), (*said.items(), ("texts", len(mine))))
    WorkspaceWriter(connection, *one.key, at).append([event], None, at)
    let_go(connection, workspace_id, EventKind.ERASED, mine, stays)
    for batch in batches(words):
        chosen = (events.c.workspace_id == workspace_id, events.c.seq.in_(batch))
        connection.execute(update(events).where(*chosen).values(body=""))
    _forget(connection, workspace_id, set(one.episodes.values()) if scope.user is not None else None)
    files = [f"{segment.folder}/{segment.file}" for _, segment in segments.recorded(connection, workspace_id)]
    return Erased(len(mine), len(words), len(held), files)


def _with_words(connection: Connection, workspace_id: int, places: list[int]) -> list[int]:
    """The events that hold somebody's words, among some."""
    kinds = [str(kind) for kind in WORDS]
    query = select(events.c.seq).where(events.c.workspace_id == workspace_id, events.c.kind.in_(kinds))
    rows = (connection.execute(query.where(events.c.body != "", events.c.seq.in_(b))) for b in batches(places))
    return [seq for found in rows for seq in found.scalars()]


def _held(connection: Connection, table: Table, workspace_id: int, gone: set[str] | None) -> list[tuple[str, str]]:
    """Entities of a workspace with their artifacts; only those among `gone`, where that is given."""
    query = select(table.c.entity, table.c.artifact).where(table.c.workspace_id == workspace_id)
    rows = connection.execute(query.order_by(table.c.entity))
    return [(entity, artifact) for entity, artifact in rows if gone is None or artifact in gone]


def _forget(connection: Connection, workspace_id: int, those: set[str | None] | None) -> None:
    """What is remembered of conversations: of all, or of those that are named, however many took part in one."""
    rows = connection.execute(select(conversations.c.id).where(conversations.c.workspace_id == workspace_id)).scalars()
    gone = [name for name in rows if those is None or name in those]
    for table, column in (
        (conversation_items, conversation_items.c.conversation_id),
        (conversations, conversations.c.id),
    ):
        for batch in batches(gone):
            connection.execute(delete(table).where(table.c.workspace_id == workspace_id, column.in_(batch)))
