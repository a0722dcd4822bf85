"""What the database could not take yet: turns that went on without it, kept in memory until it works again.

Without them the State Map would be older than what the client was told, and would be injected as current. So while a
workspace has turns here it is not hydrated (SEMANTICS 9). Owns no thread, no clock and no database.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from tslp_litellm.engine import Episode, Request
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.wire.turn import Answer

TURNS_MAX = 128
"""Turns kept in a process; beyond that the oldest are given up."""


class UnrecordedError(Exception):
    """Turns of the workspace are not recorded yet, so its state is not known."""


@dataclass(frozen=True, slots=True)
class Turn:
    """An answer with the episode that it ends, or, where the first visit failed too, with the request."""

    about: Episode | Request
    answer: Answer

    @property
    def scope(self) -> WorkspaceKey:
        """Tenant and workspace."""
        request = self.about.request if isinstance(self.about, Episode) else self.about
        return request.tenant, request.workspace


class Backlog:
    """Turns by workspace, each in the order in which answers ended."""

    def __init__(self) -> None:
        self._turns: dict[WorkspaceKey, deque[Turn]] = {}
        self._order: deque[Turn] = deque()
        self.stuck: set[WorkspaceKey] = set()
        """The workspaces whose oldest turn was tried, and could not be recorded."""

    def __len__(self) -> int:
        return len(self._order)

    def add(self, turn: Turn) -> Turn | None:
        """One more; the one that was given up for it, if any."""
        self._turns.setdefault(turn.scope, deque()).append(turn)
        self._order.append(turn)
        if len(self._order) <= TURNS_MAX:
            return None
        oldest = self._order[0]
        self.done(oldest)
        return oldest

    def first(self, scope: WorkspaceKey) -> Turn | None:
        """The oldest of a workspace."""
        turns = self._turns.get(scope)
        return turns[0] if turns else None

    def scopes(self) -> list[WorkspaceKey]:
        """The workspaces that have any."""
        return list(self._turns)

    def done(self, turn: Turn) -> None:
        """It is recorded, or given up. One that is not here any more is passed over."""
        turns = self._turns.get(turn.scope)
        found = next((kept for kept in turns or () if kept is turn), None)
        if turns is None or found is None:
            return
        self._turns[turn.scope] = deque(kept for kept in turns if kept is not turn)
        self._order = deque(kept for kept in self._order if kept is not turn)
        if not self._turns[turn.scope]:
            del self._turns[turn.scope]
            self.stuck.discard(turn.scope)
