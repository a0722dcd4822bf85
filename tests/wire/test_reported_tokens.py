"""The tokens of a prompt as a server counts them, in each API's words, streamed or not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tslp_litellm.wire import FORMATS

ANTHROPIC = {"input_tokens": 5, "cache_read_input_tokens": 30, "cache_creation_input_tokens": 7, "output_tokens": 9}


@pytest.mark.parametrize(
    ("call_type", "response", "read"),
    [
        ("acompletion", {"choices": [], "usage": {"prompt_tokens": 42, "completion_tokens": 9}}, 42),
        ("acompletion", {"choices": [], "usage": {"prompt_tokens": "42"}}, None),
        ("acompletion", {"choices": []}, None),
        ("anthropic_messages", {"content": [], "usage": ANTHROPIC}, 42),
        ("anthropic_messages", {"content": [], "usage": None}, None),
        ("aresponses", {"output": [], "usage": {"input_tokens": 42}}, 42),
        ("aresponses", {"output": [], "usage": 3}, None),
    ],
)
def test_a_whole_answer(call_type: str, response: dict[str, Any], read: int | None) -> None:
    assert FORMATS[call_type].whole(response).read == read


@pytest.mark.parametrize(
    ("call_type", "chunks"),
    [
        ("acompletion", [{"choices": [{"delta": {"content": "x"}}]}, {"choices": [], "usage": {"prompt_tokens": 42}}]),
        (
            "anthropic_messages",
            [
                f"data: {json.dumps({'type': 'message_start', 'message': {'id': 'm', 'usage': ANTHROPIC}})}\n\n".encode(),
                f"data: {json.dumps({'type': 'message_stop'})}\n\n".encode(),
            ],
        ),
        ("aresponses", [{"type": "response.completed", "response": {"output": [], "usage": {"input_tokens": 42}}}]),
    ],
)
def test_a_stream(call_type: str, chunks: list[Any]) -> None:
    stream = FORMATS[call_type].stream()
    assert stream.answer().read is None
    for chunk in chunks:
        stream.feed(chunk)
    assert stream.answer().read == 42
