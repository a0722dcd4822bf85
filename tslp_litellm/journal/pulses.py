"""A pulse: one record of the journal, Markdown with YAML front matter (LedgerPulse 3 to 7). Pure.

A record ends with an empty line and holds none, so a torn one at a file's end is known by its lack of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

import yaml

from tslp_litellm.secrets import redacted

SCHEMA = "ledgerpulse/v1"
SAID_CHARS = 300
"""So much of one text stands in a pulse."""
_FORM = "%Y-%m-%dT%H:%M:%S.%fZ"
_RULE = "---\n"


class Type(StrEnum):
    """What a pulse is (LedgerPulse 5). A tangent is a turn that changed nothing and settled nothing."""

    PULSE = "pulse"
    CHECKPOINT = "checkpoint"
    TANGENT = "tangent"
    COMPACTION = "compaction"
    HANDOFF = "handoff"


@dataclass(frozen=True, slots=True)
class Pulse:
    """`ts` and `seq`: the time and the place of the Ledger's event that it was made of; the journal makes times differ,
    as they name the pulses (LedgerPulse 4). `shift`: what was believed
    before and is no more, and what is believed now."""

    ts: str
    type: Type
    seq: int
    project: str
    intent: str
    next: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    confidence: str = "high"
    blocked: bool = False
    shift: tuple[str, str] | None = None

    def record(self) -> str:
        """The pulse as it stands in the stream; a secret in it is the symbol of its kind."""
        head = {
            "schema": SCHEMA,
            "ts": self.ts,
            "type": str(self.type),
            "focus": [{"proj": self.project, "topic": topic} for topic in self.topics],
            "intent": None if self.type is Type.TANGENT else {"primary": "continue", "summary": self.intent},
            "status": {"confidence": self.confidence, "blocked": self.blocked},
            "defer" if self.type is Type.TANGENT else "next": list(self.next),
            "model_shift": {"before": self.shift[0], "after": self.shift[1]} if self.shift is not None else None,
            "files": list(self.files),
            "tags": list(self.tags),
            "ledger": {"workspace": self.project, "seq": self.seq},
        }
        stated = {key: value for key, value in head.items() if value not in (None, [])}
        facts = _yaml({"facts": list(self.facts)}) if self.facts else ""
        return f"{_RULE}{_yaml(stated)}{_RULE}{facts}\n"


def _yaml(value: Any) -> str:
    return yaml.safe_dump(_on_lines(redacted(value)), sort_keys=False, allow_unicode=True, width=float("inf"))


def _on_lines(value: Any) -> Any:
    """Every text on one line, so that no record holds an empty one."""
    if isinstance(value, dict):
        return {key: _on_lines(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_on_lines(part) for part in value]
    return in_short(value) if isinstance(value, str) else value


def in_short(text: str) -> str:
    """A text on one line, of at most SAID_CHARS."""
    line = " ".join(text[: 4 * SAID_CHARS].split())
    return line if len(line) <= SAID_CHARS else line[: SAID_CHARS - 1] + "…"


def after(at: str, last: str) -> str:
    """A pulse's time for an event's: RFC 3339, UTC, microseconds; later than the last pulse's, for it names the pulse.

    >>> after("2026-01-01T00:00:00.001Z", "2026-01-01T00:00:00.001000Z")
    '2026-01-01T00:00:00.001001Z'
    """
    told = datetime.fromisoformat(at).astimezone(UTC).strftime(_FORM)
    return told if told > last else (datetime.fromisoformat(last) + timedelta(microseconds=1)).strftime(_FORM)


def parts(stream: str) -> list[str]:
    """The whole records of a stream; what is torn at its end is none."""
    return [part + "\n\n" for part in stream.split("\n\n")[:-1]]


def heads(records: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The front matter of records, with the body's facts as `facts`; a record that is none is passed over."""
    for record in records:
        try:
            empty, head, body = record.split(_RULE, 2)
            said = {"facts": [], **yaml.safe_load(head), **(yaml.safe_load(body) or {})}
        except (ValueError, TypeError, yaml.YAMLError):
            continue
        if not empty and said.get("schema") == SCHEMA:
            yield said
