"""Questions that only the user can settle, and what was decided (SEMANTICS 11), as the diagnostics tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tslp_litellm.resolution.decisions import ID_CHARS, by_id, of_flags
from tslp_litellm.resolution.trust import DECISION
from tslp_litellm.state.events import EventKind
from tslp_litellm.store import as_of, conversations, queries, uses

if TYPE_CHECKING:
    from sqlalchemy import Connection


def decisions(
    connection: Connection, tenant: str, workspace: str, limit: int, missing: list[str]
) -> list[dict[str, Any]]:
    """The open ones of the conversations used last, then the past ones, newest first. `missing`: takes what is in
    segments that can't be read."""
    found = queries.workspace_id(connection, tenant, workspace)
    if found is None:
        return []
    past = as_of.last(connection, found, EventKind.DECISION, limit, 0, missing)
    return [*of_conversations(connection, found, limit), *map(_past, past)][:limit]


def of_conversations(connection: Connection, workspace: int, limit: int) -> list[dict[str, Any]]:
    """The open ones, in the conversations used last; once, where several ask the same."""
    rows, told = [], set[str]()
    for conversation, flags in conversations.with_flags(connection, workspace, DECISION, limit):
        asked = by_id(of_flags(flags))
        base = {entity for question in asked.values() for entity, _ in question.base}
        held = uses.held(connection, workspace, base)
        for name, question in reversed(asked.items()):
            if question.signature not in told and question.stands(held):
                told.add(question.signature)
                said, options = question.says()
                about = {"kind": str(question.kind), "about": list(question.entities), "says": said}
                rows.append({"id": name, "state": "open", **about, "options": options, "conversation": conversation})
    return rows


def _past(entry: Any) -> dict[str, Any]:
    content = entry.content()
    return {
        "id": content["signature"][:ID_CHARS],
        "state": "made",
        "kind": content["question"],
        "about": content["about"],
        "says": content["says"],
        "option": content["option"],
        "chosen": content["chosen"],
        "at": entry.at,
        "episode_id": entry.episode_id,
    }
