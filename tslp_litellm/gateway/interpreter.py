"""The Python interpreter that TSLP shares with the proxy: its lock and its collections. Both act on all of it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import sys
import time
from collections.abc import Callable, Iterator
from contextvars import Context
from threading import Lock

SWITCH_INTERVAL_S = 0.0005
"""How long a worker thread may keep the interpreter from the event loop; Python's own 5 ms are a stall."""
IN_ALLOCATIONS = sys.version_info < (3, 12)
"""Whether Python collects garbage in the midst of an allocation."""
LONG_CHARS = 100_000
"""A text that makes enough objects for a collection to be felt."""
TICK_S = 0.05
"""How often the event loop looks whether a collection is due."""
SHARE = 400
"""Full collections may take one part in so many of the time."""
PATIENCE_S = 2.0
"""How long one waits for a moment in which no request waits for its answer to begin."""
FREEZES = 4
"""After how many of them what has survived is kept out of sight. Bounded: what an open request holds is, too."""


def share_the_interpreter() -> None:
    """Keep worker threads out of the event loop's way (docs/performance.md has the figures).

    The loop gets the interpreter back soon after it asks; and what the proxy has loaded by now lives as long as the
    process, so a full garbage collection need not walk all of it, which stops every thread for half a second.
    """
    sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_INTERVAL_S))
    gc.freeze()


class Collections:
    """Python's garbage collections: none while a long text is judged, and, where taken over, between two callbacks.

    Up to CPython 3.11 they come in the midst of any allocation, and finalizers with them. LiteLLM's streams have one
    that sets context variables; where that happens while one is being set, the process reads freed memory and ends
    (gh-148891). From 3.12 on they come between two instructions, and are left to Python.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._lock = Lock()
        self._context = Context()  # finalizers set nobody else's variables
        self._held = self._taken_over = False
        self._next_full, self._freezes = 0.0, FREEZES

    @contextlib.contextmanager
    def paused(self, chars: int) -> Iterator[None]:
        """Hold collections off for a text of so many characters; one text at a time, so that they do come.

        A collection walks all of its nodes and symbols, for 20 ms with a megabyte, and stops every thread; nearly all
        of them are let go of at the end anyway.
        """
        if chars < LONG_CHARS or not self._lock.acquire(blocking=False):
            yield
            return
        was_enabled = gc.isenabled()
        gc.disable()
        self._held = True
        try:
            yield
        finally:
            self._held = False
            if was_enabled and not self._taken_over:
                gc.enable()
            self._lock.release()

    def take_over(self, is_busy: Callable[[], bool]) -> None:
        """Collect on the running event loop from now on, by Python's thresholds. `is_busy`: whether a request waits
        for its answer to begin. Nothing happens where it is done already, or where somebody has switched them off."""
        if self._taken_over or not gc.isenabled() or not IN_ALLOCATIONS:
            return
        self._again(is_busy)
        self._taken_over = True
        gc.disable()

    def _again(self, is_busy: Callable[[], bool]) -> None:
        asyncio.get_running_loop().call_later(TICK_S, self._tick, is_busy, context=self._context)

    def _tick(self, is_busy: Callable[[], bool]) -> None:
        self._again(is_busy)
        counts, thresholds = gc.get_count(), gc.get_threshold()
        if self._held or counts[0] <= thresholds[0]:
            return
        if counts[2] > thresholds[2] and self._may_be_full(is_busy):
            self._collect_all()
        else:
            gc.collect(1 if counts[1] > thresholds[1] else 0)

    def _may_be_full(self, is_busy: Callable[[], bool]) -> bool:
        late = self._clock() - self._next_full
        return late > PATIENCE_S or (late >= 0 and not is_busy())

    def _collect_all(self) -> None:
        began = self._clock()
        gc.collect()
        if self._freezes:  # what LiteLLM loads with its first requests lives as long as the process, too
            self._freezes -= 1
            gc.freeze()
        self._next_full = self._clock() + (self._clock() - began) * SHARE
