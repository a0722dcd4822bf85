"""The proxy's hold on the fork server, which is asked in a thread of its own: whoever needs a process waits for it no
longer than there is time, and a fork server that does not run holds up nobody.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tslp_litellm.parser import framing

_ROOT = Path(__file__).resolve().parents[2]
_START = "import sys; sys.path.insert(0, sys.argv[1]); from tslp_litellm.parser.fork_server import main; "
_PASSED = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME")
"""The environment that a parser may see: no key of a provider is among it."""
START_S = 60.0
"""How long a process may take to begin, on a machine that is busy."""
ANSWER_S = 15.0
"""And how long one that has begun may take to fork. One that was stopped answers never."""
_REPLY_BYTES_MAX = 10_000


class ForkServerError(Exception):
    """The fork server is gone, or did not answer in time; another one has to be started."""


@dataclass(frozen=True, slots=True)
class Forked:
    """A process, and the end of its socket that is ours."""

    channel: socket.socket
    pid: int


@dataclass(frozen=True, slots=True)
class End:
    """How a process ended: by which signal (0: none), and how much it had grown at most, in kB."""

    signal: int
    grown_kb: int


class ForkServer:
    """A process that forks parsers. `own_patterns`: the user's `symbols.json`. OSError where it can't be started."""

    def __init__(self, own_patterns: Path | None) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            start = f"{_START}main({theirs.fileno()}, {str(own_patterns) if own_patterns else None!r})"
            self.process = subprocess.Popen(  # noqa: S603 - this interpreter, and words of our own
                [sys.executable, "-P", "-c", start, str(_ROOT)],
                pass_fds=[theirs.fileno()],
                env={name: os.environ[name] for name in _PASSED if name in os.environ},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                close_fds=True,
            )
        self._control = ours
        self._asking = ThreadPoolExecutor(1, thread_name_prefix="tslp-parser")
        self._patience_s = START_S
        self.ended = False

    def fork(self, languages: list[str]) -> Future[Forked]:
        """One more process, with some languages prepared. ForkServerError where there is none to be had."""
        return self._submit(lambda: self._forked(languages))

    def reap(self, pid: int) -> Future[End | None]:
        """End a process, and learn how it ended; None where nobody can tell."""
        return self._submit(lambda: self._reaped(pid))

    def let_go(self, forked: Future[Forked]) -> None:
        """Nobody waits any more for a process that was asked for: it ends as soon as it is there."""
        forked.add_done_callback(self._unwanted)

    def end(self) -> None:
        """End the fork server; its processes end when their sockets do. May be called again."""
        self.ended = True
        self.process.kill()
        self.process.wait()
        self._asking.shutdown(wait=False)
        self._control.close()

    # -- in the thread that asks

    def _submit(self, work: Any) -> Future[Any]:
        try:
            return self._asking.submit(work)
        except RuntimeError:
            refused: Future[Any] = Future()
            refused.set_exception(ForkServerError("it has been ended"))
            return refused

    def _forked(self, languages: list[str]) -> Forked:
        try:
            told = self._asked({"do": "fork", "languages": languages})
            _, (descriptor,), _, _ = socket.recv_fds(self._control, 1, 1)
        except (framing.ClosedError, TimeoutError, OSError, ValueError) as error:
            self.end()
            raise ForkServerError(str(error)) from None
        os.set_inheritable(descriptor, False)
        return Forked(socket.socket(fileno=descriptor), int(told["pid"]))

    def _reaped(self, pid: int) -> End | None:
        try:
            told = self._asked({"do": "reap", "pid": pid})
        except (framing.ClosedError, TimeoutError, OSError):
            self.end()
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            return None
        return End(int(told["signal"]), int(told["grown_kb"]))

    def _asked(self, header: dict[str, Any]) -> dict[str, Any]:
        self._control.settimeout(self._patience_s)
        framing.send(self._control, header)
        told = framing.receive(self._control, _REPLY_BYTES_MAX, time.monotonic() + self._patience_s)[0]
        self._patience_s = ANSWER_S
        return told

    def _unwanted(self, forked: Future[Forked]) -> None:
        if not forked.cancelled() and forked.exception() is None:
            forked.result().channel.close()
            self.reap(forked.result().pid)
