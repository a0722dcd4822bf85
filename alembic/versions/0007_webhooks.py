"""Which worker delivers a webhook, and how far each Ledger has been told to it."""

import sqlalchemy as sa

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "webhooks",
        sa.Column("webhook", sa.String(64), primary_key=True),
        sa.Column("owner", sa.String(36), nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
    )
    op.create_table(
        "webhook_cursors",
        sa.Column("webhook", sa.String(64), sa.ForeignKey("webhooks.webhook"), primary_key=True),
        sa.Column("workspace_id", sa.Integer, sa.ForeignKey("workspaces.id"), primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    raise NotImplementedError("The Ledger only grows; restore a backup instead.")
