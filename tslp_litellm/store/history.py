"""An entity's history, one episode whole, and a text of the Vault: what is asked one by one, each found by an index."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, select

from tslp_litellm.history.points import Point
from tslp_litellm.state.events import Entry, EventKind, Move
from tslp_litellm.state.lifecycle import STEPS
from tslp_litellm.state.names import Entity
from tslp_litellm.store import refusals, segments
from tslp_litellm.store.as_of import place, seq_of, state_at
from tslp_litellm.store.queries import front, head, workspace_id
from tslp_litellm.store.reading import of_episode
from tslp_litellm.store.schema import event_paths, events, state_map, tombstones
from tslp_litellm.store.statements import batches

_PAGE = 200


def entity(
    connection: Connection, tenant: str, name: str, asked: str, limit: int, before: int | None = None
) -> dict[str, Any] | None:
    """An entity's current artifact, tombstone and history, newest first; None where the Ledger does not know it.

    `before`: only what was recorded earlier than that sequence number.
    """
    found = workspace_id(connection, tenant, name)
    current = connection.execute(
        select(state_map.c.artifact, state_map.c.freshness, state_map.c.source, state_map.c.updated_at).where(
            state_map.c.workspace_id == found, state_map.c.entity == asked
        )
    ).one_or_none()
    grave = connection.execute(
        select(tombstones.c.artifact, tombstones.c.since).where(
            tombstones.c.workspace_id == found, tombstones.c.entity == asked
        )
    ).one_or_none()
    missing = list[str]()
    happened = _history(connection, found, asked, limit, before, missing)
    if (
        current is None
        and grave is None
        and not happened
        and (before is None or not _history(connection, found, asked, 1))
    ):
        return None
    return {
        "tenant": tenant,
        "workspace": name,
        "entity": asked,
        "head": head(connection, found),
        "current": dict(current._mapping) if current is not None else None,
        **({"tombstone": dict(grave._mapping)} if grave is not None else {}),
        **({"missing": missing[0]} if missing else {}),
        "history": happened,
    }


def as_of(
    connection: Connection,
    tenant: str,
    name: str,
    asked: str,
    point: Point,
    limit: int,
    before: int | None = None,
) -> dict[str, Any] | None:
    """An entity as it was at a point, with its history until then, empty where it was not known yet; None where there
    is no such point, or no such entity at all."""
    found = workspace_id(connection, tenant, name)
    seq = seq_of(connection, found, point)
    if seq is None:
        return None
    then = state_at(connection, found, seq, Entity.parse(asked).path)
    held, grave = then.entities.get(asked), then.tombstones.get(asked)
    missing = list[str]()
    happened = _history(connection, found, asked, limit, min(before or seq + 1, seq + 1), missing)
    if not happened and not _history(connection, found, asked, 1):
        return None
    current = held and {
        "artifact": held.artifact,
        "freshness": str(held.freshness),
        "source": str(held.source),
        "updated_at": held.updated_at,
    }
    return {
        "tenant": tenant,
        "workspace": name,
        "entity": asked,
        "head": head(connection, found),
        "as_of": place(connection, found, seq),
        "current": current,
        **({"tombstone": {"artifact": grave.artifact, "since": grave.since}} if grave is not None else {}),
        **({"missing": missing[0]} if missing else {}),
        "history": happened,
    }


def refused(connection: Connection, tenant: str, name: str, asked: str) -> str | None:
    """Why no parser could read the text of an entity's file: `timeout`, `memory` or `crash`; None if one could."""
    whole = connection.execute(
        select(state_map.c.artifact).where(
            state_map.c.workspace_id == workspace_id(connection, tenant, name),
            state_map.c.entity == Entity.parse(asked).path,
        )
    ).scalar_one_or_none()
    return refusals.reasons(connection, [whole]).get(whole) if whole is not None else None


def _history(
    connection: Connection,
    workspace: int | None,
    asked: str,
    limit: int,
    before: int | None = None,
    missing: list[str] | None = None,
) -> list[dict[str, Any]]:
    """What happened to an entity, newest first: its file's events in pages, as many as are needed.

    `missing`: takes what is in a segment that can't be read; without it, that ends the history.
    """
    path, rows = Entity.parse(asked).path, list[dict[str, Any]]()
    of = select(event_paths.c.seq).where(event_paths.c.workspace_id == workspace, event_paths.c.path == path)
    newest_first = of.order_by(event_paths.c.seq.desc()).limit(_PAGE)
    while len(rows) < limit:
        query = newest_first if before is None else newest_first.where(event_paths.c.seq < before)
        page = connection.execute(query).scalars().all()
        try:
            for entry in segments.at(connection, workspace, page):
                rows += [row for row in happened(entry) if row["entity"] == asked]
                if len(rows) >= limit:
                    break
        except segments.ArchivedError as error:
            if missing is not None:
                missing.append(error.missing)
            break
        if len(page) < _PAGE:
            break
        before = page[-1]
    return rows  # an event's rows stay together: who asks on begins before the last one's place


def by_whom(connection: Connection, tenant: str, name: str, ids: Iterable[str]) -> dict[str, dict[str, str]]:
    """Who made some episodes: names of the key, user, team and client, and the model; those that are recorded."""
    found, wanted = workspace_id(connection, tenant, name), sorted(set(ids))
    try:
        entries = segments.of_episodes(connection, found, wanted)
    except segments.ArchivedError:
        entries = of_episode(connection, found, wanted)
    recorded = ((e.episode_id or "", e.content()) for e in entries if e.kind == EventKind.EPISODE)
    return {episode_id: {**about.get("by", {}), "model": about["model"]} for episode_id, about in recorded}


def happened(entry: Entry) -> list[dict[str, Any]]:
    """What an event did, a row a move; an audit's report is a row of its own.

    `event`: promote, propose, reject, log, tombstone, dirty, expire or audit. `state`: None where the event makes no
    artifact what it is. `witness`: with a refusal, what was compared, found and needed.
    """
    content = entry.content()
    place = {"seq": entry.seq, "at": entry.at, "episode_id": entry.episode_id}
    whence = {key: content.get(key) for key in ("origin", "carrier", "tool")}
    whence |= {"placed": content["placed"]} if "placed" in content else {}
    if entry.kind == EventKind.AUDIT:
        said = {"status": content.get("status"), "conclusion": content["conclusion"], "fault": content.get("fault")}
        row = {"event": "audit", "artifact": content["artifact"], "state": None, "confidence": None, "reason": None}
        audit = {key: value for key, value in (*said.items(), ("model", content.get("model"))) if value is not None}
        return [
            {**place, "entity": content["entity"], **row, "source": None, "replaces": None, **whence, "audit": audit}
        ]
    refused = content.get("refused")
    return [
        {**place, **_row(move), **whence, **({"witness": refused} if refused and _is_refused(move, refused) else {})}
        for move in entry.moves()
    ]


def _row(move: Move) -> dict[str, Any]:
    state = STEPS[move.op].named
    return {
        "entity": move.entity,
        "event": str(move.op),
        "artifact": move.artifact,
        "state": str(state) if state is not None else None,
        "confidence": move.confidence,
        "reason": move.reason,
        "source": move.source,
        "replaces": move.replaces if move.replaces != move.artifact else None,
    }


def _is_refused(move: Move, refused: dict[str, Any]) -> bool:
    """Whether an event's refusal is about this move: it names its reason."""
    return (move.reason or "").rpartition(":")[2] == str(refused["reason"])


def episode(connection: Connection, tenant: str, name: str, episode_id: str) -> dict[str, Any] | None:
    """Everything that is recorded of an episode; None where its workspace's Ledger does not know it."""
    found = workspace_id(connection, tenant, name)
    entries = segments.of_episodes(connection, found, [episode_id])
    if not entries:
        return None
    recorded = next((entry for entry in entries if entry.kind == EventKind.EPISODE), None)
    about = recorded.content() if recorded is not None else {}
    fields = ("started_at", "model", "call_type", "side", "complete", "finish", "conversation", "prompt", "answer")
    return {
        "tenant": tenant,
        "workspace": name,
        "episode_id": episode_id,
        "seq": recorded.seq if recorded is not None else None,
        "at": recorded.at if recorded is not None else None,
        **{field: about.get(field) for field in fields},
        "hydrated": about.get("hydrated", []),
        "in_view": about.get("in_view") or [],
        "notices": about.get("notices", 0),
        "by": about.get("by", {}),
        **front(about),
        "fit": about.get("fit"),
        "told": about.get("told", []),
        "events": [row for entry in entries for row in happened(entry)],
    }


def text_of(connection: Connection, tenant: str, name: str, artifact: str, asked: str | None = None) -> str | None:
    """A text of the Vault, if the workspace's own Ledger names it: of another one's it gives nothing away.

    `asked`: the entity whose history names it; it is looked for there first, and else in the whole Ledger.
    """
    found = workspace_id(connection, tenant, name)
    if found is None or not _names(connection, found, artifact, asked):
        return None
    return segments.texts(connection, [artifact]).get(artifact)


def texts_of(connection: Connection, artifacts: list[str]) -> dict[str, str]:
    """Texts that a State Map or a history has named; AlteredError rather than a text of another hash, ArchivedError
    where one can't be had."""
    return {k: v for batch in batches(artifacts) for k, v in segments.texts(connection, batch).items()}


def _names(connection: Connection, workspace: int, artifact: str, asked: str | None) -> bool:
    """Whether a workspace's State Map, tombstones or Ledger name an artifact."""
    for table in (state_map, tombstones):
        query = select(table.c.entity).where(table.c.workspace_id == workspace, table.c.artifact == artifact)
        if connection.execute(query.limit(1)).first() is not None:
            return True
    if asked is not None and any(
        artifact in (row["artifact"], row["replaces"]) for row in _history(connection, workspace, asked, _PAGE)
    ):
        return True
    if any(one == workspace for places in segments.gone(connection, [artifact]).values() for one, _, _ in places):
        return True
    query = select(events).where(events.c.workspace_id == workspace, events.c.body.contains(artifact, autoescape=True))
    return any(
        _is_named(Entry(*row), artifact)
        for row in connection.execute(query.order_by(events.c.seq.desc()).execution_options(yield_per=50))
    )


def _is_named(entry: Entry, artifact: str) -> bool:
    """Whether an event names an artifact as one: a hash in somebody's code is no name."""
    content = entry.content()
    named = {content.get(key) for key in ("artifact", "prompt", "answer")}
    named |= {*content.get("told", ()), *(called for _, _, called in entry.calls())}
    return artifact in named or any(artifact in (move.artifact, move.replaces) for move in entry.moves())
