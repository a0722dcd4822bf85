"""What is asked, as it is shown: the database's answers with their words.

The endpoints and the command line show the same values; `models` gives their shapes. Secrets are redacted where it goes
out, once: `shown` for the endpoints, `cli.source` for the terminal.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tslp_litellm.diagnostics import decisions, dependencies, explain
from tslp_litellm.diagnostics.checks import Check, verdict
from tslp_litellm.history.points import Point
from tslp_litellm.store import as_of, history, queries

if TYPE_CHECKING:
    from sqlalchemy import Connection

WORDS_MAX = 200
"""Characters of a prompt that a list of episodes shows."""


def doctor(found: Sequence[Check]) -> dict[str, Any]:
    """The doctor's findings."""
    return {
        "status": verdict(found),
        "checks": [{"name": c.name, "status": c.status, "detail": c.detail} for c in found],
    }


def _in_words(row: dict[str, Any]) -> dict[str, Any]:
    unmoved = row.get("event") in ("audit", "expire", "confirm")
    return {**row, "verdict": None if unmoved else explain.verdict(row), "says": explain.of_event(row)}


def entity(
    connection: Connection,
    tenant: str,
    workspace: str,
    asked: str,
    *,
    limit: int = 50,
    before: int | None = None,
    texts: bool = False,
    at: Point | None = None,
) -> dict[str, Any] | None:
    """One entity with its history in words; None where it is unknown. `texts`: with its current text; `at`: as it was
    then."""
    if at is not None:
        found = history.as_of(connection, tenant, workspace, asked, at, limit, before)
    else:
        found = history.entity(connection, tenant, workspace, asked, limit, before)
    if found is None:
        return None
    rows = [_in_words(row) for row in found["history"]]
    newest = rows
    if before is not None and at is None:
        newest = (history.entity(connection, tenant, workspace, asked, 10) or found)["history"]
        newest = [_in_words(row) for row in newest]
    made = history.by_whom(connection, tenant, workspace, [r["episode_id"] for r in rows if r["episode_id"]])
    for row in rows:
        row.pop("entity")
        row["by"] = made.get(row["episode_id"] or "", {})
    current = found["current"]
    if texts and current is not None:
        kept = history.texts_of(connection, [current["artifact"]])
        current |= {"text": kept[current["artifact"]]} if kept else {"erased": True}
    refused = history.refused(connection, tenant, workspace, asked) if at is None else None
    why = explain.why(asked, current, found.get("tombstone"), newest, refused)
    used = dependencies.of_entity(connection, tenant, workspace, asked) if current and at is None else {}
    told = {"history": rows, "why": why, **({"refused": refused} if refused is not None else {})}
    return {"tombstone": None, "dependencies": None, **found, **used, **told}


def recent(
    connection: Connection, tenant: str, workspace: str, limit: int, after: int | None = None, *, texts: bool = False
) -> dict[str, Any]:
    """Episodes, newest first, and what only the user can settle. `texts`: with how each prompt begins."""
    found = queries.recent(connection, tenant, workspace, limit, after)
    prompts = [one.pop("prompt") for one in found["episodes"]]
    words = history.texts_of(connection, [p for p in prompts if p]) if texts else {}
    for one, prompt in zip(found["episodes"], prompts, strict=True):
        one["front"] = [{**block, "says": explain.in_front(block["why"])} for block in one["front"]]
        if prompt in words:
            one["words"] = textwrap.shorten(words[prompt][:WORDS_MAX], WORDS_MAX, placeholder=" …")
        one["artifact_states"] = [_in_words(row) for row in one["artifact_states"]]
        one["dirtied"] = [{**row, "says": explain.dirtied(row["reason"])} for row in one["dirtied"]]
    missing = list[str]()
    decided = decisions.decisions(connection, tenant, workspace, limit, missing)
    return {**({"missing": missing[0]} if missing else {}), **found, "decisions": decided}


def state(
    connection: Connection,
    tenant: str,
    workspace: str,
    limit: int | None = None,
    after: str | None = None,
    *,
    with_uses: bool = False,
) -> dict[str, Any]:
    """The State Map as it stands. `with_uses`: with how what each entity uses stands."""
    found = queries.state(connection, tenant, workspace, limit, after)
    if with_uses:
        rows = found["entities"]
        standing = dependencies.of_all(connection, tenant, workspace, [row["entity"] for row in rows])
        found["entities"] = [{**row, "dependencies": standing[row["entity"]]} for row in rows]
    return found


def state_at(connection: Connection, tenant: str, workspace: str, at: Point) -> dict[str, Any] | None:
    """The State Map as it was; None where there is no such point."""
    return as_of.state(connection, tenant, workspace, at)


def episode(
    connection: Connection, tenant: str, workspace: str, episode_id: str, *, texts: bool = False
) -> dict[str, Any] | None:
    """One episode with all it did in words; None where it is unknown. `texts`: with the prompt and the notices."""
    found = history.episode(connection, tenant, workspace, episode_id)
    if found is None:
        return None
    told = found.pop("told")
    found["front"] = [{**block, "says": explain.in_front(block["why"])} for block in found["front"]]
    found["fit"] = explain.fit(found["fit"])
    if texts:
        held = history.texts_of(connection, [*told, *([found["prompt"]] if found["prompt"] else [])])
        found |= {"words": held.get(found["prompt"]), "said": [held[one] for one in told if one in held]}
    return {**found, "events": [_in_words(row) for row in found["events"]]}


def text(connection: Connection, tenant: str, workspace: str, artifact: str, asked: str | None = None) -> str | None:
    """A text that the workspace's own Ledger names."""
    return history.text_of(connection, tenant, workspace, artifact, asked)
