"""Opening the database: SQLite in WAL mode, or PostgreSQL by URL; migrated at start, a newer one refused."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import Any

from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.pool import StaticPool

from alembic import command
from tslp_litellm.resources import migrations_dir

BUSY_TIMEOUT_MS = 5000
WRITERS = 4
_BEGIN = "tslp_begin"


class StoreError(Exception):
    """The database can't be used; the message says why, for the user."""


def is_everybodys(error: BaseException) -> bool:
    """Whether a fault is the database's, and would have met any other transaction too."""
    return isinstance(error, (OperationalError, InterfaceError)) or (
        isinstance(error, DBAPIError) and error.connection_invalidated
    )


class Database:
    """One database: connections that may write, and connections that cannot."""

    def __init__(self, url: str, *, create: bool = True) -> None:
        self.url = make_url(url)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        self.memory = self.sqlite and self.url.database in (None, "", ":memory:")
        if create and self.sqlite and not self.memory and self.url.database:
            Path(self.url.database).expanduser().parent.mkdir(parents=True, exist_ok=True)
        self._engine = _engine(self.url, self.memory)
        self._reader = self._engine if self.memory else _engine(_read_only(self.url), False, read_only=True)
        self._writing = Lock()  # one writer a process: waiting here is cheaper than SQLite's busy handler

    @property
    def writers(self) -> int:
        """How many transactions can write at once. SQLite has one writer, who may take several workspaces along."""
        return 1 if self.sqlite else WRITERS

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """A snapshot, on a connection that cannot write."""
        with self._reader.connect() as connection, connection.begin():
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A write transaction: committed as a whole, or not at all."""
        with self._writing if self.sqlite else contextlib.nullcontext():
            connection = self._engine.connect().execution_options(**{_BEGIN: "BEGIN IMMEDIATE"})
            with connection, connection.begin():
                yield connection

    def migrate(self) -> None:
        """Bring the schema up to date. Several processes may start at once: one migrates, the others wait."""
        with self.writing() as connection:
            config = _alembic(connection)
            script = ScriptDirectory.from_config(config)
            now = MigrationContext.configure(connection).get_current_revision()
            if now is not None and now not in {s.revision for s in script.walk_revisions()}:
                raise StoreError(
                    f"The database {self.shown_url} was written by a newer TSLP (its revision {now} is unknown "
                    "here): upgrade tslp-litellm, or name another database in `database_url`."
                )
            if now != script.get_current_head():
                command.upgrade(config, "head")

    def revision(self, connection: Connection) -> tuple[str | None, str | None]:
        """The schema's revision, and the newest one."""
        return (
            MigrationContext.configure(connection).get_current_revision(),
            ScriptDirectory.from_config(_alembic(connection)).get_current_head(),
        )

    def knows(self, revision: str) -> bool:
        """Whether a schema's revision is one of ours."""
        config = Config()
        config.set_main_option("script_location", str(migrations_dir()))
        return revision in {s.revision for s in ScriptDirectory.from_config(config).walk_revisions()}

    @property
    def file(self) -> Path | None:
        """The file that holds it; None for one in memory or on a server."""
        if not self.sqlite or self.memory:
            return None
        return Path(str(self.url.database)).expanduser().absolute()

    @property
    def shown_url(self) -> str:
        """The URL without its password."""
        return self.url.render_as_string(hide_password=True)

    def close(self) -> None:
        """Let go of all connections."""
        self._engine.dispose()
        self._reader.dispose()


def _alembic(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(migrations_dir()))
    config.attributes["connection"] = connection
    return config


def _engine(url: URL, memory: bool, read_only: bool = False) -> Engine:
    if url.get_backend_name() != "sqlite":
        options: dict[str, Any] = (
            {"connect_args": {"options": "-c default_transaction_read_only=on"}} if read_only else {}
        )
        return create_engine(url, pool_pre_ping=True, **options)
    if memory:
        engine = create_engine(url, poolclass=StaticPool, connect_args={"check_same_thread": False})
    else:
        engine = create_engine(url, connect_args={"check_same_thread": False})
    event.listen(engine, "connect", _prepare_read_only if read_only else _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _read_only(url: URL) -> URL:
    if url.get_backend_name() != "sqlite":
        return url
    path = Path(str(url.database)).expanduser().absolute()
    return url.set(database=f"file:{path}", query={"mode": "ro", "uri": "true"})


def _prepare(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # transactions begin where we say so
    for pragma in (
        "journal_mode=WAL",
        "synchronous=NORMAL",
        f"busy_timeout={BUSY_TIMEOUT_MS}",
        "foreign_keys=ON",
        "trusted_schema=OFF",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _prepare_read_only(connection: Any, _record: object) -> None:
    connection.isolation_level = None
    for pragma in (f"busy_timeout={BUSY_TIMEOUT_MS}", "query_only=ON", "trusted_schema=OFF"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN"))
