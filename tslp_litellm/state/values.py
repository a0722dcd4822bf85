"""The words of the specification as values: confidence (§4), artifact states (§5), freshness, source."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum


class Confidence(StrEnum):
    """How surely an artifact is known to be of its entity (§4)."""

    CONFIRMED = "CONFIRMED"
    INFERRED = "INFERRED"
    UNRESOLVED = "UNRESOLVED"


class ArtifactState(StrEnum):
    """Where an artifact stands (§5)."""

    PROPOSED = "PROPOSED"
    AUTHORITATIVE = "AUTHORITATIVE"
    SUPERSEDED = "SUPERSEDED"
    TOMBSTONED = "TOMBSTONED"


class Freshness(StrEnum):
    """Whether the text held for an entity is known to be its current one (SEMANTICS 2, Drift)."""

    CLEAN = "CLEAN"
    DIRTY = "DIRTY"


class Source(StrEnum):
    """How an entity's text was confirmed, as its injected block says (SEMANTICS 4)."""

    AST = "AST"
    PATTERN = "pattern"
    EDIT = "edit"
    FILE = "file"


class Origin(StrEnum):
    """Whose word a piece of evidence is."""

    USER = "user"
    TOOL = "tool"
    MODEL = "model"
    AUDIT = "audit"


class Grant(StrEnum):
    """What gave authority (gate B, SEMANTICS 3)."""

    PARITY = "structural-parity"
    AUDIT = "shadow-audit"
    USER_VERIFICATION = "user-verification"
    CLIENT = "client-confirmation"
    WRITE_HEAD = "user-write-head"
    REINSTATED = "reinstated"


def artifact_hash(text: str) -> str:
    """The name of a text: lower-case hex SHA-256 of its UTF-8 bytes."""
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Held:
    """What the State Map holds for one entity. `updated_at`: RFC 3339 UTC with milliseconds."""

    artifact: str
    freshness: Freshness
    source: Source
    updated_at: str


@dataclass(frozen=True, slots=True)
class Tracked:
    """A State Map row as a mention finds it."""

    entity: str
    path: str
    symbol: str | None
    artifact: str
    clean: bool
    source: Source


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A removed entity: its last artifact, when it went, and in which episode (by number) of its workspace."""

    artifact: str
    since: str
    episode: int


@dataclass(slots=True)
class StateMap:
    """One workspace's truth: the fold of its Ledger events."""

    entities: dict[str, Held] = field(default_factory=dict)
    tombstones: dict[str, Tombstone] = field(default_factory=dict)
    episodes: int = 0
