"""Cuts recorded requests of real clients down to the test data beside this file.

`python tests/recorded/cut.py FOLDER`, where FOLDER holds the recordings: `<client>[-hard]/<turn>-<number>-….json`, each
with the `path` and the `body` of a request. Of every request its own turn is kept, with what the client says before the
first one; long prompts of the client are cut to their first lines and those that name a folder or an edit format.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PICKS: dict[str, dict[str, str]] = {
    "aider": {
        "create": "aider/t1-001 Create",
        "commit of a new file": "aider/t1-002",
        "edit": "aider/t2-003 Create",
        "commit": "aider/t2-004",
        "failing edit": "aider/t3-006 Rename",
        "several files": "aider/t5-009 Read src/calc.py",
        "commit of several files": "aider/t5-010",
        "summary": "aider/t6-013",
        "question": "aider/t7-014 Rewrite",
        "no final newline": "aider-hard/t2-003 Read src/crlf.py",
        "commit that adds the final newline": "aider-hard/t2-004",
        "one of two edits fails": "aider-hard/t13-019 Change both",
    },
    "claude": {
        "create": "claude/t1-002 Create",
        "failing edit": "claude/t3-006 Rename",
        "read, edit": "claude/t4-009 Read",
        "several files": "claude/t5-012 Add",
        "question": "claude/t7-016 Which",
        "CRLF": "claude-hard/t1-003 Read",
        "no final newline": "claude-hard/t2-006 Read",
        "partial read": "claude-hard/t4-012 Let f5",
        "changed by hand": "claude-hard/t6-016 Document",
        "replace all": "claude-hard/t9-023 Let all",
        "edit by shell": "claude-hard/t10-025 Rename",
        "delete by shell": "claude-hard/t11-028 Read",
        "read twice": "claude-hard/t15-039 Read",
        "mention": "claude-hard/t16-040 What",
    },
    "cline": {
        "create": "cline/t1-002 Create",
        "read, edit": "cline/t4-009 Read",
        "several files": "cline/t5-012 Add",
        "question": "cline/t7-016 Which",
        "CRLF": "cline-hard/t1-003 Read",
        "failing edit": "cline-hard/t3-009 Read",
        "partial read": "cline-hard/t4-012 Let f5",
        "edit by shell": "cline-hard/t10-022 Rename",
        "delete by shell": "cline-hard/t11-025 Read",
        "one of two edits fails": "cline-hard/t13-029 Change",
        "mention": "cline-hard/t16-036 What",
    },
    "cn": {
        "create": "cn/t1-002 Create",
        "read, edit": "cn/t2-005 Make",
        "failing edit": "cn/t3-008 Rename",
        "several files": "cn/t5-014 Add",
        "rewrite": "cn/t6-017 Rewrite",
        "question": "cn/t7-018 Which",
    },
    "codex": {
        "create": "codex/t1-002 Create",
        "failing edit": "codex/t3-006 Rename",
        "read, edit": "codex/t4-009 Read",
        "several files": "codex/t5-012 Add",
        "question": "codex/t7-016 Which",
        "CRLF": "codex-hard/t1-003 Read",
        "no final newline": "codex-hard/t2-006 Read",
        "partial read": "codex-hard/t4-012 Let f5",
        "edit by shell": "codex-hard/t10-022 Rename",
        "delete by shell": "codex-hard/t11-025 Read",
        "one of two edits fails": "codex-hard/t13-029 Change",
    },
    "opencode": {
        "title": "opencode/t1-001",
        "create": "opencode/t1-003 Create",
        "read, edit": "opencode/t4-010 Read",
        "several files": "opencode/t5-013 Add",
        "question": "opencode/t7-017 Which",
        "wrong indentation": "opencode-hard/t3-010 Read",
        "partial read": "opencode-hard/t4-013 Let f5",
        "ambiguous edit": "opencode-hard/t8-021 Read",
        "replace all": "opencode-hard/t9-024 Let all",
        "delete by shell": "opencode-hard/t11-029 Read",
        "one of two edits fails": "opencode-hard/t13-033 Change",
        "file with markers": "opencode-hard/t14-036 Read",
    },
    "qwen": {
        "create": "qwen/t1-002 Create",
        "read, edit": "qwen/t4-011 Read",
        "several files": "qwen/t5-014 Add",
        "memory sub-agent": "qwen/t7-019 Which",
        "CRLF": "qwen-hard/t1-003 Read",
        "failing edit": "qwen-hard/t3-009 Read",
        "partial read": "qwen-hard/t4-012 Let f5",
        "ambiguous edit": "qwen-hard/t8-022 Read",
        "edit by shell": "qwen-hard/t10-027 Rename",
        "delete by shell": "qwen-hard/t11-030 Read",
    },
}
"""Client -> request -> its recording and how the first prompt of the part to keep begins."""

KEPT = ("model", "messages", "input", "system", "instructions", "tools")
TELLING = re.compile(r"^ *(?:- |\d+\. )?(?:Primary )?working directory: |<cwd>|SEARCH/REPLACE block", re.I)
FILE_TOOLS = re.compile(r"read|write|edit|bash|shell|command|patch|exec|task|todo", re.I)
LONG = 1200


def cut(path: Path, start: str, ids: dict[str, str]) -> dict[str, Any]:
    """One request. `ids`: the calls' ids so far, and what stands for them."""
    recorded = json.loads(path.read_text("utf-8"))
    body = {key: recorded["body"][key] for key in KEPT if key in recorded["body"]}
    listed = "input" if "input" in body else "messages"
    body[listed] = [_plain(entry) for entry in _own_turn(body[listed], start)]
    if isinstance(body.get("system"), list):
        body["system"] = [{"type": "text", "text": _shortened(part["text"])} for part in body["system"][1:]]
    body["tools"] = [tool for tool in map(_named, body.get("tools", [])) if FILE_TOOLS.search(json.dumps(tool))]
    body = {key: value for key, value in body.items() if value}
    return {"path": recorded["path"].partition("?")[0], "body": _renamed(body, ids)}


def _own_turn(entries: list[Any], start: str) -> list[Any]:
    """What the client says before the first prompt, and all from the prompt on that begins so."""
    if not start:
        return entries
    at = max(n for n, entry in enumerate(entries) if any(text.startswith(start) for text in _prompts(entry)))
    kept = entries[at:]
    for n, entry in enumerate(entries[:at]):
        own = [text for text in _prompts(entry) if not text.startswith("<")]
        if entry.get("role") == "user" and own and not _is_context(own[0]):
            first = [part for part in entry["content"] if part.get("text") not in own] if _parts(entry) else []
            between = [e for e in entries[n + 1 : n + 2] if e.get("role") == "system"]
            return [*entries[:n], *([{**entry, "content": first}] if first else []), *between, *kept]
    return entries[:at] + kept


def _parts(entry: Any) -> bool:
    return isinstance(entry.get("content"), list)


def _prompts(entry: Any) -> list[str]:
    """The texts of a user's message."""
    if entry.get("role") != "user":
        return []
    content = entry["content"]
    return [part.get("text") or "" for part in content] if isinstance(content, list) else [content]


def _is_context(text: str) -> bool:
    """Whether a user's message is one that the client wrote (aider's examples, Qwen's set-up)."""
    return text.startswith(
        (
            "Change get_factorial",
            "Refactor hello",
            "I switched to a new code base",
            "Here are summaries",
            "This is the Qwen",
        )
    )


def _plain(entry: Any) -> Any:
    """An entry without ids, cache marks and thoughts; long prompts are cut."""
    if isinstance(entry, list):
        return [_plain(part) for part in entry]
    if not isinstance(entry, dict):
        return entry
    entry = {
        k: _plain(v) for k, v in entry.items() if k not in ("cache_control", "reasoning_content", "status", "phase")
    }
    if entry.get("type") == "message" or "type" not in entry:
        entry.pop("id", None) if "function" not in entry else None
    if entry.get("type") in ("function_call", "function_call_output", "message"):
        entry.pop("id", None)
        entry.pop("internal_chat_message_metadata_passthrough", None)
    if entry.get("role") in ("system", "developer"):
        entry["content"] = _of_system(entry["content"])
    elif entry.get("role") == "user" and isinstance(entry.get("content"), str):
        entry["content"] = _without_rules(entry["content"])
    return entry


def _of_system(content: Any) -> Any:
    if isinstance(content, str):
        return _shortened(content)
    return [{**part, "text": _shortened(part.get("text", ""))} for part in content]


def _shortened(text: str) -> str:
    lines = text.split("\n")
    return (
        text if len(text) < LONG else "\n".join(line for n, line in enumerate(lines) if n < 3 or TELLING.search(line))
    )


def _without_rules(text: str) -> str:
    """aider's rules without those in the middle."""
    head, rules, rest = text.partition("# *SEARCH/REPLACE block* Rules:")
    lines = rest.split("\n")
    return head + rules + "\n".join([*lines[:4], *lines[-4:]]) if rules else text


def _named(tool: dict[str, Any]) -> dict[str, Any]:
    function = tool.get("function")
    kept = {key: tool[key] for key in ("type", "name") if key in tool}
    return {**kept, "function": {"name": function["name"]}} if function else kept


def _renamed(body: Any, ids: dict[str, str]) -> Any:
    """The request with other folders, ids and dates."""
    text = json.dumps(body, ensure_ascii=False)
    for folder in set(
        re.findall(r"/[\w./-]+(?=/(?:repo|home)\b)", text)
    ):  # a session had a repo and a home in one folder
        text = text.replace(folder, "/home/dev").replace(re.sub(r"\W", "-", folder), "-home-dev")
    for call in re.findall(r'"(?:id|call_id|tool_use_id|tool_call_id)": "([^"]+)"', text):
        ids.setdefault(call, f"call_{len(ids) + 1}")
    for call, name in ids.items():
        text = text.replace(f'"{call}"', f'"{name}"')
    return json.loads(text)


def main(folder: Path) -> None:
    """Write all of the data."""
    for client, picks in PICKS.items():
        ids: dict[str, str] = {}
        found = {}
        for name, pick in picks.items():
            prefix, _, start = pick.partition(" ")
            (path,) = folder.glob(prefix + "-*.json")
            found[name] = cut(path, start, ids)
        (HERE / f"{client}.json").write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
