"""Opening the database: SQLite in WAL mode, or PostgreSQL by URL; migrated at start, a newer one refused."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from pathlib import Path
from threading import Lock, RLock
from typing import Any

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

from tslp_litellm.store import migrations, postgresql, vault
from tslp_litellm.store.marks import FileMarks, Marks, NoMarks, ServerMarks
from tslp_litellm.store.schema import metadata

BUSY_TIMEOUT_MS = 2000
"""How long SQLite waits for another process that has the database locked."""
LOCKED_TIMEOUT_MS = 50
"""How long it waits where the last wait was in vain: whoever comes meanwhile would wait for all those before, too."""
PAGES_KIB = 512
"""What a connection to SQLite keeps of the file; the system keeps the rest, for all of them."""
APPENDED = "tslp_appended"
"""Where a write transaction keeps what it appends to the Ledger: episode ids with their events."""
WRITERS = 4
_BEGIN, _WAITS = "tslp_begin", "tslp_waits"


class StoreError(Exception):
    """The database can't be used; the message says why, for the user."""


def is_everybodys(error: BaseException) -> bool:
    """Whether a fault is the database's, and would have met any other transaction too."""
    return isinstance(error, (OperationalError, InterfaceError)) or (
        isinstance(error, DBAPIError) and error.connection_invalidated
    )


def is_lock(error: BaseException) -> bool:
    """Whether a fault is that another process has SQLite's file locked."""
    driver = error.orig if isinstance(error, DBAPIError) else None
    code = getattr(driver, "sqlite_errorcode", None)  # one that SQLite's module raises by itself has none
    return isinstance(driver, sqlite3.Error) and code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class Database:
    """One database: connections that may write, and connections that cannot.

    `reader_url`: the same database under a role that may only read, for the diagnostics. `create`: whether the folder
    of a file is made where there is none. StoreError for a URL that is none of ours, or whose driver is missing;
    nothing is connected before the first use.
    """

    def __init__(self, url: str, reader_url: str | None = None, *, create: bool = True) -> None:
        self.url = _parsed(url)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        self.memory = self.sqlite and self.url.database in (None, "", ":memory:")
        self._create = create
        with contextlib.suppress(OSError):  # `migrate` says it
            self._make_folder()
        self._engine = _engine(self.url, self.memory)
        self._reader = self._engine if self.memory else _engine(_read_only(self.url), False, read_only=True)
        self._others = _engine(_read_only(_parsed(reader_url)), False, read_only=True) if reader_url else None
        self.observe: Callable[[Sequence[Any]], None] | None = None  # hears what was appended, once it is committed
        self._writing = Lock()  # one writer a process: waiting here is cheaper than SQLite's busy handler
        self._sharing = RLock() if self.memory else contextlib.nullcontext()  # in memory there is one connection
        self.marks = self._marks()
        self.opened = 0  # how often its connections were made anew
        self.locked = False  # whether the last that asked for it waited in vain for another process

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
        with self._sharing, self._reader.connect() as connection, self._waiting(connection), connection.begin():
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A write transaction: committed as a whole, or not at all."""
        with self._sharing, self._writing if self.sqlite else contextlib.nullcontext():
            connection = self._engine.connect().execution_options(**{_BEGIN: "BEGIN IMMEDIATE"})
            with connection, self._waiting(connection), connection.begin(), vault.gathered(connection):
                self.locked = False
                appended = connection.info[APPENDED] = list[Any]()
                yield connection
        if appended and self.observe is not None:
            self.observe(appended)

    @contextlib.contextmanager
    def _waiting(self, connection: Connection) -> Iterator[None]:
        """How long this connection waits for another process, by whether the last wait was in vain."""
        if self.sqlite:
            _wait_for(connection, LOCKED_TIMEOUT_MS if self.locked else BUSY_TIMEOUT_MS)
        try:
            yield
        except OperationalError as error:
            self.locked = self.locked or is_lock(error)
            raise

    def migrate(self) -> bool:
        """Bring the schema up to date; whether there was anything to do. StoreError if a newer TSLP wrote it.

        Several processes may start at once: one migrates, the others wait. Where nothing is to do, nothing is written:
        a disk that is full, or may only be read, holds up no reader.
        """
        if self._is_current():
            return False
        self._make_folder()
        with self.writing() as connection:
            if not self.sqlite:
                postgresql.lock_migrations(connection)
            now, newest = self.revision(connection)
            if now is not None and not self.knows(now):
                raise StoreError(
                    f"The database {self.shown_url} was written by a newer TSLP (its revision {now} is unknown "
                    "here): upgrade tslp-litellm, or name another database in `database_url`."
                )
            if now != newest:
                migrations.upgrade(connection)
                return True
        return False

    def _make_folder(self) -> None:
        if self._create and self.file is not None:
            self.file.parent.mkdir(parents=True, exist_ok=True)

    def fill(self) -> None:
        """Make the tables of an empty database that nobody keeps: without history, and without the triggers that
        protect it."""
        with self.writing() as connection:
            metadata.create_all(connection)

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
        return migrations.revision(connection), migrations.REVISIONS[-1]

    def knows(self, revision: str) -> bool:
        """Whether a schema's revision is one of ours."""
        return revision in migrations.REVISIONS

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
        with self._sharing:  # SQLite ends the process where a connection is closed under whoever uses it
            for engine in (self._others, self._reader, self._engine):
                if engine is not None:
                    engine.dispose()


def _parsed(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise StoreError(
            "`database_url` is no SQLAlchemy URL: write `sqlite:///tslp.db`, or "
            "`postgresql+psycopg://USER:PASSWORD@HOST/DATABASE`."
        ) from None
    backend = parsed.get_backend_name()
    if backend not in ("sqlite", "postgresql"):
        raise StoreError(f"`database_url` names {backend}: TSLP keeps its state in SQLite or in PostgreSQL.")
    return parsed if backend == "sqlite" else parsed.set(drivername="postgresql+psycopg")


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
    if not memory:
        event.listen(engine, "do_connect", _must_be_a_file)
    event.listen(engine, "connect", _prepare_read_only if read_only else _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _read_only(url: URL) -> URL:
    if url.get_backend_name() != "sqlite":
        return url
    path = Path(str(url.database)).expanduser().absolute()
    return url.set(database=f"file:{path}", query={"mode": "ro", "uri": "true"})


def _must_be_a_file(_dialect: object, _record: object, arguments: list[Any], _options: object) -> None:
    """SQLite waits without end for a pipe, and makes a journal beside a device: neither is opened."""
    path = Path(str(arguments[0]).removeprefix("file:").partition("?")[0])
    if path.exists() and not path.is_file():
        raise sqlite3.OperationalError(f"{path} is no regular file")


_PRAGMAS = (f"busy_timeout={BUSY_TIMEOUT_MS}", "trusted_schema=OFF", f"cache_size=-{PAGES_KIB}")


def _prepare(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # transactions begin where we say so
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", *_PRAGMAS):
        connection.execute(f"PRAGMA {pragma}")


def _prepare_read_only(connection: Any, _record: object) -> None:
    connection.isolation_level = None
    for pragma in ("query_only=ON", *_PRAGMAS):
        connection.execute(f"PRAGMA {pragma}")


def _wait_for(connection: Connection, timeout_ms: int) -> None:
    if connection.info.get(_WAITS, BUSY_TIMEOUT_MS) != timeout_ms:
        driver: Any = connection.connection.dbapi_connection
        driver.execute(f"PRAGMA busy_timeout={timeout_ms}")
        connection.info[_WAITS] = timeout_ms


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN"))
