"""What a database wants from time to time: a proof of what came since the last one, and order (SEMANTICS 13).

Each workspace notes how far its Ledger was proven. `verify` proves all of it; here only what came since is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, select, text, update

from tslp_litellm.history.segments import was_erased
from tslp_litellm.state.events import GENESIS, EventKind, chain_hash
from tslp_litellm.store import projection, segments, vault
from tslp_litellm.store.database import Database
from tslp_litellm.store.maintenance import Problem, artifacts, entries_after
from tslp_litellm.store.schema import events, workspaces
from tslp_litellm.store.statements import batches
from tslp_litellm.store.writing import WorkspaceWriter


@dataclass(frozen=True, slots=True)
class Upkeep:
    """How many events were proven, and what is wrong."""

    events: int
    problems: tuple[Problem, ...]


def maintain(database: Database) -> Upkeep:
    """Prove what came since the last time, bring the WAL into the file, and let the database look to its indexes."""
    problems, proven = list[Problem](), 0
    with database.reading() as connection:
        known = connection.execute(select(workspaces.c.id, workspaces.c.proven_seq, workspaces.c.head_seq)).all()
        places: dict[int, int] = {}
        for row in known:
            found = [*_since(connection, row.id, row.proven_seq)]
            problems += found
            if not found:
                places[row.id] = row.head_seq
                proven += row.head_seq - row.proven_seq
    with database.writing() as connection:
        for workspace_id, seq in places.items():
            connection.execute(update(workspaces).where(workspaces.c.id == workspace_id).values(proven_seq=seq))
        connection.execute(text("PRAGMA optimize" if database.sqlite else "ANALYZE"))
    if database.sqlite:
        database.checkpoint()
    return Upkeep(proven, tuple(problems))


def checkpoint_all(database: Database, at: str, goes_on: Callable[[], bool] = lambda: True) -> int:
    """A checkpoint for each workspace in which something was recorded since its last one; how many were made.

    `goes_on`: asked before each; where time is up the others go without.
    """
    last = (events.c.workspace_id == workspaces.c.id) & (events.c.seq == workspaces.c.head_seq)
    query = select(workspaces.c.tenant, workspaces.c.name).join(events, last)
    with database.reading() as connection:
        due = connection.execute(query.where(events.c.kind != EventKind.CHECKPOINT).order_by(workspaces.c.id)).all()
    for done, (tenant, name) in enumerate(due):
        if not goes_on():
            return done
        with database.writing() as connection:
            WorkspaceWriter(connection, tenant, name, at).checkpoint(at)
    return len(due)


def _since(connection: Connection, workspace_id: int, seq: int) -> Iterator[Problem]:
    """What is wrong with a workspace's chain behind a place, the texts that it names there, and its State Map."""
    last = select(events.c.hash).where(events.c.workspace_id == workspace_id, events.c.seq == seq)
    digest = connection.execute(last).scalar_one_or_none() if seq else GENESIS
    if (gone := next(iter(segments.out(connection, workspace_id)[::-1]), None)) is not None and seq <= gone.last:
        seq, digest = gone.last, gone.hash  # what was read back when it left
    named = set[str]()
    for entry in entries_after(connection, workspace_id, seq):
        seq += 1
        expected = chain_hash(workspace_id, seq, entry.episode_id, entry.at, entry.kind, entry.body, str(digest))
        expected = entry.hash if was_erased(entry.kind, entry.body) else expected
        if (entry.seq, entry.prev_hash, entry.hash) != (seq, digest, expected):
            yield Problem("ledger", f"workspace {workspace_id}, event {entry.seq}: the chain is broken")
            return
        digest = entry.hash
        named |= artifacts(entry)
    for batch in batches(sorted(named)):
        try:
            missing = set(batch) - vault.get(connection, batch).keys()
            for artifact in missing - segments.gone(connection, missing).keys():
                yield Problem("vault", f"{artifact}: it is not there, and workspace {workspace_id} names it")
        except vault.AlteredError as error:
            yield Problem("vault", str(error))
    if not projection.is_sound(connection, workspace_id):
        yield Problem("state map", f"workspace {workspace_id}: it is not that of its Ledger")
