"""Clients' tool calls: which tool is called for what, by a table, and the file changes it attempts.

A tool of another name with the same kind of arguments is one more word in `data/tools.json`; what a call changes is
told by the arguments it brings (`evidence/makers.py`), for clients use the same names for different things.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from tslp_litellm.wire.turn import Item, string

Arguments = Mapping[str, Any]
CHANGING = frozenset({"write", "edit", "patch", "delete", "move", "shell", "command", "lazy"})


@cache
def _tables() -> tuple[dict[str, str], dict[str, str], dict[str, list[str]], re.Pattern[str]]:
    data = json.loads((resources.files("tslp_litellm") / "data" / "tools.json").read_text("utf-8"))
    kinds = {name: kind for kind, names in data["tools"].items() for name in names}
    return kinds, data["commands"], data["arguments"], re.compile(data["changing_names"])


def arguments_of(call: Item) -> Arguments:
    """A call's arguments; a bare text (a custom tool's) as `input`; empty where they are no JSON object."""
    try:
        decoded = json.loads(call.text)
    except (ValueError, RecursionError):
        return {"input": call.text} if call.text.lstrip().startswith("*** ") else {}
    return decoded if isinstance(decoded, dict) else {}


def bare_name(name: str) -> str:
    """A tool's name without its server's (`mcp__files__edit_file`), in lower case."""
    return name.rsplit("__", 1)[-1].rsplit(".", 1)[-1].lower().replace("-", "_")


def kind_of(name: str, arguments: Arguments) -> str | None:
    """What a call does: write, edit, patch, read, delete, move, shell, lazy, drift; None for other tools.

    A name that the table doesn't know is taken by its verb, if the call has a path.
    """
    kinds, commands, _, changing = _tables()
    kind = kinds.get(bare_name(name))
    if kind == "command":
        return commands.get(string(arguments.get("command")))
    if kind is None and changing.search(bare_name(name)) and isinstance(argument(arguments, "path"), str):
        return "edit"
    return kind


def argument(arguments: Arguments, role: str) -> Any:
    """The argument that plays a role (`path`, `content`, `old`, …) under whatever name; None where it is missing."""
    for name in _tables()[2][role]:
        if arguments.get(name) is not None:
            return arguments[name]
    return None


def edits_files(tools: tuple[str, ...]) -> bool:
    """Whether a client has tools that change files: then code in the model's text is talk, not an edit."""
    kinds, _, _, changing = _tables()
    return any(kinds.get(bare_name(n)) in CHANGING or _is_file_tool(bare_name(n), changing) for n in tools)


def _is_file_tool(name: str, changing: re.Pattern[str]) -> bool:
    return "file" in name and changing.search(name) is not None
