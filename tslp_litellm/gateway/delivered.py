"""An answer on its way into the database, from its last chunk to its record."""

from __future__ import annotations

from collections.abc import Callable

from tslp_litellm.engine import Episode, Request
from tslp_litellm.resolution.trust import Trust
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.wire.turn import Answer


class Delivered:
    """An answer that has gone out, with the episode that it ends; or, where the first visit failed too, the request.

    It is put together when it is first asked for, which is off the event loop. `large`: that takes a while, and to
    judge it as well. `fault`: why it could not be put together; it then counts as cut short. Compared by identity.
    """

    __slots__ = ("_answer", "_assemble", "about", "fault", "large")

    def __init__(self, about: Episode | Request, assemble: Callable[[], Answer] = Answer, large: bool = False) -> None:
        self.about, self.large = about, large
        self.fault: Exception | None = None
        self._assemble, self._answer = assemble, None if assemble is not Answer else Answer()

    @property
    def key(self) -> WorkspaceKey:
        """Tenant and workspace."""
        return self.about.request.key if isinstance(self.about, Episode) else self.about.key

    @property
    def may_write(self) -> bool:
        """Whether the State Map may differ for it."""
        request = self.about.request if isinstance(self.about, Episode) else self.about
        return request.trust is not Trust.NOBODY

    def answer(self) -> Answer:
        """The answer. Never raises; not to be asked by two threads at a time."""
        if self._answer is None:
            try:
                self._answer = self._assemble()
            except Exception as error:  # noqa: BLE001 - kept for whoever tells of it
                self.fault, self._answer = error, Answer()
            self._assemble = Answer  # what it was made of is let go of
        return self._answer
