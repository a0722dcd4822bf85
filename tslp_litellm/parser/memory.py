"""Answers remembered by the content that they are about, bounded by what they weigh."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class Memory(Generic[V]):
    """The last answers, the oldest unused one forgotten first. `bytes_max`: what they may weigh together."""

    def __init__(self, bytes_max: int) -> None:
        self._max, self._held = bytes_max, 0
        self._kept: OrderedDict[tuple[Hashable, bytes], tuple[V, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, kind: Hashable, source: bytes, make: Callable[[], tuple[V, int]]) -> V:
        """What is known of a text; else what `make` says, with its weight. Two threads may make it at a time."""
        key = (kind, hashlib.sha256(source).digest())
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key][0]
        made, weight = make()
        with self._lock:
            if key not in self._kept:
                self._kept[key] = (made, weight)
                self._held += weight
            while self._held > self._max and len(self._kept) > 1:
                self._held -= self._kept.popitem(last=False)[1][1]
        return made
