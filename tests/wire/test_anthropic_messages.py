"""Anthropic messages: blocks, results inside user messages, SSE cut anywhere."""

import json
from typing import Any

import pytest

from tslp_litellm.wire.anthropic_messages import AnthropicMessages, MessagesStream
from tslp_litellm.wire.turn import ItemKind

MESSAGES = AnthropicMessages()


def test_requests() -> None:
    turn = MESSAGES.parse({
        "system": [{"type": "text", "text": "s"}],
        "messages": [
            {"role": "user", "content": "a"},
            {"role": "assistant", "content": [{"type": "thinking", "thinking": "t"}, {"type": "text", "text": "b"}, {"type": "tool_use", "id": "c1", "name": "Read", "input": {"file_path": "é"}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "x"}], "is_error": True}, {"type": "text", "text": "c"}]},
        ],
        "tools": [{"name": "Read", "input_schema": {}}],
    })
    assert [(i.role, i.kind, i.text, i.message, i.is_error) for i in turn.items] == [
        ("system", "text", "s", -1, False), ("user", "text", "a", 0, False), ("assistant", "text", "b", 1, False),
        ("assistant", "call", '{"file_path": "é"}', 1, False), ("tool", "result", "x", 2, True), ("user", "text", "c", 2, False),
    ]
    assert turn.tools == ("Read",)
    assert turn.system() == "s"


@pytest.mark.parametrize("data", [{}, {"system": 3, "messages": [3, {"role": "user"}, {"role": "user", "content": [3, {"type": 5}, {"type": "tool_result"}]}]}])
def test_wrong_types_are_passed_over(data: dict[str, Any]) -> None:
    assert all(i.kind is ItemKind.RESULT for i in MESSAGES.parse(data).items)


def test_insertion_goes_behind_tool_results() -> None:
    result = {"type": "tool_result", "tool_use_id": "c", "content": "x"}
    data: dict[str, Any] = {"messages": [{"role": "user", "content": [result, {"type": "text", "text": "a"}]}, {"role": "user", "content": "b"}]}
    assert MESSAGES.insert(data, 0, "X")
    assert MESSAGES.insert(data, 1, "Y\n\n")
    assert [part.get("text") for part in data["messages"][0]["content"]] == [None, "X", "a"]
    assert data["messages"][1]["content"] == "Y\n\nb"


def test_what_goes_behind_the_last_message_stands_behind_its_results() -> None:
    result = {"type": "tool_result", "tool_use_id": "c", "content": "x", "cache_control": {"type": "ephemeral"}}
    data: dict[str, Any] = {"messages": [{"role": "user", "content": "a"}, {"role": "user", "content": [result]}]}
    assert MESSAGES.append(data, "\n\nX")
    assert data["messages"] == [{"role": "user", "content": "a"}, {"role": "user", "content": [result, {"type": "text", "text": "\n\nX"}]}]
    data = {"messages": [{"role": "user", "content": "a"}]}
    assert MESSAGES.append(data, "\n\nX")
    assert data["messages"][0]["content"] == [{"type": "text", "text": "a"}, {"type": "text", "text": "\n\nX"}]
    assert not MESSAGES.append({"messages": [{"role": "assistant", "content": "a"}]}, "X")
    assert not MESSAGES.append({}, "X")


def sse(*events: dict[str, Any]) -> bytes:
    return b"".join(f"event: {e['type']}\ndata: {json.dumps(e, ensure_ascii=False)}\n\n".encode() for e in events)


def stream_of(text: str, stop: str = "end_turn", finished: bool = True) -> bytes:
    arguments = json.dumps({"content": text}, ensure_ascii=False)
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {"id": "msg_1"}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
        *({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": c}} for c in text),
        {"type": "content_block_stop", "index": 1},
        {"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "id": "c1", "name": "Write", "input": {}}},
        *({"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": c}} for c in arguments),
        {"type": "content_block_stop", "index": 2},
        {"type": "ping"},
        {"type": "message_delta", "delta": {"stop_reason": stop}},
    ]
    return sse(*events, *([{"type": "message_stop"}] if finished else []))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 100_000])
def test_streams_cut_anywhere(size: int) -> None:
    raw, stream = stream_of("é — ✓\ndata: x\n\n"), MessagesStream()
    for at in range(0, len(raw), size):
        stream.feed(raw[at : at + size])
    answer = stream.answer()
    assert [(i.kind, i.name, i.text) for i in answer.items][0] == ("text", "", "é — ✓\ndata: x\n\n")
    assert json.loads(answer.items[1].text) == {"content": "é — ✓\ndata: x\n\n"}
    assert (answer.complete, answer.response_id) == (True, "msg_1")


def test_line_ends_and_decoded_events() -> None:
    stream = MessagesStream()
    stream.feed(stream_of("a").replace(b"\n", b"\r\n"))
    assert stream.answer().items[0].text == "a"
    stream = MessagesStream()
    stream.feed({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}})
    stream.feed({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "b"}})
    assert stream.answer().items[0].text == "b"


@pytest.mark.parametrize(("stop", "finished"), [("max_tokens", True), ("refusal", True), ("end_turn", False)])
def test_streams_cut_short(stop: str, finished: bool) -> None:
    stream = MessagesStream()
    stream.feed(stream_of("a", stop, finished))
    assert not stream.answer().complete


def test_an_error_frame_ends_it() -> None:
    stream = MessagesStream()
    stream.feed(stream_of("a", finished=False) + sse({"type": "error", "error": {}}) + sse({"type": "message_stop"}))
    assert not stream.answer().complete


def test_whole_answers() -> None:
    answer = MESSAGES.whole({"id": "m", "stop_reason": "tool_use", "content": [{"type": "text", "text": "a"}, {"type": "tool_use", "id": "c", "name": "W", "input": {}}]})
    assert ([i.kind for i in answer.items], answer.complete) == (["text", "call"], True)
    assert not MESSAGES.whole({"stop_reason": "max_tokens", "content": []}).complete
    assert not MESSAGES.whole(None).complete
