"""When conversations were used, indexes for names with many namesakes, and the texts that a parser could not bear."""

from datetime import UTC, datetime

import sqlalchemy as sa

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _used()
    op.drop_index("ix_state_map_leaf", "state_map")
    op.create_index("ix_state_map_leaf", "state_map", ["workspace_id", "leaf", "path"])
    op.create_index("ix_state_map_symbol", "state_map", ["workspace_id", "symbol", "path"])
    op.create_table(
        "parser_refusals",
        sa.Column("artifact", sa.String(64), primary_key=True),
        sa.Column("language", sa.String(64), primary_key=True),
        sa.Column("reason", sa.String(16), nullable=False),
        sa.Column("refused_at", sa.String(24), nullable=False),
        sa.Index("ix_parser_refusals_refused_at", "refused_at"),
    )


def _used() -> None:
    """Conversations that are there count as used now, all alike."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    op.add_column("conversations", sa.Column("used", sa.Integer, nullable=False, server_default="0"))
    op.add_column("conversations", sa.Column("used_at", sa.String(24), nullable=False, server_default=now))
    op.create_index("ix_conversations_used", "conversations", ["workspace_id", "used"])
    op.add_column("conversation_items", sa.Column("said", sa.Integer, nullable=False, server_default="0"))
    op.drop_index("ix_conversation_items_digest", "conversation_items")
    op.create_index("ix_conversation_items_digest", "conversation_items", ["workspace_id", "digest", "said"])


def downgrade() -> None:
    raise NotImplementedError("The Ledger only grows; restore a backup instead.")
