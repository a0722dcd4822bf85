"""The working state of one visit: the files as they stand after the evidence so far, and what it led to.

The only mutable thing in this package. It is filled from the store before, and emptied into it after.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tslp_litellm.parser import outline
from tslp_litellm.parser.budget import spend
from tslp_litellm.placing.values import Unplaced
from tslp_litellm.resolution.files import Change, dirty, language_of
from tslp_litellm.resolution.gates import Limits, Refusal
from tslp_litellm.resolution.trust import Trust, admits
from tslp_litellm.state.events import Event, EventKind, Move, Op
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Confidence, FileState, Flag, Origin, Slice, Source, artifact_hash
from tslp_litellm.syntax.outline import Outline
from tslp_litellm.words.letters import without_first

_TAKES_WORD = (Op.PROMOTE, Op.TOMBSTONE)


@dataclass(slots=True)
class UnitOfWork:
    """Files by path, the names under which symbols are tracked, and what was decided. `trust`: whose word makes a text
    the truth in it; NOBODY's leads to nothing."""

    files: dict[str, FileState] = field(default_factory=dict)
    holders: Mapping[str, frozenset[str]] = field(default_factory=dict)  # symbol -> paths of the files that hold it
    members: Mapping[str, frozenset[str]] = field(default_factory=dict)  # a member's last part -> full names
    buried: Mapping[str, frozenset[str]] = field(default_factory=dict)  # the same of what was removed lately
    limits: Limits = field(default_factory=Limits)
    events: list[Event] = field(default_factory=list)
    contents: dict[str, str | Slice] = field(default_factory=dict)
    flags: list[Flag] = field(default_factory=list)
    candidates: list[tuple[FileState, Outline]] = field(default_factory=list)  # whole texts by the model: before, after
    waiting: dict[str, str] = field(default_factory=dict)  # path -> a model's text that a gate refused; the last word
    others: Mapping[str, frozenset[str]] = field(default_factory=dict)  # path -> what may be other names of that file
    trust: Trust = Trust.PROOF
    unplaced: list[Unplaced] = field(default_factory=list)  # the model's code that may be of some files
    shown: set[str] = field(default_factory=set)  # entities whose current text was shown as it is
    shown_whole: dict[str, dict[str, Any]] = field(default_factory=dict)  # files shown so, with what is said of that
    rewritten: set[str] = field(default_factory=set)  # those that a model or a client writes as they are

    _of_base: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        for path in self.files:
            self._of_base[posixpath.basename(path)].append(path)

    def file(self, path: str) -> FileState:
        """The file as it stands now."""
        return self.files.get(path) or FileState(path)

    def longer(self, path: str) -> list[str]:
        """The tracked files whose tail a path is."""
        same = self._of_base.get(posixpath.basename(path), ())
        return sorted(other for other in same if other.endswith("/" + path) and self.files[other].tracked)

    def glued(self, path: str) -> list[str]:
        """The tracked files that the end of a path is, or is the tail of, where words may be glued to its beginning."""
        found = ([*([part] if self.file(part).tracked else ()), *self.longer(part)] for part in without_first(path))
        return next(filter(None, found), [])

    def holding(self, symbol: str) -> frozenset[str]:
        """The files that hold a symbol of that full name, as they stand now."""
        stored = {path for path in self.holders.get(symbol, ()) if path not in self.files}
        return frozenset(stored | {path for path, state in self.files.items() if symbol in state.symbols})

    def members_named(self, leaf: str) -> frozenset[str]:
        """The members whose last part is that, as full names, as they stand now."""
        stored = {name for name in self.members.get(leaf, ()) if Entity.parse(name).path not in self.files}
        ending = f".{leaf}"
        here = {state.entity(s) for state in self.files.values() for s in state.symbols if s.endswith(ending)}
        return frozenset(stored | here)

    def removed(self, leaf: str) -> frozenset[str]:
        """What was removed lately whose last part is that, as full names."""
        return self.buried.get(leaf, frozenset())

    def refuses(self, *texts: str) -> bool:
        """Whether one of the texts may not be kept."""
        return self.limits.refuses is not None and any(self.limits.refuses(text) for text in texts)

    def say(self, event: Event, of: str) -> None:
        """An event that changes no state, unless it, or the text `of` which it says something, may not be kept: a line
        of a secret is not known as one."""
        if not self.refuses(event.body(), of):
            self.events.append(event)

    def put(self, text: str) -> str | None:
        """Keep a text for the Vault; its hash. None where it may not be kept."""
        if self.refuses(text):
            return None
        artifact = artifact_hash(text)
        self.contents.setdefault(artifact, text)
        return artifact

    def change(self, change: Change, **about: Any) -> bool:
        """Take a change of a file: its state, its texts, its event. False where no text of it was made true or ended
        as the change says, or nothing changed: what the trust does not admit only makes the file DIRTY."""
        spend()
        state, moves = change
        if not moves or self.trust is Trust.NOBODY:
            return False
        if any(move.op in _TAKES_WORD for move in moves) and not self._admits(about):
            self._only_doubted(state.path, about)
            return False
        promoted = {move.artifact for move in moves if move.op is Op.PROMOTE}
        if promoted and self.refuses(state.path, *_texts(state, promoted)):
            self._withhold(state.path, about)
            return False
        self._set(state)
        self._keep(state, promoted)
        self.record(moves, path=state.path, **about)
        if state.file is not None and state.file.artifact in promoted:
            self.doubt_others(state.path, about)
        return True

    def doubt_others(self, path: str, about: Mapping[str, Any]) -> None:
        """What may be the same file by another name is of unknown text, where it is not the one that this has now."""
        text = self.file(path).text()
        for other in sorted(self.others.get(path, ())):
            state = self.file(other)
            if state.tracked and (text is None or state.text() != text):
                self.change(dirty(state, "other-name"), **{**about, "grant": None})

    def _admits(self, about: Mapping[str, Any]) -> bool:
        return admits(self.trust, about.get("origin"), about.get("carrier"), about.get("grant"))

    def _only_doubted(self, path: str, about: Mapping[str, Any]) -> None:
        """A file whose new text is nobody's word that counts: what was known of it is not its current text any more."""
        state, moves = dirty(self.file(path), "word-not-trusted")
        if moves:
            self._set(state)
            self.record(moves, path=path, **_without_authority(about))

    def _set(self, state: FileState) -> None:
        if state.path not in self.files:
            self._of_base[posixpath.basename(state.path)].append(state.path)
        self.files[state.path] = state

    def _withhold(self, path: str, about: Mapping[str, Any]) -> None:
        """A file whose new text may not be kept: what was known of it is not its current text any more."""
        state, moves = dirty(self.file(path), "holds-secret")
        self._set(state)
        held = Move(Op.PROPOSE, self.file(path).entity(), None, Confidence.CONFIRMED, "holds-secret")
        self.record((*moves, held), path=path, **_without_authority(about))

    def record(self, moves: Iterable[Move], **about: Any) -> None:
        """An event of judged evidence. Fields that are None are left out, and so is what may not be kept."""
        if self.trust is Trust.NOBODY:
            return
        moves = tuple(moves)
        known = {key: value for key, value in about.items() if value is not None}
        if self.trust is not Trust.PROOF:
            known["trust"] = str(self.trust)
        if self.refuses(repr(known), "\n".join(move.entity or "" for move in moves)):
            known = {key: value for key, value in known.items() if not self.refuses(repr(value))}
            moves = tuple(move for move in moves if not self.refuses(move.entity or ""))
        if moves:
            self.events.append(Event(EventKind.EVIDENCE, moves, tuple(known.items())))

    def proposal(
        self,
        op: Op,
        entity: str | None,
        text: str,
        confidence: Confidence,
        reason: str,
        source: Source | None = None,
    ) -> Move:
        """The move of an artifact that stays PROPOSED or is only logged; it names none where that may not be kept."""
        artifact = self.put(text)
        if artifact is None:
            reason = "holds-secret"
        return Move(op, entity, artifact, confidence, reason, source)

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
        move = self.proposal(op, entity, text, confidence, reason, source)
        witness = refusal.body() if refusal and move.artifact else None
        self.record([move], origin=origin, refused=witness, **about)

    def _keep(self, state: FileState, promoted: set[str | None]) -> None:
        """The promoted texts for the Vault: the file's whole, its symbols as slices of it where it is clean.

        A file's new text is kept even where the same change makes it DIRTY: the Ledger names it.
        """
        whole = state.file
        if whole is not None and (whole.clean or whole.artifact in promoted):
            self.contents.setdefault(whole.artifact, whole.text)
        slices = _slices(state) if whole is not None and whole.clean else {}
        for known in state.symbols.values():
            if known.artifact in promoted:
                self.contents.setdefault(known.artifact, slices.get(known.artifact, known.text))


def _without_authority(about: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in about.items() if key not in ("grant", "refused")}


def _slices(state: FileState) -> dict[str, Slice]:
    """Where in a clean file its symbols stand, by their artifacts."""
    assert state.file is not None
    seen = outline(language_of(state), state.file.text)
    return {
        state.symbols[s.name].artifact: Slice(state.file.artifact, s.start, s.end)
        for s in seen.symbols
        if s.name in state.symbols
    }


def _texts(state: FileState, promoted: set[str | None]) -> Iterable[str]:
    """The texts that a promotion would bring: the file's, and its symbols' where that does not hold them."""
    whole = state.file
    if whole is not None and whole.artifact in promoted:
        yield whole.text
    if whole is None or not whole.clean:
        yield from (known.text for known in state.symbols.values() if known.artifact in promoted)
