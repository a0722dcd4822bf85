"""`tslp journal`: written anew or on, followed, killed, and read to go on."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.journal.test_journal import whole
from tslp_litellm.cli import journal
from tslp_litellm.store import segments

from .conftest import FMT, Shell, fence


def change(shell: Shell, n: int, workspace: str = "default") -> None:
    shell.client(workspace).ask(f"Change number {n}.", fence(f"m{n}.py", f"def f():\n    return {n}\n"))


def seqs(folder: Path) -> list[int]:
    return [said["ledger"]["seq"] for said in whole(folder)]


def test_it_is_written_and_written_on(shell: Shell, tmp_path: Path) -> None:
    to = tmp_path / "journal"
    first = shell.run("journal", str(to))
    assert "new pulses of workspace default" in first.stderr
    before = seqs(to)
    assert before == sorted(set(before)) != []
    assert "0 new pulses" in shell.run("journal", str(to)).stderr
    change(shell, 1)
    shell.run("journal", str(to))
    assert seqs(to)[:-1] == before
    assert whole(to)[-1]["intent"]["summary"] == "Change number 1."
    anew = tmp_path / "anew"
    shell.run("journal", str(anew))
    assert (anew / "stream" / "pulses.log.md").read_bytes() == (to / "stream" / "pulses.log.md").read_bytes()


@pytest.mark.parametrize("at_once", [1, 3])
def test_the_ledger_is_read_in_pieces(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    for n in range(5):
        change(shell, n)
    shell.run("journal", str(tmp_path / "one"))
    monkeypatch.setattr(journal, "AT_ONCE", at_once)
    for _ in range(2):
        shell.run("journal", str(tmp_path / "other"))
        change(shell, 5)
        shell.run("journal", str(tmp_path / "one"))
    shell.run("journal", str(tmp_path / "other"))
    one, other = ((tmp_path / name / "stream" / "pulses.log.md").read_bytes() for name in ("one", "other"))
    assert one == other


def test_it_reads_through_an_archive(shell: Shell, tmp_path: Path) -> None:
    shell.run("journal", str(tmp_path / "before"))
    shell.run("archive", str(tmp_path / "old"), "--before", "2030-01-01")
    segments.loaded.cache_clear()
    shell.run("journal", str(tmp_path / "after"))
    before, after = ((tmp_path / name / "stream" / "pulses.log.md").read_bytes() for name in ("before", "after"))
    assert after.startswith(before), "but for the checkpoint that the archive made"


def test_what_was_erased_is_told_no_more(shell: Shell, tmp_path: Path) -> None:
    shell.client().ask("decision: integers only\n\nIs it right?", "Yes.")
    shell.run("journal", str(tmp_path / "before"))
    assert "integers only" in (tmp_path / "before" / "stream" / "pulses.log.md").read_text()
    shell.run("erase", "--workspace", "default", "--yes")
    shell.run("journal", str(tmp_path / "after"))
    assert "integers only" not in (tmp_path / "after" / "stream" / "pulses.log.md").read_text()
    assert len(whole(tmp_path / "after")) > 1


def test_where_to_go_on(shell: Shell, tmp_path: Path) -> None:
    shell.client().ask("Mine:\n\n" + fence("fmt.py", FMT))
    shell.shell_call("sed -i s/a/b/ fmt.py", 1)
    shell.run("journal", str(tmp_path / "j"))
    said = shell.run("journal", str(tmp_path / "j"), "--resume").stdout
    assert "Last: Do 1." in said
    assert "Next:\n  Show the current text of fmt.py: it is DIRTY." in said
    assert "No longer so: The text of fmt.py was known." in said
    assert shell.json("journal", str(tmp_path / "j"), "--resume")["status"]["confidence"] == "low"


def test_what_is_wrong_is_said(shell: Shell, tmp_path: Path) -> None:
    assert "There is no journal in" in shell.run("journal", str(tmp_path / "j"), "--resume", status=1).stderr
    assert "Nothing is known in workspace x" in shell.run("journal", str(tmp_path / "j"), "-w", "x", status=1).stderr
    (tmp_path / "file").write_text("")
    shell.run("journal", str(tmp_path / "file"), status=2)
    shell.run("journal", str(tmp_path / "file" / "j"), status=3)
    change(shell, 1, "x")
    shell.run("journal", str(tmp_path / "j"), "-w", "x")
    assert "is the journal of workspace x" in shell.run("journal", str(tmp_path / "j"), status=1).stderr


def test_followed_a_pulse_comes_every_ten_minutes(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = 0

    class Clock:
        @staticmethod
        def monotonic() -> float:
            return looks * 200.0

        @staticmethod
        def sleep(_: float) -> None:
            nonlocal looks
            looks += 1
            if looks == 2:
                change(shell, 1)
            if looks == 6:
                raise KeyboardInterrupt

    monkeypatch.setattr(journal, "time", Clock)
    shell.run("journal", str(tmp_path / "j"), "--follow", status=130)
    said: list[Any] = whole(tmp_path / "j")
    made, _ = [n for n, one in enumerate(said) if one.get("intent", {}).get("summary") == "Change number 1."]
    assert [one["type"] for one in said[made + 1 :]] == ["pulse"]
    assert said[-1]["ledger"]["seq"] == said[made]["ledger"]["seq"]
    shell.run("journal", str(tmp_path / "j"))
    assert len(whole(tmp_path / "j")) == len(said)


@pytest.mark.slow
def test_100_kills_lose_and_double_nothing(shell: Shell, tmp_path: Path) -> None:
    to, chance = tmp_path / "j", random.Random(33)
    for n in range(100):
        change(shell, n)
        follower = subprocess.Popen(
            [Path(sys.executable).with_name("tslp"), "journal", str(to), "--follow"],
            cwd=shell.folder, env={**os.environ, "TSLP_WORKSPACE": "default"}, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        time.sleep(2 + chance.random() * 4)
        follower.send_signal(signal.SIGKILL)
        follower.wait(30)
    shell.run("journal", str(to))
    shell.run("journal", str(tmp_path / "anew"))
    assert (to / "stream" / "pulses.log.md").read_bytes() == (tmp_path / "anew/stream/pulses.log.md").read_bytes()
    assert seqs(to) == seqs(tmp_path / "anew")
