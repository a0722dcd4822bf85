"""What CI plays of the acceptance suite: its programs as they are, their proxies forked from one import of LiteLLM.

    python -m tests.acceptance ../shared/acceptance --not-yet .ci/not-yet.txt

First named hostile cases by themselves, for other work would stall the clients that they watch; then every scenario in
one of its six ways, in parts beside each other. Exit status 0 where all of them hold.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import itertools
import json
import multiprocessing
import os
import runpy
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import yaml

from .e2e.nursery import Forked, Nursery

PARTS = 8
"""So many at once: each waits much of its time."""
HOSTILE_AT_ONCE, HOSTILE_S = 6, 20
"""So many cases in one run, and no run begun after so many seconds; all of them are a part of `make check`."""
GENERATED = "brackets, openers, strings"
"""What the list of hostile cases says of those that are made for each language, and have no name of their own."""
Scenario = dict[str, Any]


def split(scenarios: Sequence[Scenario], parts: int) -> list[list[Scenario]]:
    """Scenarios in parts of about one size; those of the same settings together, for each settings are a proxy."""

    def settings(one: Scenario) -> str:
        return json.dumps(one.get("settings") or {}, sort_keys=True)

    made: list[list[Scenario]] = [[] for _ in range(parts)]
    groups = [list(group) for _, group in itertools.groupby(sorted(scenarios, key=settings), settings)]
    for group in sorted(groups, key=len):
        plain = settings(group[0]) == "{}"
        for some in [[one] for one in group] if plain else [group]:
            min(made, key=len).extend(some)
    return [part for part in made if part]


class Forking:
    """The module `subprocess` as the suite's `stack.py` sees it: a start of `litellm` is a fork of the nursery."""

    def __init__(self, nursery: Nursery) -> None:
        self._nursery = nursery

    def __getattr__(self, name: str) -> Any:
        return getattr(subprocess, name)

    def Popen(self, argv: Sequence[str], **how: Any) -> Forked:
        return Forked(
            self._nursery.fork(["litellm", *argv[1:]], Path(how["cwd"]), how["env"], Path(how["stdout"].name))
        )


KEPT_ALIVE_S = 120
"""So long the scripted model keeps idle connections: with uvicorn's 5 s it may close one just as LiteLLM takes it, where
a step takes as long beside other work, and LiteLLM may answer 500."""
PORTS = 20_000
"""Below those that the kernel gives out."""


def _ports(first: int) -> Callable[[], int]:
    """Free ports of a program's own: two programs that ask the kernel at once may be told the same."""
    ports = itertools.count(first)

    def free_port() -> int:
        for port in ports:
            with socket.socket() as one, contextlib.suppress(OSError):
                one.bind(("127.0.0.1", port))
                return port
        raise AssertionError

    return free_port


@dataclass(frozen=True)
class Suite:
    """The acceptance suite's folder, and what its proxies are forked from."""

    folder: Path
    nursery: Nursery

    def begin(self, program: str, *arguments: str) -> BaseProcess:
        """Run a program of the suite in a process of its own."""
        process = multiprocessing.get_context("fork").Process(target=self._run, args=(program, arguments))
        process.start()
        return process

    def _run(self, program: str, arguments: Sequence[str]) -> None:
        sys.path.insert(0, str(self.folder))
        import stack  # type: ignore[import-not-found]

        stack.subprocess = Forking(self.nursery)
        stack.free_port = _ports(PORTS + os.getpid() % 100 * 100)
        stack.uvicorn.Config = functools.partial(stack.uvicorn.Config, timeout_keep_alive=KEPT_ALIVE_S)
        sys.argv = [str(self.folder / program), "--venv", sys.prefix, *arguments]
        runpy.run_path(sys.argv[0], run_name="__main__")


def held(processes: Sequence[BaseProcess]) -> bool:
    """Wait for programs; whether all of them ended well."""
    for process in processes:
        process.join()
    return all(process.exitcode == 0 for process in processes)


def hostile(suite: Suite) -> bool:
    """Named hostile cases, a few at a time, as many as begin in time."""
    command = [sys.executable, str(suite.folder / "hostile" / "run.py"), "--list"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    names = [line.split()[0] for line in listed if GENERATED not in line]
    good, begun = True, time.monotonic()
    for first in range(0, len(names), HOSTILE_AT_ONCE):
        if time.monotonic() - begun < HOSTILE_S:
            chosen = (f"--case={name}" for name in names[first : first + HOSTILE_AT_ONCE])
            good &= held([suite.begin("hostile/run.py", *chosen)])
    return good


def scenarios(suite: Suite, not_yet: set[str], folder: Path) -> bool:
    """Every scenario but those `not_yet` built, each in one of its six ways. `folder`: an empty one."""
    files = sorted((suite.folder / "scenarios").glob("*.yaml"))
    found = [one for file in files for one in yaml.safe_load_all(file.read_text()) if one]
    for name in sorted(unknown := not_yet - {one["name"] for one in found}):
        print(f"no scenario of that name: {name}")
    playing = []
    for n, part in enumerate(split([one for one in found if one["name"] not in not_yet], PARTS)):
        (folder / str(n)).mkdir()
        (folder / str(n) / "scenarios.yaml").write_text(yaml.safe_dump_all(part))
        playing.append(suite.begin("run.py", "--rotate", f"--scenarios={folder / str(n)}"))
    return held(playing) and bool(found) and not unknown


def main() -> int:
    """Exit status 0 where all that is played holds."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("folder", type=Path)
    ask.add_argument("--not-yet", type=Path, required=True)
    options = ask.parse_args()
    with Nursery() as nursery, tempfile.TemporaryDirectory() as folder:
        suite = Suite(options.folder.absolute(), nursery)
        good = hostile(suite)
        return 0 if scenarios(suite, set(options.not_yet.read_text().split()), Path(folder)) and good else 1


if __name__ == "__main__":
    sys.exit(main())
