"""The three APIs say the same, and are read as the same."""

from __future__ import annotations

from benchmarks.sight.prompts import Message, Prompt, prompt_of

CALL = {"name": "Write", "arguments": '{"path": "a.py", "content": "x = 1\\ny = 2\\n"}'}
CHAT = {
    "messages": [
        {"role": "system", "content": "Be good."},
        {"role": "user", "content": [{"type": "text", "text": "Do it."}]},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "function", "function": CALL}]},
        {"role": "tool", "tool_call_id": "c", "content": "Done."},
    ]
}
MESSAGES = {
    "system": [{"type": "text", "text": "Be good."}],
    "messages": [
        {"role": "user", "content": "Do it."},
        {
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": "c", "name": "Write", "input": {"path": "a.py", "content": "x = 1\ny = 2\n"}}
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "Done."}]},
    ],
}
RESPONSES = {
    "instructions": "Be good.",
    "input": [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Do it."}]},
        {"type": "function_call", "call_id": "c", **CALL},
        {"type": "function_call_output", "call_id": "c", "output": "Done."},
    ],
}


def test_all_apis_are_read_alike() -> None:
    written = Message("assistant", ("Write path a.py content", "x = 1\ny = 2\n"), calls=True)
    read = Prompt(("Be good.",), (Message("user", ("Do it.",)), written, Message("tool", ("Done.",))))
    assert prompt_of(CHAT) == prompt_of(MESSAGES) == prompt_of(RESPONSES) == read


def test_tools_are_fixed_and_an_input_may_be_a_text() -> None:
    found = prompt_of({"input": "Hello.", "tools": [{"name": "Read"}]})
    assert found == Prompt(('[{"name": "Read"}]',), (Message("user", ("Hello.",)),))


def test_results_come_before_the_words_beside_them() -> None:
    content = [{"type": "text", "text": "Go on."}, {"type": "tool_result", "tool_use_id": "c", "content": "Done."}]
    found = prompt_of({"messages": [{"role": "user", "content": content}]})
    assert [message.role for message in found.messages] == ["tool", "user"]
