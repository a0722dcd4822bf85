"""What is left out of a conversation's requests, so that it stays out in the same form."""

import sqlalchemy as sa

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("conversations", sa.Column("left_out", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    raise NotImplementedError("The Ledger only grows; restore a backup instead.")
