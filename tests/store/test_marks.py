"""Marks on SQLite, between processes: seen while they are held, gone with who held them."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.store.database import Database
from tslp_litellm.store.marks import FileMarks

SCOPE = WorkspaceKey("local", "w")
HOLDER = """
import sys
from tslp_litellm.store.database import Database
marks = Database(sys.argv[1]).marks
for line in sys.stdin:
    getattr(marks, line.strip())(("local", "w"))
    print("done", flush=True)
"""


class Holder:
    """Another process."""

    def __init__(self, url: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", HOLDER, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def do(self, what: str) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(what + "\n")
        assert self.process.stdout.readline() == "done\n"


def test_a_mark_is_seen_elsewhere_until_it_is_taken_away(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tslp.db'}"
    here, other = Database(url).marks, Holder(url)
    try:
        other.do("mark")
        assert here.elsewhere(SCOPE)
        assert not here.elsewhere(WorkspaceKey("local", "another"))
        here.mark(SCOPE)
        assert here.elsewhere(SCOPE)
        other.do("unmark")
        assert not here.elsewhere(SCOPE)
        other.do("mark")
        here.unmark(SCOPE)
        assert here.elsewhere(SCOPE)
    finally:
        other.process.kill()
        other.process.wait()
    assert not here.elsewhere(SCOPE)


def test_ones_own_mark_survives_a_look_for_others(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tslp.db'}"
    here, again = Database(url).marks, Database(url).marks
    here.mark(SCOPE)
    again.mark(SCOPE)
    again.unmark(SCOPE)
    assert not again.elsewhere(SCOPE)
    look = f"import sys; from tslp_litellm.store.database import Database; sys.exit(Database({url!r}).marks.elsewhere({tuple(SCOPE)!r}))"
    assert subprocess.run([sys.executable, "-c", look], check=False).returncode == 1
    here.unmark(SCOPE)
    assert subprocess.run([sys.executable, "-c", look], check=False).returncode == 0


def test_what_can_be_had_without_waiting_is_had_at_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tslp.db'}"
    here, other = Database(url).marks, Holder(url)
    try:
        assert here.try_mark(SCOPE)
        assert here.try_mark(SCOPE)
        other.do("elsewhere")
        assert here.try_unmark(SCOPE)
        assert here.try_unmark(SCOPE)
        other.do("mark")
        assert here.try_mark(SCOPE), "marks do not exclude each other"
        assert here.elsewhere(SCOPE)
    finally:
        other.process.kill()
        other.process.wait()


def test_nobody_waits_for_who_is_at_it(tmp_path: Path) -> None:
    marks = Database(f"sqlite:///{tmp_path / 'tslp.db'}").marks
    for lock in (marks._lock, FileMarks._process):
        with lock:
            assert not marks.try_mark(SCOPE)
    assert marks.try_mark(SCOPE)
    for lock in (marks._lock, FileMarks._process):
        with lock:
            assert not marks.try_unmark(SCOPE)
    assert marks.try_unmark(SCOPE)
    assert not marks._held


def test_a_mark_is_set_as_soon_as_nobody_looks(tmp_path: Path) -> None:
    """Another process that looks has the place for itself, for a moment."""
    database = tmp_path / "tslp.db"
    marks = Database(f"sqlite:///{database}").marks
    look = "import fcntl, sys; f = open(sys.argv[1], 'r+'); fcntl.lockf(f, fcntl.LOCK_EX); print(flush=True); sys.stdin.read()"
    assert marks.try_mark(SCOPE)
    assert marks.try_unmark(SCOPE)
    with subprocess.Popen(
        [sys.executable, "-c", look, f"{database}-order"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as looking:
        assert looking.stdout is not None
        assert looking.stdin is not None
        looking.stdout.readline()
        assert not marks.try_mark(SCOPE)
        setting = threading.Thread(target=marks.mark, args=(SCOPE,))
        setting.start()
        looking.stdin.close()
        setting.join(120)
    assert not setting.is_alive()
    assert marks._held[SCOPE] == 1
