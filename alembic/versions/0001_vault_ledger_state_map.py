"""Vault, Ledger, State Map, and what is remembered of conversations."""

import sqlalchemy as sa

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

APPEND_ONLY = ("vault", "events")


def upgrade() -> None:
    op.create_table(
        "workspaces",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("tenant", sa.String(255), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("head_seq", sa.Integer, nullable=False),
        sa.Column("head_hash", sa.String(64), nullable=False),
        sa.Column("episodes", sa.Integer, nullable=False),
        sa.UniqueConstraint("tenant", "name", name="uq_workspaces_tenant_name"),
    )
    op.create_table(
        "vault",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("encoding", sa.String(8), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("crc", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("workspace_id", sa.Integer, sa.ForeignKey("workspaces.id"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("episode_id", sa.String(36)),
        sa.Column("at", sa.String(24), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("prev_hash", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
    )
    op.create_index("ix_events_episode", "events", ["workspace_id", "episode_id"])
    op.create_index("ix_events_kind", "events", ["workspace_id", "kind", "seq"])
    op.create_table(
        "state_map",
        sa.Column("workspace_id", sa.Integer, sa.ForeignKey("workspaces.id"), primary_key=True),
        sa.Column("entity", sa.Text, primary_key=True),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("basename", sa.Text, nullable=False),
        sa.Column("symbol", sa.Text),
        sa.Column("leaf", sa.Text),
        sa.Column("artifact", sa.String(64), nullable=False),
        sa.Column("freshness", sa.String(8), nullable=False),
        sa.Column("source", sa.String(8), nullable=False),
        sa.Column("updated_at", sa.String(24), nullable=False),
    )
    for column in ("path", "basename", "leaf"):
        op.create_index(f"ix_state_map_{column}", "state_map", ["workspace_id", column])
    op.create_table(
        "tombstones",
        sa.Column("workspace_id", sa.Integer, sa.ForeignKey("workspaces.id"), primary_key=True),
        sa.Column("entity", sa.Text, primary_key=True),
        sa.Column("artifact", sa.String(64), nullable=False),
        sa.Column("since", sa.String(24), nullable=False),
        sa.Column("episode", sa.Integer, nullable=False),
    )
    op.create_table(
        "conversations",
        sa.Column("workspace_id", sa.Integer, sa.ForeignKey("workspaces.id"), primary_key=True),
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("items", sa.Integer, nullable=False),
        sa.Column("last_episode", sa.String(36)),
        sa.Column("turn_digest", sa.LargeBinary),
        sa.Column("turn_flags", sa.Text, nullable=False),
        sa.Column("next_flags", sa.Text, nullable=False),
    )
    op.create_table(
        "conversation_items",
        sa.Column("workspace_id", sa.Integer, primary_key=True),
        sa.Column("conversation_id", sa.String(36), primary_key=True),
        sa.Column("ordinal", sa.Integer, primary_key=True),
        sa.Column("digest", sa.LargeBinary(16), nullable=False),
    )
    op.create_index("ix_conversation_items_digest", "conversation_items", ["workspace_id", "digest"])
    _append_only(op.get_bind().dialect.name)


def _append_only(dialect: str) -> None:
    if dialect == "postgresql":
        op.execute(
            "CREATE FUNCTION tslp_append_only() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$"
        )
    for table in APPEND_ONLY:
        if dialect == "postgresql":
            op.execute(
                f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION tslp_append_only()"
            )
        else:
            for verb in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
                )
    if dialect == "sqlite":  # INSERT OR REPLACE deletes without firing the DELETE trigger
        op.execute(
            "CREATE TRIGGER vault_no_replace BEFORE INSERT ON vault "
            "WHEN EXISTS (SELECT 1 FROM vault WHERE hash = NEW.hash) "
            "BEGIN SELECT RAISE(IGNORE); END"
        )
        op.execute(
            "CREATE TRIGGER events_no_replace BEFORE INSERT ON events WHEN EXISTS "
            "(SELECT 1 FROM events WHERE workspace_id = NEW.workspace_id AND seq = NEW.seq) "
            "BEGIN SELECT RAISE(ABORT, 'events is append-only'); END"
        )


def downgrade() -> None:
    raise NotImplementedError("The Ledger only grows; restore a backup instead.")
