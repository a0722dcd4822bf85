"""The schema's revisions, and the way to the newest one.

Alembic goes that way, and is loaded only where there is a way to go: it costs 10 MB, and most starts have none.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007")
"""All there are, the newest last."""


def revision(connection: Connection) -> str | None:
    """The revision of the schema that a database has; None where it has none."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    row = connection.execute(text("SELECT version_num FROM alembic_version")).first()
    return None if row is None else str(row[0])


def upgrade(connection: Connection) -> None:
    """Bring the schema to the newest revision, in the connection's transaction."""
    from alembic.config import Config  # noqa: PLC0415 - see above

    from alembic import command  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(migrations_dir()))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def migrations_dir() -> Path:
    """The Alembic scripts: in the wheel inside the package, in a checkout beside it."""
    package = Path(__file__).resolve().parents[1]
    packaged = package / "_alembic"
    return packaged if packaged.is_dir() else package.parent / "alembic"
