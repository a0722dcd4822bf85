"""What the database could not take yet: answers that went on without it, kept in memory until it works again.

Without them the State Map would be older than what the client was told, and would be injected as current. So while a
workspace has answers here it is not hydrated (SEMANTICS 9). Owns no thread, no clock and no database.
"""

from __future__ import annotations

from collections import Counter, deque

from tslp_litellm.gateway.delivered import Delivered
from tslp_litellm.state.names import WorkspaceKey

ANSWERS_MAX = 128
"""Answers kept in a process; beyond that the oldest are given up, of the tenant who has the most."""


class UnrecordedError(Exception):
    """Answers of the workspace are not recorded yet, so its state is not known."""


class Backlog:
    """Answers by workspace, each in the order in which they ended."""

    def __init__(self) -> None:
        self._waiting: dict[WorkspaceKey, deque[Delivered]] = {}
        self._order: deque[Delivered] = deque()
        self.stuck: set[WorkspaceKey] = set()
        """The workspaces whose oldest answer was tried, and could not be recorded."""

    def __len__(self) -> int:
        return len(self._order)

    def add(self, delivered: Delivered) -> Delivered | None:
        """One more; the one that was given up for it, if any."""
        self._waiting.setdefault(delivered.key, deque()).append(delivered)
        self._order.append(delivered)
        if len(self._order) <= ANSWERS_MAX:
            return None
        ((most, _),) = Counter(one.key.tenant for one in self._order).most_common(1)
        oldest = next(one for one in self._order if one.key.tenant == most)
        self.done(oldest)
        return oldest

    def first(self, key: WorkspaceKey) -> Delivered | None:
        """The oldest of a workspace."""
        waiting = self._waiting.get(key)
        return waiting[0] if waiting else None

    def workspaces(self) -> list[WorkspaceKey]:
        """The workspaces that have any."""
        return list(self._waiting)

    def done(self, delivered: Delivered) -> None:
        """It is recorded, or given up. One that is not here any more is passed over."""
        waiting = self._waiting.get(delivered.key)
        if waiting is None or delivered not in waiting:
            return
        waiting.remove(delivered)
        self._order.remove(delivered)
        if not waiting:
            del self._waiting[delivered.key]
            self.stuck.discard(delivered.key)
