"""A result belongs to the call as the model made it (SEMANTICS 2, Calls)."""

from __future__ import annotations

import json
from typing import Any

from .helpers import CHAT, Session

OLD, NEW = "X = 1\n", "X = 2\n"
SHOWN = f"a.py\n```python\n{OLD}```\n"
EDIT = {"filePath": "a.py", "oldString": "X = 1", "newString": "X = 2"}
DONE = "Edit applied successfully."


def edit(call_id: str = "c1") -> dict[str, dict[str, Any]]:
    return {call_id: {"name": "edit", "arguments": EDIT}}


def test_the_output_alone(session: Session) -> None:
    session.ask(SHOWN).ask("Set X to 2.", None, edit())
    session.forget().ask(None, "Done.", results={"c1": DONE})
    assert session.holds("a.py", NEW)


def test_the_output_alone_of_a_failure(session: Session) -> None:
    session.ask(SHOWN).ask("Set X to 2.", None, edit())
    session.forget().ask(None, "Oh.", results={"c1": "The user rejected permission to use this specific tool call."})
    assert session.holds("a.py", OLD)


def test_the_output_alone_of_a_read(session: Session) -> None:
    session.ask("Read it.", None, {"c1": {"name": "read", "arguments": {"filePath": "a.py"}}})
    text = "<path>a.py</path>\n<type>file</type>\n<content>\n1: X = 2\n\n(End of file - total 1 lines)\n</content>"
    session.forget().ask(None, "Done.", results={"c1": text})
    assert session.holds("a.py", NEW)


def test_a_command_of_an_unknown_folder(session: Session) -> None:
    session.ask(SHOWN).ask(
        "Set X to 2.", None, {"c1": {"name": "bash", "arguments": {"command": "echo 'X = 2' > a.py"}}}
    )
    session.forget().ask(None, "Done.", results={"c1": "(no output)"})
    assert session.state()["a.py"] == "DIRTY"


def test_the_output_counts_once(session: Session) -> None:
    session.ask(SHOWN).ask("Set X to 2.", None, edit())
    session.forget().ask(None, "Done.", results={"c1": DONE}).ask("No, it is:\n\n" + SHOWN)
    assert session.holds("a.py", OLD)


def test_an_id_of_old_times_answers_nothing(session: Session) -> None:
    session.ask(SHOWN).ask("Set X to 2.", None, edit()).ask(None, "Done.", results={"c1": DONE})
    session.ask("It is:\n\n" + SHOWN)
    session.forget().ask(None, "Done.", results={"c1": DONE + " "})
    assert session.holds("a.py", OLD)


def test_a_shortened_repeat(session: Session) -> None:
    text = "# A\n\nAll of the text.\n"
    session.ask("Write a.md.", None, {"c1": {"name": "write", "arguments": {"filePath": "a.md", "content": text}}})
    session.messages[-1]["tool_calls"][0]["function"]["arguments"] = json.dumps(
        {"filePath": "a.md", "content": "# A\n\nAll of...[truncated]"}
    )
    session.ask(None, "Done.", results={"c1": "Wrote file successfully."})
    assert session.holds("a.md", text)


def test_a_repaired_repeat(session: Session) -> None:
    broken = '{"filePath": "a.py", "oldString": "X = 1", "newString": "X = 2"'
    called = {"id": "c1", "type": "function", "function": {"name": "edit", "arguments": broken}}
    said = {"role": "assistant", "content": None, "tool_calls": [called]}
    session.ask(SHOWN)
    session.messages.append({"role": "user", "content": "Set X to 2."})
    session.request(session.messages, CHAT.whole({"choices": [{"message": said, "finish_reason": "tool_calls"}]}))
    session.messages.append(
        {**said, "tool_calls": [{**called, "function": {"name": "edit", "arguments": broken + "}"}}]}
    )
    session.ask(None, "Done.", results={"c1": DONE})
    assert session.holds("a.py", NEW)
