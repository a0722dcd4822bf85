"""Memory given back when nobody asks for anything: the C library keeps what large visits have freed."""

from __future__ import annotations

import asyncio
import ctypes
from collections.abc import Callable
from contextlib import suppress

QUIET_S = 10.0
"""So long nothing was asked for. Giving back holds the allocator for some milliseconds."""


class Quiet:
    """Does something once it is quiet after a heavy visit. For the event loop's thread."""

    def __init__(self, then: Callable[[], object], after_s: float = QUIET_S) -> None:
        self._then, self._after_s = then, after_s
        self._visits, self._due = 0, False
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """A visit begins."""
        self._visits += 1
        if self._timer is not None:
            self._timer.cancel()

    def end(self, heavy: bool) -> None:
        """A visit has ended."""
        self._visits -= 1
        self._due |= heavy
        if self._due and not self._visits:
            self._timer = asyncio.get_running_loop().call_later(self._after_s, self._act)

    def _act(self) -> None:
        self._due = False
        with suppress(RuntimeError):  # the process ends
            self._then()


def give_back() -> None:
    """What is free goes back to the system, where the C library has words for that (glibc)."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
