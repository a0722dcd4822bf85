"""Marks on workspaces whose answers have gone out and are not recorded yet, for the other workers and gateways.

A worker marks a workspace before an answer's end goes out, and takes the mark away when the answer is recorded; a
request elsewhere waits until nobody else has one. A worker that dies loses its marks with it: on SQLite they are locks
on a file beside the database (no rows, no commits), on PostgreSQL a session's advisory locks.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from tslp_litellm.state.names import WorkspaceKey

try:
    import fcntl
except ImportError:  # Windows, where LiteLLM runs with one worker
    fcntl = None  # type: ignore[assignment]

PAUSE_S = 0.001
"""How long a thread sleeps before it tries a lock again that another process holds for a moment."""


class Marks(ABC):
    """This process's marks. Safe to use from several threads."""

    def __init__(self) -> None:
        self._held: Counter[WorkspaceKey] = Counter()
        self._lock = Lock()

    def mark(self, key: WorkspaceKey) -> None:
        """One answer more of a workspace is on its way into the Ledger. May wait, for a server or another process.
        Where that fails, nothing is marked."""
        with self._lock:
            if not self._held[key]:
                self._set(key)
            self._held[key] += 1

    def unmark(self, key: WorkspaceKey) -> None:
        """One of them is recorded, or given up."""
        with self._lock:
            self._held[key] -= 1
            if self._held[key] <= 0:
                del self._held[key]
                self._unset(key)

    def try_mark(self, key: WorkspaceKey) -> bool:
        """Mark a workspace where that can be done without waiting for anybody; whether it was."""
        with _at_once(self._lock) as free:
            done = free and (self._held[key] > 0 or self._try_set(key))
            if done:
                self._held[key] += 1
            return done

    def try_unmark(self, key: WorkspaceKey) -> bool:
        """Take a mark away where that can be done without waiting for anybody; whether it was."""
        with _at_once(self._lock) as free:
            done = free and (self._held[key] > 1 or self._try_unset(key))
            if done:
                self._held[key] -= 1
                self._held += Counter()  # what is down to nought goes
            return done

    def elsewhere(self, key: WorkspaceKey) -> bool:
        """Whether another process has marked a workspace."""
        with self._lock:
            return self._is_set_elsewhere(key)

    def close(self) -> None:  # noqa: B027 - most have nothing to let go of
        """Let go of all."""

    def _try_set(self, _key: WorkspaceKey) -> bool:
        """Set a mark without waiting; False where that can't be done."""
        return False

    def _try_unset(self, _key: WorkspaceKey) -> bool:
        """Unset a mark without waiting; False where that can't be done."""
        return False

    @abstractmethod
    def _set(self, key: WorkspaceKey) -> None: ...

    @abstractmethod
    def _unset(self, key: WorkspaceKey) -> None: ...

    @abstractmethod
    def _is_set_elsewhere(self, key: WorkspaceKey) -> bool: ...


class NoMarks(Marks):
    """For a database that no other process can see."""

    def _try_set(self, _key: WorkspaceKey) -> bool:
        return True

    def _try_unset(self, _key: WorkspaceKey) -> bool:
        return True

    def _set(self, key: WorkspaceKey) -> None: ...

    def _unset(self, key: WorkspaceKey) -> None: ...

    def _is_set_elsewhere(self, key: WorkspaceKey) -> bool:
        return False


class FileMarks(Marks):
    """Shared locks on one byte a workspace of `<database>-order`. The file stays empty.

    POSIX drops a process's locks on a file when it closes any descriptor of it, so a process opens it once.
    """

    _files: dict[str, int] = {}  # noqa: RUF012 - descriptors, by path, for the process's life
    _counts: dict[str, Counter[int]] = {}  # noqa: RUF012 - and how many in this process hold which byte
    _process = Lock()

    def __init__(self, database: Path) -> None:
        super().__init__()
        self._path = f"{database.expanduser().absolute()}-order"

    def _descriptor(self) -> int:
        if self._path not in self._files:
            self._files[self._path] = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            self._counts[self._path] = Counter()
        return self._files[self._path]

    def _try_set(self, key: WorkspaceKey) -> bool:
        if fcntl is None:
            return True
        with _at_once(self._process) as free:
            return free and self._lock_shared(key)

    def _try_unset(self, key: WorkspaceKey) -> bool:
        if fcntl is None:
            return True
        with _at_once(self._process) as free:
            if free:
                self._unlock(key)
            return free

    def _set(self, key: WorkspaceKey) -> None:
        """Another process holds a byte for itself only while it looks, so this comes to an end."""
        while fcntl is not None:
            with self._process:
                if self._lock_shared(key):
                    return
            time.sleep(PAUSE_S)

    def _unset(self, key: WorkspaceKey) -> None:
        if fcntl is not None:
            with self._process:
                self._unlock(key)

    def _lock_shared(self, key: WorkspaceKey) -> bool:
        """Whether it is locked now; the process's lock is held, and nobody is waited for."""
        try:
            fcntl.lockf(self._descriptor(), fcntl.LOCK_SH | fcntl.LOCK_NB, 1, _place(key))
        except (BlockingIOError, PermissionError):
            return False
        self._counts[self._path][_place(key)] += 1
        return True

    def _unlock(self, key: WorkspaceKey) -> None:
        descriptor, counts = self._descriptor(), self._counts[self._path]
        counts[_place(key)] -= 1
        if counts[_place(key)] <= 0:
            del counts[_place(key)]
            fcntl.lockf(descriptor, fcntl.LOCK_UN, 1, _place(key))

    def _is_set_elsewhere(self, key: WorkspaceKey) -> bool:
        """Whether the byte can't be locked for us alone; what we hold ourselves is no hindrance, and is kept."""
        if fcntl is None:
            return False
        with self._process:
            descriptor, place = self._descriptor(), _place(key)
            try:
                fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
            except (BlockingIOError, PermissionError):
                return True
            own = self._counts[self._path][place] > 0
            fcntl.lockf(descriptor, fcntl.LOCK_SH if own else fcntl.LOCK_UN, 1, place)
            return False


class ServerMarks(Marks):
    """Shared advisory locks of one session. Where it is lost, its marks are set again on the next."""

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine
        self._session: Connection | None = None

    def _set(self, key: WorkspaceKey) -> None:
        self._ask(f"SELECT pg_advisory_lock_shared({_place(key)})")

    def _unset(self, key: WorkspaceKey) -> None:
        self._ask(f"SELECT pg_advisory_unlock_shared({_place(key)})")

    def _is_set_elsewhere(self, key: WorkspaceKey) -> bool:
        place = _place(key)
        asked = f"SELECT CASE WHEN pg_try_advisory_lock({place}) THEN pg_advisory_unlock({place}) ELSE false END"
        return not self._ask(asked)

    def _ask(self, statement: str) -> bool:
        """What the session answers; where it is lost, another one."""
        if self._session is not None:
            with contextlib.suppress(SQLAlchemyError):
                return self._asked(statement)
        return self._asked(statement)

    def _asked(self, statement: str) -> bool:
        try:
            return bool(self._connection().exec_driver_sql(statement).scalar())
        except SQLAlchemyError:
            self._drop()
            raise

    def _connection(self) -> Connection:
        if self._session is None:
            self._session = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            for key in self._held:
                self._session.exec_driver_sql(f"SELECT pg_advisory_lock_shared({_place(key)})")
        return self._session

    def _drop(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            with contextlib.suppress(SQLAlchemyError):
                session.invalidate()
            with contextlib.suppress(SQLAlchemyError):
                session.close()

    def close(self) -> None:
        with self._lock:
            self._drop()


@contextlib.contextmanager
def _at_once(lock: Lock) -> Iterator[bool]:
    """Hold a lock if nobody else does; whether it is held."""
    free = lock.acquire(blocking=False)
    try:
        yield free
    finally:
        if free:
            lock.release()


def _place(key: WorkspaceKey) -> int:
    """A workspace's number: 62 bits of a hash. Two workspaces with one number would only wait for each other."""
    digest = hashlib.sha256("\0".join(key).encode("utf-8", "replace")).digest()
    return int.from_bytes(digest[:8], "big") >> 2
