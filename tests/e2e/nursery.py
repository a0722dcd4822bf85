"""LiteLLM, imported once and forked for every life: a start costs about a second instead of ten.

The nursery has imported the proxy and started nothing: no thread, no event loop, no database. A child is a fork of it
that runs LiteLLM's own command line (`litellm --config …`) and nothing else. Run as a module it reads one JSON object
a line (`argv`, `cwd`, `environment`, `log`) and answers with the child's process id; the harness kills by that id.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from tslp_litellm.cli.gateway import OFFLINE

from .gateway import Gateway

LOADED_LAZILY = (
    "litellm.experimental_mcp_client.client",
    "litellm.integrations.websearch_interception.handler",
    "litellm.litellm_core_utils.default_encoding",
    "litellm.llms.a2a.chat.guardrail_translation.handler",
    "litellm.llms.anthropic.chat.guardrail_translation.handler",
    "litellm.llms.anthropic.completion.transformation",
    "litellm.llms.bedrock.passthrough.guardrail_translation.handler",
    "litellm.llms.edenai.chat.transformation",
    "litellm.llms.mistral.ocr.guardrail_translation.handler",
    "litellm.llms.ollama.chat.transformation",
    "litellm.llms.openai.transcriptions.guardrail_translation.handler",
    "litellm.llms.openai.videos.guardrail_translation.handler",
    "litellm.llms.pass_through.guardrail_translation.handler",
    "litellm.llms.vertex_ai.vertex_ai_partner_models.anthropic.transformation",
    "litellm.proxy._experimental.mcp_server.guardrail_translation.handler",
    "litellm.proxy._experimental.mcp_server.mcp_server_manager",
    "litellm.proxy.admin_mcp",
    "litellm.proxy.anthropic_endpoints.endpoints",
    "litellm.proxy.pass_through_endpoints.llm_passthrough_endpoints",
    "litellm.responses.mcp.chat_completions_handler",
    "nacl.secret",
    "openai.resources",
    "openai.resources.admin",
    "openai.resources.beta",
)
"""What LiteLLM imports while it starts and serves its first requests; a name that a version lacks is passed over."""


class Nursery:
    """The harness's end of it. Start it with `with`; several threads, and forks of the harness, may ask."""

    def __enter__(self) -> Nursery:
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("LITELLM", "TSLP"))}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.e2e.nursery"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**clean, **OFFLINE, "NO_COLOR": "1"},
        )
        self._lock = multiprocessing.Lock()
        assert self._answer() == "ready"
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:  # a busy machine; nothing is lost with it
            self._process.kill()
            self._process.wait()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def fork(
        self, argv: list[str], cwd: Path, environment: dict[str, str], log: Path, prelude: str | None = None
    ) -> int:
        """The id of a new process that runs this command line, after it has imported the module `prelude`."""
        assert self._process.stdin is not None
        order = {"argv": argv, "cwd": str(cwd), "environment": environment, "log": str(log), "prelude": prelude}
        with self._lock:
            self._process.stdin.write(json.dumps(order) + "\n")
            self._process.stdin.flush()
            return int(self._answer())


class Forked:
    """A process of the nursery, with the part of `subprocess.Popen` that is needed."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        try:
            state = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return 0
        return 0 if state in "ZX" else None

    def wait(self, timeout: float) -> int:
        deadline = time.monotonic() + timeout
        while self.poll() is None:
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired(str(self.pid), timeout)
            time.sleep(0.005)
        return 0

    def terminate(self) -> None:
        os.kill(self.pid, signal.SIGTERM)

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)


class NurseryGateway(Gateway):
    """A gateway whose process comes from a nursery, or, without one, from a plain start of `litellm`."""

    prelude: str | None = None

    def __init__(self, *where: Any, nursery: Nursery | None = None, **more: Any) -> None:
        super().__init__(*where, **more)
        self.nursery = nursery

    def start(self) -> None:
        if self.nursery is None:
            super().start()
            return
        argv = ["litellm", "--config", str(self.config), "--port", str(self.port), "--host", "127.0.0.1"]
        self._log = (self.folder / "log").open("ab")
        pid = self.nursery.fork(argv, self.folder, self.environment, self.folder / "log", self.prelude)
        self.process = Forked(pid)  # type: ignore[assignment]

    def wait_until_ready(self) -> bool:
        """However busy the machine is: a plain start's imports can take minutes there."""
        deadline = time.monotonic() + 900
        while self.process.poll() is None and time.monotonic() < deadline:
            if super().wait_until_ready():
                return True
        return False

    def waited_s(self) -> float:
        """Seconds that the process's threads have waited for a CPU, together: what a busy machine has kept from it."""
        total = 0
        for task in Path(f"/proc/{self.process.pid}/task").glob("*/schedstat"):
            with contextlib.suppress(OSError):
                total += int(task.read_text().split()[1])
        return total / 1e9

    def clock(self) -> float:
        """Seconds in which the process could have run."""
        return time.monotonic() - self.waited_s()

    def shoot(self) -> None:
        """SIGKILL, and wait until the process is no more."""
        self.process.kill()
        self.process.wait(30)
        self._log.close()


def _live(order: dict[str, object]) -> None:
    """In the child: become a `litellm` process."""
    os.setsid()
    os.environ.clear()
    os.environ.update(order["environment"])  # type: ignore[call-overload]
    os.chdir(str(order["cwd"]))
    log = os.open(str(order["log"]), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(source, target)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if order["prelude"]:
        importlib.import_module(str(order["prelude"]))
    sys.argv = list(order["argv"])  # type: ignore[call-overload]
    from litellm.proxy.proxy_cli import run_server

    run_server()


def main() -> None:
    import litellm.proxy.proxy_cli
    import litellm.proxy.proxy_server  # noqa: F401 - this is what takes the time

    import tslp_litellm.litellm_hooks  # noqa: F401

    for name in LOADED_LAZILY:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    assert threading.active_count() == 1, "a fork would lose the other threads"
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the children are reaped by the kernel
    print("ready", flush=True)
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                _live(json.loads(line))
                status = 0
            finally:
                os._exit(status)
        print(pid, flush=True)
    os._exit(0)  # nothing was started that would have to be ended


if __name__ == "__main__":
    main()
