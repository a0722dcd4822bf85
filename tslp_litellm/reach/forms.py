"""What clients tell their hooks and want to hear from them: one row a client, from its documentation, its source or a
real run (SEMANTICS 13). Pure.

A hook's event becomes the messages that the client's model sees: a prompt, or a call with its result. Where a client
hands its hooks something else than its model sees, the result is put as the client puts it on the wire, so that it is
judged by the same contract; a form that is not known stays as it is, and proves nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

Payload = Mapping[str, Any]
Call = tuple[str, Any, str]
"""A tool call as the model makes it, with its result: name, arguments, text."""


class Event(NamedTuple):
    """One hook: the session and the folder that it stems from, the client's name of it, the messages that it brings."""

    session: str
    folder: str
    name: str
    is_prompt: bool
    messages: tuple[dict[str, Any], ...]


class Client(NamedTuple):
    """The events that a client's hooks are told of, the tools by which it edits, and how a tool's event is read."""

    prompt: str
    tools: frozenset[str]
    edits: tuple[str, ...]
    call: Callable[[Payload], Call | None]


def read(client: str, payload: Any, new_id: str) -> Event | None:
    """A hook's input; `new_id` for a call that the client gives none. None for an event that says nothing to us, or in
    a form that is not known."""
    if not isinstance(payload, Mapping):
        return None
    known, name = CLIENTS[client], str(payload.get("hook_event_name") or "")
    if name == known.prompt and isinstance(payload.get("prompt"), str):
        said: tuple[dict[str, Any], ...] = ({"role": "user", "content": payload["prompt"]},)
    else:
        is_tool = name in known.tools and isinstance(payload.get("tool_name"), str)
        call = known.call(payload) if is_tool else None
        if call is None:
            return None
        said = messages(call, str(payload.get("tool_use_id") or new_id))
    folder, session = payload.get("cwd"), payload.get("session_id")
    return Event(str(session or folder or ""), str(folder or ""), name, name == known.prompt, said)


def told(event: Event, stands: str) -> dict[str, Any] | None:
    """A hook's output: text for the model, behind a prompt or a tool's result. All clients here take it
    in one form."""
    if not stands or event.name == "PreToolUse":
        return None
    return {"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": stands}}


def system(client: str, folder: str) -> dict[str, Any]:
    """Who speaks, and the working directory as clients state it."""
    where = f"\nWorking directory: {folder}" if folder else ""
    return {"role": "system", "content": f"The hooks of {client}.{where}"}


def messages(call: Call, call_id: str) -> tuple[dict[str, Any], ...]:
    """A call and its result, in the form of a chat completion."""
    name, arguments, result = call
    function = {"name": name, "arguments": json.dumps(arguments)}
    return (
        {"role": "assistant", "tool_calls": [{"id": call_id, "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": call_id, "content": result},
    )


def _text(value: object) -> str:
    """A result that is handed on as the model sees it: a text, or parts that hold texts; else as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(p, Mapping) and isinstance(p.get("text"), str) for p in value):
        return "".join(part["text"] for part in value)
    return json.dumps(value)


# -- Claude Code -------------------------------------------------------------------------------------------------------


def _claude(payload: Payload) -> Call:
    """Its hooks are told a tool's own result, which its model never sees, or of a failure the words."""
    name, arguments, result = payload["tool_name"], payload.get("tool_input"), payload.get("tool_response")
    if payload.get("hook_event_name") == "PostToolUseFailure":
        error = str(payload.get("error") or "")
        return name, arguments, error if error.startswith("Exit code") else f"<tool_use_error>{error}</tool_use_error>"
    shown = _CLAUDE[name](result) if name in _CLAUDE and isinstance(result, Mapping) else None
    return name, arguments, shown if shown is not None else _text(result)


def _claude_edit(result: Payload) -> str | None:
    path = result.get("filePath")
    if not isinstance(path, str):
        return None
    if result.get("userModified"):
        return f"The user modified your proposed changes before accepting them: {path}"
    created = result.get("type") == "create"
    return f"File created successfully at: {path}" if created else f"The file {path} has been updated successfully."


def _claude_read(result: Payload) -> str | None:
    file = result.get("file")
    if not isinstance(file, Mapping) or not isinstance(file.get("content"), str):
        return None
    first, total = file.get("startLine", 1), file.get("totalLines")
    lines = file["content"].split("\n")
    shown = "\n".join(f"{n}\t{line}" for n, line in enumerate(lines, first))
    whole = first == 1 and total == file.get("numLines")
    return shown if whole else f"{shown}\n(truncated: {total} lines in all)"


def _claude_shell(result: Payload) -> str | None:
    said = [result.get("stdout"), result.get("stderr")]
    if not all(isinstance(part, str) for part in said) or result.get("backgroundTaskId"):
        return None
    interrupted = ["Command was interrupted"] if result.get("interrupted") else []
    return "\n".join([*(part.strip("\n") for part in said if part), *interrupted])


_CLAUDE: Mapping[str, Callable[[Payload], str | None]] = {
    "Write": _claude_edit, "Edit": _claude_edit, "Read": _claude_read, "Bash": _claude_shell,
}  # fmt: skip


# -- Codex, Gemini CLI -------------------------------------------------------------------------------------------------


def _codex(payload: Payload) -> Call | None:
    """Its hooks call every shell tool Bash, and are told what a command printed without its exit status. Of a patch
    that is given to the shell, as models do that are offered no other tool, they are told beforehand alone."""
    name, arguments = payload["tool_name"], payload.get("tool_input")
    command = arguments.get("command") if isinstance(arguments, Mapping) else None
    is_patch = isinstance(command, str) and command.lstrip().startswith("apply_patch")
    if payload.get("hook_event_name") == "PreToolUse" and not (name == "Bash" and is_patch):
        return None
    if name == "Bash" and isinstance(command, str):
        name, arguments = "exec_command", {"cmd": command}
    elif name == "apply_patch" and isinstance(command, str):
        arguments = {"input": command}
    return name, arguments, _text(payload.get("tool_response", ""))


def _gemini(payload: Payload) -> Call:
    """Its hooks are told what its model sees (`llmContent`)."""
    result = payload.get("tool_response")
    shown = result.get("llmContent", result) if isinstance(result, Mapping) else result
    error = result.get("error") if isinstance(result, Mapping) else None
    text = f"Error: {_text(error)}\n{_text(shown)}" if error else _text(shown)
    return payload["tool_name"], payload.get("tool_input"), text


CLIENTS: Mapping[str, Client] = {
    "claude-code": Client(
        "UserPromptSubmit", frozenset({"PostToolUse", "PostToolUseFailure"}), ("Write", "Edit"), _claude
    ),
    "codex": Client("UserPromptSubmit", frozenset({"PreToolUse", "PostToolUse"}), ("apply_patch",), _codex),
    "gemini": Client("BeforeAgent", frozenset({"AfterTool"}), ("write_file", "replace"), _gemini),
}
