"""What clients write themselves: side requests, listings that move, machine messages, the working directory.

Owns the reading of `data/clients.json`; nothing here names a client in code.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from tslp_litellm.wire.turn import Item, ItemKind, Role, Turn


@dataclass(frozen=True, slots=True)
class Patterns:
    """The data file, compiled."""

    side_system: re.Pattern[str]
    side_user: re.Pattern[str]
    examples_end: frozenset[str]
    floating: re.Pattern[str]
    acknowledgements: frozenset[str]
    machine: re.Pattern[str]
    machine_tags: frozenset[str]
    volatile: re.Pattern[str]
    working_directory: tuple[re.Pattern[str], ...]


def _union(patterns: list[str], flags: int = 0) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{p})" for p in patterns), flags)


@cache
def patterns() -> Patterns:
    """The patterns, read once."""
    data: dict[str, Any] = json.loads((resources.files("tslp_litellm") / "data" / "clients.json").read_text("utf-8"))
    side = data["side_requests"]
    return Patterns(
        side_system=_union([row["pattern"] for row in side if row["where"] == "system"]),
        side_user=_union([row["pattern"] for row in side if row["where"] == "user"]),
        examples_end=frozenset(data["examples_end"]),
        floating=_union(data["floating"]),
        acknowledgements=frozenset(data["acknowledgements"]),
        machine=_union(data["machine"]),
        machine_tags=frozenset(data["machine_tags"]),
        volatile=_union(data["volatile"], re.S),
        working_directory=tuple(re.compile(row["pattern"], re.M) for row in data["working_directory"]),
    )


def is_side_request(turn: Turn) -> bool:
    """Whether a request is a client's own errand (a title, a commit message, a summary), no turn of a conversation."""
    known = patterns()
    if known.side_system.search(turn.system().lstrip()):
        return True
    last = next((i for i in reversed(turn.items) if i.kind is ItemKind.TEXT and i.role is not Role.SYSTEM), None)
    return last is not None and last.role is Role.USER and bool(known.side_user.search(last.text.lstrip()))


def is_machine(text: str) -> bool:
    """Whether a user message was written by the client: it holds no request of the user's own."""
    return bool(patterns().machine.match(text.lstrip()) or is_floating(text))


def is_floating(text: str) -> bool:
    """Whether a message is made anew for each request and moves as the history grows (listings, maps, contexts)."""
    return bool(patterns().floating.match(text.lstrip()))


def working_directory(turn: Turn) -> str | None:
    """The working directory that the client states in its prompt, if it does."""
    stated = [turn.system(), *(i.text for i in turn.items if i.role is Role.USER and i.kind is ItemKind.TEXT)]
    for text in stated:
        for pattern in patterns().working_directory:
            if match := pattern.search(text):
                return match["path"].strip()
    return None


def after_examples(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """A conversation's own items: no system prompts, nothing up to the end of a client's example conversations."""
    start = 0
    for n, item in enumerate(items):
        if item.role is Role.USER and item.text.strip() in patterns().examples_end:
            start = n + 1
            if start < len(items) and items[start].role is Role.ASSISTANT:
                start += 1
    return tuple(item for item in items[start:] if item.role is not Role.SYSTEM)
