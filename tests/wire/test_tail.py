"""A text behind the last message's content, as a part of its own."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tslp_litellm.wire import FORMATS

CHAT, MESSAGES, RESPONSES = "acompletion", "anthropic_messages", "aresponses"
TEXT, INPUT = {"type": "text", "text": "X"}, {"type": "input_text", "text": "X"}


@pytest.mark.parametrize(
    ("api", "field", "last", "content"),
    [
        (CHAT, "messages", {"role": "user", "content": "a"}, [{"type": "text", "text": "a"}, TEXT]),
        (CHAT, "messages", {"role": "user", "content": [{"type": "image_url"}]}, [{"type": "image_url"}, TEXT]),
        (CHAT, "messages", {"role": "tool", "tool_call_id": "c", "content": ""}, [TEXT]),
        (
            MESSAGES,
            "messages",
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "r"}]},
            [{"type": "tool_result", "tool_use_id": "c", "content": "r"}, TEXT],
        ),
        (RESPONSES, "input", {"role": "user", "content": "a"}, [{"type": "input_text", "text": "a"}, INPUT]),
        (
            RESPONSES,
            "input",
            {"type": "function_call_output", "call_id": "c", "output": "r"},
            [{"type": "input_text", "text": "r"}, INPUT],
        ),
    ],
)
def test_where_there_is_room(api: str, field: str, last: dict[str, Any], content: list[Any]) -> None:
    body: dict[str, Any] = {field: [{"role": "user", "content": "before"}, last]}
    given = copy.deepcopy(body)
    messages = body[field]
    assert FORMATS[api].append(body, "X")
    assert body[field][0] == given[field][0]
    assert (body[field][1].get("output") or body[field][1]["content"]) == content
    assert messages == given[field], "the caller's own list is left alone"


def test_a_text_alone_is_a_message() -> None:
    body: dict[str, Any] = {"input": "a"}
    assert FORMATS[RESPONSES].append(body, "X")
    assert body == {"input": [{"role": "user", "content": [{"type": "input_text", "text": "a"}, INPUT]}]}


@pytest.mark.parametrize(
    ("api", "body"),
    [
        (CHAT, {"messages": [{"role": "assistant", "content": "a"}]}),
        (CHAT, {"messages": []}),
        (CHAT, {}),
        (MESSAGES, {"messages": [{"role": "assistant", "content": "a"}]}),
        (RESPONSES, {"input": [{"type": "local_shell_call_output", "output": "a"}]}),
        (RESPONSES, {"input": [{"type": "reasoning"}]}),
    ],
)
def test_where_there_is_none(api: str, body: dict[str, Any]) -> None:
    given = copy.deepcopy(body)
    assert not FORMATS[api].append(body, "X")
    assert body == given
