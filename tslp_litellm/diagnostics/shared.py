"""What is costly to find out, found out once for all who ask: one look at a time, kept for a while, with its age."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")
REST = 10
"""After a look at least so many times as long as it took goes by before the next."""


@dataclass(frozen=True, slots=True)
class Seen(Generic[T]):
    """What was found, when (by the clock that was given), and what it took: seconds."""

    found: T
    at: float
    took_s: float
    of: object = None


class Shared(Generic[T]):
    """A look that all callers share. `look` runs in a thread of its own."""

    def __init__(self, look: Callable[[], T], every_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._look, self._every_s, self._clock = look, every_s, clock
        self._lock = threading.Lock()
        self._running: Future[Seen[T]] | None = None
        self._last: Seen[T] | None = None

    def ask(self, of: object = None) -> Future[Seen[T]]:
        """The last finding while it is fresh, else that of a look that all who ask meanwhile wait for.

        `of`: what is looked at; where that is another one now, the finding is old. Raises what `look` raises.
        """
        with self._lock:
            if self._running is not None:
                return self._running
            answer: Future[Seen[T]] = Future()
            answer.set_running_or_notify_cancel()  # one who goes away must not cancel it for the others
            if self._last is not None and self._is_fresh(self._last, of):
                answer.set_result(self._last)
                return answer
            self._running = answer
        threading.Thread(target=self._run, args=(answer, of), name="tslp-doctor", daemon=True).start()
        return answer

    def age_s(self, seen: Seen[T]) -> float:
        """How long ago it was found."""
        return max(0.0, self._clock() - seen.at)

    def _is_fresh(self, seen: Seen[T], of: object) -> bool:
        age = self.age_s(seen)
        return age < REST * seen.took_s or (age < self._every_s and seen.of == of)

    def _run(self, answer: Future[Seen[T]], of: object) -> None:
        began = self._clock()
        try:
            found = self._look()
        except BaseException as error:  # noqa: BLE001 - handed to who asked
            with self._lock:
                self._running = None
            answer.set_exception(error)
            return
        now = self._clock()
        seen = Seen(found, now, now - began, of)
        with self._lock:
            self._last, self._running = seen, None
        answer.set_result(seen)
