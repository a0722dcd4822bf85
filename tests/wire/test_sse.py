"""Server-sent events: cut anywhere, broken, endless."""

from __future__ import annotations

import json

import pytest

from tslp_litellm.wire import sse
from tslp_litellm.wire.anthropic_messages import AnthropicMessages
from tslp_litellm.wire.openai_chat import OpenAIChat
from tslp_litellm.wire.sse import EventParser


def event(body: object, end: str = "\n\n") -> bytes:
    return b"event: x\ndata: " + json.dumps(body).encode() + end.encode()


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("end", ["\n\n", "\r\n\r\n", "\r\r"])
def test_events_are_the_same_however_they_are_cut(size: int, end: str) -> None:
    bodies = [{"n": n, "text": "ä" * n} for n in range(5)]
    raw = b"".join(event(body, end) for body in bodies) + b"data: [DONE]" + end.encode()
    parser = EventParser()
    found = [body for at in range(0, len(raw), size) for body in parser.feed(raw[at : at + size])]
    assert found == bodies
    assert not parser.broken


@pytest.mark.parametrize(
    "data", [b"{", b"[1]", b"nonsense", b"[" * 200_000, b'{"a":' * 200_000, b"\xff\xfe{}", b'"text"', b"NaN"]
)
def test_what_can_not_be_read_is_passed_over_and_remembered(data: bytes) -> None:
    parser = EventParser()
    assert list(parser.feed(b"data: " + data + b"\n\n" + event({"a": 1}))) == [{"a": 1}]
    assert parser.broken


def test_an_event_without_an_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "UNFINISHED_BYTES_MAX", 1000)
    parser = EventParser()
    for _ in range(100):
        assert list(parser.feed(b"data: " + b"x" * 100)) == []
        assert len(parser._rest) <= 1000
    assert parser.broken


def messages_stream(*extra: bytes) -> bytes:
    return b"".join([
        event({"type": "message_start", "message": {"id": "m"}}),
        event({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        event({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "one "}}),
        *extra,
        event({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "two"}}),
        event({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}),
        event({"type": "message_stop"}),
    ])  # fmt: skip


def test_an_answer_that_may_lack_a_part_is_not_complete() -> None:
    for extra, complete in (((), True), ((b"data: {broken\n\n",), False), ((b": comment\n\n",), True)):
        stream = AnthropicMessages().stream()
        stream.feed(messages_stream(*extra))
        answer = stream.answer()
        assert answer.complete is complete
        assert [i.text for i in answer.items] == ["one two"]


def test_long_answers_in_small_pieces() -> None:
    """Pieces are joined once: each costs the same, however long the answer is."""
    stream = AnthropicMessages().stream()
    piece = event({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "abcd"}})
    stream.feed(messages_stream(*[piece] * 50_000))
    assert stream.answer().items[0].text == "one " + "abcd" * 50_000 + "two"
    chat = OpenAIChat().stream()
    for _ in range(50_000):
        chat.feed({"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "c", "function": {"arguments": "abcd"}}]}}]})
    chat.feed({"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"name": "f"}}]}, "finish_reason": "stop"}]})
    assert chat.answer().items[0].text == "abcd" * 50_000


def test_arguments_that_are_nested_too_deep_are_none() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    call = {"id": "c", "function": {"name": "Write", "arguments": deep}}
    turn = OpenAIChat().parse({"messages": [{"role": "assistant", "content": "x", "tool_calls": [call]}]})
    assert [i.text for i in turn.items] == ["x", ""]
