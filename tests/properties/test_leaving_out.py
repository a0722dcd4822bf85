"""Whatever is left out of a request, it stays one that its provider takes, and a second run changes nothing."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engine.helpers import Session, make_engine
from tslp_litellm.engine import Episode, Request
from tslp_litellm.engine.fitting import Fitting
from tslp_litellm.engine.talk import ReadingCache
from tslp_litellm.hydration.counting import TokenCounts
from tslp_litellm.state.markers import LEFT_OUT
from tslp_litellm.state.values import Conversation
from tslp_litellm.store.database import Database
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.wire import FORMATS
from tslp_litellm.wire.turn import ItemKind, Role

VERSIONS = [
    "".join(f"def f{n}(x):\n    return x * {n} + {v}\n\n\n" for n in range(12)).rstrip() + "\n" for v in range(3)
]
OTHER = "".join(f"def other_{n}():\n    return {n}\n\n\n" for n in range(12)).rstrip() + "\n"
FILES = {f"a{v}": ("a.py", text) for v, text in enumerate(VERSIONS)} | {
    "b": ("b.py", OTHER),
    "u": ("u.py", "x = 1\n" * 40),
}
SYSTEM = "You are a careful programmer. " * 8
TASK = "The task: look at `f3` and say what it does."


@pytest.fixture(scope="module")
def known() -> Iterator[WorkspaceReader]:
    database = Database("sqlite://")
    database.migrate()
    session = Session(make_engine(database), database)
    for text in VERSIONS:
        session.ask(f"a.py\n```python\n{text}```\n", "Thanks, I see.")
    session.ask(f"b.py\n```python\n{OTHER}```\n", "Thanks.")
    with database.reading() as connection:
        yield WorkspaceReader(connection, "local", "w")
    database.close()


# -- conversations, before they have a form ----------------------------------------------------------------------------

words = st.integers(1, 60).map(lambda n: " ".join(f"word{k}" for k in range(n)))
file = st.sampled_from(sorted(FILES)).map(lambda name: "Here it is:\n\n{}\n```python\n{}```\n".format(*FILES[name]))
result = st.one_of(
    st.sampled_from(sorted(FILES)).map(
        lambda n: "\n".join(f"{k}\t{x}" for k, x in enumerate(FILES[n][1].splitlines(), 1))
    ),
    st.sampled_from(sorted(FILES)).map(
        lambda n: json.dumps([{"query": f"/{FILES[n][0]}", "result": FILES[n][1], "success": True}])
    ),
    words,
    st.just("ok"),
)
round_ = st.fixed_dictionaries(
    {
        "said": st.one_of(st.none(), words),
        "thought": st.booleans(),
        "calls": st.lists(result, min_size=1, max_size=3),
        "parts": st.booleans(),
    }
)
turn_ = st.fixed_dictionaries(
    {
        "user": st.one_of(words, file),
        "rounds": st.lists(round_, max_size=3),
        "answer": st.one_of(words, file),
        "thought": st.booleans(),
        "image": st.booleans(),
    }
)
conversation = st.fixed_dictionaries(
    {
        "turns": st.lists(turn_, max_size=6),
        "loop": st.lists(round_, max_size=6),
        "listed": st.booleans(),
        "limit": st.sampled_from([300, 500, 800, 1_200, 2_000, 4_000]),
    }
)


def numbered(said: dict[str, Any]) -> Iterator[tuple[str, Any, str]]:
    """Everything that is said, in order, as (kind, value, id)."""
    number = 0
    for turn in [*said["turns"], {"user": TASK, "rounds": said["loop"], "image": False}]:
        yield "image" if turn["image"] else "user", turn["user"], ""
        for one in turn["rounds"]:
            ids = [f"call_{number + n}" for n in range(len(one["calls"]))]
            number += len(ids)
            yield "calls", (one, ids), ""
            yield "results", (one, ids), ""
        if "answer" in turn:
            yield "answer", (turn["answer"], turn["thought"]), ""


TOOLS = [{"type": "function", "function": {"name": "Read", "parameters": {"type": "object"}}}]
CACHE = {"cache_control": {"type": "ephemeral"}}
THINKING = {"type": "thinking", "thinking": "Let me think.", "signature": "c2lnbmVk"}


def chat(said: dict[str, Any]) -> dict[str, Any]:
    messages: list[dict[str, Any]] = [{"role": "system", "content": SYSTEM}]
    for kind, value, _ in numbered(said):
        if kind == "user":
            content = [{"type": "text", "text": value, **CACHE}] if said["listed"] else value
            messages.append({"role": "user", "content": content})
        elif kind == "image":
            image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
            messages.append({"role": "user", "content": [{"type": "text", "text": value}, image]})
        elif kind == "calls":
            one, ids = value
            function = {"name": "Read", "arguments": '{"file_path": "a.py"}'}
            calls = [{"id": i, "type": "function", "function": function} for i in ids]
            thought = {"thinking_blocks": [THINKING]} if one["thought"] else {}
            messages.append({"role": "assistant", "content": one["said"], "tool_calls": calls, **thought})
        elif kind == "results":
            one, ids = value
            for i, text in zip(ids, one["calls"], strict=True):
                parts = [{"type": "text", "text": text[:9]}, {"type": "text", "text": text[9:] or ".", **CACHE}]
                messages.append({"role": "tool", "tool_call_id": i, "content": parts if one["parts"] else text})
        else:
            messages.append({"role": "assistant", "content": value[0]})
    return {"messages": messages, "tools": TOOLS}


def anthropic(said: dict[str, Any]) -> dict[str, Any]:
    messages: list[dict[str, Any]] = []
    for kind, value, _ in numbered(said):
        if kind == "user":
            content = [{"type": "text", "text": value, **CACHE}] if said["listed"] else value
            messages.append({"role": "user", "content": content})
        elif kind == "image":
            image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
            messages.append({"role": "user", "content": [image, {"type": "text", "text": value}]})
        elif kind == "calls":
            one, ids = value
            blocks: list[dict[str, Any]] = [dict(THINKING)] if one["thought"] else []
            blocks += [{"type": "text", "text": one["said"]}] if one["said"] else []
            blocks += [{"type": "tool_use", "id": i, "name": "Read", "input": {"file_path": "a.py"}} for i in ids]
            messages.append({"role": "assistant", "content": blocks})
        elif kind == "results":
            one, ids = value
            blocks = []
            for i, text in zip(ids, one["calls"], strict=True):
                parts = [{"type": "text", "text": text[:9], **CACHE}, {"type": "text", "text": text[9:] or "."}]
                blocks.append({"type": "tool_result", "tool_use_id": i, "content": parts if one["parts"] else text})
            blocks[-1] |= CACHE
            messages.append({"role": "user", "content": blocks})
        else:
            thought = [dict(THINKING)] if value[1] else []
            messages.append({"role": "assistant", "content": [*thought, {"type": "text", "text": value[0]}]})
    return {"system": [{"type": "text", "text": SYSTEM, **CACHE}], "messages": messages, "tools": TOOLS}


def responses(said: dict[str, Any]) -> dict[str, Any]:
    entries: list[dict[str, Any]] = []
    for kind, value, _ in numbered(said):
        if kind in ("user", "image"):
            part = [{"type": "input_image", "image_url": "data:image/png;base64,AAAA"}] if kind == "image" else []
            entries.append({"role": "user", "content": [{"type": "input_text", "text": value}, *part]})
        elif kind == "calls":
            one, ids = value
            reasoning = {"type": "reasoning", "id": "rs_" + ids[0], "summary": [], "encrypted_content": "c2VjcmV0"}
            entries += [reasoning] if one["thought"] else []
            text = [{"type": "output_text", "text": one["said"]}]
            entries += [{"type": "message", "role": "assistant", "content": text}] if one["said"] else []
            entries += [{"type": "function_call", "call_id": i, "name": "Read", "arguments": "{}"} for i in ids]
        elif kind == "results":
            one, ids = value
            for i, text_ in zip(ids, one["calls"], strict=True):
                output: Any = [{"type": "input_text", "text": text_}] if one["parts"] else text_
                entries.append({"type": "function_call_output", "call_id": i, "output": output})
        else:
            text = [{"type": "output_text", "text": value[0]}]
            entries += [{"type": "reasoning", "id": "rs_answer", "summary": []}] if value[1] else []
            entries.append({"type": "message", "role": "assistant", "content": text})
    return {"instructions": SYSTEM, "input": entries, "tools": TOOLS}


# -- what a provider takes ---------------------------------------------------------------------------------------------


def entries_of(data: dict[str, Any]) -> list[dict[str, Any]]:
    return list(data.get("messages", data.get("input")))


def calls_and_results(data: dict[str, Any]) -> tuple[list[str], list[str]]:
    turn = FORMATS[form_of(data)].parse(data)
    calls = [item.call_id for item in turn.items if item.kind is ItemKind.CALL]
    return calls, [item.call_id for item in turn.items if item.kind is ItemKind.RESULT]


def form_of(data: dict[str, Any]) -> str:
    return "aresponses" if "input" in data else "anthropic_messages" if "system" in data else "acompletion"


def bones(value: Any) -> Any:
    """What may not change: everything but texts."""
    if isinstance(value, dict):
        return {
            k: "TEXT" if k in ("text", "content", "output") and isinstance(v, str) else bones(v)
            for k, v in value.items()
        }
    if isinstance(value, list):
        kept = [bones(one) for one in value if not (isinstance(one, dict) and set(one) <= {"type", "text"})]
        marked = any(isinstance(one, dict) and one.get("text") == "TEXT" for one in kept)
        return kept + (["TEXT"] if len(kept) < len(value) and not marked else [])
    return value


def thinking_of(entry: Any) -> list[str]:
    found = [one for one in [*entry.get("thinking_blocks", []), *(entry.get("content") or [])] if isinstance(one, dict)]
    found += [entry] if entry.get("type") == "reasoning" else []
    return [json.dumps(one, sort_keys=True) for one in found if "signature" in one or one.get("type") == "reasoning"]


def is_empty(value: Any) -> bool:
    if isinstance(value, dict):
        return any((k in ("text", "output") and v == "") or is_empty(v) for k, v in value.items()) or value.get(
            "content"
        ) in ("", [])
    return isinstance(value, list) and any(map(is_empty, value))


def role_of(entry: dict[str, Any]) -> str:
    kind = entry.get("type", "message")
    if kind == "message" or "role" in entry:
        return str(entry["role"])
    return "tool" if kind.endswith("_output") else "assistant"


def check(before: dict[str, Any], after: dict[str, Any], gone: frozenset[int]) -> None:
    kept = [entry for n, entry in enumerate(entries_of(before)) if n not in gone]
    now = entries_of(after)
    assert [bones(entry) for entry in now] == [bones(entry) for entry in kept], "ids, calls, cache marks, structure"
    assert [thinking_of(entry) for entry in now] == [thinking_of(entry) for entry in kept]
    assert {k: v for k, v in after.items() if k not in ("messages", "input")} == {
        k: v for k, v in before.items() if k not in ("messages", "input")
    }
    assert not any(map(is_empty, now)) or any(map(is_empty, kept))
    calls, results = calls_and_results(after)
    assert calls == results, "each call with its result, in order"
    roles = [role_of(entry) for entry in now if role_of(entry) != "system"]
    assert roles[0] == "user"
    if form_of(after) == "anthropic_messages":
        assert all(a != b for a, b in pairwise(roles))
    for n, entry in enumerate(entries_of(before)):
        if entry.get("type") == "reasoning" and n not in gone:
            assert n + 1 not in gone, "what was thought goes with what was said"
    turn = FORMATS[form_of(after)].parse(after)
    old = FORMATS[form_of(before)].parse(before)
    last = [[item for item in one.items if item.kind is ItemKind.RESULT][-3:] for one in (old, turn)]
    assert [item.text for item in last[0]] == [item.text for item in last[1]]
    assert [i.text for i in turn.items if i.role is Role.USER][-1] == TASK
    assert turn.system() == old.system()
    for item in old.items:
        if item.kind is ItemKind.RESULT and item.text.startswith("[{") and item.message not in gone:
            new = next(i for i in turn.items if i.kind is ItemKind.RESULT and i.call_id == item.call_id)
            assert json.loads(new.text)[0]["success"] is True, "a result that is JSON stays it"


def fitted(known: WorkspaceReader, data: dict[str, Any], limit: int) -> tuple[str | None, frozenset[int]]:
    """Make a request fit, on the wire; the header, and the messages that went. Nothing of it is judged."""
    wire, readings = FORMATS[form_of(data)], ReadingCache()
    request = Request("local", "w", form_of(data), "m", wire.parse(data), limit, {}, None, limit, wire.extent(data))
    episode = Episode("e", "", request, False, Conversation("c"))
    means = Fitting(readings, TokenCounts(lambda text: len(text) // 4))
    means.fit(known, readings.talk(request.turn), episode, None, lambda *_: None)
    wire.leave_out(data, episode.changes)
    return episode.headers.get("x-tslp-window"), episode.changes.messages


@pytest.mark.parametrize("form", [chat, anthropic, responses])
@given(said=conversation)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_left_is_a_request_and_a_second_run_changes_nothing(
    known: WorkspaceReader, form: Any, said: dict[str, Any]
) -> None:
    before = form(said)
    after = copy.deepcopy(before)
    header, gone = fitted(known, after, said["limit"])
    assert (header == "fits") <= (after == before)
    check(before, after, gone)
    again = copy.deepcopy(after)
    second, _ = fitted(known, again, said["limit"])
    assert again == after
    assert second == ("over" if header == "over" else "fits")


def test_the_histories_are_such_that_something_is_left_out(known: WorkspaceReader) -> None:
    """Each of the three steps is taken by some of them."""
    turn = {
        "user": "Here it is:\n\na.py\n```python\n" + VERSIONS[0] + "```\n",
        "rounds": [],
        "answer": "I see.",
        "thought": True,
        "image": False,
    }
    current = turn | {"user": "Here it is:\n\na.py\n```python\n" + VERSIONS[2] + "```\n"}
    round_ = {
        "said": "Reading.",
        "thought": False,
        "calls": [json.dumps([{"result": "x" * 400, "success": True}])],
        "parts": False,
    }
    said = {"turns": [turn, current], "loop": [round_] * 6, "listed": False}
    for form in (chat, anthropic, responses):
        data = form(said)
        assert str(fitted(known, data, 1_000)[0]).startswith("fitted")
        assert f"{LEFT_OUT} a.py: 46 lines, as they then were" in json.dumps(data)
        assert f"{LEFT_OUT} what Read answered: 1 line" in json.dumps(data)
        header, gone = fitted(known, form(said), 300)
        assert (header, len(gone) > 4) == ("over", True), "turns go, and older calls"


def test_nothing_is_left_out_of_a_history_that_the_server_keeps(known: WorkspaceReader) -> None:
    data = responses({"turns": [], "loop": [], "listed": False}) | {"previous_response_id": "resp_1"}
    data["input"] = [{"role": "user", "content": "word " * 4_000}, *data["input"]]
    before = copy.deepcopy(data)
    assert fitted(known, data, 500) == (None, frozenset())
    assert data == before
