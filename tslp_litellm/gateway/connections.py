"""Whether the client of a request is still there: the answer of one who has gone is no evidence (SEMANTICS 2).

LiteLLM tells its hooks that a streamed answer was broken off. A whole answer it makes to its end, and by default never
learns that nobody is left to read it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from contextvars import ContextVar
from typing import Any

from starlette.requests import Request

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
App = Callable[[MutableMapping[str, Any], Receive, Callable[[Message], Awaitable[None]]], Awaitable[None]]
DISCONNECT = "http.disconnect"


class Connections:
    """An ASGI app around another, which remembers for each request the connection that it came by."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(
        self, scope: MutableMapping[str, Any], receive: Receive, send: Callable[[Message], Awaitable[None]]
    ) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        heard = _remembering(receive)
        token = _connection.set(Request(scope, heard))
        try:
            await self.app(scope, heard, send)
        finally:
            _connection.reset(token)


async def client_gone() -> bool:
    """Whether the client of the request that is being served has hung up; False where nobody can tell."""
    connection = _connection.get()
    return connection is not None and await connection.is_disconnected()


_connection: ContextVar[Request | None] = ContextVar("tslp_connection", default=None)


def _remembering(receive: Receive) -> Receive:
    """Servers may tell once that a client has gone; whoever asks after that is told again."""
    last: Message | None = None

    async def heard() -> Message:
        nonlocal last
        if last is None:
            message = await receive()
            if message["type"] != DISCONNECT:
                return message
            last = message
        return last

    return heard
