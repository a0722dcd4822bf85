"""The Ledger as the outbox of webhooks (SEMANTICS 13): what was not told yet, and whose turn it is to tell it.

A webhook is known by its URL, and hears what happens from when it was first known. One worker at a time holds it, for
as long as he says; one that dies loses it with time. Its cursor is a sequence number in each workspace, whose events
have an order; those of different workspaces have none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from sqlalchemy import Connection, and_, func, insert, literal, or_, select, update
from sqlalchemy.exc import IntegrityError

from tslp_litellm.state.events import Entry
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.store.schema import events, webhook_cursors, webhooks, workspaces
from tslp_litellm.store.statements import inserting


def identity(url: str) -> str:
    """What a webhook is known by."""
    return hashlib.sha256(url.encode()).hexdigest()


def know(connection: Connection, webhook: str) -> bool:
    """Whether a webhook was new: it has heard of all that there is, then."""
    if connection.execute(select(webhooks.c.webhook).where(webhooks.c.webhook == webhook)).first() is not None:
        return False
    try:
        with connection.begin_nested():
            connection.execute(insert(webhooks).values(webhook=webhook, owner="", until=0, failures=0))
    except IntegrityError:  # another worker was quicker
        return False
    heads = select(literal(webhook), workspaces.c.id, workspaces.c.head_seq)
    connection.execute(insert(webhook_cursors).from_select(["webhook", "workspace_id", "seq"], heads))
    return True


def take(connection: Connection, webhook: str, owner: str, now: int, until: int) -> int | None:
    """Hold a webhook until then (milliseconds since 1970): how often it failed in a row; None where another has it."""
    free = or_(webhooks.c.owner == owner, webhooks.c.until <= now)
    taken = update(webhooks).where(webhooks.c.webhook == webhook, free).values(owner=owner, until=until)
    if connection.execute(taken).rowcount != 1:
        return None
    return int(connection.execute(select(webhooks.c.failures).where(webhooks.c.webhook == webhook)).scalar_one())


def let_go(connection: Connection, webhook: str, owner: str, until: int = 0, failures: int = 0) -> None:
    """Hold a webhook no longer; nobody takes it before `until`."""
    held = and_(webhooks.c.webhook == webhook, webhooks.c.owner == owner)
    connection.execute(update(webhooks).where(held).values(owner="", until=until, failures=failures))


def untold(connection: Connection, webhook: str) -> dict[int, tuple[WorkspaceKey, int]]:
    """Workspaces with events that a webhook has not heard of, and the last one that it has, in order of their ids."""
    told = func.coalesce(webhook_cursors.c.seq, 0)
    mine = and_(webhook_cursors.c.workspace_id == workspaces.c.id, webhook_cursors.c.webhook == webhook)
    asked = (
        select(workspaces.c.id, workspaces.c.tenant, workspaces.c.name, told)
        .select_from(workspaces.outerjoin(webhook_cursors, mine))
        .where(workspaces.c.head_seq > told)
        .order_by(workspaces.c.id)
    )
    return {row[0]: (WorkspaceKey(row[1], row[2]), row[3]) for row in connection.execute(asked)}


def after(connection: Connection, workspace: int, seq: int, limit: int) -> list[Entry]:
    """The next events of a workspace, in their order."""
    e = events.c
    columns = (e.workspace_id, e.seq, e.episode_id, e.at, e.kind, e.body, e.prev_hash, e.hash)
    asked = select(*columns).where(e.workspace_id == workspace, e.seq > seq).order_by(e.seq).limit(limit)
    return [Entry(*row) for row in connection.execute(asked)]


def advance(connection: Connection, webhook: str, owner: str, until: int, places: Mapping[int, int]) -> bool:
    """Note how far workspaces have been told, and hold on; False, and nothing, where the webhook is another's now."""
    held = (
        update(webhooks).where(webhooks.c.webhook == webhook, webhooks.c.owner == owner).values(until=until, failures=0)
    )
    if connection.execute(held).rowcount != 1:
        return False
    for workspace, seq in places.items():
        made = inserting(connection.dialect.name)(webhook_cursors).values(
            webhook=webhook, workspace_id=workspace, seq=seq
        )
        keys = [webhook_cursors.c.webhook, webhook_cursors.c.workspace_id]
        connection.execute(made.on_conflict_do_update(index_elements=keys, set_={"seq": seq}))
    return True
