"""What is kept in memory of the workspaces that were asked for last."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from tslp_litellm.store.reading import WorkspaceReader

WORKSPACES_MAX = 16
Kept = TypeVar("Kept")


class OfWorkspaces(Generic[Kept]):
    """Something for each of the last workspaces, made when one is asked for; none waits for another."""

    def __init__(self, make: Callable[[], Kept]) -> None:
        self._make, self._lock = make, threading.Lock()
        self._kept: OrderedDict[tuple[str, str], Kept] = OrderedDict()

    def of(self, store: WorkspaceReader) -> Kept:
        """What is kept of the reader's workspace; the one that was asked for longest ago goes."""
        key = (store.tenant, store.name)
        with self._lock:
            kept = self._kept.pop(key, None)
            self._kept[key] = kept = self._make() if kept is None else kept
            while len(self._kept) > WORKSPACES_MAX:
                self._kept.popitem(last=False)
        return kept
