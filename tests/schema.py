"""The schema for tests: what the migrations make, made once in a process and copied into each new SQLite database.

The migrations take 90 ms, and 1,500 tests begin with them. Tests of the migrations themselves ask for `migrations`.
"""

from __future__ import annotations

import contextlib
import functools
import sqlite3
from collections.abc import Iterator

import pytest
from sqlalchemy.exc import SQLAlchemyError

from tslp_litellm.store.database import Database

REAL = Database.migrate


def opened(url: str) -> Database:
    """The database at a URL, migrated."""
    database = Database(url)
    database.migrate()
    return database


@functools.cache
def _made() -> sqlite3.Connection:
    """A database in memory as the migrations leave it."""
    database, made = Database("sqlite://"), sqlite3.connect(":memory:", check_same_thread=False)
    REAL(database)
    with _driver(database) as connection:
        connection.backup(made)
    database.close()
    return made


@contextlib.contextmanager
def _driver(database: Database) -> Iterator[sqlite3.Connection]:
    """SQLite's own connection."""
    with contextlib.closing(database._engine.raw_connection()) as raw:
        assert isinstance(raw.driver_connection, sqlite3.Connection)
        yield raw.driver_connection


def copied(database: Database) -> bool:
    """`Database.migrate`, but an empty SQLite database becomes a copy."""
    if not (database.sqlite and _is_empty(database)):
        return REAL(database)
    renew(database)
    return True


def _is_empty(database: Database) -> bool:
    """Whether it can be opened, and holds nothing."""
    try:
        with _driver(database) as connection:
            return connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None
    except (sqlite3.Error, SQLAlchemyError):
        return False


def renew(database: Database) -> None:
    """Make a SQLite database empty again; what it has compiled stays."""
    with _driver(database) as connection:
        _made().backup(connection)


@pytest.fixture(autouse=True, scope="session")
def copied_schema() -> Iterator[None]:
    """For every test of the run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "migrate", copied)
        yield


@pytest.fixture
def migrations(monkeypatch: pytest.MonkeyPatch) -> None:
    """The migrations themselves."""
    monkeypatch.setattr(Database, "migrate", REAL)
