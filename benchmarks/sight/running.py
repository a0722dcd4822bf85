"""All workloads under all settings, by two processes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from rich.progress import Progress

from benchmarks.sight import playing, tallies
from benchmarks.sight.playing import Setting
from benchmarks.sight.workloads import Workload, choose

WORKERS = 2
TAIL_AT = (16_384, playing.UNBOUNDED)
ABSENT = "The acceptance suite is not at {}: its replays are left out, and the recorded sessions alone are measured."


def settings(short: bool) -> list[Setting]:
    """How TSLP is set, one after the other. Where blocks are placed matters to what is prefilled again alone."""
    windows = (8192, playing.UNBOUNDED) if short else (*playing.WINDOWS, playing.UNBOUNDED)
    out = [Setting(window, history) for window in windows for history in ("keep", "current")]
    return [*out, *(Setting(window, placement="tail") for window in windows if window in TAIL_AT)]


def measure(acceptance: Path, short: bool, progress: Progress) -> Iterator[dict[str, Any]]:
    """All workloads under all settings; the rows of `tallies`, whenever there are more of them."""
    if not (acceptance / "replay" / "replay.py").is_file():
        print(ABSENT.format(acceptance))
    found, chosen = choose(acceptance, short), settings(short)
    task, out = progress.add_task("what the model sees", total=len(found)), list[dict[str, Any]]()
    with ProcessPoolExecutor(WORKERS) as pool:
        waiting = [pool.submit(_play, workload, acceptance, chosen) for workload in found]
        for one in waiting:
            out += one.result()
            progress.advance(task)
    yield {"sight": tallies.rows(out), "sight_worst": tallies.worst(out)}


def _play(workload: Workload, acceptance: Path, chosen: list[Setting]) -> list[dict[str, Any]]:
    return playing.play(workload, acceptance, chosen)
