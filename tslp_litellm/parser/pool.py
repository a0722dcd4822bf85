"""The proxy's side of its parser: processes lent to one text at a time, and what they could not bear.

A process is made when all others are busy, ends when a text has passed a limit, and a text that ended one is not tried
again (`refused`). Blocking: called from worker threads, never from the event loop. No library did it: Pebble's and
loky's pools start their processes by `multiprocessing`, which runs the main script of the parent (all of LiteLLM) in
each of them.
"""

from __future__ import annotations

import contextlib
import hashlib
import signal
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tslp_litellm.parser import framing, limits
from tslp_litellm.parser.budget import OverBudgetError, remaining
from tslp_litellm.parser.server import START_S, ForkServer, ForkServerError
from tslp_litellm.state.values import Refused

TRIES = 2


class ParserError(Exception):
    """There is no parser: its process can't be started."""


@dataclass(frozen=True, slots=True)
class Report:
    """How the parser is. `refused`: the texts, oldest first; `trouble`: why it can't be started, if so."""

    workers: int
    ended: int
    refused: tuple[Refused, ...]
    trouble: str | None


_BY_TEXT = {signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGFPE}
"""What ends a process by its own doing. Anything else came from outside, and is not held against the text."""


@dataclass(slots=True)
class _Worker:
    channel: socket.socket
    pid: int
    server: ForkServer
    idle_since: float = 0.0


class Pool:
    """Processes that parse. `languages`: to be prepared in each of them from the beginning."""

    def __init__(self, own_patterns: Path | None = None, workers_max: int = limits.WORKERS_MAX) -> None:
        self._own, self._max = own_patterns, workers_max
        self._state = threading.Condition()
        self._idle: list[_Worker] = []
        self._lent = self._heavy = self._ended = 0
        self._server: ForkServer | None = None
        self._starting = threading.Lock()
        self._trouble: str | None = None
        self._closed = False
        self._languages: dict[str, None] = {}
        self._refused: OrderedDict[tuple[str, str], Refused] = OrderedDict()
        self._news: list[Refused] = []

    def ask(self, language: str, source: bytes, question: str = "outline") -> bytes | Refused:
        """A process's answer about a text, or why there is none. What a text does to a question other than that for
        its outline is not remembered against it.

        OverBudgetError where the visit's time is up before; ParserError where no process can be had.
        """
        artifact = hashlib.sha256(source).hexdigest()
        known = self._refused.get((artifact, language))
        if known is not None:
            return known
        self._languages[language] = None
        deadline = self._deadline(len(source))
        for _ in range(TRIES):
            with self._borrowed(len(source) > limits.HEAVY_BYTES, deadline) as worker:
                answer = self._exchange(worker, {"language": language, "question": question}, source, deadline)
            if isinstance(answer, bytes):
                return answer
            if answer is not None:
                refused = Refused(artifact, language, answer)
                return self._refuse(refused) if question == "outline" else refused
        raise OverBudgetError("the parsers are ended from outside")

    def know(self, refused: Refused) -> None:
        """A text that was refused before, by another process or at another time."""
        with self._state:
            self._refused[refused.artifact, refused.language] = refused
            while len(self._refused) > limits.REFUSED_MAX:
                self._refused.popitem(last=False)

    def news(self) -> list[Refused]:
        """The texts that were refused since this was last asked."""
        with self._state:
            news, self._news = self._news, []
        return news

    def prepare(self, languages: list[str]) -> None:
        """Begin, with some languages loaded, before the first text comes. ParserError where that fails."""
        self._languages |= dict.fromkeys(languages)
        with self._borrowed(False, time.monotonic() + START_S) as worker:
            worker.idle_since = time.monotonic()

    def report(self) -> Report:
        """How the parser is."""
        with self._state:
            return Report(len(self._idle) + self._lent, self._ended, tuple(self._refused.values()), self._trouble)

    def close(self) -> None:
        """End all processes."""
        with self._state:
            self._closed = True
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.channel.close()
        with self._starting:
            server, self._server = self._server, None
        if server is not None:
            server.end()

    # -- one text

    @staticmethod
    def _deadline(size: int) -> float:
        """When to give up: where the visit's budget ends, or long after the text's own time."""
        left = remaining()
        most = limits.cpu_s(size) + limits.GRACE_S
        return time.monotonic() + (most if left is None else min(left, most))

    def _exchange(self, worker: _Worker, header: dict[str, Any], source: bytes, deadline: float) -> bytes | str | None:
        """The answer; why the text is refused; or None where the process was ended by something else."""
        try:
            worker.channel.settimeout(max(deadline - time.monotonic(), 0.001))
            framing.send(worker.channel, header, source)
            reply, body = framing.receive(worker.channel, limits.REPLY_BYTES_MAX, deadline)
        except TimeoutError:
            self._end(worker)
            raise OverBudgetError("the parser did not answer in time") from None
        except framing.ClosedError:
            return self._end(worker, deadline)
        except BaseException:  # its answer may be under way, and is nobody else's
            self._end(worker)
            raise
        if reply.get("last"):
            self._end(worker)
        return str(reply["refused"]) if reply.get("refused") else body

    def _refuse(self, refused: Refused) -> Refused:
        self.know(refused)
        with self._state:
            self._news.append(refused)
        return refused

    def _end(self, worker: _Worker, deadline: float = 0.0) -> str | None:
        """Let go of a process; what its text did to end it, if that is known by then."""
        worker.channel.close()
        pid, worker.pid = worker.pid, 0
        with self._state:
            self._ended += 1
        try:
            end = worker.server.reap(pid).result(max(deadline - time.monotonic(), 0))
        except (TimeoutError, ForkServerError):
            return None
        if end is None or end.signal not in {signal.SIGPROF, *_BY_TEXT}:
            return None
        if end.signal == signal.SIGPROF:
            return "timeout"
        return "memory" if end.grown_kb * 1024 > limits.SPACE_BYTES // 2 else "crash"

    # -- processes

    @contextlib.contextmanager
    def _borrowed(self, heavy: bool, deadline: float) -> Iterator[_Worker]:
        """A process for one text, given back if it is still good."""
        self._wait(heavy, deadline)
        worker: _Worker | None = None
        try:
            with self._state:
                worker = self._idle.pop() if self._idle else None
            worker = worker or self._forked(deadline)
            yield worker
        finally:
            self._give_back(worker, heavy)

    def _wait(self, heavy: bool, deadline: float) -> None:
        most = max(1, self._max - 1)
        with self._state:
            while self._lent >= self._max or (heavy and self._heavy >= most):
                if self._closed or not self._state.wait(max(deadline - time.monotonic(), 0)):
                    raise OverBudgetError("all parsers are busy")
            self._lent += 1
            self._heavy += heavy

    def _give_back(self, worker: _Worker | None, heavy: bool) -> None:
        gone: list[_Worker] = []
        now = time.monotonic()
        with self._state:
            self._lent -= 1
            self._heavy -= heavy
            if worker is not None and worker.pid:
                worker.idle_since = now
                self._idle.append(worker)
            if self._closed:
                gone, self._idle = self._idle, []
            while len(self._idle) > 1 and now - self._idle[0].idle_since > limits.IDLE_S:
                gone.append(self._idle.pop(0))
            self._state.notify_all()
        for one in gone:
            self._end(one)

    def _forked(self, deadline: float) -> _Worker:
        """One more process; the fork server is started anew where it is gone."""
        for _ in range(TRIES):
            server = self._running()
            forked = server.fork(list(self._languages))
            try:
                made = forked.result(max(deadline - time.monotonic(), 0))
            except TimeoutError:
                server.let_go(forked)
                raise OverBudgetError("no parser began in time") from None
            except ForkServerError:
                continue
            self._trouble = None
            return _Worker(made.channel, made.pid, server)
        self._trouble = "the parser's process can't be started"
        raise ParserError(self._trouble)

    def _running(self) -> ForkServer:
        with self._starting:
            if self._closed:
                raise ParserError("the parser has been closed")
            if self._server is None or self._server.ended:
                try:
                    self._server = ForkServer(self._own)
                except OSError as error:
                    self._trouble = f"the parser's process can't be started: {error}"
                    raise ParserError(self._trouble) from error
            return self._server
