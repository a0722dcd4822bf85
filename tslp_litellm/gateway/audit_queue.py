"""The shadow audit's queue: bounded, one question at a time, in nobody's way (§10, SEMANTICS 5).

Lives on the event loop and knows neither LiteLLM nor the database: it is handed who to ask and what to do with the
reply. What waits when the process ends is dropped.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tslp_litellm.engine import Question

WAITING_MAX = 64
"""Questions that wait at most; what comes on top is dropped."""
TIMEOUT_S = 120.0

Ask = Callable[[Question], Awaitable[str]]
"""Asks a question; the reply's text. Raises what goes wrong."""
Conclude = Callable[[Question, str | None, str | None], Awaitable[str]]
"""Takes a question, its reply (None: there is none) and the fault; says what became of it. Never raises."""
Observe = Callable[[str | None, int], None]
"""Hears how a question ended (None: one came), and how many wait."""
IsOpen = Callable[[Question], Awaitable[bool]]
"""Whether a reply would still matter."""


@dataclass(frozen=True, slots=True)
class Report:
    """What `/doctor` shows. `counts`: how many questions ended how; `last` and `fault`: of the last question."""

    waiting: int
    counts: dict[str, int]
    last: str | None
    fault: str | None


class AuditQueue:
    """Asks one question after the other. `submit` returns at once."""

    def __init__(self, ask: Ask, conclude: Conclude, is_open: IsOpen, timeout_s: float = TIMEOUT_S) -> None:
        self._ask, self._conclude, self._is_open, self._timeout_s = ask, conclude, is_open, timeout_s
        self._waiting: deque[Question] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._counts: Counter[str] = Counter()
        self._last: str | None = None
        self._fault: str | None = None
        self.observe: Observe = lambda conclusion, waiting: None

    def submit(self, question: Question) -> None:
        """Queue a question; drop it where too many wait."""
        if len(self._waiting) >= WAITING_MAX:
            self._ended("dropped")
            return
        self._waiting.append(question)
        self.observe(None, len(self._waiting))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.get_running_loop().create_task(self._work())

    def report(self) -> Report:
        """How it stands."""
        return Report(len(self._waiting), dict(self._counts), self._last, self._fault)

    async def idle(self) -> None:
        """Wait until nothing waits."""
        while self._worker is not None and not self._worker.done():
            await asyncio.wait({self._worker})

    def close(self) -> None:
        """Drop what waits and what is being asked."""
        self._waiting.clear()
        if self._worker is not None:
            self._worker.cancel()

    async def _work(self) -> None:
        while self._waiting:
            question = self._waiting.popleft()
            if not await self._is_open(question):
                self._ended("overtaken")
                continue
            reply, fault = await self._reply(question)
            self._fault = fault
            became = await self._conclude(question, reply, fault)
            self._ended(became)
            self._last = f"{question.entity} {became}"

    def _ended(self, how: str) -> None:
        self._counts[str(how)] += 1
        self.observe(str(how), len(self._waiting))

    async def _reply(self, question: Question) -> tuple[str | None, str | None]:
        """The reply and what went wrong; an audit that never arrives is given up after a time."""
        try:
            return await asyncio.wait_for(self._ask(question), self._timeout_s), None
        except TimeoutError:
            return None, f"no reply within {self._timeout_s:g} s"
        except Exception as error:  # noqa: BLE001 - whatever a model server does, it is only an audit that fails
            return None, f"{type(error).__name__}: {error}"[:300]
