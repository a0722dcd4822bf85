"""The Python interpreter that TSLP shares with the proxy: its lock and its collections. Both act on all of it."""

from __future__ import annotations

import contextlib
import gc
import sys
from collections.abc import Iterator
from threading import Lock

SWITCH_INTERVAL_S = 0.0005
"""How long a worker thread may keep the interpreter from the event loop; Python's own 5 ms are a stall."""
LONG_CHARS = 100_000
"""A text that makes enough objects for a collection to be felt."""


def share_the_interpreter() -> None:
    """Keep worker threads out of the event loop's way (docs/performance.md has the figures).

    The loop gets the interpreter back soon after it asks; and what the proxy has loaded by now lives as long as the
    process, so a full garbage collection need not walk all of it, which stops every thread for half a second.
    """
    sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_INTERVAL_S))
    gc.freeze()


class Collections:
    """Python's garbage collections: none while a long text is judged.

    A collection walks all of its nodes and symbols, for 20 ms with a megabyte, and stops every thread; nearly all of
    them are let go of at the end anyway.
    """

    def __init__(self) -> None:
        self._lock = Lock()

    @contextlib.contextmanager
    def paused(self, chars: int) -> Iterator[None]:
        """Hold collections off for a text of so many characters; one text at a time, so that they do come."""
        if chars < LONG_CHARS or not gc.isenabled() or not self._lock.acquire(blocking=False):
            yield
            return
        gc.disable()
        try:
            yield
        finally:
            gc.enable()
            self._lock.release()
