"""What is remembered of texts of the model's that clients put into user messages: by their lines, of a tenant."""

import sqlalchemy as sa

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_table("hearsay")
    op.create_table(
        "heard_texts",
        sa.Column("tenant", sa.String(255), primary_key=True),
        sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("heard", sa.String(8), nullable=False),
        sa.Column("anchors", sa.LargeBinary, nullable=False),
        sa.Column("lines", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "heard_lines",
        sa.Column("tenant", sa.String(255), primary_key=True),
        sa.Column("line", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("text_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    raise NotImplementedError("The Ledger only grows; restore a backup instead.")
