"""What clients write themselves: side requests, listings that move, machine messages, the working directory.

Owns the reading of `data/clients.json`; nothing here names a client in code.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from tslp_litellm.evidence.tools import edits_files
from tslp_litellm.evidence.values import Carrier
from tslp_litellm.wire.turn import Item, ItemKind, Role, Turn

CALLED = "Called the "


@dataclass(frozen=True, slots=True)
class Patterns:
    """The data file, compiled."""

    side_system: re.Pattern[str]
    side_diffs: re.Pattern[str]
    side_user: re.Pattern[str]
    editors: re.Pattern[str]
    examples_end: frozenset[str]
    floating: re.Pattern[str]
    acknowledgements: frozenset[str]
    machine: re.Pattern[str]
    machine_tags: frozenset[str]
    volatile: re.Pattern[str]
    working_directory: tuple[re.Pattern[str], ...]
    edit_forms: tuple[tuple[re.Pattern[str], frozenset[Carrier]], ...]


def _union(patterns: list[str], flags: int = 0) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{p})" for p in patterns), flags)


@cache
def patterns() -> Patterns:
    """The patterns, read once."""
    data: dict[str, Any] = json.loads((resources.files("tslp_litellm") / "data" / "clients.json").read_text("utf-8"))
    side = data["side_requests"]
    return Patterns(
        side_system=_union([row["pattern"] for row in side if row["where"] == "system"]),
        side_diffs=_union([row["pattern"] for row in side if row.get("carries") == "diffs"]),
        side_user=_union([row["pattern"] for row in side if row["where"] == "user"]),
        editors=_union(data["editors"]),
        examples_end=frozenset(data["examples_end"]),
        floating=_union(data["floating"]),
        acknowledgements=frozenset(data["acknowledgements"]),
        machine=_union(data["machine"]),
        machine_tags=frozenset(data["machine_tags"]),
        volatile=_union(data["volatile"], re.S),
        working_directory=tuple(re.compile(row["pattern"], re.M) for row in data["working_directory"]),
        edit_forms=tuple(
            (re.compile(row["pattern"], re.M), frozenset(Carrier(form) for form in row["forms"]))
            for row in data["edit_forms"]
        ),
    )


@lru_cache(maxsize=16)
def _is_side_system(text: str) -> bool:
    """Whether a system prompt is that of a client's errand: the same long one comes with every request."""
    return bool(patterns().side_system.search(text.lstrip()))


def is_side_request(turn: Turn) -> bool:
    """Whether a request is a client's own errand (a title, a commit message, a summary), no turn of a conversation."""
    known = patterns()
    if _is_side_system(turn.system()):
        return True
    last = next((i for i in reversed(turn.items) if i.kind is ItemKind.TEXT and i.role is not Role.SYSTEM), None)
    return last is not None and last.role is Role.USER and bool(known.side_user.search(last.text.lstrip()))


def is_editor(turn: Turn) -> bool:
    """Whether the client asks a second model to edit as the first one said: the prompt is the first one's answer."""
    return patterns().editors.search(turn.system().lstrip()) is not None


def stated_diffs(turn: Turn) -> str:
    """The diffs of its own doings that a client's errand carries; empty where it carries none."""
    if not patterns().side_diffs.search(turn.system().lstrip()):
        return ""
    said = "\n".join(i.text for i in turn.items if i.kind is ItemKind.TEXT and i.role is Role.USER and i.exact)
    talk, _, diffs = said.rpartition("# Diffs:\n")  # what stands before it quotes the model
    return diffs if talk or said.startswith("# Diffs:\n") else said[max(said.find("diff --git "), 0) :]


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


def edit_forms(turn: Turn) -> frozenset[Carrier] | None:
    """In which forms the client applies edits out of the model's text; None where nothing says so (any)."""
    if edits_files(turn.tools):
        return frozenset()
    last = next((i.text for i in reversed(turn.items) if i.kind is ItemKind.TEXT and i.role is Role.USER), "")
    for said in (turn.system(), last):
        for pattern, forms in patterns().edit_forms:
            if pattern.search(said):
                return forms
    return None


def after_examples(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """A conversation's own items: no system prompts, nothing up to the end of a client's example conversations."""
    start = 0
    for n, item in enumerate(items):
        if item.role is Role.USER and item.text.strip() in patterns().examples_end:
            start = n + 1
            if start < len(items) and items[start].role is Role.ASSISTANT:
                start += 1
    own = items[start:]
    return tuple(_as_user(item) if item.text.lstrip().startswith(CALLED) else item for item in own if _is_own(item))


def _is_own(item: Item) -> bool:
    """Whether an item is no system prompt; Claude Code puts reads that nobody asked for into system messages."""
    return item.role is not Role.SYSTEM or (item.message >= 0 and item.text.lstrip().startswith(CALLED))


def _as_user(item: Item) -> Item:
    return replace(item, role=Role.USER) if item.role is Role.SYSTEM else item
