"""`examples/backup/backup.sh`, as cron runs it: what it keeps, and that what it keeps can be restored."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.store.helpers import show
from tslp_litellm.engine import projecting
from tslp_litellm.store import queries
from tslp_litellm.store.database import Database
from tslp_litellm.store.maintenance import verify

SCRIPT = Path(__file__).parents[2] / "examples" / "backup" / "backup.sh"


@pytest.fixture
def live(tmp_path: Path) -> Path:
    """A database with one file in it, and the config that names it."""
    file = tmp_path / "t.db"
    (tmp_path / "config.yaml").write_text(f"tslp:\n  database_url: sqlite:///{file}\n")
    database = Database(f"sqlite:///{file}")
    database.migrate()
    show(database, "a.py", "def f():\n    return 1\n")
    database.close()
    return file


def backup(live: Path, **more: str) -> tuple[int, list[Path]]:
    """Its exit status, and the copies that are there, oldest first."""
    environment = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(live.parent), **more}
    done = subprocess.run(["sh", SCRIPT, "copies"], cwd=live.parent, env=environment, capture_output=True, check=False)
    return done.returncode, sorted((live.parent / "copies").iterdir())


def held(file: Path) -> tuple[dict[str, str], int]:
    """The State Map of a database, and how many problems `verify` finds."""
    database = Database(f"sqlite:///{file}")
    try:
        problems = len(verify(database, projecting.problems))
        with database.reading() as connection:
            rows = queries.state(connection, "local", "w")["entities"]
    finally:
        database.close()
    return {row["entity"]: row["artifact"] for row in rows}, problems


def test_a_copy_takes_the_place_of_a_damaged_database(live: Path) -> None:
    status, (copy,) = backup(live)
    was = held(live)
    assert "a.py" in was[0]
    assert (status, was[1], copy.stat().st_mode & 0o077) == (0, 0, 0)
    live.write_bytes(b"\0" * 40_000)
    for suffix in ("-wal", "-shm"):
        live.with_name(live.name + suffix).unlink(missing_ok=True)
    shutil.copyfile(copy, live)
    assert held(live) == was


def test_the_newest_copies_stay_and_none_goes_for_one_that_failed(live: Path) -> None:
    copies = live.parent / "copies"
    copies.mkdir()
    old = [copies / f"tslp-2026010{n}T031700Z.copy" for n in range(1, 5)]
    for one in [*old, copies / "mine.copy"]:
        one.touch()
    kept = live.read_bytes()
    live.write_bytes(kept[:5_000])
    status, found = backup(live, KEEP="3")
    assert status != 0
    assert [one.name for one in found] == ["mine.copy", *(one.name for one in old)]
    live.write_bytes(kept)
    status, found = backup(live, KEEP="3")
    assert status == 0
    assert [one.name for one in found[:3]] == ["mine.copy", old[2].name, old[3].name]
    assert len(found) == 4
