"""Real faults of the disk and of the database's files while a real proxy runs (SEMANTICS 9).

Requests pass or are refused as `on_error` says, the doctor says what is wrong, nothing altered is ever shown, and all
is well again when the cause is gone.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tslp_litellm.store.database import Database
from tslp_litellm.store.maintenance import verify

from .conftest import Faulty, MakeGateway, block_of, fence_of

pytestmark = pytest.mark.slow
W = "w"


def problems(database: Path) -> list[str]:
    opened = Database(f"sqlite:///{database}")
    try:
        return [f"{p.where}: {p.detail}" for p in verify(opened)]
    finally:
        opened.close()


def running(make_gateway: MakeGateway, folder: Path, policy: str = "pass", **more: object) -> Faulty:
    """A gateway that knows version 1 of `geo.py`."""
    gateway = make_gateway(folder, settings={"on_error": policy}, **more)
    gateway.start()
    assert gateway.wait_until_ready(), gateway.log()
    assert gateway.say("Write geo.py", fence_of(1), W) == 200
    gateway.settled(W, 1)
    return gateway


def is_served(gateway: Faulty, policy: str, *, text: str = "And `area_of`?") -> None:
    """A request while the fault lasts."""
    assert gateway.say(text, "Yes.", W) == (200 if policy == "pass" else 503), gateway.log()


def logged(gateway: Faulty) -> list[str]:
    return [line for line in gateway.whole_log().splitlines() if "TSLP: pre-flight failed" in line]


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """A file system of 3 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip(f"no file system can be mounted here: {made.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


POLICIES = pytest.mark.parametrize("policy", ["pass", "block"])


@POLICIES
def test_a_full_disk(make_gateway: MakeGateway, tmp_path: Path, mounted: Path, policy: str) -> None:
    url = f"sqlite:///{mounted / 'tslp.db'}"
    gateway = running(make_gateway, tmp_path / "g", policy, environment={"TSLP_DATABASE_URL": url})
    with (mounted / "ballast").open("wb", buffering=0) as ballast, pytest.raises(OSError, match="No space"):
        while True:
            ballast.write(b"x" * 4096)
    big = f"{fence_of(2)}\nKeep this. {os.urandom(30_000).hex()}"
    for _ in range(3):
        is_served(gateway, policy, text=big)
    status, checks = gateway.doctor()
    assert status == "failed"
    assert checks["disk"]["status"] == "fail"
    assert "full" in checks["faults"]["detail"], checks["faults"]
    assert len(logged(gateway)) <= 2, "a fault is logged once"
    (mounted / "ballast").unlink()
    if policy == "block":
        is_served(gateway, "pass", text=big)
    assert block_of(2) in gateway.shown(W)
    assert gateway.doctor()[1]["faults"]["status"] == "ok", gateway.doctor()
    gateway.stop()
    assert problems(mounted / "tslp.db") == []


@POLICIES
def test_a_file_size_limit(make_gateway: MakeGateway, tmp_path: Path, policy: str) -> None:
    """A quota: every write fails, reads go on. What is known and not contradicted is still shown."""
    prlimit = shutil.which("prlimit")
    if prlimit is None:
        pytest.skip("there is no prlimit here")
    gateway = running(make_gateway, tmp_path / "g", policy)
    subprocess.run([prlimit, "--pid", str(gateway.process.pid), "--fsize=0:unlimited"], check=True)
    assert block_of(1) in gateway.shown(W), "nothing has to be written before this request"
    is_served(gateway, policy, text=f"{fence_of(2)}\nKeep this.")
    is_served(gateway, policy)
    assert "[CURRENT STATE" not in gateway.upstream.prompts()[-1] or policy == "block"
    assert gateway.doctor()[0] != "ok"
    subprocess.run([prlimit, "--pid", str(gateway.process.pid), "--fsize=unlimited:unlimited"], check=True)
    if policy == "block":
        is_served(gateway, "pass", text=f"{fence_of(2)}\nKeep this.")
    assert block_of(2) in gateway.shown(W)
    assert gateway.doctor()[1]["faults"]["status"] == "ok", gateway.doctor()
    gateway.stop()
    assert problems(gateway.database) == []


@POLICIES
def test_a_lock_of_another_process(make_gateway: MakeGateway, tmp_path: Path, policy: str) -> None:
    """Nothing is lost: what was said meanwhile is recorded when the database can be had again."""
    gateway = running(make_gateway, tmp_path / "g", policy)
    with sqlite3.connect(gateway.database, isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        is_served(gateway, policy, text=f"{fence_of(2)}\nKeep this.")
        is_served(gateway, "pass")  # what was refused was said to nobody
        assert "[CURRENT STATE" not in gateway.upstream.prompts()[-1] or policy == "block"
        status, checks = gateway.doctor()
        assert status == "failed"
        assert checks["database lock"]["status"] == "fail"
        other.execute("ROLLBACK")
    if policy == "block":
        is_served(gateway, "pass", text=f"{fence_of(2)}\nKeep this.")
    assert block_of(2) in gateway.shown(W)
    assert gateway.doctor()[0] == "ok", gateway.doctor()
    gateway.stop()
    assert problems(gateway.database) == []


def delete(database: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        database.with_name(database.name + suffix).unlink(missing_ok=True)


def delete_only_the_database(database: Path) -> None:
    database.unlink()


@POLICIES
@pytest.mark.parametrize("how", [delete, delete_only_the_database])
def test_a_deleted_database(
    make_gateway: MakeGateway, tmp_path: Path, policy: str, how: Callable[[Path], None]
) -> None:
    """It is noticed, and a fresh one is begun; nothing of the deleted one is shown."""
    gateway = running(make_gateway, tmp_path / "g", policy)
    how(gateway.database)
    status, checks = gateway.doctor()
    assert status == "failed"
    assert "deleted" in checks["database file"]["detail"]
    assert "[CURRENT STATE" not in gateway.shown(W)
    assert gateway.whole_log().count("was deleted while it was open") == 1
    assert gateway.say("Write geo.py", fence_of(5), W) == 200
    assert block_of(5) in gateway.shown(W)
    status, checks = gateway.doctor()
    assert status == "ok", checks
    gateway.stop()
    assert problems(gateway.database) == []


def test_a_restored_database(make_gateway: MakeGateway, tmp_path: Path) -> None:
    """Another file in its place is the truth from then on."""
    gateway = running(make_gateway, tmp_path / "g")
    backup = tmp_path / "backup.db"
    with sqlite3.connect(gateway.database) as live, sqlite3.connect(backup) as copy:
        live.backup(copy)
    assert gateway.say("Write geo.py", fence_of(2), W) == 200
    assert block_of(2) in gateway.shown(W)
    delete(gateway.database)
    backup.rename(gateway.database)
    assert block_of(1) in gateway.shown(W)
    assert gateway.doctor()[0] == "ok"
    gateway.stop()
    assert problems(gateway.database) == []


@pytest.mark.parametrize("suffix", ["-wal", "-shm"])
def test_a_deleted_wal_loses_nothing(make_gateway: MakeGateway, tmp_path: Path, suffix: str) -> None:
    gateway = running(make_gateway, tmp_path / "g")
    gateway.database.with_name(gateway.database.name + suffix).unlink()
    assert "deleted" in gateway.doctor()[1]["database file"]["detail"]
    assert block_of(1) in gateway.shown(W)
    assert gateway.say("Write geo.py", fence_of(2), W) == 200
    assert block_of(2) in gateway.shown(W)
    assert gateway.doctor()[0] == "ok", gateway.doctor()
    gateway.shoot()
    assert problems(gateway.database) == []
    gateway.start()
    assert gateway.wait_until_ready()
    assert block_of(2) in gateway.shown(W)


@POLICIES
@pytest.mark.parametrize("size", [0, 5000, 20_000])
def test_a_truncated_database(make_gateway: MakeGateway, tmp_path: Path, policy: str, size: int) -> None:
    gateway = running(make_gateway, tmp_path / "g", policy)
    gateway.stop()
    gateway.start()  # the WAL is in the database file now
    assert gateway.wait_until_ready()
    saved = tmp_path / "saved.db"
    shutil.copyfile(gateway.database, saved)
    os.truncate(gateway.database, size)
    deadline = time.monotonic() + 5
    while gateway.doctor()[0] == "ok" and time.monotonic() < deadline:
        gateway.say(f"{fence_of(7)}\nKeep this.", "Yes.", W)
    gateway.say("And `area_of`?", "Yes.", W)
    prompt = gateway.upstream.prompts()[-1]
    assert "[CURRENT STATE" not in prompt or block_of(7) in prompt, "nothing but what was said since"
    if size:
        assert gateway.doctor()[0] == "failed"
        is_served(gateway, policy)
    delete(gateway.database)
    shutil.copyfile(saved, gateway.database)
    gateway.say("Write geo.py", fence_of(8), W)
    assert block_of(8) in gateway.shown(W)
    deadline = time.monotonic() + 60  # the doctor rests for as long as ten of its looks took
    while gateway.doctor()[0] != "ok" and time.monotonic() < deadline:
        time.sleep(0.5)
    assert gateway.doctor()[0] == "ok", gateway.doctor()


@POLICIES
def test_flipped_bytes_are_never_shown(make_gateway: MakeGateway, tmp_path: Path, policy: str) -> None:
    gateway = running(make_gateway, tmp_path / "g", policy)
    gateway.stop()
    content = gateway.database.read_bytes()
    assert b"math.pi * r * r + 1" in content
    gateway.start()
    assert gateway.wait_until_ready()
    gateway.database.write_bytes(content.replace(b"math.pi * r * r + 1", b"math.pi * r * r + 9"))  # in place
    for _ in range(3):
        is_served(gateway, policy)
        assert "math.pi * r * r + 9" not in gateway.upstream.prompts()[-1]
    status, checks = gateway.doctor()
    assert status == "failed"
    assert "altered" in checks["vault"]["detail"]
    assert gateway.whole_log().count("in the Vault was altered") == 1, "logged once"
    assert any("vault" in problem for problem in problems(gateway.database))
    gateway.database.write_bytes(content)  # a connection may hold the altered page until its text is refused once more
    assert any(block_of(1) in gateway.shown(W) for _ in range(2))
    assert gateway.doctor()[0] == "ok", gateway.doctor()


def test_flipped_bytes_anywhere(make_gateway: MakeGateway, tmp_path: Path) -> None:
    """Each page in turn: a request is served, and what it shows is the truth or nothing. Afterwards the truth is back,
    or a page was written back as it was altered, and the check of the database finds it."""
    gateway = running(make_gateway, tmp_path / "g")
    gateway.stop()
    content = gateway.database.read_bytes()
    page = int.from_bytes(content[16:18], "big")
    for at in range(0, len(content), page):
        with gateway.database.open("r+b", buffering=0) as file:
            for offset in (at + 100, at + page // 2, at + page - 40):
                os.pwrite(file.fileno(), bytes([content[offset] ^ 0x55]), offset)
            if at == 0:
                gateway.start()
                assert gateway.wait_until_ready(), "a database that can't be opened stops nobody"
            assert gateway.say("And `area_of`?", "Yes.", W) == 200
            prompt = gateway.upstream.prompts()[-1]
            assert "[CURRENT STATE" not in prompt or block_of(1) in prompt
            for offset in (at + 100, at + page // 2, at + page - 40):
                os.pwrite(file.fileno(), content[offset : offset + 1], offset)
    # A turn that was lost meanwhile leaves everything DIRTY, until it is shown again.
    gateway.say(f"{fence_of(1)}\nKeep this.", "Yes.", W)
    shown = any(block_of(1) in gateway.shown(W) for _ in range(2))
    gateway.stop()
    assert shown or problems(gateway.database), gateway.whole_log()


def test_a_folder_that_can_not_be_made_is_made_when_it_can(make_gateway: MakeGateway, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    url = f"sqlite:///{tmp_path / 'file' / 'tslp.db'}"
    gateway = make_gateway(tmp_path / "g", environment={"TSLP_DATABASE_URL": url})
    gateway.start()
    assert gateway.wait_until_ready(), gateway.whole_log()
    assert str(tmp_path / "file") in gateway.whole_log()
    assert gateway.say("Write geo.py", fence_of(1), W) == 200
    assert gateway.doctor()[0] == "failed"
    (tmp_path / "file").unlink()
    assert gateway.say("Write geo.py", fence_of(2), W) == 200
    assert block_of(2) in gateway.shown(W)


def remount(folder: Path, mode: str) -> None:
    """Busy for as long as a process that has ended is still being taken down."""
    deadline = time.monotonic() + 30
    while (done := subprocess.run(["mount", "-o", f"remount,{mode}", str(folder)], check=False)).returncode:
        assert time.monotonic() < deadline, done
        time.sleep(0.2)


def test_a_read_only_disk(make_gateway: MakeGateway, tmp_path: Path, mounted: Path) -> None:
    """Mounted read-only before the start: TSLP is off and says why, until it can be written again."""
    url = f"sqlite:///{mounted / 'tslp.db'}"
    gateway = running(make_gateway, tmp_path / "g", environment={"TSLP_DATABASE_URL": url})
    gateway.stop()
    remount(mounted, "ro")
    gateway.start()
    assert gateway.wait_until_ready()
    assert "[CURRENT STATE" not in gateway.shown(W)
    status, checks = gateway.doctor()
    assert (status, "can't be opened" in checks["database file"]["detail"]) == ("failed", True), checks
    assert gateway.whole_log().count("opening the database failed") == 1
    remount(mounted, "rw")
    assert block_of(1) in gateway.shown(W)
    assert "database file" not in gateway.doctor()[1]


def test_a_clock_that_goes_backwards(make_gateway: MakeGateway, tmp_path: Path) -> None:
    """The order is the Ledger's, not the clock's."""
    library = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
    if library is None:
        pytest.skip("libfaketime is not installed")
    clock = tmp_path / "clock"
    clock.write_text("+0")
    gateway = make_gateway(
        tmp_path / "g",
        environment={
            "LD_PRELOAD": str(library),
            "FAKETIME_TIMESTAMP_FILE": str(clock),
            "FAKETIME_NO_CACHE": "1",
            "DONT_FAKE_MONOTONIC": "1",
        },
    )
    gateway.nursery = None  # a preloaded library needs a process of its own
    gateway.start()
    assert gateway.wait_until_ready(), gateway.log()
    for n, moved in enumerate(("+0", "-1d", "-400d", "+3d"), 1):
        clock.write_text(moved)
        assert gateway.say("Write geo.py", fence_of(n), W) == 200
        assert block_of(n) in gateway.shown(W)
    episodes = gateway.episodes(W)
    times = [e["started_at"] for e in episodes]
    assert times != sorted(times, reverse=True), "the clock did go backwards"
    assert gateway.doctor()[0] == "ok"
    gateway.stop()
    assert problems(gateway.database) == []
