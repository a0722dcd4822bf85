"""`python -m tests.crash --kills 1000`: kill a real proxy so often, and say what was found."""

from __future__ import annotations

import argparse
import json
import platform
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.e2e.nursery import Nursery

from .harness import Lane, Tally


def crash(kills: int, *, lanes: int, seed: str, per_database: int, plain_every: int, folder: Path) -> dict[str, Any]:
    """The run's result."""
    begun = time.monotonic()
    at = datetime.now(UTC)
    with Nursery() as nursery:
        made = [
            Lane(folder / f"lane{n}", nursery, f"{seed} {n}", per_database=per_database, plain_every=plain_every)
            for n in range(lanes)
        ]
        shares = [kills // lanes + (n < kills % lanes) for n in range(lanes)]
        threads = [
            threading.Thread(target=_run, args=(lane, share)) for lane, share in zip(made, shares, strict=True) if share
        ]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            time.sleep(1)
            done = sum(lane.tally.counts["kills"] for lane in made)
            _progress(done, kills, sum(len(lane.tally.problems) for lane in made), time.monotonic() - begun)
    total = Tally()
    for lane in made:
        total.add(lane.tally)
    return {
        "begun": at.isoformat(timespec="seconds"),
        "seconds": round(time.monotonic() - begun),
        "seed": seed,
        "lanes": lanes,
        "versions": {
            "tslp-litellm": version("tslp-litellm"),
            "commit": _commit(),
            "litellm": version("litellm"),
            "python": platform.python_version(),
            "sqlite": sqlite3.sqlite_version,
            "system": platform.platform(),
        },
        "counts": dict(total.counts),
        "problems": total.problems,
    }


def _commit() -> str:
    asked = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
    return asked.stdout.strip() or "unknown"


def _run(lane: Lane, kills: int) -> None:
    try:
        lane.run(kills)
    except Exception as error:
        lane.tally.problems.append(f"the harness broke: {type(error).__name__}: {error}")
        raise


_shown = [0.0]


def _progress(done: int, kills: int, problems: int, seconds: float) -> None:
    if seconds - _shown[0] >= 10:
        _shown[0] = seconds
        print(f"{done} of {kills} kills, {problems} problems, {seconds:.0f} s", file=sys.stderr, flush=True)


def table(result: dict[str, Any]) -> str:
    """The result as Markdown."""
    rows = {"begun": result["begun"], "took": f"{result['seconds']} s", "seed": f"`{result['seed']}`"}
    rows |= result["versions"] | result["counts"] | {"**problems**": f"**{len(result['problems'])}**"}
    lines = [f"| {name} | {value} |" for name, value in rows.items()]
    return "\n".join(["| what | value |", "| --- | --- |", *lines])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--lanes", type=int, default=3, help="proxies side by side, each with its own database")
    parser.add_argument("--seed", default=str(time.time_ns()))
    parser.add_argument("--per-database", type=int, default=20, help="kills before a fresh database is begun")
    parser.add_argument(
        "--plain-every", type=int, default=100, help="every so many starts of a lane without the nursery"
    )
    parser.add_argument("--out", type=Path, help="where to write the result (JSON)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tslp-crash-") as folder:
        result = crash(
            given.kills,
            lanes=given.lanes,
            seed=given.seed,
            per_database=given.per_database,
            plain_every=given.plain_every,
            folder=Path(folder),
        )
        if result["problems"]:
            kept = Path(tempfile.mkdtemp(prefix="tslp-crash-kept-"))
            for kept_life in Path(folder).glob("*/kept"):
                kept_life.rename(kept / kept_life.parent.name)
            print(f"The databases and logs of lives that went wrong: {kept}", file=sys.stderr)
    if given.out:
        given.out.parent.mkdir(parents=True, exist_ok=True)
        given.out.write_text(json.dumps(result, indent=2) + "\n")
    print(table(result))
    for problem in result["problems"][:50]:
        print(problem, file=sys.stderr)
    sys.exit(1 if result["problems"] else 0)


if __name__ == "__main__":
    main()
