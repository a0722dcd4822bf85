"""Responses: input items, server-side history, typed events."""

from typing import Any

import pytest

from tslp_litellm.wire.openai_responses import OpenAIResponses, ResponsesStream

RESPONSES = OpenAIResponses()


def test_requests() -> None:
    turn = RESPONSES.parse({
        "instructions": "s",
        "previous_response_id": "resp_0",
        "input": [
            {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "d"}]},
            {"role": "user", "content": "a"},
            {"type": "reasoning", "summary": [{"text": "t"}]},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "b"}]},
            {"type": "function_call", "call_id": "c1", "name": "Write", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c1", "output": "ok"},
            {"type": "custom_tool_call", "call_id": "c2", "name": "apply_patch", "input": "*** Begin Patch"},
            {"type": "custom_tool_call_output", "call_id": "c2", "output": [{"type": "input_text", "text": "done"}]},
        ],
        "tools": [{"type": "function", "name": "Write"}, {"type": "custom", "name": "apply_patch"}, {"type": "web_search"}],
    })
    assert [(i.role, i.kind, i.text, i.message) for i in turn.items] == [
        ("system", "text", "s", -1), ("assistant", "response", "resp_0", -1), ("system", "text", "d", 0), ("user", "text", "a", 1),
        ("assistant", "text", "b", 3), ("assistant", "call", "{}", 4), ("tool", "result", "ok", 5),
        ("assistant", "call", "*** Begin Patch", 6), ("tool", "result", "done", 7),
    ]
    assert turn.tools == ("Write", "apply_patch", "web_search")


def test_a_string_is_the_users_message() -> None:
    (item,) = RESPONSES.parse({"input": "hello"}).items
    assert (item.role, item.text, item.message) == ("user", "hello", 0)


@pytest.mark.parametrize("data", [{}, {"input": 3}, {"input": [3, None, {"type": 5}, {"type": "message", "role": "user", "content": 3}]}])
def test_wrong_types_are_passed_over(data: dict[str, Any]) -> None:
    assert RESPONSES.parse(data).items == ()


def test_insertion() -> None:
    data: dict[str, Any] = {"input": "a"}
    assert RESPONSES.insert(data, 0, "X\n\n")
    assert data["input"] == "X\n\na"
    data = {"input": [{"role": "user", "content": "a"}, {"role": "user", "content": [{"type": "input_text", "text": "b"}]}]}
    assert RESPONSES.insert(data, 0, "X\n\n")
    assert RESPONSES.insert(data, 1, "Y\n\n")
    assert data["input"][0]["content"] == "X\n\na"
    assert data["input"][1]["content"][0] == {"type": "input_text", "text": "Y\n\n"}
    assert not RESPONSES.insert(data, 5, "Z")


def test_what_goes_behind_the_last_entry_is_a_part_of_its_own() -> None:
    def after(entries: Any) -> Any:
        data: dict[str, Any] = {"input": entries}
        assert RESPONSES.append(data, "\n\nX")
        return data["input"]

    own = {"type": "input_text", "text": "\n\nX"}
    assert after("a") == [{"role": "user", "content": [{"type": "input_text", "text": "a"}, own]}]
    assert after([CALL, {"role": "user", "content": "a"}])[1] == {"role": "user", "content": [{"type": "input_text", "text": "a"}, own]}
    result = {"type": "function_call_output", "call_id": "c1", "output": "done"}
    assert after([CALL, result]) == [CALL, {**result, "output": [{"type": "input_text", "text": "done"}, own]}]
    assert RESPONSES.parse({"input": after([CALL, result])}).items[-1].text == "done\n\nX"


@pytest.mark.parametrize(
    "last", [{"type": "local_shell_call_output", "output": "{}"}, {"type": "function_call_output", "output": {"content": "x"}}, {"type": "reasoning"}, {"role": "assistant", "content": "a"}]
)
def test_an_entry_without_room_behind_it_stays_as_it_is(last: dict[str, Any]) -> None:
    data = {"input": [last]}
    assert not RESPONSES.append(data, "X")
    assert data == {"input": [last]}
    assert not RESPONSES.append({"input": []}, "X")
    assert not RESPONSES.append({}, "X")


MESSAGE = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "hello"}]}
CALL = {"type": "function_call", "call_id": "c1", "name": "Write", "arguments": "{}"}


def events(status: str = "completed", output: list[Any] | None = None) -> list[dict[str, Any]]:
    return [
        {"type": "response.created", "response": {"id": "resp_1", "status": "in_progress"}},
        {"type": "response.output_text.delta", "delta": "hel", "output_index": 0},
        {"type": "response.output_text.delta", "delta": "lo", "output_index": 0},
        {"type": "response.output_item.done", "output_index": 0, "item": MESSAGE},
        {"type": "response.output_item.done", "output_index": 1, "item": CALL},
        {"type": f"response.{status}", "response": {"id": "resp_1", "status": status, "output": output if output is not None else [MESSAGE, CALL]}},
    ]


@pytest.mark.parametrize("output", [None, []])
def test_streams(output: list[Any] | None) -> None:
    stream = ResponsesStream()
    for event in events(output=output):
        stream.feed(event)
    answer = stream.answer()
    assert [(i.kind, i.text) for i in answer.items] == [("text", "hello"), ("call", "{}")]
    assert (answer.complete, answer.response_id) == (True, "resp_1")


def test_streams_with_nothing_but_deltas() -> None:
    stream = ResponsesStream()
    for event in (*events()[:3], {"type": "response.completed", "response": {"status": "completed"}}):
        stream.feed(event)
    assert [i.text for i in stream.answer().items] == ["hello"]


@pytest.mark.parametrize("status", ["incomplete", "failed"])
def test_streams_cut_short(status: str) -> None:
    stream = ResponsesStream()
    for event in events(status):
        stream.feed(event)
    assert not stream.answer().complete
    stream = ResponsesStream()
    for event in events()[:-1]:
        stream.feed(event)
    assert not stream.answer().complete


def test_whole_answers() -> None:
    assert RESPONSES.whole({"id": "r", "status": "completed", "output": [MESSAGE]}).complete
    assert not RESPONSES.whole({"status": "incomplete", "output": [MESSAGE]}).complete
    assert not RESPONSES.whole(None).complete
