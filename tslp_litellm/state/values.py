"""The words of the specification as values: confidence (§4), artifact states (§5), freshness, source; and what the
store keeps: files as they are known, texts, conversations.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tslp_litellm.state.names import Entity


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


# -- what the store keeps ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Slice:
    """A text that is part of another one in the Vault: bytes `start:end` of `whole`."""

    whole: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Known:
    """An entity's current text, as the State Map holds it."""

    artifact: str
    text: str
    freshness: Freshness = Freshness.CLEAN
    source: Source = Source.AST

    @property
    def clean(self) -> bool:
        """Whether the text is known to be the current one."""
        return self.freshness is Freshness.CLEAN


@dataclass(frozen=True, slots=True)
class FileState:
    """A file and its symbols. `file` is None where the whole text was never known."""

    path: str
    file: Known | None = None
    symbols: Mapping[str, Known] = field(default_factory=dict)

    @property
    def tracked(self) -> bool:
        """Whether the State Map holds anything of it."""
        return self.file is not None or bool(self.symbols)

    def text(self) -> str | None:
        """The file's text, where it is known to be the current one."""
        return self.file.text if self.file is not None and self.file.clean else None

    def entity(self, symbol: str | None = None) -> str:
        """The name of the file's entity, or of a symbol's."""
        return str(Entity(self.path, symbol))


@dataclass(frozen=True, slots=True)
class Replaced:
    """What an episode made of a file: its artifact, and the text before (None: there was none)."""

    made: str
    before: str | None


@dataclass(frozen=True, slots=True)
class Flag:
    """Something that the next prompt's notice must say. `kind` is a code, `entities` are full names."""

    kind: str
    entities: tuple[str, ...] = ()
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """What is remembered of a conversation, its items aside.

    `turn_digest` is the user prompt that the present turn answers, `turn_flags` what its notices say; `next_flags`
    wait for the next prompt. `left_out`: what is left out of its requests, as the plan writes it down.
    """

    id: str
    items: int = 0
    last_episode: str | None = None
    turn_digest: bytes | None = None
    turn_flags: tuple[Flag, ...] = ()
    next_flags: tuple[Flag, ...] = ()
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """A text that ended or outran a parser. `artifact`: its SHA-256; `reason`: `timeout`, `memory` or `crash`."""

    artifact: str
    language: str
    reason: str


@dataclass(frozen=True, slots=True)
class Part:
    """A definition whose text, by its hash, is newer than that of its file: its interface (SHA-256) and signature."""

    artifact: str
    interface: str
    signature: str


class Doubt(StrEnum):
    """Why a place may mean something, and nobody can tell (SEMANTICS 10, Rename and removal)."""

    SHADOWED = "shadowed"
    TWO_BINDINGS = "two-bindings"
    STAR_IMPORT = "star-import"
    DYNAMIC = "dynamic"


@dataclass(frozen=True, slots=True)
class KeptUse:
    """A use as it is kept: who uses, what, and by which route; with a `Doubt` for a route it is none, and may be one.
    `interface` (SHA-256) and `signature`: those of what is used, when its user was last confirmed (SEMANTICS 10)."""

    entity: str
    used: str
    route: str
    interface: str
    signature: str
