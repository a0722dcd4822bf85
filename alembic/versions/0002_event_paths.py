"""An index of the Ledger by file: which events are about which path."""

import json

import sqlalchemy as sa

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

BATCH = 2000


def upgrade() -> None:
    op.create_table(
        "event_paths",
        sa.Column("workspace_id", sa.Integer, sa.ForeignKey("workspaces.id"), primary_key=True),
        sa.Column("path", sa.Text, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sqlite_with_rowid=False,
    )
    _fill(op.get_bind())


def _fill(connection: sa.Connection) -> None:
    """From the events that are there."""
    events = sa.table("events", *(sa.column(name) for name in ("workspace_id", "seq", "body")))
    paths = sa.table("event_paths", *(sa.column(name) for name in ("workspace_id", "path", "seq")))
    for workspace in list(connection.execute(sa.text("SELECT id FROM workspaces")).scalars()):
        last = 0
        while rows := connection.execute(
            sa.select(events.c.seq, events.c.body)
            .where(events.c.workspace_id == workspace, events.c.seq > last)
            .order_by(events.c.seq)
            .limit(BATCH)
        ).all():
            last = rows[-1].seq
            found = [{"workspace_id": workspace, "path": p, "seq": seq} for seq, body in rows for p in _paths(body)]
            if found:
                connection.execute(sa.insert(paths), found)


def _paths(body: str) -> set[str]:
    content = json.loads(body)
    named = [move.get("entity") for move in content.get("moves", ())] + [content.get("entity")]
    return {entity.partition("::")[0] for entity in named if entity is not None}


def downgrade() -> None:
    raise NotImplementedError("The Ledger only grows; restore a backup instead.")
