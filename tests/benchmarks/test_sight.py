"""What the measure of a model's sight counts, and what it holds for possible (`python -m benchmarks.sight`)."""

from __future__ import annotations

import json

from benchmarks.sight.measures import LEFT, beside, redundant
from benchmarks.sight.playing import named
from benchmarks.sight.prompts import prompt_of
from benchmarks.sight.server import TEMPLATE, size
from tslp_litellm.hydration.blocks import Block
from tslp_litellm.state.values import Source, Tracked

BLOCK = Block("a.py", "0" * 64, Source.AST, "def a():\n    return 1\n").render()


def said(role: str, content: str) -> dict[str, object]:
    return {"role": role, "content": content}


def calls(*ids: str) -> dict[str, object]:
    made = {"name": "write", "arguments": json.dumps({"path": "a.py", "content": "a = 1\nb = 2\n"})}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": one, "function": made} for one in ids]}


def result(call: str) -> dict[str, object]:
    return {"role": "tool", "tool_call_id": call, "content": "Done."}


def test_what_a_model_imitates_is_not_injected() -> None:
    origin = [said("user", "What is a.py?"), said("assistant", BLOCK), said("user", "And now?")]
    sent = [*origin[:2], said("user", f"{BLOCK}\n\nAnd now?")]
    bare, ours = (prompt_of({"messages": messages}) for messages in (origin, sent))
    assert redundant(bare, bare, {}, len) == (0, 0)
    assert redundant(ours, bare, {}, len) == (len(BLOCK), 0)


def test_a_call_weighs_what_it_is_written_as() -> None:
    [message] = prompt_of({"messages": [calls("c")]}).messages
    assert message.texts == ("write path a.py content", "a = 1\nb = 2\n")
    whole = '{"name": "write", "arguments": {"path": "a.py", "content": "a = 1\\nb = 2\\n"}}'
    assert message.counted == (whole,)
    assert size(message, len) == TEMPLATE + len(whole)


def test_a_turn_with_one_of_the_last_results_keeps_its_words() -> None:
    first = [said("user", "Begin.\n```python\nlong = 1\n```"), calls("1"), result("1"), said("assistant", "Begun.")]
    second = [said("user", "Go on."), calls("2", "3"), result("2"), result("3"), said("assistant", "Went on.")]
    task = [said("user", "The task.")]
    older = [said("user", "Once."), calls("0"), result("0"), said("assistant", "It was.")]
    prompt = prompt_of({"messages": [*older, *first, *second, *task]})
    assert beside(prompt, "The task.") == [f"Begin.\n```python\n{LEFT}\n```", "Begun.", "Go on.", "Went on."]


def test_a_bare_name_that_is_a_whole_one_is_no_member_s() -> None:
    member = Tracked("flag.go::FlagSet.VarP", "flag.go", "FlagSet.VarP", "1" * 64, True, Source.AST)
    whole = Tracked("flag.go::VarP", "flag.go", "VarP", "2" * 64, True, Source.AST)
    task = "Add VarP - see flag.go"
    assert named(task, [member]) == [member]
    assert named(task, [member, whole]) == [whole]
    assert named("Mind flag.go::FlagSet.VarP.", [member, whole]) == [member]
