"""The relay in process: what a gateway does with its calls, without HTTP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.engine.helpers import CHAT, Session
from tslp_litellm.reach.calls import RefusedError, UnansweredError
from tslp_litellm.store import queries


class Relay:
    """A gateway: the engine of a session, in its workspace. `away`: nobody answers while there is something in it."""

    def __init__(self, session: Session, workspace: str | None = None) -> None:
        self.session, self.workspace = session, workspace
        self.seen: list[list[Mapping[str, Any]]] = []
        self.away: list[bool] = []

    def relay(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[str], client: str) -> str:
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
