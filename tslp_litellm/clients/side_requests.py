"""Requests in which a client runs an errand of its own: a title, a commit message, a summary (SEMANTICS 2, Outcomes and
results in side requests).

Owns `data/side_requests.json`. A request is one by its whole known prompt; a phrase somewhere in it proves nothing.
"""

from __future__ import annotations

from functools import lru_cache

from tslp_litellm.clients.tools import edits_files
from tslp_litellm.data import table
from tslp_litellm.data.schema import SideRequest, SideRequests
from tslp_litellm.wire.turn import ItemKind, Role, Turn

HEAD_CHARS = 8_000
"""How much of a prompt is looked at for its opening, in characters."""
DIFFS = "# Diffs:\n"


def is_prompt(row: SideRequest, prompt: str) -> bool:
    """Whether a prompt is an errand's, from its first word to its last."""
    head = _spaced(prompt[:HEAD_CHARS])
    for opening in row.opening:
        if head == opening and len(prompt) <= HEAD_CHARS:
            return True
        rest = head[len(opening) + 1 :]
        if head.startswith(opening + " ") and any(rest.startswith(one) for one in row.next):
            return prompt.rstrip().endswith(row.end)
    return False


def _spaced(text: str) -> str:
    return " ".join(text.split())


def side_requests() -> tuple[SideRequest, ...]:
    """The rows."""
    return table("side_requests", SideRequests).side_requests


@lru_cache(maxsize=16)
def _of_system(prompt: str) -> SideRequest | None:
    """The errand that a system prompt is of: the same long one comes with every request."""
    return next((row for row in side_requests() if row.where == "system" and is_prompt(row, prompt)), None)


def side_request(turn: Turn) -> SideRequest | None:
    """The errand that a request is; None for a turn of a conversation."""
    found = _of_system(_without_identity(turn))
    if found is None:
        said = next((i for i in reversed(turn.items) if i.kind is ItemKind.TEXT and i.role is not Role.SYSTEM), None)
        prompt = said.text if said is not None and said.role is Role.USER else ""
        found = next((row for row in side_requests() if row.where == "user" and is_prompt(row, prompt)), None)
    return None if found is not None and found.tools == "none" and edits_files(turn.tools) else found


IDENTITY = "You are Claude Code, Anthropic's official CLI for Claude."
"""A system message that one client puts in front of every prompt of its own, errands included."""


def _without_identity(turn: Turn) -> str:
    return turn.system().strip().removeprefix(IDENTITY).strip()


def stated_diffs(turn: Turn) -> str:
    """The diffs of its own doings that a client's errand carries; empty where it carries none."""
    row = side_request(turn)
    if row is None or row.carries != "diffs":
        return ""
    said = "\n".join(i.text for i in turn.items if i.kind is ItemKind.TEXT and i.role is Role.USER and i.exact)
    talk, _, diffs = said.rpartition(DIFFS)  # what stands before it quotes the model
    return diffs if talk or said.startswith(DIFFS) else said[max(said.find("diff --git "), 0) :]
