"""What is asked, as it is shown: the database's answers with their words, secrets redacted.

The endpoints and the command line show the same values; `models` gives their shapes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tslp_litellm.diagnostics import explain
from tslp_litellm.diagnostics.checks import Check, verdict
from tslp_litellm.secrets import redact
from tslp_litellm.store import history

if TYPE_CHECKING:
    from sqlalchemy import Connection


def redacted(value: Any) -> Any:
    """A value with every string in it redacted; keys stay."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {key: redacted(item) for key, item in value.items()}
    return [redacted(item) for item in value] if isinstance(value, (list, tuple)) else value


def doctor(found: Sequence[Check]) -> dict[str, Any]:
    """The doctor's findings."""
    return {
        "status": verdict(found),
        "checks": [{"name": c.name, "status": c.status, "detail": c.detail} for c in found],
    }


def recent(found: dict[str, Any]) -> dict[str, Any]:
    """Episodes, their witnesses redacted."""
    for episode in found["episodes"]:
        episode["artifact_states"] = [_redacted_witness(row) for row in episode["artifact_states"]]
    return found


def _redacted_witness(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "witness": redacted(row["witness"])} if row.get("witness") else row


def _in_words(row: dict[str, Any]) -> dict[str, Any]:
    row = _redacted_witness(row)
    return {**row, "says": explain.of_event(row)}


def entity(
    connection: Connection,
    tenant: str,
    workspace: str,
    asked: str,
    *,
    limit: int = 50,
    before: int | None = None,
    texts: bool = False,
) -> dict[str, Any] | None:
    """One entity with its history in words; None where it is unknown. `texts`: with its current text."""
    found = history.entity(connection, tenant, workspace, asked, limit, before)
    if found is None:
        return None
    rows = [_in_words(row) for row in found["history"]]
    newest = rows
    if before is not None:
        newest = (history.entity(connection, tenant, workspace, asked, 10) or found)["history"]
        newest = [_in_words(row) for row in newest]
    for row in rows:
        row.pop("entity")
    current = found["current"]
    if texts and current is not None:
        current["text"] = redact(history.texts_of(connection, [current["artifact"]])[current["artifact"]])
    return {**found, "history": rows, "why": explain.why(asked, current, found.get("tombstone"), newest)}


def episode(connection: Connection, tenant: str, workspace: str, episode_id: str) -> dict[str, Any] | None:
    """One episode with all it did in words; None where it is unknown."""
    found = history.episode(connection, tenant, workspace, episode_id)
    return None if found is None else {**found, "events": [_in_words(row) for row in found["events"]]}


def text(connection: Connection, tenant: str, workspace: str, artifact: str, asked: str | None = None) -> str | None:
    """A text that the workspace's own Ledger names."""
    found = history.text_of(connection, tenant, workspace, artifact, asked)
    return redact(found) if found is not None else None
