"""`python -m benchmarks`: measures, then writes the tables and plots. `make bench`."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tslp_litellm.cli.gateway import OFFLINE

os.environ.update(OFFLINE)

from benchmarks import isolated, latency, memory, profiles, report, servers, stall, storage, workloads
from benchmarks.sight import running as sight
from benchmarks.sight.workloads import ACCEPTANCE

FULL = latency.Plan({"small": 48, "agentic": 48, "long": 8}, goal_calls=320, rounds=2)
SHORT = latency.Plan({"small": 48, "agentic": 48, "long": 8}, 96, 2, ("chat",), (1, 8), (1_000, 10_000))
FILE = report.OUT / "results.json"
PARTS = ("latency", "stalls", "isolated", "memory", "recording", "maintenance", "profiles", "sight")


@click.command()
@click.option("--short", is_flag=True, help="A few minutes: to see that it works, not to quote.")
@click.option("--only", multiple=True, type=click.Choice(PARTS), help="Measure these, keep the other figures.")
@click.option("--size", multiple=True, type=click.Choice(workloads.SIZES), help="Of the latencies: only these prompts.")
@click.option("--render", is_flag=True, help="Measure nothing; write the note from the results that are there.")
@click.option("--acceptance", type=click.Path(path_type=Path), default=ACCEPTANCE, help="Where that suite is.")
@click.option("--remark", default="", help="Goes into the note: what else the machine was doing, say.")
def main(
    short: bool, only: tuple[str, ...], size: tuple[str, ...], render: bool, acceptance: Path, remark: str
) -> None:
    """Measure TSLP beside bare LiteLLM."""
    results: dict[str, Any] = json.loads(FILE.read_text()) if (only or render) and FILE.is_file() else {}
    if not render:
        plan = SHORT if short else FULL
        plan = replace(plan, calls={s: n for s, n in plan.calls.items() if not size or s in size})
        results["about"] = {**servers.versions(), **({"remark": remark} if remark else {})}
        with tempfile.TemporaryDirectory(prefix="tslp-bench-") as folder, bars() as progress:
            for part, work in parts(
                short, Path(folder), progress, plan, results.get("prompts", []), acceptance
            ).items():
                if only and part not in only:
                    continue
                began, load_before = time.monotonic(), os.getloadavg()[0]
                taken = results.setdefault("taken", {})
                for found in work():
                    results.update(found)
                    taken[part] = circumstances(results["about"]["commit"], short, began, load_before)
                    FILE.write_text(json.dumps(results, indent=1) + "\n")
    if only == ("sight",) and not render:
        report.amend(results)
    else:
        report.write(results)


def circumstances(commit: str, short: bool, began: float, load_before: float) -> dict[str, str]:
    """When a part was measured, and beside what."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "commit": commit,
        "run": f"{'short' if short else 'full'}, {(time.monotonic() - began) / 60:.0f} min",
        "load": f"{load_before:.1f} before, {os.getloadavg()[0]:.1f} after, {os.cpu_count()} CPUs",
    }


def bars() -> Progress:
    """Progress bars for the terminal."""
    return Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())


def parts(
    short: bool,
    folder: Path,
    progress: Progress,
    plan: latency.Plan,
    before: list[dict[str, Any]],
    acceptance: Path,
) -> dict[str, Callable[[], Iterable[dict[str, Any]]]]:
    """What there is to measure, in order. Each says its results whenever there are more of them: a run that breaks
    loses no more than a cell."""
    entities, requests, soak = (10_000, 200, 40.0) if short else (100_000, 1000, 150.0)
    return {
        "latency": lambda: latency.measure(folder, plan, progress, before),
        "stalls": lambda: [{"stalls": stall.measure(folder, 1 if short else 3, progress)}],
        "isolated": lambda: [{"isolated": isolated.measure(folder, 2 if short else 10)}],
        "memory": lambda: [{"memory": memory.measure(folder, requests, entities, soak, progress)}],
        "recording": lambda: [{"recording": storage.recording(folder, 500 if short else 5000)}],
        "profiles": lambda: [{"profiles": profiles.measure(folder, 50 if short else 300, 1_000 if short else 100_000)}],
        "maintenance": lambda: [{"maintenance": storage.maintenance(folder, 10_000 if short else 100_000, progress)}],
        "sight": lambda: sight.measure(acceptance, short, progress),
    }


if __name__ == "__main__":
    main()
