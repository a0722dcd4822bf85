"""Opening, migrating and refusing databases."""

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy.exc import OperationalError

from tslp_litellm.store.database import Database, StoreError
from tslp_litellm.store.schema import metadata

pytestmark = pytest.mark.usefixtures("migrations")


def url(path: Path) -> str:
    return f"sqlite:///{path / 'deep' / 'tslp.db'}"


def test_the_migrations_make_the_schema(tmp_path: Path) -> None:
    database = Database(url(tmp_path))
    database.migrate()
    database.migrate()
    with database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        now, newest = database.revision(connection)
        assert now == newest
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"


def test_the_reading_connection_cannot_write(tmp_path: Path) -> None:
    database = Database(url(tmp_path))
    database.migrate()
    with pytest.raises(OperationalError), database.reading() as connection:
        connection.exec_driver_sql("INSERT INTO workspaces VALUES (1, 't', 'n', 0, '', 0)")


def test_a_newer_database_is_refused_with_a_sentence(tmp_path: Path) -> None:
    database = Database(url(tmp_path))
    database.migrate()
    with database.writing() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="newer TSLP.*9999.*upgrade tslp-litellm"):
        Database(url(tmp_path)).migrate()


def test_passwords_are_not_shown() -> None:
    assert "secret" not in Database("postgresql+psycopg://u:secret@h/d").shown_url
