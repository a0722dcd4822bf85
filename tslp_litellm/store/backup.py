"""A consistent copy of the database while it is being written to, verified afterwards."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

from tslp_litellm.store.database import Database, StoreError
from tslp_litellm.store.maintenance import Problem, verify

PAGES_A_STEP = 2000
"""Between two steps writers go on."""


def back_up(database: Database, to: Path, step: Callable[[int, int, int], None] | None = None) -> list[Problem]:
    """Copy the database to a file, and verify the copy; the problems found in it.

    The file appears only when it is whole and without a problem; what was there is replaced then. StoreError where it
    can't be made; OSError where the file can't be written. `step`: called between two steps of the copy (SQLite).
    """
    part = to.with_name(f".{to.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    part.touch(mode=0o600)
    try:
        if database.sqlite:
            _copy_sqlite(database, part, step)
            problems = _verified(part)
        else:
            _dump_postgresql(database, part)
            problems = []
        if not problems:
            _keep(part, to)
        return problems
    finally:
        for leftover in (part, part.with_name(part.name + "-wal"), part.with_name(part.name + "-shm")):
            leftover.unlink(missing_ok=True)


def _copy_sqlite(database: Database, part: Path, step: Callable[[int, int, int], None] | None) -> None:
    """By SQLite's online backup, under one read transaction: writers go on, and the copy is of one instant."""
    assert database.file is not None
    try:
        with (
            contextlib.closing(sqlite3.connect(f"{database.file.as_uri()}?mode=ro", uri=True)) as source,
            contextlib.closing(sqlite3.connect(part)) as target,
        ):
            source.execute("BEGIN")
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
            source.backup(target, pages=PAGES_A_STEP, progress=step, sleep=0)
            target.execute("PRAGMA journal_mode=DELETE")  # one file, with nothing beside it
    except sqlite3.Error as error:
        raise StoreError(f"The database could not be copied: {error}") from None


def _verified(part: Path) -> list[Problem]:
    copy = Database(f"sqlite:///{part}", create=False)
    try:
        return verify(copy)
    finally:
        copy.close()


def _dump_postgresql(database: Database, part: Path) -> None:
    """By pg_dump in its custom format; the password goes by the environment, and the dump is listed to see it whole."""
    dump, restore = shutil.which("pg_dump"), shutil.which("pg_restore")
    if dump is None or restore is None:
        raise StoreError(
            "A PostgreSQL database is backed up with pg_dump, which is not installed here: install PostgreSQL's client "
            "programs (Debian: postgresql-client), or use your server's own backups."
        )
    url = database.url.set(drivername="postgresql", password=None).render_as_string(hide_password=False)
    environment = {**os.environ, **({"PGPASSWORD": database.url.password} if database.url.password else {})}
    for command in ([dump, "--format=custom", f"--file={part}", "--dbname", url], [restore, "--list", str(part)]):
        done = subprocess.run(  # noqa: S603 - found on the PATH, arguments of our own
            command, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise StoreError(f"{Path(command[0]).name} failed: {' '.join(done.stderr.split())[:500]}")


def _keep(part: Path, to: Path) -> None:
    """Put the finished file in its place, safely on disk."""
    with part.open("rb") as file:
        os.fsync(file.fileno())
    part.replace(to)
