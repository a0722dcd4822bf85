"""CPU time in tests, held against the pace of the machine: linear or not is a question of time.

A bound in seconds is met by a quick machine and missed by a busy one, whatever the code does. So a bound here is a
multiple of what a fixed piece of work takes at the same moment, a cost is the least of several runs, and what other
tests have left for the collector is not counted. What is not linear stays beyond its bound in every run.
"""

from __future__ import annotations

import gc
import re
import time
from collections.abc import Callable

RUNS = 5
"""How often a cost beyond its bound is measured again before it counts."""
YARDSTICK_S = 0.0015
"""What the fixed piece of work takes on the machine that the bounds were written on."""
_WORD = re.compile(r"(\w+)\s")


def seconds(work: Callable[[], object]) -> float:
    """The CPU time of this thread that a piece of work takes."""
    gc.disable()
    try:
        before = time.thread_time()
        work()
        return time.thread_time() - before
    finally:
        gc.enable()


def exceeds(work: Callable[[], object], bound: float, first: float | None = None) -> float | None:
    """The least cost of a piece of work in seconds where it passes a bound in every run, else None.

    `first` is a cost that was measured already.
    """
    costs = [seconds(work) if first is None else first]
    while costs[-1] > bound and costs[-1] > bound * pace():
        if len(costs) == RUNS:
            return min(costs)
        costs.append(seconds(work))
    return None


def pace() -> float:
    """How much slower this machine is now than the one of the bounds, at least 1."""
    return max(1.0, seconds(_yardstick) / YARDSTICK_S)


def _yardstick() -> None:
    text = "word after word " * 1000
    for _ in range(3):
        sum(len(found.group(1)) for found in _WORD.finditer(text))
