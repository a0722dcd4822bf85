"""The ends of the chains, and whether what they named still stands (SEMANTICS 12). Reads only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlalchemy import Connection, select

from tslp_litellm.store import segments
from tslp_litellm.store.maintenance import Problem
from tslp_litellm.store.queries import workspace_id
from tslp_litellm.store.schema import workspaces

Place = tuple[str, str, int, str]
"""Tenant, workspace, the place of an event, and its hash."""


def heads(connection: Connection) -> list[Place]:
    """The last event of each workspace, in the order in which they were made."""
    columns = (workspaces.c.tenant, workspaces.c.name, workspaces.c.head_seq, workspaces.c.head_hash)
    return [tuple(row) for row in connection.execute(select(*columns).order_by(workspaces.c.id))]


def rewritten(connection: Connection, older: Iterable[Place]) -> Iterator[Problem]:
    """Where the chains are no longer those that older heads were the end of.

    Each event's hash covers all before it: where the one at a head's place is the same, nothing up to it was altered,
    provided that the chain holds, which `verify` checks.
    """
    for tenant, name, seq, digest in older:
        try:
            entry = next(segments.at(connection, workspace_id(connection, tenant, name), [seq]), None)
        except segments.ArchivedError as error:
            yield Problem("archive", f"workspace {name} of {tenant}, event {seq}: {error}")
            continue
        now = entry and entry.hash
        if now is None:
            yield Problem("head", f"workspace {name} of {tenant}: its event {seq}, which a head names, is gone")
        elif now != digest:
            yield Problem("head", f"workspace {name} of {tenant}: what was recorded up to event {seq} was rewritten")
