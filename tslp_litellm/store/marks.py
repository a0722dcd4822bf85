"""Marks on workspaces whose answers have gone out and are not recorded yet, for the other workers and gateways.

A worker marks a workspace before an answer's end goes out, and takes the mark away when the answer is recorded; a
request elsewhere waits until nobody else has one. Who dies loses his marks with him: on SQLite they are locks on a file
beside the database (no rows, no commits), on PostgreSQL a session's advisory locks.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from abc import ABC, abstractmethod
from collections import Counter
from pathlib import Path
from threading import Lock

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from tslp_litellm.state.names import WorkspaceKey

try:
    import fcntl
except ImportError:  # Windows, where LiteLLM runs with one worker
    fcntl = None  # type: ignore[assignment]


class Marks(ABC):
    """This process's marks. Safe to use from several threads."""

    def __init__(self) -> None:
        self._held: Counter[WorkspaceKey] = Counter()
        self._lock = Lock()

    def mark(self, scope: WorkspaceKey) -> None:
        """One answer more of a workspace is on its way into the Ledger."""
        with self._lock:
            self._held[scope] += 1
            if self._held[scope] == 1:
                self._set(scope)

    def unmark(self, scope: WorkspaceKey) -> None:
        """One of them is recorded, or given up."""
        with self._lock:
            self._held[scope] -= 1
            if self._held[scope] <= 0:
                del self._held[scope]
                self._unset(scope)

    def elsewhere(self, scope: WorkspaceKey) -> bool:
        """Whether another process has marked a workspace."""
        with self._lock:
            return self._is_set_elsewhere(scope)

    def close(self) -> None:  # noqa: B027 - most have nothing to let go of
        """Let go of all."""

    @abstractmethod
    def _set(self, scope: WorkspaceKey) -> None: ...

    @abstractmethod
    def _unset(self, scope: WorkspaceKey) -> None: ...

    @abstractmethod
    def _is_set_elsewhere(self, scope: WorkspaceKey) -> bool: ...


class NoMarks(Marks):
    """For a database that no other process can see."""

    def _set(self, scope: WorkspaceKey) -> None: ...

    def _unset(self, scope: WorkspaceKey) -> None: ...

    def _is_set_elsewhere(self, scope: WorkspaceKey) -> bool:
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

    def _set(self, scope: WorkspaceKey) -> None:
        if fcntl is None:
            return
        with self._process:
            fcntl.lockf(self._descriptor(), fcntl.LOCK_SH, 1, _place(scope))
            self._counts[self._path][_place(scope)] += 1

    def _unset(self, scope: WorkspaceKey) -> None:
        if fcntl is None:
            return
        with self._process:
            descriptor, counts = self._descriptor(), self._counts[self._path]
            counts[_place(scope)] -= 1
            if counts[_place(scope)] <= 0:
                del counts[_place(scope)]
                fcntl.lockf(descriptor, fcntl.LOCK_UN, 1, _place(scope))

    def _is_set_elsewhere(self, scope: WorkspaceKey) -> bool:
        """Whether the byte can't be locked for us alone; what we hold ourselves is no hindrance, and is kept."""
        if fcntl is None:
            return False
        with self._process:
            descriptor, place = self._descriptor(), _place(scope)
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

    def _set(self, scope: WorkspaceKey) -> None:
        self._ask(f"SELECT pg_advisory_lock_shared({_place(scope)})", but=scope)

    def _unset(self, scope: WorkspaceKey) -> None:
        self._ask(f"SELECT pg_advisory_unlock_shared({_place(scope)})")

    def _is_set_elsewhere(self, scope: WorkspaceKey) -> bool:
        place = _place(scope)
        asked = f"SELECT CASE WHEN pg_try_advisory_lock({place}) THEN pg_advisory_unlock({place}) ELSE false END"
        return not self._ask(asked)

    def _ask(self, statement: str, but: WorkspaceKey | None = None) -> bool:
        try:
            return bool(self._connection(but).exec_driver_sql(statement).scalar())
        except SQLAlchemyError:
            self._drop()
            raise

    def _connection(self, but: WorkspaceKey | None) -> Connection:
        if self._session is None:
            self._session = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            for scope in self._held:
                if scope != but:
                    self._session.exec_driver_sql(f"SELECT pg_advisory_lock_shared({_place(scope)})")
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


def _place(scope: WorkspaceKey) -> int:
    """A workspace's number: 62 bits of a hash. Two workspaces with one number would only wait for each other."""
    digest = hashlib.sha256("\0".join(scope).encode("utf-8", "replace")).digest()
    return int.from_bytes(digest[:8], "big") >> 2
