"""Whether the SQLite files that are open are still the ones that stand at their path (SEMANTICS 9).

SQLite goes on reading and writing a deleted file through its open connections, and all of it is gone with the process.
So the files are looked at before every visit: one `stat` each, a few microseconds.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from threading import Lock

from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from tslp_litellm.store.database import Database, StoreError
from tslp_litellm.store.vault import AlteredError

SUFFIXES = ("", "-wal", "-shm")
Identity = tuple[int, int]


def is_storage_fault(error: BaseException) -> bool:
    """Whether an error is the database's or the disk's: what failed by it may work when the fault is gone."""
    return isinstance(error, (SQLAlchemyError, OSError, StoreError))


def unopened(url: str, error: Exception) -> str:
    """Why a database can't be opened, in a sentence for the user."""
    try:
        shown = make_url(url).render_as_string(hide_password=True)
    except SQLAlchemyError:
        shown = "that `database_url` names"
    cause = str(getattr(error, "orig", None) or error).strip().splitlines()
    return f"The database {shown} can't be opened: {cause[0].rstrip('.') if cause else type(error).__name__}."


class Presence:
    """Looks after the files of one database. Does nothing for PostgreSQL and in memory, once they have been opened."""

    def __init__(self, database: Database) -> None:
        self._database = database
        path = database.url.database if database.sqlite and not database.memory else None
        self._path = Path(path).expanduser().absolute() if path else None
        self._known = self._identities()
        self._doubted = False
        self._unopened: str | None = None
        self._lock = Lock()

    def open(self) -> str | None:
        """Bring the database up to date; why it can't be opened, if so. It is then tried again with every `look`.

        StoreError if a newer TSLP wrote it.
        """
        try:
            self._database.migrate()
            self._unopened = None
        except (SQLAlchemyError, OSError) as error:
            self._database.close()
            self._unopened = unopened(self._database.shown_url, error)
        self._known = self._identities()
        return self._unopened

    def is_open(self) -> bool:
        """Whether the database could be opened when that was last tried."""
        return self._unopened is None

    def trouble(self) -> str | None:
        """What became of the files; None if they are the ones that are open."""
        return self._unopened.rstrip(".") if self._unopened else self._compare(self._identities())

    def look(self) -> str | None:
        """Open the database anew where its files are not the ones that are open, or after a fault; says what was found.

        What stands at the path is the database from then on: a fresh one is made where there is none. StoreError,
        SQLAlchemyError or OSError where that can't be done.
        """
        if self._unopened is not None:
            with self._lock:
                if self._unopened is not None and self.open() is not None:
                    raise StoreError(self._unopened)
        if self._path is None:
            return None
        now = self._identities()
        if not self._doubted and self._compare(now) is None:
            self._known = {**now, **self._known}
            return None
        with self._lock:
            return self._reopen()

    def after(self, error: BaseException) -> None:
        """After a storage fault: connections are made anew, lest they trust what they read before it."""
        if self._path is not None and (is_storage_fault(error) or isinstance(error, AlteredError)):
            with self._lock:
                self._doubted = True
                self._database.close()
                self._known = {suffix: identity for suffix, identity in self._known.items() if not suffix}

    def _reopen(self) -> str | None:
        """A database that heals needs nothing but its connections; an empty file becomes a fresh one."""
        now = self._identities()
        trouble = self._compare(now)
        if trouble is not None and now.get("") == self._known.get(""):
            self._save_wal()
        self._database.close()
        made = self._database.migrate()
        self._known, self._doubted = self._identities(), False
        return trouble or (f"{self._path} was empty, or of an older TSLP" if made else None)

    def _compare(self, now: dict[str, Identity]) -> str | None:
        for suffix, identity in list(self._known.items()):
            if now.get(suffix) != identity:
                became = "replaced" if suffix in now else "deleted"
                return f"The file {self._path}{suffix} was {became} while it was open"
        return None

    def _save_wal(self) -> None:
        """The database file is the same one: what our connections still hold of a deleted WAL goes into it."""
        with contextlib.suppress(SQLAlchemyError, sqlite3.Error):  # the migration that follows says what is wrong
            self._database.checkpoint()

    def _identities(self) -> dict[str, Identity]:
        found: dict[str, Identity] = {}
        for suffix in SUFFIXES if self._path is not None else ():
            try:
                status = Path(f"{self._path}{suffix}").stat()
            except OSError:
                continue
            found[suffix] = (status.st_dev, status.st_ino)
        return found
