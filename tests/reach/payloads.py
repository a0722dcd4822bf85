"""What clients hand to their hooks: as recorded from Claude Code and Codex, and as Gemini CLI documents it."""

from __future__ import annotations

from typing import Any

ROOT = "/repo"


def _base(event: str, session: str, **more: Any) -> dict[str, Any]:
    return {"session_id": session, "transcript_path": None, "cwd": ROOT, "hook_event_name": event, **more}


def claude_prompt(text: str, session: str) -> dict[str, Any]:
    return _base("UserPromptSubmit", session, permission_mode="acceptEdits", prompt=text)


def claude_write(path: str, text: str, session: str, call: str) -> dict[str, Any]:
    where = f"{ROOT}/{path}"
    return claude_tool(
        session, call, "Write", {"file_path": where, "content": text},
        {"type": "create", "filePath": where, "content": text, "structuredPatch": [], "originalFile": None},
    )  # fmt: skip


def claude_tool(session: str, call: str, tool: str, arguments: dict[str, Any], response: Any) -> dict[str, Any]:
    said = {"tool_name": tool, "tool_input": arguments, "tool_response": response, "tool_use_id": call}
    return _base("PostToolUse", session, permission_mode="acceptEdits", **said)


def codex_prompt(text: str, session: str) -> dict[str, Any]:
    return _base("UserPromptSubmit", session, turn_id="t", model="gpt", permission_mode="default", prompt=text)


def codex_write(path: str, text: str, session: str, call: str) -> dict[str, Any]:
    lines = "".join(f"+{line}\n" for line in text.splitlines())
    patch = f"*** Begin Patch\n*** Add File: {path}\n{lines}*** End Patch\n"
    return codex_tool(
        session, call, "apply_patch", {"command": patch}, f"Success. Updated the following files:\nA {path}\n"
    )


def codex_tool(session: str, call: str, tool: str, arguments: dict[str, Any], response: Any) -> dict[str, Any]:
    said = {"tool_name": tool, "tool_input": arguments, "tool_response": response, "tool_use_id": call}
    return _base("PostToolUse", session, turn_id="t", model="gpt", permission_mode="default", **said)


def codex_patch_by_shell(patch: str, session: str, call: str) -> dict[str, Any]:
    """All that its hooks are told of it."""
    said = {"tool_name": "Bash", "tool_input": {"command": f"apply_patch <<'EOF'\n{patch}EOF\n"}, "tool_use_id": call}
    return _base("PreToolUse", session, turn_id="t", model="gpt", permission_mode="default", **said)


def gemini_prompt(text: str, session: str) -> dict[str, Any]:
    return _base("BeforeAgent", session, timestamp="2026-01-01T00:00:00Z", prompt=text)


def gemini_write(path: str, text: str, session: str, call: str) -> dict[str, Any]:
    where = f"{ROOT}/{path}"
    said = f"Successfully created and wrote to new file: {where}."
    return gemini_tool(session, "write_file", {"file_path": where, "content": text}, {"llmContent": said})


def gemini_tool(session: str, tool: str, arguments: dict[str, Any], response: Any) -> dict[str, Any]:
    said = {"tool_name": tool, "tool_input": arguments, "tool_response": response}
    return _base("AfterTool", session, timestamp="2026-01-01T00:00:00Z", **said)


def claude_edit(path: str, old: str, new: str, session: str, call: str, modified: bool = False) -> dict[str, Any]:
    where = f"{ROOT}/{path}"
    return claude_tool(
        session, call, "Edit", {"file_path": where, "old_string": old, "new_string": new, "replace_all": False},
        {"filePath": where, "oldString": old, "newString": new, "originalFile": old, "structuredPatch": [],
         "userModified": modified, "replaceAll": False},
    )  # fmt: skip


def claude_read(path: str, text: str, session: str, call: str, total: int | None = None) -> dict[str, Any]:
    where, lines = f"{ROOT}/{path}", len(text.split("\n"))
    file = {"filePath": where, "content": text, "numLines": lines, "startLine": 1, "totalLines": total or lines}
    return claude_tool(session, call, "Read", {"file_path": where}, {"type": "text", "file": file})


def claude_shell(command: str, printed: str, session: str, call: str) -> dict[str, Any]:
    said = {"stdout": printed, "stderr": "", "interrupted": False, "isImage": False, "noOutputExpected": False}
    return claude_tool(session, call, "Bash", {"command": command, "description": "Run a command"}, said)


def claude_failure(command: str, error: str, session: str, call: str) -> dict[str, Any]:
    made = {**claude_shell(command, "", session, call), "hook_event_name": "PostToolUseFailure", "error": error}
    del made["tool_response"]
    return made


PROMPT = {"claude-code": claude_prompt, "codex": codex_prompt, "gemini": gemini_prompt}
WRITE = {"claude-code": claude_write, "codex": codex_write, "gemini": gemini_write}
