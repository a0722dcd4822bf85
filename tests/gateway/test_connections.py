"""A request's connection, as an ASGI server tells of it."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest

from tslp_litellm.gateway.connections import Connections, client_gone

Message = MutableMapping[str, Any]
REQUEST = {"type": "http.request", "body": b"", "more_body": False}


def told(messages: list[Message], times: int = 2) -> tuple[list[bool], list[Message]]:
    """What `client_gone` says inside an app that has read the body; and what the app hears afterwards."""
    gone: list[bool] = []
    after: list[Message] = []

    async def receive() -> Message:
        if messages:
            return messages.pop(0)
        await asyncio.Event().wait()
        raise AssertionError

    async def app(scope: Any, receive: Any, send: Any) -> None:
        assert await receive() == REQUEST
        gone.extend([await client_gone() for _ in range(times)])
        if any(gone):
            after.append(await receive())

    async def send(message: Message) -> None: ...

    asyncio.run(asyncio.wait_for(Connections(app)({"type": "http"}, receive, send), 120))
    return gone, after


def test_a_client_that_waits_is_there() -> None:
    assert told([REQUEST]) == ([False, False], [])


def test_a_client_that_hung_up_is_gone_for_whoever_asks() -> None:
    hung_up = {"type": "http.disconnect"}
    assert told([REQUEST, hung_up]) == ([True, True], [hung_up])


def test_without_a_connection_nobody_is_known_to_have_gone() -> None:
    assert asyncio.run(client_gone()) is False


def test_what_is_no_request_is_passed_on() -> None:
    heard: list[Any] = []

    async def app(*what: Any) -> None:
        heard.extend(what)

    asyncio.run(Connections(app)({"type": "websocket"}, pytest.fail, pytest.fail))  # type: ignore[arg-type]
    assert heard == [{"type": "websocket"}, pytest.fail, pytest.fail]
