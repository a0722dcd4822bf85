"""The Python interpreter, which all of the proxy shares: who holds it how long, and its garbage collections."""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from collections.abc import Callable
from contextvars import Context

IN_ALLOCATIONS = sys.version_info < (3, 12)
"""Whether Python collects garbage in the midst of an allocation."""
SWITCH_S = 0.001
"""For how long a thread keeps the interpreter while the event loop waits for it. Python's own is 5 ms, of each thread
that is at work."""
TICK_S = 0.01
"""How often the event loop looks whether a collection is due."""
YOUNG_MAX = 10_000
"""When so many objects have come, those that live are walked no more as young ones. Python goes by the number of
collections, ten, which between two callbacks, where a large text is worked on, are hundreds of thousands of objects."""
SHARE = 400
"""Full collections may take one part in so many of the time, but where `OLD_MAX` objects wait for one."""
OLD_MAX = 1_000_000
"""So many objects may have lived through the others: about 100 MB. Long streams leave that behind in a minute."""
PATIENCE_S = 2.0
"""How long one waits for a moment in which no request waits for its answer to begin."""
FREEZES = 4
"""After how many of them what has survived is kept out of sight. Bounded: what an open request holds is, too."""


def share() -> None:
    """Let threads hand the interpreter on after `SWITCH_S`, or sooner where somebody has set that."""
    sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_S))


class Collections:
    """Python's garbage collections, between two callbacks of the event loop.

    Up to CPython 3.11 they come in the midst of any allocation, and finalizers with them. LiteLLM's streams have one
    that sets context variables; where that happens while one is being set, the process reads freed memory and ends
    (gh-148891). From 3.12 on they come between two instructions, and are left to Python.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._context = Context()  # finalizers set nobody else's variables
        self._taken_over = False
        self._next_full, self._freezes = 0.0, FREEZES
        self._young = self._old = 0

    def take_over(self, is_busy: Callable[[], bool]) -> None:
        """Collect on the running event loop from now on, by Python's thresholds. `is_busy`: whether a request waits
        for its answer to begin. Nothing happens where it is done already, or where somebody has switched them off."""
        if self._taken_over or not gc.isenabled() or not IN_ALLOCATIONS:
            return
        self._again(is_busy)
        self._taken_over = True
        gc.freeze()  # what the proxy has loaded by now lives as long as it does: a full collection would walk it all
        gc.disable()

    def _again(self, is_busy: Callable[[], bool]) -> None:
        asyncio.get_running_loop().call_later(TICK_S, self._tick, is_busy, context=self._context)

    def _tick(self, is_busy: Callable[[], bool]) -> None:
        self._again(is_busy)
        counts, thresholds = gc.get_count(), gc.get_threshold()
        if counts[0] <= thresholds[0]:
            return
        self._young += counts[0]
        if counts[2] > thresholds[2] and self._may_be_full(is_busy):
            self._collect_all()
        elif counts[1] > thresholds[1] or self._young > YOUNG_MAX:
            self._old += self._young - gc.collect(1)
            self._young = 0
        else:
            self._young -= gc.collect(0)

    def _may_be_full(self, is_busy: Callable[[], bool]) -> bool:
        late = self._clock() - self._next_full
        return late > PATIENCE_S or ((late >= 0 or self._old > OLD_MAX) and not is_busy())

    def _collect_all(self) -> None:
        began = self._clock()
        gc.collect()
        if self._freezes:  # what LiteLLM loads with its first requests lives as long as the process, too
            self._freezes -= 1
            gc.freeze()
        self._old = self._young = 0
        self._next_full = self._clock() + (self._clock() - began) * SHARE
