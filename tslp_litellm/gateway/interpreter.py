"""What all of the proxy shares: Python's interpreter and who holds it how long, its garbage collections, the heap."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import os
import sys
import time
from collections.abc import Callable
from contextvars import Context

IN_ALLOCATIONS = sys.version_info < (3, 12)
"""Whether Python collects garbage in the midst of an allocation."""
SWITCH_S = 0.001
"""For how long a thread keeps the interpreter while the event loop waits for it. Python's own is 5 ms, of each thread
that is at work."""
TICK_S = 0.02
"""How often the event loop looks whether a collection is due."""
MAPPED_BYTES, KEPT_BYTES = 1 << 20, 4 << 20
"""Blocks of glibc's that are given back when they are freed, and what it keeps at the end of its heap."""
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
SHARE = 400
"""Full collections may take one part in so many of the time."""
PATIENCE_S = 2.0
"""How long one waits for a moment in which no request waits for its answer to begin."""
FREEZES = 4
"""How often what survived a full collection is frozen, so that later ones pass over it. Bounded: what an open request
holds is frozen, too."""


def share() -> None:
    """Let threads hand the interpreter on after `SWITCH_S`, or sooner where somebody has set that."""
    sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_S))


def give_back() -> None:
    """Have glibc map each large block by itself; nothing with another C library, or where the environment chooses.

    Left alone it does so only up to the first that is freed: those up to its size, at most 32 MB, come from the heap
    from then on. What is small settles in the hole that one leaves, the next one does not fit, and the heap grows.
    """
    chosen = any(key.startswith("MALLOC_") or key == "GLIBC_TUNABLES" for key in os.environ)
    if sys.platform == "linux" and not chosen and (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)) is not None:
        mallopt(_M_MMAP_THRESHOLD, MAPPED_BYTES)
        mallopt(_M_TRIM_THRESHOLD, KEPT_BYTES)


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
