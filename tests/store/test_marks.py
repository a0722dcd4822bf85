"""Marks on SQLite, between processes: seen while they are held, gone with who held them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tslp_litellm.store.database import Database

SCOPE = ("local", "w")
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
        assert not here.elsewhere(("local", "another"))
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
    look = f"import sys; from tslp_litellm.store.database import Database; sys.exit(Database({url!r}).marks.elsewhere({SCOPE!r}))"
    assert subprocess.run([sys.executable, "-c", look], check=False).returncode == 1
    here.unmark(SCOPE)
    assert subprocess.run([sys.executable, "-c", look], check=False).returncode == 0
