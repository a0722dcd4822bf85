"""How many rows each State Map has, and their digest, unknown until it is opened; how far each Ledger was proven."""

import sqlalchemy as sa

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("workspaces", sa.Column("rows", sa.Integer))
    op.add_column("workspaces", sa.Column("digest", sa.String(32)))
    op.add_column("workspaces", sa.Column("proven_seq", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    raise NotImplementedError("The Ledger only grows; restore a backup instead.")
