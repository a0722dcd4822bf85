"""A PostgreSQL server for tests, from the binaries that Debian (or a PATH) has; and a database of its own for a test."""

from __future__ import annotations

import functools
import os
import shutil
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tslp_litellm.store.database import Database

from .schema import REAL

MISSING = "PostgreSQL's initdb is neither on PATH nor in /usr/lib/postgresql: `apt-get install postgresql` adds it"
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "max_connections": "200",
    "shared_buffers": "32MB",
    "log_min_messages": "warning",
}


def binaries() -> Path | None:
    """The folder of the newest server's binaries."""
    found = shutil.which("initdb")
    if found is not None and Path(found).resolve().with_name("postgres").exists():
        return Path(found).resolve().parent
    versions = [p.parent for p in Path("/usr/lib/postgresql").glob("*/bin/postgres")]
    return max(versions, key=lambda p: float(p.parent.name), default=None)


class Server:
    """A server on a port of its own. PostgreSQL refuses to run as root: then it runs as `postgres` or `nobody`."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self._programs, self.port = folder, programs, _free_port()
        self._user = _other_user() if os.geteuid() == 0 else None
        if self._user is not None:
            shutil.chown(folder, self._user)
            folder.chmod(0o755)
        self._run(
            "initdb", "-D", f"{folder}/data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C"
        )
        self.start()

    def start(self) -> None:
        """Start it, on the same port every time; returns when it answers."""
        options = " ".join(f"-c {name}={value}" for name, value in SETTINGS.items())
        self._control("start", "-w", "-l", f"{self.folder}/log", "-o", f"-p {self.port} -k {self.folder} {options}")

    def stop(self, mode: str = "fast") -> None:
        """Stop it. `mode`: fast ends every connection, immediate is a crash."""
        self._control("stop", "-w", "-m", mode)

    def database(self, like: str = "template1") -> str:
        """The URL of a new database: empty, or a copy of another."""
        name = f"t{uuid.uuid4().hex[:12]}"
        self.sql("postgres", f"CREATE DATABASE {name} TEMPLATE {like}")
        return self.url(name)

    @functools.cached_property
    def migrated(self) -> str:
        """The name of a database with our schema, for copies."""
        made = Database(self.database())
        REAL(made)
        made.close()
        return str(made.url.database)

    def url(self, name: str, user: str = "postgres") -> str:
        """The URL of a database."""
        return f"postgresql+psycopg://{user}@127.0.0.1:{self.port}/{name}"

    def sql(self, name: str, statement: str) -> list[tuple[object, ...]]:
        """Run a statement as the superuser."""
        import psycopg

        with psycopg.connect(
            host="127.0.0.1", port=self.port, user="postgres", dbname=name, autocommit=True
        ) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def _control(self, *arguments: str) -> None:
        self._run("pg_ctl", "-D", f"{self.folder}/data", *arguments)

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), *arguments]
        if self._user is not None:
            command = ["setpriv", f"--reuid={self._user}", f"--regid={self._user}", "--clear-groups", *command]
            if shutil.which("setpriv") is None:
                command = ["runuser", "-u", self._user, "--", *command[4:]]
        clean = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"}
        output = self.folder.with_suffix(".out")
        with output.open("w") as file:  # not a pipe: the server would keep it open
            done = subprocess.run(command, cwd="/", env=clean, stdout=file, stderr=file, timeout=120, check=False)
        assert done.returncode == 0, output.read_text()


def _other_user() -> str:
    import pwd

    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in names)


def _free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A server for the whole run; where there can be none, the test is skipped and says why."""
    programs = binaries()
    if programs is None:
        pytest.skip(MISSING)
    with tempfile.TemporaryDirectory(prefix="tslp-pg-", ignore_cleanup_errors=True) as made:
        server = Server(Path(made), programs)
        yield server
        server.stop("immediate")


@pytest.fixture
def postgresql_url(postgresql: Server) -> str:
    """A new database with our schema, and nothing in it."""
    return postgresql.database(postgresql.migrated)


def wait_until(what: object, seconds: float = 120) -> None:
    """Wait for something to become true."""
    assert callable(what)
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)
