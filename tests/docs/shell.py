"""A shell in which a page's blocks run one after another, as its reader would type them."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from pathlib import Path

from .pages import Block, matches, runnable

BLOCK_WITHIN_S = 180
OUTPUT_WITHIN_S = 120

PRELUDE = """
set -e -o pipefail
curl() { command curl --fail-with-body --max-time 60 "$@"; }
make() {
  if [ "$1" = demo ]; then set -- demo ARGS="--base http://127.0.0.1:$PORT"; fi
  command make --no-print-directory -o setup -o .venv/.done "$@"
}
tslp() {
  if [ "$1" = demo ]; then shift; set -- demo --base "http://127.0.0.1:$PORT" "$@"; fi
  command tslp "$@"
}
"""
"""HTTP errors are failures; `make` takes the environment as it is, and the port of this test."""


class Shell:
    """`with Shell(folder, environment, port) as shell: shell.run(block)`. AssertionError where a block fails."""

    def __init__(self, folder: Path, environment: dict[str, str], port: int) -> None:
        self.folder, self.port = folder, port
        self.scratch = folder / ".blocks"
        self.scratch.mkdir(exist_ok=True)
        self.process = subprocess.Popen(
            ["bash", "--noprofile", "--norc"],
            cwd=folder,
            env={**environment, "PORT": str(port)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._say(PRELUDE)

    def __enter__(self) -> Shell:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()

    def run(self, block: Block) -> str:
        """The block's output, standard error included. A block whose output is waited for is run until it comes."""
        got = self._once(block)
        if block.output is None:
            return got
        deadline = time.monotonic() + OUTPUT_WITHIN_S
        while block.wait and not matches(block.output, got) and time.monotonic() < deadline:
            time.sleep(0.3)
            got = self._once(block)
        assert matches(block.output, got), f"{block.where} shows\n{block.output}\nbut it was\n{got}"
        return got

    def _once(self, block: Block) -> str:
        script, out = self.scratch / "block.sh", self.scratch / "block.out"
        text = runnable(block.text)
        for host in ("localhost", "127.0.0.1"):
            text = text.replace(f"{host}:4000", f"127.0.0.1:{self.port}")
        script.write_text(text)
        out.write_text("")
        self._say(f". '{script}' > '{out}' 2>&1 < /dev/null\necho done\n")
        said = self._hear()
        assert said == b"done\n", (
            f"{block.where} failed ({'timed out' if said is None else 'exit'}):\n{out.read_text()}"
        )
        return out.read_text()

    def _say(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def _hear(self) -> bytes | None:
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], BLOCK_WITHIN_S)
        return self.process.stdout.readline() if ready else None
