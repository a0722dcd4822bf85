"""How often one caller may ask the diagnostics: a token bucket for each, in this process (GCRA: of one number)."""

from __future__ import annotations

from collections.abc import Callable

BUCKETS_MAX = 10_000
"""Callers remembered at once; the one that has been remembered longest is forgotten first, and may ask anew."""


def take(full_at: float, now: float, every_s: float, burst: int) -> tuple[float, float]:
    """One token out of a bucket that holds `burst`, gets one `every_s` (seconds) and is full at `full_at`: when it is
    full again, and how long to wait for one. 0: there was one; else nothing is taken."""
    after = max(full_at, now) + every_s
    wait = round(after - now - burst * every_s, 6)  # less is what floats lose
    return (full_at, wait) if wait > 0 else (after, 0.0)


class Limits:
    """A bucket for each caller, with a minute's worth of questions. `per_minute` 0: no limits."""

    def __init__(self, per_minute: int, clock: Callable[[], float], refused: Callable[[], None]) -> None:
        self._per_minute, self._clock, self._refused = per_minute, clock, refused
        self._full_at: dict[str, float] = {}

    def wait(self, caller: str) -> float:
        """Seconds that a caller has to wait with his question; 0 where he may ask it now. On the event loop only."""
        if not self._per_minute:
            return 0.0
        now, known = self._clock(), self._full_at
        full_at, wait = take(known.get(caller, now), now, 60 / self._per_minute, self._per_minute)
        if caller not in known and len(known) >= BUCKETS_MAX:
            del known[next(iter(known))]
        known[caller] = full_at
        if wait:
            self._refused()
        return wait
