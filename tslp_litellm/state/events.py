"""Ledger events: what was decided, as values with one canonical form, chained by hash (§3.2, SEMANTICS 6).

An event says what happened to the entities of one piece of evidence, as a list of moves. The canonical form is
JSON with sorted keys and no white space; the chain hash covers every column of the event's row.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

GENESIS = "0" * 64


class EventKind(StrEnum):
    """What an event is about."""

    OPENED = "workspace.opened"
    EVIDENCE = "evidence.judged"
    EPISODE = "episode.recorded"
    AUDIT = "audit.reported"
    DECISION = "decision.made"
    EXPIRY = "tombstones.expired"
    CHECKPOINT = "checkpoint.made"
    REPORTED = "tool.reported"
    STATED = "decision.stated"
    ERROR = "error.seen"
    ARCHIVED = "segment.archived"
    ERASED = "texts.erased"


WORDS = (EventKind.STATED, EventKind.ERROR)
"""Kinds whose bodies are somebody's words, and change no state: an erasure leaves nothing of these bodies."""
RECORDS = (EventKind.ARCHIVED, EventKind.ERASED)
"""Kinds that say what has left the database: these never leave it."""


class Op(StrEnum):
    """What a move does to its entity in the State Map. LOG, PROPOSE, REJECT and CONFIRM change nothing there.

    CONFIRM: the text that it holds was shown once more, while something that it uses was another (SEMANTICS 10), or
    only a model's text had made it true (2, Going back).
    """

    LOG = "log"
    PROPOSE = "propose"
    REJECT = "reject"
    PROMOTE = "promote"
    TOMBSTONE = "tombstone"
    DIRTY = "dirty"
    EXPIRE = "expire"
    CONFIRM = "confirm"


BESIDE = (Op.LOG, Op.CONFIRM)
"""Moves that say nothing about the text of what they name: a candidate for it waits on."""


@dataclass(frozen=True, slots=True)
class Move:
    """One entity's part in an event. `entity` is None where none could be proven; `reason` is a code."""

    op: Op
    entity: str | None
    artifact: str | None = None
    confidence: str | None = None
    reason: str | None = None
    source: str | None = None
    replaces: str | None = None

    def body(self) -> dict[str, str]:
        """The move as JSON, absent fields left out."""
        fields = {
            "op": str(self.op),
            "entity": self.entity,
            "artifact": self.artifact,
            "confidence": self.confidence,
            "reason": self.reason,
            "source": self.source,
            "replaces": self.replaces,
        }
        return {key: value for key, value in fields.items() if value is not None}

    @classmethod
    def of(cls, body: dict[str, str]) -> Move:
        """The reverse of `body`."""
        return cls(
            Op(body["op"]),
            body.get("entity"),
            body.get("artifact"),
            body.get("confidence"),
            body.get("reason"),
            body.get("source"),
            body.get("replaces"),
        )


@dataclass(frozen=True, slots=True)
class Event:
    """A decision before it has its place in the Ledger. `about` holds the evidence: origin, carrier, witness, …"""

    kind: EventKind
    moves: tuple[Move, ...] = ()
    about: tuple[tuple[str, Any], ...] = ()

    def body(self) -> str:
        """The canonical JSON that the Ledger keeps; what has no UTF-8 form, in whatever field, is replaced in it."""
        parts = {key: canonical(value) for key, value in self.about}
        if self.moves:  # one by one: a single call over a long answer's thousands would keep the GIL for too long
            parts["moves"] = f"[{','.join([canonical(move.body()) for move in self.moves])}]"
        whole = "{" + ",".join([f"{canonical(key)}:{parts[key]}" for key in sorted(parts)]) + "}"
        return whole.encode("utf-8", "replace").decode()


@dataclass(frozen=True, slots=True)
class Entry:
    """An event in its place: one row of the Ledger."""

    workspace_id: int
    seq: int
    episode_id: str | None
    at: str
    kind: str
    body: str
    prev_hash: str
    hash: str

    def content(self) -> dict[str, Any]:
        """The body, decoded; nothing of one that was erased."""
        decoded: dict[str, Any] = json.loads(self.body or "{}")
        return decoded

    def moves(self) -> list[Move]:
        """The moves in the body."""
        return [Move.of(move) for move in self.content().get("moves", ())]

    def made_true(self) -> list[tuple[str, str]]:
        """The entities whose truth it made known, each with its artifact."""
        moves = (move for move in self.content().get("moves", ()) if move["op"] == Op.PROMOTE)
        return [(move["entity"], move["artifact"]) for move in moves if "entity" in move and "artifact" in move]

    def calls(self) -> list[tuple[str, str, str]]:
        """The calls of an episode's answer: each call's id, its tool, and the artifact of its arguments."""
        return [(name, tool, artifact) for name, tool, artifact in self.content().get("calls", ())]


_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def canonical(content: object) -> str:
    """JSON with sorted keys, no white space, characters as they are."""
    return _CANONICAL.encode(content)


def chain_hash(
    workspace_id: int, seq: int, episode_id: str | None, at: str, kind: str, body: str, prev_hash: str
) -> str:
    """The hash of an event's row, the hash of the one before it included."""
    row = canonical([workspace_id, seq, episode_id, at, kind, body, prev_hash])
    return hashlib.sha256(row.encode()).hexdigest()


def chained(event: Event, *, workspace_id: int, seq: int, episode_id: str | None, at: str, prev_hash: str) -> Entry:
    """The event in its place at the end of its workspace's chain."""
    body = event.body()
    digest = chain_hash(workspace_id, seq, episode_id, at, event.kind, body, prev_hash)
    return Entry(workspace_id, seq, episode_id, at, event.kind, body, prev_hash, digest)
