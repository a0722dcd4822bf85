"""The working state of one visit: the files as they stand after the evidence so far, and what it led to.

The only mutable thing in this package. It is filled from the store before, and emptied into it after.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tslp_litellm.resolution.files import Change, FileState
from tslp_litellm.resolution.gates import Limits, Refusal
from tslp_litellm.state.events import Event, EventKind, Move, Op
from tslp_litellm.state.model import Confidence, Origin, Source, artifact_hash
from tslp_litellm.syntax.outline import Outline, outline


@dataclass(frozen=True, slots=True)
class Slice:
    """A text that is part of another one in the Vault: bytes `start:end` of `whole`."""

    whole: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Flag:
    """Something that the next prompt's notice must say. `kind` is a code, `entities` are full names."""

    kind: str
    entities: tuple[str, ...] = ()
    detail: str = ""


@dataclass(slots=True)
class Bench:
    """Files by path, the names under which symbols are tracked, and what was decided."""

    files: dict[str, FileState] = field(default_factory=dict)
    holders: Mapping[str, frozenset[str]] = field(default_factory=dict)  # symbol -> paths of the files that hold it
    limits: Limits = field(default_factory=Limits)
    events: list[Event] = field(default_factory=list)
    contents: dict[str, str | Slice] = field(default_factory=dict)
    flags: list[Flag] = field(default_factory=list)
    candidates: list[tuple[FileState, Outline]] = field(default_factory=list)  # whole texts by the model: before, after

    def file(self, path: str) -> FileState:
        """The file as it stands now."""
        return self.files.get(path) or FileState(path)

    def put(self, text: str) -> str:
        """Keep a text for the Vault; its hash."""
        artifact = artifact_hash(text)
        self.contents.setdefault(artifact, text)
        return artifact

    def change(self, change: Change, **about: Any) -> bool:
        """Take a change of a file: its state, its texts, its event. False where nothing changed."""
        state, moves = change
        if not moves:
            return False
        self.files[state.path] = state
        self._keep(state, {move.artifact for move in moves if move.op is Op.PROMOTE})
        self.record(moves, path=state.path, **about)
        return True

    def record(self, moves: Iterable[Move], **about: Any) -> None:
        """An event of judged evidence. Fields that are None are left out."""
        known = tuple((key, value) for key, value in about.items() if value is not None)
        self.events.append(Event(EventKind.EVIDENCE, tuple(moves), known))

    def propose(
        self,
        entity: str | None,
        text: str,
        confidence: Confidence,
        reason: str,
        *,
        origin: Origin,
        refusal: Refusal | None = None,
        source: Source | None = None,
        **about: Any,
    ) -> None:
        """An artifact that stays PROPOSED (or, UNRESOLVED, is only logged), with the reason.

        `source`: how its text would count as confirmed, were it promoted later.
        """
        op = Op.LOG if confidence is Confidence.UNRESOLVED else Op.PROPOSE
        move = Move(op, entity, self.put(text), confidence, reason, source)
        self.record([move], origin=origin, refused=refusal.body() if refusal else None, **about)

    def _keep(self, state: FileState, promoted: set[str | None]) -> None:
        """The promoted texts for the Vault: the file's whole, its symbols as slices of it."""
        slices: dict[str, Slice] = {}
        if state.file is not None and state.file.clean:
            seen = outline(state.language, state.file.text)
            slices = {
                state.symbols[s.name].artifact: Slice(state.file.artifact, s.start, s.end)
                for s in seen.symbols
                if s.name in state.symbols
            }
            self.contents.setdefault(state.file.artifact, state.file.text)
        for known in state.symbols.values():
            if known.artifact in promoted:
                self.contents.setdefault(known.artifact, slices.get(known.artifact, known.text))
