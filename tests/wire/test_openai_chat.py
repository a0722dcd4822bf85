"""Chat completions: requests, answers whole and streamed, insertion."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

from tslp_litellm.wire.openai_chat import ChatStream, OpenAIChat
from tslp_litellm.wire.turn import ItemKind, Role

CHAT = OpenAIChat()


def parsed(*messages: Any, **more: Any) -> list[tuple[str, str, str, int]]:
    return [(i.role, i.kind, i.text, i.message) for i in CHAT.parse({"messages": list(messages), **more}).items]


def test_strings_and_lists_of_parts() -> None:
    assert parsed({"role": "user", "content": "a"}, {"role": "user", "content": [{"type": "text", "text": "b"}, {"type": "image_url"}, {"type": "text", "text": "c"}]}) == [
        ("user", "text", "a", 0), ("user", "text", "b", 1), ("user", "text", "c", 1),
    ]


def test_roles() -> None:
    roles = [i.role for i in CHAT.parse({"messages": [{"role": r, "content": "x"} for r in ("system", "developer", "user", "assistant", "tool", "what")]}).items]
    assert roles == [Role.SYSTEM, Role.SYSTEM, Role.USER, Role.ASSISTANT, Role.TOOL]


def test_tool_calls_and_results() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "Write", "arguments": '{"a": 1}'}}
    items = CHAT.parse({"messages": [{"role": "assistant", "content": None, "tool_calls": [call]}, {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": "ok"}]}]}).items
    assert [(i.kind, i.name, i.call_id, i.text) for i in items] == [(ItemKind.CALL, "Write", "c1", '{"a": 1}'), (ItemKind.RESULT, "", "c1", "ok")]
    legacy = CHAT.parse({"messages": [{"role": "assistant", "function_call": {"name": "f", "arguments": {"a": 1}}}]}).items
    assert [(i.name, i.text) for i in legacy] == [("f", '{"a": 1}')]


def test_offered_tools() -> None:
    turn = CHAT.parse({"messages": [], "tools": [{"type": "function", "function": {"name": "Read"}}], "functions": [{"name": "old"}]})
    assert turn.tools == ("Read", "old")


@pytest.mark.parametrize(
    "data",
    [{}, {"messages": None}, {"messages": "x"}, {"messages": [None, 3, "x", {}, {"role": 3}, {"role": "user", "content": 7}, {"role": "user", "content": [None, 5, {"text": 3}]}]},
     {"messages": [{"role": "assistant", "tool_calls": [None, {}, {"function": {"name": 3}}, {"function": "x"}]}], "tools": [None, 3, {"function": 5}]}],
)
def test_wrong_types_are_passed_over(data: dict[str, Any]) -> None:
    assert CHAT.parse(data).items == ()


def test_invalid_unicode_is_marked() -> None:
    (item,) = CHAT.parse({"messages": [{"role": "user", "content": "a\ud800b"}]}).items
    assert not item.exact
    item.text.encode()


def test_insertion_into_strings_and_lists() -> None:
    data: dict[str, Any] = {"messages": [{"role": "user", "content": "a"}, {"role": "user", "content": [{"type": "text", "text": "b"}]}]}
    original = data["messages"][0]
    assert CHAT.insert(data, 0, "X\n\n")
    assert CHAT.insert(data, 1, "Y\n\n")
    assert data["messages"][0]["content"] == "X\n\na"
    assert data["messages"][1]["content"] == [{"type": "text", "text": "Y\n\n"}, {"type": "text", "text": "b"}]
    assert original["content"] == "a", "the client's own object is not changed"
    assert not CHAT.insert(data, 7, "Z")
    assert not CHAT.insert({}, 0, "Z")


@pytest.mark.parametrize(
    ("content", "parts"),
    [("a", [{"type": "text", "text": "a"}]), ([{"type": "image_url", "image_url": {}}], [{"type": "image_url", "image_url": {}}]), ("", [])],
)
@pytest.mark.parametrize("role", ["user", "tool"])
def test_what_goes_behind_the_last_message_is_a_part_of_its_own(role: str, content: Any, parts: list[Any]) -> None:
    first, last = {"role": "system", "content": "s"}, {"role": role, "content": content, "tool_call_id": "c"}
    data: dict[str, Any] = {"messages": [first, last]}
    sent = data["messages"]
    assert CHAT.append(data, "\n\nX")
    assert data["messages"] == [first, {**last, "content": [*parts, {"type": "text", "text": "\n\nX"}]}]
    assert (sent[1], last["content"]) == (last, content), "the client's own objects are not changed"


@pytest.mark.parametrize("last", [{"role": "system", "content": "s"}, {"role": "assistant", "content": "a"}, {"role": "function", "content": "x"}, {"role": "user"}, 3])
def test_what_has_no_room_behind_it_stays_as_it_is(last: Any) -> None:
    data: dict[str, Any] = {"messages": [last]}
    assert not CHAT.append(data, "X")
    assert data == {"messages": [last]}
    assert not CHAT.append({"messages": []}, "X")
    assert not CHAT.append({}, "X")


def whole(finish: str = "stop", n: int = 1, **message: Any) -> Any:
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": "hi", **message}}
    return CHAT.whole({"id": "r1", "choices": [choice] * n})


def test_whole_answers() -> None:
    answer = whole()
    assert ([i.text for i in answer.items], answer.complete, answer.response_id) == (["hi"], True, "r1")
    assert whole("tool_calls").complete
    assert not whole("length").complete
    assert not whole("content_filter").complete
    assert not whole(n=2).complete
    assert [i.text for i in whole(reasoning_content="secret").items] == ["hi"]
    assert not CHAT.whole(None).complete


def chunk(delta: dict[str, Any] | None = None, finish: str | None = None, index: int = 0, as_object: bool = False) -> Any:
    if as_object:
        body = SimpleNamespace(id="r1", choices=[SimpleNamespace(index=index, delta=SimpleNamespace(**(delta or {})), finish_reason=finish)])
        return body
    return {"id": "r1", "choices": [{"index": index, "delta": delta or {}, "finish_reason": finish}]}


@pytest.mark.parametrize("as_object", [False, True])
def test_streams_are_assembled(as_object: bool) -> None:
    stream = ChatStream()
    arguments = json.dumps({"path": "a.py", "content": "x = 'é'"})
    stream.feed(chunk({"role": "assistant", "content": ""}, as_object=as_object))
    stream.feed(chunk({"reasoning_content": "hm"}, as_object=as_object))
    stream.feed(chunk({"content": "Let "}, as_object=as_object))
    stream.feed(chunk({"content": "me."}, as_object=as_object))
    for n in (0, 1):
        stream.feed(chunk({"tool_calls": [{"index": n, "id": f"c{n}", "function": {"name": "Write", "arguments": ""}}]}, as_object=as_object))
        for at in range(0, len(arguments), 5):
            stream.feed(chunk({"tool_calls": [{"index": n, "function": {"arguments": arguments[at : at + 5]}}]}, as_object=as_object))
    assert not stream.answer().complete
    stream.feed(chunk({}, "tool_calls", as_object=as_object))
    stream.feed({"id": "r1", "choices": [], "usage": {}})
    answer = stream.answer()
    assert [(i.kind, i.name, i.call_id, i.text) for i in answer.items] == [
        ("text", "", "", "Let me."), ("call", "Write", "c0", arguments), ("call", "Write", "c1", arguments),
    ]
    assert answer.complete


def test_streams_of_several_choices_or_cut_short_are_not_complete() -> None:
    stream = ChatStream()
    stream.feed(chunk({"content": "a"}))
    stream.feed(chunk({"content": "b"}, index=1))
    stream.feed(chunk({}, "stop"))
    assert not stream.answer().complete
    assert [i.text for i in stream.answer().items] == ["a"]
    stream = ChatStream()
    stream.feed(chunk({"content": "a"}, "length"))
    assert not stream.answer().complete


def test_streams_take_anything() -> None:
    stream = ChatStream()
    for odd in (None, 3, "x", b"y", {}, {"choices": 3}, {"choices": [None]}, {"choices": [{"delta": 3}]}, {"choices": [{"delta": {"tool_calls": [3, {"function": 5}]}}]}):
        stream.feed(odd)
    assert stream.answer().items == ()


@pytest.mark.parametrize("parts", [["write_file", "", ""], ["write_", "file"], ["write_file", "write_file"], ["write", "write_file"]])
def test_a_name_that_comes_again_is_one_name(parts: list[str]) -> None:
    stream = ChatStream()
    for part in parts:
        stream.feed(chunk({"tool_calls": [{"index": 0, "id": "c", "function": {"name": part, "arguments": ""}}]}))
    (call,) = stream.answer().items
    assert call.name == "write_file"
