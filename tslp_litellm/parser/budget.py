"""How long a visit may go on (SEMANTICS 9): a deadline of the thread that makes it, asked wherever text is worked on.

A visit reads what others wrote, and there is always a text that takes longer than anybody has time for. So whatever
loops over evidence calls `spend()`, and the parser waits no longer than what is left.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

_visit = threading.local()


class OverBudgetError(Exception):
    """The visit's time is up: what it has not read yet stays unread."""


@contextlib.contextmanager
def budget(seconds: float) -> Iterator[None]:
    """Give this thread's work so many seconds. A budget inside a budget can only be shorter."""
    before: float | None = getattr(_visit, "deadline", None)
    mine = time.monotonic() + seconds
    _visit.deadline = mine if before is None else min(before, mine)
    try:
        yield
    finally:
        _visit.deadline = before


def remaining() -> float | None:
    """The seconds that are left, never below 0; None without a budget."""
    deadline: float | None = getattr(_visit, "deadline", None)
    return None if deadline is None else max(0.0, deadline - time.monotonic())


def spend() -> None:
    """Go on, or raise OverBudgetError where the time is up."""
    deadline: float | None = getattr(_visit, "deadline", None)
    if deadline is not None and time.monotonic() >= deadline:
        raise OverBudgetError("the visit's time is up")
