"""Opening, migrating and refusing databases."""

import contextlib
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect
from sqlalchemy.exc import OperationalError

from tslp_litellm.store.database import BUSY_TIMEOUT_MS, LOCKED_TIMEOUT_MS, Database, StoreError
from tslp_litellm.store.migrations import REVISIONS, migrations_dir
from tslp_litellm.store.schema import metadata


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


def test_the_revisions_are_those_of_the_scripts() -> None:
    scripts = ScriptDirectory(str(migrations_dir())).walk_revisions()
    assert tuple(script.revision for script in scripts)[::-1] == REVISIONS


def test_the_tables_of_a_database_that_nobody_keeps() -> None:
    database = Database("sqlite://")
    database.fill()
    with database.reading() as connection:
        assert set(metadata.tables) <= set(inspect(connection).get_table_names())


def test_a_start_without_a_way_to_go_loads_no_alembic(tmp_path: Path) -> None:
    Database(url(tmp_path)).migrate()
    code = (
        "import sys; from tslp_litellm.store.database import Database; "
        f"assert not Database({url(tmp_path)!r}).migrate(); assert 'alembic' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_one_wait_for_a_lock_of_another_process(tmp_path: Path) -> None:
    """Whoever comes after a wait in vain hardly waits, until the database can be had again."""
    database = Database(url(tmp_path))
    database.migrate()

    def waits_ms() -> object:
        with database.reading() as connection:
            return connection.exec_driver_sql("PRAGMA busy_timeout").scalar()

    with contextlib.closing(sqlite3.connect(str(database.file), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        for _ in range(2):
            with pytest.raises(OperationalError, match="locked"), database.writing():
                pass
            assert database.locked
            assert waits_ms() == LOCKED_TIMEOUT_MS
    with database.writing():
        assert not database.locked
    assert waits_ms() == BUSY_TIMEOUT_MS


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
