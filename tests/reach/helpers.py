"""The relay in process: what a gateway does with its calls, without HTTP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.engine.helpers import CHAT, Session
from tslp_litellm.reach.calls import Gateway, RefusedError, UnansweredError
from tslp_litellm.store import queries


@dataclass(frozen=True, slots=True)
class Relay(Gateway):
    """The engine of a session, in its workspace. `away`: nobody answers while there is something in it."""

    session: Session | None = None
    seen: list[list[Mapping[str, Any]]] = field(default_factory=list)
    away: list[bool] = field(default_factory=list)

    def relay(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[str], client: str) -> str:
        assert self.session is not None
        if self.away:
            raise UnansweredError
        self.seen.append([dict(message) for message in messages])
        self.session.tools, self.session.workspace = tuple(tools), self.workspace or "w"
        episode = self.session.request([dict(message) for message in messages], None)
        said = {"role": "assistant", "content": episode.preface}
        self.session.engine.record(episode, CHAT.whole({"choices": [{"message": said, "finish_reason": "stop"}]}))
        return episode.preface

    def get(self, path: str, client: str, **query: str) -> Any:
        raise RefusedError("HTTP 404")


def states(session: Session) -> dict[str, dict[str, str]]:
    """Of each workspace, entity -> artifact, DIRTY ones marked."""
    with session.database.reading() as connection:
        names = queries.workspaces_of(connection, "local")
    found = {}
    for session.workspace in names:
        found[session.workspace] = session.state()
    return found
