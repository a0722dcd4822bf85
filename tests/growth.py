"""Whether work grows with its text and no faster: shown by how CPU time grows in one process, never by seconds.

Tests that ask are marked `slow`: they are a part of `make check`, where a failure is tried again alone before it counts.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from itertools import pairwise

SIZES = (1_000, 4_000, 16_000, 64_000, 256_000)
"""Characters, each four times the one before."""
FACTOR = 8
"""Four times the text may cost less than so many times the CPU time: 4 is linear, 16 quadratic."""
TRIES = 5
FLOOR_S = 0.002
"""Below it a clock tells nothing."""


def cpu_s(work: Callable[[], object]) -> float:
    """The CPU time of this thread in seconds, without collections of what other tests have left."""
    gc.disable()
    try:
        before = time.thread_time()
        work()
        return time.thread_time() - before
    finally:
        gc.enable()


def steep(work: Callable[[int], Callable[[], object]], until: int = SIZES[-1]) -> str:
    """Empty where the work for a text of n characters grows linearly up to `until`; else where it does not.

    `work` prepares the text of a size and gives what is timed. The sizes go up, so that what is quadratic ends early.
    """
    sizes = [size for size in SIZES if size <= until]
    cost = cpu_s(work(sizes[0]))
    for n, larger in pairwise(sizes):
        small, cost = cost, cpu_s(work(larger))
        if cost < FACTOR * max(small, FLOOR_S):
            continue
        small = min(cpu_s(work(n)) for _ in range(TRIES))
        cost = min(cost, *(cpu_s(work(larger)) for _ in range(TRIES - 1)))
        if cost >= FACTOR * max(small, FLOOR_S):
            return f"{n} characters take {small:.4f} s, {larger} take {cost:.4f} s"
    return ""
