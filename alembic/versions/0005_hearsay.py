"""What is remembered of texts of the model's that clients put into user messages."""

import sqlalchemy as sa

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "hearsay",
        sa.Column("workspace_id", sa.Integer, primary_key=True),
        sa.Column("digest", sa.LargeBinary(16), primary_key=True),
        sa.Column("whole", sa.LargeBinary(16), primary_key=True),
        sa.Column("heard", sa.String(8), primary_key=True),
        sa.Column("chars", sa.Integer, nullable=False),
        sa.Column("head", sa.BigInteger, nullable=False),
        sa.Column("said_at", sa.String(24), nullable=False),
        sa.Index("ix_hearsay_said_at", "workspace_id", "said_at"),
    )


def downgrade() -> None:
    raise NotImplementedError("The Ledger only grows; restore a backup instead.")
