"""Opening the database: SQLite in WAL mode, or PostgreSQL by URL; migrated at start, a newer one refused."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from pathlib import Path
from threading import Lock, RLock
from typing import Any

from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    InterfaceError,
    NoSuchModuleError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.pool import StaticPool

from alembic import command
from tslp_litellm.store import postgresql, vault
from tslp_litellm.store.marks import FileMarks, Marks, NoMarks, ServerMarks

BUSY_TIMEOUT_MS = 5000
PAGES_KIB = 512
"""What a connection to SQLite keeps of the file; the system keeps the rest, for all of them."""
APPENDED = "tslp_appended"
"""Where a write transaction keeps what it appends to the Ledger: episode ids with their events."""
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
    """One database: connections that may write, and connections that cannot.

    `reader_url`: the same database under a role that may only read, for the diagnostics. StoreError for a URL that is
    none of ours, or whose driver is missing; nothing is connected before the first use.
    """

    def __init__(self, url: str, reader_url: str | None = None, *, create: bool = True) -> None:
        self.url = _parsed(url)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        self.memory = self.sqlite and self.url.database in (None, "", ":memory:")
        if create and self.sqlite and not self.memory and self.url.database:
            Path(self.url.database).expanduser().parent.mkdir(parents=True, exist_ok=True)
        self._engine = _engine(self.url, self.memory)
        self._reader = self._engine if self.memory else _engine(_read_only(self.url), False, read_only=True)
        self._others = _engine(self._of_reader(reader_url), False, read_only=True) if reader_url else None
        self.observe: Callable[[Sequence[Any]], None] | None = None  # hears what was appended, once it is committed
        self._writing = Lock()  # one writer a process: waiting here is cheaper than SQLite's busy handler
        self._sharing = RLock() if self.memory else contextlib.nullcontext()  # in memory there is one connection
        self.without_wal: set[str] = set()
        """The journal mode that SQLite kept to when this process asked it for WAL, if it did."""
        if self.sqlite:
            event.listen(self._engine, "connect", self._look_at_journal)
        self.marks = self._marks()
        self.opened = 0  # how often its connections were made anew

    def _of_reader(self, url: str) -> URL:
        parsed = _parsed(url, "reader_database_url")
        if (parsed.get_backend_name() == "sqlite") is not self.sqlite:
            raise StoreError("`reader_database_url` must name the same database as `database_url`.")
        return _read_only(parsed)

    def _look_at_journal(self, connection: Any, _record: object) -> None:
        """Of a connection that may write: its file is in WAL mode from the first one on, if it can be."""
        self.without_wal.clear()
        self.without_wal.update({connection.execute("PRAGMA journal_mode").fetchone()[0]} - {"wal"})

    def _marks(self) -> Marks:
        if self.memory:
            return NoMarks()
        return FileMarks(Path(str(self.url.database))) if self.sqlite else ServerMarks(self._engine)

    @property
    def diagnostics(self) -> Database:
        """The same database, read under the role for diagnostics where there is one."""
        if self._others is None:
            return self
        other = copy(self)
        other._reader = self._others
        return other

    @property
    def writers(self) -> int:
        """How many transactions can write at once. SQLite has one writer, who may take several workspaces along."""
        return 1 if self.sqlite else WRITERS

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """A snapshot, on a connection that cannot write."""
        with self._sharing, self._reader.connect() as connection, connection.begin():
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A write transaction: committed as a whole, or not at all."""
        with self._sharing, self._writing if self.sqlite else contextlib.nullcontext():
            connection = self._engine.connect().execution_options(**{_BEGIN: "BEGIN IMMEDIATE"})
            with connection, connection.begin(), vault.gathered(connection):
                appended = connection.info[APPENDED] = list[Any]()
                yield connection
        if appended and self.observe is not None:
            self.observe(appended)

    def migrate(self) -> bool:
        """Bring the schema up to date; whether there was anything to do. StoreError if a newer TSLP wrote it.

        Several processes may start at once: one migrates, the others wait. Where nothing is to do, nothing is written:
        a disk that is full, or may only be read, holds up no reader.
        """
        if self._is_current():
            return False
        with self.writing() as connection:
            if not self.sqlite:
                postgresql.lock_migrations(connection)
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
                return True
        return False

    def _is_current(self) -> bool:
        try:
            with self.reading() as connection:
                now, newest = self.revision(connection)
        except SQLAlchemyError:
            return False
        return now == newest

    def checkpoint(self) -> None:
        """Bring what the WAL holds into the database file (SQLite)."""
        raw = self._engine.raw_connection()
        try:
            raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            raw.close()

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
        """Let go of all connections. The last one to close brings the WAL into the database; a reader could not."""
        self.marks.close()
        self.opened += 1
        for engine in (self._others, self._reader, self._engine):
            if engine is not None:
                engine.dispose()


def migrations_dir() -> Path:
    """The Alembic scripts: in the wheel inside the package, in a checkout beside it."""
    package = Path(__file__).resolve().parents[1]
    packaged = package / "_alembic"
    return packaged if packaged.is_dir() else package.parent / "alembic"


def _alembic(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(migrations_dir()))
    config.attributes["connection"] = connection
    return config


_WRITE = "write `sqlite:///tslp.db`, or `postgresql+psycopg://USER:PASSWORD@HOST/DATABASE`."


def _parsed(url: str, setting: str = "database_url") -> URL:
    no_url = f"`{setting}` is no SQLAlchemy URL: {_WRITE}"
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise StoreError(no_url) from None
    backend = parsed.get_backend_name()
    if backend not in ("sqlite", "postgresql"):
        raise StoreError(f"`{setting}` names {backend}: TSLP keeps its state in SQLite or in PostgreSQL; {_WRITE}")
    if backend == "sqlite" and parsed.host:  # two slashes: the file's name was taken for a host's
        raise StoreError(no_url)
    return parsed.set(drivername="sqlite" if backend == "sqlite" else "postgresql+psycopg")


def _engine(url: URL, memory: bool, read_only: bool = False) -> Engine:
    """An engine whose errors do not quote what users said (`hide_parameters`): they are logged."""
    if url.get_backend_name() != "sqlite":
        try:
            return postgresql.engine(url, read_only)
        except (ModuleNotFoundError, ImportError, NoSuchModuleError):
            raise StoreError(
                "`database_url` names PostgreSQL, whose driver is not installed: pip install "
                "'tslp-litellm[postgresql]'."
            ) from None
    options: dict[str, Any] = {"connect_args": {"check_same_thread": False}, "hide_parameters": True}
    engine = create_engine(url, poolclass=StaticPool, **options) if memory else create_engine(url, **options)
    event.listen(engine, "connect", _prepare_read_only if read_only else _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _read_only(url: URL) -> URL:
    if url.get_backend_name() != "sqlite":
        return url
    path = Path(str(url.database)).expanduser().absolute()
    return url.set(database=f"file:{path}", query={"mode": "ro", "uri": "true"})


_PRAGMAS = (f"busy_timeout={BUSY_TIMEOUT_MS}", "trusted_schema=OFF", f"cache_size=-{PAGES_KIB}")


def _prepare(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # transactions begin where we say so
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", *_PRAGMAS):
        connection.execute(f"PRAGMA {pragma}")


def _prepare_read_only(connection: Any, _record: object) -> None:
    connection.isolation_level = None
    for pragma in ("query_only=ON", *_PRAGMAS):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN"))
