"""`make check`: what takes too long for CI, in parts; each is timed, and goes on where another failed.

    make check                   all parts
    make check PART=clients      one; several with commas
    make check SEED=1234         the chance of an earlier run again

A command that ends with 77 could not be asked (the advisories need a network): its part is skipped, and says so.
What fails in a test is tried again alone before it counts. Acceptance parts need `../shared/acceptance`.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ACCEPTANCE = ROOT.parent / "shared" / "acceptance"
PYTHON = str(ROOT / ".venv" / "bin" / "python")
PYTEST = (PYTHON, "-m", "pytest", "--hypothesis-profile=fresh", "-m")
PACKAGING = ("tests/packaging", "tests/e2e/test_wheel.py", "tests/docs/test_site.py", "tests/docs/test_stranger.py")
PROPERTIES = ("tests/properties", "tests/plan/test_wire_formats.py")
GROWTH = ("tests/properties/test_patterns.py", "tests/properties/test_readers.py", "tests/shell/test_reading.py")
REPLAYED = ("h11", "anyhow", "ky", "linenoise", "pflag", "rack-test")
SKIPPED = 77
EXPORTED = ("anyhow", "h11", "pflag")
Command = tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """Commands that are run one after the other. `again`: what plays only what failed in the first of them."""

    commands: tuple[Command, ...]
    again: Command = ()
    shared: bool = False
    environment: dict[str, str] = field(default_factory=dict)


def tests(chosen: tuple[str, ...], seed: int, marked: str = "slow") -> Part:
    """Slow tests, two at once; those that failed again, alone."""
    asked = (*PYTEST, marked, f"--hypothesis-seed={seed}", *chosen)
    return Part(((*asked, "-n", "2"),), (*asked, "--last-failed", "-n", "0"))


def acceptance(tool: str, *arguments: str) -> Command:
    return (PYTHON, str(ACCEPTANCE / tool), "--venv", str(ROOT / ".venv"), *arguments)


def parts(seed: int) -> dict[str, Part]:
    """Every part by its name, in the order in which they run."""
    ignored = tuple(f"--ignore={path}" for path in (*PACKAGING, *GROWTH))
    replays = [
        acceptance("replay/replay.py", "--data", str(ACCEPTANCE / f"replay/data/{name}.jsonl"), "--seed",
                   str(seed % 1000), "--noise", "0.3", "--require", "0.97")
        for name in REPLAYED
    ]  # fmt: skip
    clients = [acceptance("clients/run.py", "--client", "all", "--session", one) for one in ("basic", "compact")]
    sweep = {"TSLP_SWEEP_SEED": str(seed)}
    return {
        "slow": tests(ignored, seed),
        "properties": tests(PROPERTIES, seed, "not slow"),
        "growth": tests(GROWTH, seed),
        "packaging": tests(PACKAGING, seed),
        "audit": Part(((PYTHON, "-m", "scripts.audit"),)),
        "crash": Part(((PYTHON, "-m", "tests.crash", "--kills", "100", "--seed", str(seed)),)),
        "hostile": Part(
            (
                (PYTHON, "-m", "tests.hostile", "--minutes", "10", "--seed", str(seed)),
                acceptance("hostile/run.py"),
                acceptance("hostile/run.py", "--cases", "tests/hostile/proxy_cases.py"),
            ),
            shared=True,
            environment=sweep,
        ),
        "scenarios": Part((acceptance("run.py", "--matrix", "--not-yet", ".ci/not-yet.txt"),), shared=True),
        "clients": Part(((str(ACCEPTANCE / "clients/install.sh"),), *clients), shared=True),
        "replays": Part(tuple(replays), shared=True),
        "points": Part(
            ((PYTHON, "-m", "tests.replayed", str(ACCEPTANCE), "--seed", str(seed % 1000), *EXPORTED),), shared=True
        ),
    }


def outcome(part: Part) -> str:
    """Run a part: `passed`, `FAILED`, or `skipped` where a command could not tell; what failed is tried again alone."""
    environment = {**os.environ, **part.environment}
    failed = skipped = False
    for n, command in enumerate(part.commands):
        print("+", " ".join(command), flush=True)
        status = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        if status not in (0, SKIPPED) and n == 0 and part.again:
            print("+ again, alone:", " ".join(part.again), flush=True)
            status = subprocess.run(part.again, cwd=ROOT, env=environment, check=False).returncode
        skipped = skipped or status == SKIPPED
        failed = failed or status not in (0, SKIPPED)
    return "FAILED" if failed else "skipped" if skipped else "passed"


def main() -> int:
    """Exit status 0 where every part that was asked for held."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--part", default="")
    ask.add_argument("--seed", type=int, default=0)
    options = ask.parse_args()
    seed = options.seed or random.SystemRandom().randrange(1, 1_000_000)
    known = parts(seed)
    asked = [name for name in options.part.split(",") if name] or list(known)
    if unknown := [name for name in asked if name not in known]:
        print(f"no such part: {', '.join(unknown)}; there are {', '.join(known)}")
        return 2
    rows: list[tuple[str, str, float]] = []
    for name in asked:
        begun = time.monotonic()
        missing = known[name].shared and not ACCEPTANCE.is_dir()
        verdict = "no ../shared here" if missing else outcome(known[name])
        rows.append((name, verdict, time.monotonic() - begun))
    print(f"\nseed {seed}: play it again with `make check SEED={seed}`")
    print("\n".join(f"{name:12} {verdict:18} {took / 60:6.1f} min" for name, verdict, took in rows))
    return 1 if any(verdict == "FAILED" for _, verdict, _ in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
