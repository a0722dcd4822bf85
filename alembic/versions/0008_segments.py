"""What may leave: events inside a recorded segment, texts that a segment or an erasure names, erased words."""

import sqlalchemy as sa

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

REFUSED = "{} is append-only"
RECORDS = "('segment.archived', 'texts.erased')"
WORDS = "('decision.stated', 'error.seen')"
"""Kinds of event whose bodies are somebody's words, and change no state."""
BODY = {
    "sqlite": """CAST(substr(s.body, instr(s.body, '"{0}":') + length('"{0}":')) AS INTEGER)""",  # trusted_schema=OFF
    "postgresql": "(s.body::json ->> '{0}')::int",
}
SAME = ("workspace_id", "seq", "episode_id", "at", "kind", "prev_hash", "hash")
IS_SAME = {"sqlite": "NEW.{0} IS OLD.{0}", "postgresql": "NEW.{0} IS NOT DISTINCT FROM OLD.{0}"}


def upgrade() -> None:
    op.create_table(
        "texts_gone",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("workspace_id", sa.Integer, sa.ForeignKey("workspaces.id"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sqlite_with_rowid=False,
    )
    dialect = op.get_bind().dialect.name
    for table, verb, refused in _rules(dialect):
        (_of_postgresql if dialect == "postgresql" else _of_sqlite)(table, verb, refused)
    if dialect == "postgresql":
        for table in ("vault", "events", "texts_gone"):
            op.execute(
                f"CREATE TRIGGER {table}_whole BEFORE TRUNCATE ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION tslp_append_only()"
            )


def _rules(dialect: str) -> list[tuple[str, str, str]]:
    """Table, verb, and when it is refused."""
    first, last = (BODY[dialect].format(name) for name in ("first", "last"))
    later = "EXISTS (SELECT 1 FROM events s WHERE s.workspace_id = OLD.workspace_id AND s.seq > OLD.seq AND s.kind = "
    segment = f"{later} 'segment.archived' AND OLD.seq BETWEEN {first} AND {last})"
    erased = f"{later} 'texts.erased')"
    same = " AND ".join(IS_SAME[dialect].format(name) for name in SAME)
    named = "EXISTS (SELECT 1 FROM texts_gone g WHERE g.hash = OLD.hash)"
    record = "SELECT kind FROM events s WHERE s.workspace_id = NEW.workspace_id AND s.seq = NEW.seq"
    return [
        ("events", "DELETE", f"OLD.kind IN {RECORDS} OR NOT {segment}"),
        ("events", "UPDATE", f"NOT (NEW.body = '' AND OLD.kind IN {WORDS} AND {same} AND {erased})"),
        ("vault", "DELETE", f"NOT {named}"),
        ("vault", "UPDATE", "1 = 1"),
        ("texts_gone", "INSERT", f"COALESCE(({record}), '') NOT IN {RECORDS}"),
        ("texts_gone", "UPDATE", "1 = 1"),
        ("texts_gone", "DELETE", "1 = 1"),
    ]


def _of_sqlite(table: str, verb: str, refused: str) -> None:
    name = f"{table}_no_{verb.lower()}"
    op.execute(f"DROP TRIGGER IF EXISTS {name}")
    op.execute(
        f"CREATE TRIGGER {name} BEFORE {verb} ON {table} WHEN {refused} "
        f"BEGIN SELECT RAISE(ABORT, '{REFUSED.format(table)}'); END"
    )


def _of_postgresql(table: str, verb: str, refused: str) -> None:
    name = f"tslp_{table}_{verb.lower()}"
    row = "OLD" if verb == "DELETE" else "NEW"
    op.execute(f"DROP TRIGGER IF EXISTS {table}_append_only ON {table}")
    op.execute(
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF {refused} THEN "
        f"RAISE EXCEPTION '{REFUSED.format(table)}'; END IF; RETURN {row}; END $$"
    )
    op.execute(f"CREATE TRIGGER {name} BEFORE {verb} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()")


def downgrade() -> None:
    raise NotImplementedError("The Ledger only grows; restore a backup instead.")
