"""What the diagnostics ask (§14), on a connection that cannot write."""

from __future__ import annotations

import itertools
import json
from collections import defaultdict
from typing import Any

from sqlalchemy import Connection, Table, func, or_, select, text, union_all
from sqlalchemy.exc import SQLAlchemyError

from tslp_litellm.state.events import Entry, EventKind, Move, Op
from tslp_litellm.state.lifecycle import STEPS
from tslp_litellm.state.lookalikes import skeleton
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import ArtifactState, Freshness
from tslp_litellm.store import refusals, segments
from tslp_litellm.store.reading import of_episode
from tslp_litellm.store.schema import events, state_map, tombstones, uses_heads, workspaces
from tslp_litellm.store.vault import AlteredError

UNREADABLE = (SQLAlchemyError, AlteredError)
"""What a query raises where the database, or what is in it, can't be read."""


def integrity(connection: Connection) -> str:
    """`ok`, or what is wrong with the database: SQLite reads all of it for that. Raises where it can't be read."""
    if connection.dialect.name != "sqlite":
        look(connection)
        return "ok"
    return str(connection.execute(text("PRAGMA quick_check(1)")).scalar_one())


def look(connection: Connection) -> None:
    """One row, whatever the size of the database; raises where it can't be read."""
    connection.execute(select(workspaces.c.id).limit(1))


def size(connection: Connection) -> int:
    """The bytes that the database holds; of SQLite's file without its free pages."""
    if connection.dialect.name != "sqlite":
        return int(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())
    names = ("page_count", "freelist_count", "page_size")
    pages, free, each = (int(connection.execute(text(f"PRAGMA {name}")).scalar_one()) for name in names)
    return (pages - free) * each


def journal_mode(connection: Connection) -> str | None:
    """SQLite's journal mode; None for another database."""
    if connection.dialect.name != "sqlite":
        return None
    return str(connection.execute(text("PRAGMA journal_mode")).scalar_one())


def workspaces_of(connection: Connection, tenant: str) -> list[str]:
    """The names of a tenant's workspaces."""
    return list(
        connection.execute(
            select(workspaces.c.name).where(workspaces.c.tenant == tenant).order_by(workspaces.c.name)
        ).scalars()
    )


def totals(connection: Connection, tenant: str) -> list[dict[str, Any]]:
    """A tenant's workspaces by name, each with how many episodes it has had."""
    query = select(workspaces.c.name.label("workspace"), workspaces.c.episodes).where(workspaces.c.tenant == tenant)
    return [dict(row) for row in connection.execute(query.order_by(workspaces.c.name)).mappings()]


def episodes_of(connection: Connection, tenant: str) -> int:
    """How many episodes all workspaces of a tenant have had."""
    query = select(func.sum(workspaces.c.episodes)).where(workspaces.c.tenant == tenant)
    return connection.execute(query).scalar() or 0


def alike(connection: Connection, tenant: str, name: str) -> list[str]:
    """The older workspaces of a tenant that one can be taken for by its name (SEMANTICS 13)."""
    query = select(workspaces.c.name).where(workspaces.c.tenant == tenant).order_by(workspaces.c.id)
    older = itertools.takewhile(lambda known: known != name, connection.execute(query).scalars().all())
    form = skeleton(name)
    return [known for known in older if skeleton(known) == form]


def version(connection: Connection, tenant: str, name: str) -> tuple[object, ...]:
    """What everything said of a workspace depends on, at the price of four look-ups: its Ledger's head, how far
    it was read for uses, which workspaces its tenant has, and the last text that a parser refused."""
    head = connection.execute(
        select(workspaces.c.head_hash, uses_heads.c.seq)
        .outerjoin(uses_heads, uses_heads.c.workspace_id == workspaces.c.id)
        .where(workspaces.c.tenant == tenant, workspaces.c.name == name)
    ).one_or_none()
    known = select(func.count(), func.max(workspaces.c.id)).where(workspaces.c.tenant == tenant)
    total, newest = connection.execute(known).one()
    return head and tuple(head), total, newest, refusals.newest(connection)


def workspace_id(connection: Connection, tenant: str, name: str) -> int | None:
    """A workspace's id."""
    return connection.execute(
        select(workspaces.c.id).where(workspaces.c.tenant == tenant, workspaces.c.name == name)
    ).scalar_one_or_none()


def head(connection: Connection, workspace: int | None) -> int:
    """The place of the newest event of a workspace's Ledger; 0 where there is none."""
    return (
        connection.execute(select(workspaces.c.head_seq).where(workspaces.c.id == workspace)).scalar_one_or_none() or 0
    )


def dirty_files(connection: Connection, workspace: int | None, limit: int) -> list[str]:
    """The files of which something is DIRTY, by name; so many at most."""
    query = select(state_map.c.path).where(state_map.c.workspace_id == workspace)
    dirty = query.where(state_map.c.freshness == Freshness.DIRTY.value).distinct().order_by(state_map.c.path)
    return list(connection.execute(dirty.limit(limit)).scalars())


def counts(connection: Connection, workspace: int | None) -> tuple[dict[str, int], int]:
    """How many entities of a workspace have each freshness, and how many were removed lately."""
    fresh = select(state_map.c.freshness, func.count()).where(state_map.c.workspace_id == workspace)
    gone = select(func.count()).where(tombstones.c.workspace_id == workspace)
    held = {row[0]: row[1] for row in connection.execute(fresh.group_by(state_map.c.freshness))}
    return held, connection.execute(gone).scalar_one()


def newest(connection: Connection, workspace: int | None, kind: EventKind, limit: int, after: int = 0) -> list[Entry]:
    """The newest events of a kind behind a place, newest first, that no archive holds."""
    query = select(events).where(events.c.workspace_id == workspace, events.c.kind == kind.value, events.c.seq > after)
    return [Entry(*row) for row in connection.execute(query.order_by(events.c.seq.desc()).limit(limit))]


def proposals(connection: Connection, workspace: int | None, limit: int, after: int) -> list[Entry]:
    """The newest events behind a place in which a text stayed PROPOSED, newest first, that no archive holds."""
    body = events.c.body
    named = or_(body.contains(f'"op":"{Op.PROPOSE}"'), body.contains(f'"op":"{Op.REJECT}"'))
    query = select(events).where(events.c.workspace_id == workspace, events.c.kind == EventKind.EVIDENCE, named)
    query = query.where(events.c.seq > after).order_by(events.c.seq.desc()).limit(limit)
    return [Entry(*row) for row in connection.execute(query)]


def file_names(connection: Connection) -> list[str]:
    """The base names of all that is tracked, in any workspace."""
    return list(connection.execute(select(state_map.c.basename).distinct()).scalars())


def state(
    connection: Connection, tenant: str, name: str, limit: int | None = None, after: str | None = None
) -> dict[str, Any]:
    """The State Map of a workspace: hashes and times, no history.

    `limit`: so many entities and tombstones together at most, in the order of their names, behind `after`. Where there
    are more, `next` is the name to go on behind.
    """
    found = workspace_id(connection, tenant, name)
    last, more = _page(connection, found, limit, after) if limit is not None else (None, False)

    def rows(table: Table, *columns: str) -> list[dict[str, Any]]:
        query = select(*(table.c[c] for c in columns)).where(table.c.workspace_id == found).order_by(table.c.entity)
        query = query if after is None else query.where(table.c.entity > after)
        query = query if last is None else query.where(table.c.entity <= last)
        return [dict(row) for row in connection.execute(query).mappings()]

    return {
        "tenant": tenant,
        "workspace": name,
        "workspaces": workspaces_of(connection, tenant),
        **({"alike": older} if (older := alike(connection, tenant, name)) else {}),
        "entities": rows(state_map, "entity", "artifact", "freshness", "source", "updated_at"),
        "tombstones": rows(tombstones, "entity", "artifact", "since"),
        **({"next": last} if more else {}),
    }


def _page(connection: Connection, workspace: int | None, limit: int, after: str | None) -> tuple[str | None, bool]:
    """The last name of a page, None where it is the end; and whether there are more."""
    named = [select(t.c.entity).where(t.c.workspace_id == workspace) for t in (state_map, tombstones)]
    if after is not None:
        named = [q.where(t.c.entity > after) for q, t in zip(named, (state_map, tombstones), strict=True)]
    names = union_all(*named).order_by("entity").offset(limit - 1).limit(2)
    found = list(connection.execute(names).scalars())
    return (found[0], len(found) > 1) if found else (None, False)


def recent(connection: Connection, tenant: str, name: str, limit: int, after: int | None = None) -> dict[str, Any]:
    """Episodes of a workspace that have done all they do, newest first: the last ones, or the first after a place.

    `after`: a sequence number; who asks again with the newest one that came misses none.
    """
    found = workspace_id(connection, tenant, name)
    missing = list[str]()
    recorded = segments.of_kind(connection, found, EventKind.EPISODE, after or 0, oldest_first=after is not None)
    episodes = [*itertools.islice(segments.readable(recorded, missing), limit)]
    episodes = episodes if after is None else episodes[::-1]
    entries = _entries(connection, found, [e.episode_id for e in episodes if e.episode_id], missing)
    return {
        "tenant": tenant,
        "workspace": name,
        "episodes": [_episode(e, entries[e.episode_id or ""]) for e in episodes],
        **({"missing": missing[0]} if missing else {}),
    }


def _entries(
    connection: Connection, workspace: int | None, ids: list[str], missing: list[str]
) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = defaultdict(list)
    try:
        entries = segments.of_episodes(connection, workspace, ids)
    except segments.ArchivedError as error:
        missing.append(error.missing)
        entries = of_episode(connection, workspace, ids)
    for entry in entries:
        found[entry.episode_id or ""].append(entry)
    return found


def _episode(recorded: Entry, entries: list[Entry]) -> dict[str, Any]:
    about = json.loads(recorded.body)
    states = [state for entry in entries for state in _states(entry)]
    return {
        "episode_id": recorded.episode_id,
        "seq": recorded.seq,
        "at": recorded.at,
        "started_at": about["started_at"],
        "model": about["model"],
        "by": about.get("by", {}),
        **front(about),
        "prompt": about.get("prompt"),
        "entities": sorted({s["entity"] for s in states if s["entity"] is not None}),
        "artifact_states": states,
        "dirtied": _dirtied(entries),
    }


def front(about: dict[str, Any]) -> dict[str, Any]:
    """What an episode put in front of its prompt: tokens in all, and each block with its tokens and why it was there;
    of an episode of an older release only the names are known."""
    blocks = about.get("front") or [(entity, None, None) for entity in about.get("hydrated", ())]
    named = [{"entity": entity, "tokens": tokens, "why": why} for entity, tokens, why in blocks]
    return {"injected": about.get("injected", 0), "front": named}


def _dirtied(entries: list[Entry]) -> list[dict[str, Any]]:
    """The files of which an episode made something DIRTY, with the reasons."""
    moves = (move for entry in entries for move in entry.moves() if move.op is Op.DIRTY and move.entity is not None)
    found = dict.fromkeys((Entity.parse(move.entity).path, move.reason) for move in moves)  # type: ignore[arg-type]
    return [{"path": path, "reason": reason} for path, reason in found]


def _states(entry: Entry) -> list[dict[str, Any]]:
    """What an event made of its artifacts, each that was refused with the witness."""
    content = entry.content()
    refused, placed = content.get("refused"), {"placed": content["placed"]} if "placed" in content else {}
    rows = [{**state, **placed} for move in entry.moves() for state in artifact_states(move)]
    return [{**row, "witness": refused} if refused and _was_refused(row, refused) else row for row in rows]


def _was_refused(row: dict[str, Any], refused: dict[str, Any]) -> bool:
    """Whether the refusal is this row's: what stayed PROPOSED, or the file that the client wrote all the same."""
    code = (row["reason"] or "").rpartition(":")[2]
    written = row["state"] == ArtifactState.AUTHORITATIVE and "::" not in (row["entity"] or "")
    return code == refused["reason"] and (row["state"] == ArtifactState.PROPOSED or written)


def artifact_states(move: Move) -> list[dict[str, Any]]:
    """What a move made of its artifact, and of the one it replaced."""

    def row(artifact: str | None, state: ArtifactState, reason: str | None) -> dict[str, Any]:
        return {
            "entity": move.entity,
            "artifact": artifact,
            "state": str(state),
            "confidence": move.confidence,
            "reason": reason,
        }

    step = STEPS[move.op]
    rows = [row(move.artifact, step.named, move.reason)] if step.named is not None else []
    if step.held is not None and move.replaces and move.replaces != move.artifact:
        rows.append(row(move.replaces, step.held, move.reason))
    return rows
