"""Clients' tool calls: which tool is called for what, by a table, and the file changes it attempts.

A tool of another name with the same kind of arguments is one more word in `data/tools.json`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from tslp_litellm.evidence.model import Attempt, Carrier, FileChange, Shown
from tslp_litellm.wire.turn import Item, string

Arguments = Mapping[str, Any]


@cache
def _tables() -> tuple[dict[str, str], dict[str, str], dict[str, list[str]]]:
    data = json.loads((resources.files("tslp_litellm") / "data" / "tools.json").read_text("utf-8"))
    kinds = {name: kind for kind, names in data["tools"].items() for name in names}
    return kinds, data["commands"], data["arguments"]


def arguments_of(call: Item) -> Arguments:
    """A call's arguments; empty where they are no JSON object."""
    try:
        decoded = json.loads(call.text)
    except ValueError:
        return {}
    return decoded if isinstance(decoded, dict) else {}


def kind_of(name: str, arguments: Arguments) -> str | None:
    """What a call does: write, edit, multi_edit, insert, patch, read, delete, shell, undo; None for other tools."""
    kinds, commands, _ = _tables()
    bare = name.rsplit("__", 1)[-1].rsplit(".", 1)[-1].lower()
    kind = kinds.get(bare) or kinds.get(bare.replace("-", "_"))
    return commands.get(string(arguments.get("command"))) if kind == "command" else kind


def argument(arguments: Arguments, role: str) -> Any:
    """The argument that plays a role (`path`, `content`, `old`, …) under whatever name; None where it is missing."""
    for name in _tables()[2][role]:
        if arguments.get(name) is not None:
            return arguments[name]
    return None


def edits_files(tools: tuple[str, ...]) -> bool:
    """Whether a client has tools that change files: then code in the model's text is talk, not an edit."""
    changing = {"write", "edit", "multi_edit", "insert", "patch", "shell", "command"}
    kinds = _tables()[0]
    return any(kinds.get(name.rsplit("__", 1)[-1].rsplit(".", 1)[-1].lower()) in changing for name in tools)


def attempt(call: Item) -> Attempt | None:
    """The file changes that a call attempts; None for a call that changes no file."""
    if not call.exact:
        return None
    arguments = arguments_of(call)
    maker = _MAKERS.get(kind_of(call.name, arguments) or "")
    changes = maker(arguments) if maker else None
    return Attempt(call.call_id, call.name, tuple(changes)) if changes else None


def _write(arguments: Arguments) -> list[FileChange]:
    path, content = argument(arguments, "path"), argument(arguments, "content")
    return (
        [Shown(path, content, Carrier.WRITE, whole=True)] if isinstance(path, str) and isinstance(content, str) else []
    )


_MAKERS = {"write": _write}
