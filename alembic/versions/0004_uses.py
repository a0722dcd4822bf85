"""What entities use, and how far each Ledger has been read for it: made from the Ledger, with the next visit."""

import sqlalchemy as sa

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "uses_files",
        sa.Column("workspace_id", sa.Integer, sa.ForeignKey("workspaces.id"), primary_key=True),
        sa.Column("path", sa.Text, primary_key=True),
        sa.Column("artifact", sa.String(64), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("package", sa.Text, nullable=False),
    )
    op.create_table(
        "uses",
        sa.Column("workspace_id", sa.Integer, sa.ForeignKey("workspaces.id"), primary_key=True),
        sa.Column("entity", sa.Text, primary_key=True),
        sa.Column("used", sa.Text, primary_key=True),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("used_path", sa.Text, nullable=False),
        sa.Column("route", sa.String(16), nullable=False),
        sa.Column("interface", sa.String(64), nullable=False),
        sa.Column("signature", sa.Text, nullable=False),
    )
    op.create_index("ix_uses_path", "uses", ["workspace_id", "path"])
    op.create_index("ix_uses_used_path", "uses", ["workspace_id", "used_path"])
    op.create_table(
        "uses_parts",
        sa.Column("workspace_id", sa.Integer, sa.ForeignKey("workspaces.id"), primary_key=True),
        sa.Column("entity", sa.Text, primary_key=True),
        sa.Column("artifact", sa.String(64), nullable=False),
        sa.Column("interface", sa.String(64), nullable=False),
        sa.Column("signature", sa.Text, nullable=False),
    )
    op.create_table(
        "uses_heads",
        sa.Column("workspace_id", sa.Integer, sa.ForeignKey("workspaces.id"), primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    raise NotImplementedError("The Ledger only grows; restore a backup instead.")
