"""Whatever is left out of a request, what is left is one that a provider takes, and holds what is never touched."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.played import played
from tslp_litellm.engine.demand import LAST_RESULTS, demand_of
from tslp_litellm.engine.talk import ReadingCache
from tslp_litellm.engine.values import Request
from tslp_litellm.hydration.counting import TokenCounts
from tslp_litellm.plan import fitting
from tslp_litellm.plan.values import LeftOut
from tslp_litellm.wire import FORMATS
from tslp_litellm.wire.extent import CACHE_MARK, bytes_max

Body = dict[str, Any]
MARK = {CACHE_MARK: {"type": "ephemeral"}}
WORDS = st.integers(1, 60).map(lambda n: "some words of it\n" * n)
ROUND = st.fixed_dictionaries(
    {
        "think": st.booleans(),
        "say": st.booleans(),
        "calls": st.integers(0, 3),
        "text": WORDS,
        "mark": st.integers(0, 9).map(lambda n: n == 0),
        "parts": st.booleans(),
        "image": st.sampled_from(("", "", "beside", "alone", "marked")),
        "interrupted": st.booleans(),
    }
)
TALK = st.lists(st.tuples(WORDS, st.lists(ROUND, max_size=4)), min_size=1, max_size=7)


def parts_of(one: Body, image: Body, kind: str, last: Body) -> list[Body]:
    """The content of a result as parts: texts, an image, or both. `last`: what its last text holds, too."""
    pictures = [{**image, **(MARK if one["image"] == "marked" else {})}] if one["image"] else []
    said = [{"type": kind, "text": one["text"]}, {"type": kind, "text": "more", **last}]
    return pictures if one["image"] == "alone" else [said[0], *pictures, said[1]]


def chat(talk: list[tuple[str, list[Body]]]) -> Body:
    messages: list[Body] = [{"role": "system", "content": "You are careful."}]
    ids = iter(range(10_000))
    for user, rounds in talk:
        messages.append({"role": "user", "content": user})
        for one in rounds:
            names = [f"c{next(ids)}" for _ in range(one["calls"])]
            said: Body = {"role": "assistant", "content": one["text"] if one["say"] or not names else None}
            if one["think"]:
                said["thinking_blocks"] = [{"type": "thinking", "thinking": "hm", "signature": f"s{next(ids)}"}]
            if names:
                function = {"name": "Read", "arguments": '{"file_path": "a.py"}'}
                said["tool_calls"] = [{"id": n, "type": "function", "function": dict(function)} for n in names]
            messages.append(said)
            mark = MARK if one["mark"] else {}
            parts = parts_of(one, {"type": "image_url", "image_url": {"url": "data:x"}}, "text", mark)
            content = parts if one["parts"] or one["image"] or mark else one["text"]
            messages += [{"role": "tool", "tool_call_id": name, "content": content} for name in names]
            if one["interrupted"]:
                messages.append({"role": "user", "content": "Stop. " + one["text"]})
    return {"messages": messages}


def anthropic(talk: list[tuple[str, list[Body]]]) -> Body:
    messages: list[Body] = []
    ids, pending = iter(range(10_000)), list[Body]()
    for user, rounds in talk:
        messages.append({"role": "user", "content": [*pending, {"type": "text", "text": user}] if pending else user})
        pending = []
        for one in rounds:
            names = [f"c{next(ids)}" for _ in range(one["calls"])]
            blocks: list[Body] = []
            if one["think"]:
                blocks.append({"type": "thinking", "thinking": "hm", "signature": f"s{next(ids)}"})
            if one["say"] or not names:
                blocks.append({"type": "text", "text": one["text"]})
            blocks += [{"type": "tool_use", "id": n, "name": "Read", "input": {"file_path": "a.py"}} for n in names]
            if pending:
                messages.append({"role": "user", "content": pending})
            messages.append({"role": "assistant", "content": blocks})
            parts = parts_of(one, {"type": "image", "source": {"type": "base64", "data": "x"}}, "text", {})
            content = parts if one["parts"] or one["image"] else one["text"]
            mark = MARK if one["mark"] else {}
            pending = [{"type": "tool_result", "tool_use_id": n, "content": content, **mark} for n in names]
            if one["interrupted"]:
                pending.append({"type": "text", "text": "Stop. " + one["text"]})
    if pending:
        messages.append({"role": "user", "content": pending})
    return {"system": [{"type": "text", "text": "You are careful.", **MARK}], "messages": messages}


def responses(talk: list[tuple[str, list[Body]]]) -> Body:
    entries: list[Body] = []
    ids = iter(range(10_000))
    for user, rounds in talk:
        entries.append({"role": "user", "content": [{"type": "input_text", "text": user}]})
        for one in rounds:
            names = [f"c{next(ids)}" for _ in range(one["calls"])]
            if one["think"]:
                entries.append({"type": "reasoning", "id": f"rs{next(ids)}", "encrypted_content": "x", "summary": []})
            if one["say"] or not names:
                said = [{"type": "output_text", "text": one["text"]}]
                entries.append({"type": "message", "role": "assistant", "content": said})
            entries += [{"type": "function_call", "call_id": n, "name": "Read", "arguments": "{}"} for n in names]
            parts = parts_of(one, {"type": "input_image", "image_url": "data:x"}, "input_text", {})
            output = parts if one["parts"] or one["image"] else one["text"]
            entries += [{"type": "function_call_output", "call_id": n, "output": output} for n in names]
            if one["interrupted"]:
                entries.append({"role": "user", "content": "Stop. " + one["text"]})
    return {"instructions": "You are careful.", "input": entries}


def valid_chat(body: Body) -> None:
    waiting: list[str] = []
    for n, message in enumerate(body["messages"]):
        if message["role"] == "tool":
            assert message["tool_call_id"] in waiting, "a result of no call"
            waiting.remove(message["tool_call_id"])
            continue
        assert not waiting, "a call without its result"
        waiting = [call["id"] for call in message.get("tool_calls", ())]
        if n == 1:
            assert message["role"] == "user"
    assert not waiting


def valid_anthropic(body: Body) -> None:
    waiting: set[str] = set()
    assert body["messages"][0]["role"] == "user"
    for message in body["messages"]:
        content = message["content"] if isinstance(message["content"], list) else []
        answered = {block["tool_use_id"] for block in content if block["type"] == "tool_result"}
        assert answered == waiting, "calls are answered in the next message, and nothing else is"
        waiting = {block["id"] for block in content if block["type"] == "tool_use"}
        assert message["content"], "no message is empty"
    assert not waiting


def valid_responses(body: Body) -> None:
    entries = body["input"]
    called = [e["call_id"] for e in entries if e.get("type") == "function_call"]
    answered = [e["call_id"] for e in entries if e.get("type") == "function_call_output"]
    assert sorted(called) == sorted(answered)
    assert all(
        e["call_id"] in [c.get("call_id") for c in entries[:n] if c.get("type") == "function_call"]
        for n, e in enumerate(entries)
        if e.get("type") == "function_call_output"
    )


def messages_of(body: Body) -> list[Body]:
    return body.get("messages") or body["input"]


def followers(body: Body) -> dict[str, str]:
    """Of each entry of thinking that stands by itself, what it was thought for."""
    entries = messages_of(body)
    return {e["id"]: shape(entries[n + 1]) for n, e in enumerate(entries[:-1]) if e.get("type") == "reasoning"}


def shape(message: Body) -> str:
    return json.dumps([message.get("type"), message.get("role"), message.get("call_id")])


def thoughts(body: Body) -> list[str]:
    """Every piece of thinking, in order, as it is written."""
    found = []
    for message in messages_of(body):
        content = message.get("content")
        blocks = [*(content if isinstance(content, list) else ()), *message.get("thinking_blocks", ()), message]
        found += [json.dumps(b) for b in blocks if b.get("type") in ("thinking", "reasoning")]
    return found


def results(body: Body) -> list[str]:
    found = []
    for message in messages_of(body):
        content = message.get("content")
        blocks = content if isinstance(content, list) else []
        found += [json.dumps(b) for b in blocks if b.get("type") == "tool_result"]
        found += [json.dumps(message)] if "tool_call_id" in message or "output" in message else []
    return found


def turn_of(body: Body) -> list[Body]:
    """The turn that goes on: the user's latest own message, and all behind it."""

    def own(message: Body) -> bool:
        content = message.get("content")
        return message.get("role") == "user" and (
            isinstance(content, str) or any(part["type"] in ("text", "input_text") for part in content)
        )

    messages = messages_of(body)
    return messages[max(n for n, message in enumerate(messages) if own(message)) :]


MADE: dict[str, tuple[Callable[[list[tuple[str, list[Body]]]], Body], Callable[[Body], None]]] = {
    "acompletion": (chat, valid_chat),
    "anthropic_messages": (anthropic, valid_anthropic),
    "aresponses": (responses, valid_responses),
}
COUNTS, READINGS = TokenCounts(lambda text: len(text) // 4), ReadingCache()


@pytest.mark.parametrize("api", MADE)
@settings(max_examples=played(60), deadline=None)
@given(talk=TALK, share=st.floats(0, 1))
def test_what_is_left_is_a_request_that_a_provider_takes(
    api: str, talk: list[tuple[str, list[Body]]], share: float
) -> None:
    make, check = MADE[api]
    sent, wire = make(talk), FORMATS[api]
    check(sent)
    body = copy.deepcopy(sent)
    turn = wire.parse(body)
    request = Request("t", "w", api, "m", turn, 4096, size=bytes_max(body), extent=lambda: wire.extent(body, turn))
    demand = demand_of(request, READINGS.talk(turn), COUNTS)
    left = fitting.more(demand, LeftOut(), int(fitting.size(demand) * share), 0, COUNTS.of)
    seen = fitting.view(demand, left, COUNTS.of)
    wire.leave_out(body, seen.changes)

    check(body)
    assert {name: body[name] for name in body if name not in ("messages", "input")} == {
        name: sent[name] for name in sent if name not in ("messages", "input")
    }
    assert turn_of(body)[0] == turn_of(sent)[0]
    assert results(body)[-LAST_RESULTS:] == results(sent)[-LAST_RESULTS:]
    kept = thoughts(body)
    assert kept == [one for one in thoughts(sent) if one in kept], "whole, and in their order"
    assert thoughts({"input": turn_of(body)}) == thoughts({"input": turn_of(sent)}), (
        "in the turn that goes on, all of it"
    )
    assert followers(body).items() <= followers(sent).items(), "thinking stays with what it was thought for"
    assert json.dumps(body).count(CACHE_MARK) == json.dumps(sent).count(CACHE_MARK)
    again = copy.deepcopy(sent)
    wire.leave_out(again, fitting.view(demand, LeftOut.of(left.body()), COUNTS.of).changes)
    assert again == body, "in the same form, from what is remembered"
    assert fitting.size(demand) - seen.size == seen.removed >= 0
    over = wire.parse(body)
    after = demand_of(
        Request("t", "w", api, "m", over, 4096, size=1, extent=lambda: wire.extent(body, over)),
        READINGS.talk(over),
        COUNTS,
    )
    assert abs(fitting.size(after) - seen.size) <= len(demand.parts), "what is said to be left is what is left"
