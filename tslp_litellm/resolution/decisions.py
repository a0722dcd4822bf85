"""What only the user can decide: questions, how they are told apart, and what an answer is (SEMANTICS 11).

A question is about texts: one changed byte of what it rests on, or of what it would bring, makes it another one.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tslp_litellm.parser import outline
from tslp_litellm.resolution import gates
from tslp_litellm.resolution.candidates import Candidate, Judged, open_candidates
from tslp_litellm.resolution.files import Change, Piece, adopt, insert, language_of, outline_of
from tslp_litellm.resolution.fragments import Fragment
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.resolution.trust import DECISION
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Move, Op
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import FileState, Flag, Grant, Origin, Source

ID_CHARS = 4
"""Of a signature's hexadecimal digits so many name a question, more where two open ones would share them."""
LOST_MAX = 20
"""So many definitions at most can be given up in a word."""
CHOICES_MAX = 9
"""A name that fits more entities is not asked for."""
Part = tuple[str, str]
"""An entity and its artifact."""
_LINE = re.compile(r"decision (?P<id>[0-9a-f]{4,64}): (?P<option>[1-9][0-9]?)[ \t]*", re.IGNORECASE)
_NOTICE, _END = "[STATE NOTICE]", "[END NOTICE]"


class Kind(StrEnum):
    """What is asked: a rename that nobody confirmed, definitions that are gone, code without a path, a name."""

    RENAME = "rename"
    LOSS = "loss"
    SNIPPET = "snippet"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Question:
    """Something that the user can settle in a word.

    `base`: what has to stand as it is; `brings`: the texts that option 1 makes true (none of a name's); `about`: the
    entities that it names: of a rename the old and the new one, of a name what it may mean; `source`: as what a whole
    text counts; `name`: the name.
    """

    kind: Kind
    base: tuple[Part, ...]
    brings: tuple[Part, ...] = ()
    about: tuple[str, ...] = ()
    source: Source = Source.AST
    name: str = ""

    @property
    def signature(self) -> str:
        """The kind and the sorted entities with their artifacts, as a hash."""
        parts = [str(self.kind), sorted(self.base), sorted(self.brings)]
        return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode(errors="replace")).hexdigest()

    @property
    def path(self) -> str:
        """The file that it is about, the first of several."""
        return Entity.parse(self.base[0][0]).path

    @property
    def options(self) -> int:
        """How many answers there are."""
        return len(self.about) if self.kind is Kind.NAME else 2

    def flag(self) -> Flag:
        """The question as a conversation carries it until it is closed."""
        body = [self.kind, self.base, self.brings, self.source, self.name]
        return Flag(DECISION, self.about, json.dumps(body, ensure_ascii=False))


def of_flags(flags: Iterable[Flag]) -> list[Question]:
    """The open questions of a conversation, oldest first."""
    found = []
    for flag in flags:
        if flag.kind == DECISION:
            kind, base, brings, source, name = json.loads(flag.detail)
            found.append(Question(Kind(kind), _parts(base), _parts(brings), flag.entities, Source(source), name))
    return found


def _parts(said: Iterable[Sequence[str]]) -> tuple[Part, ...]:
    return tuple((entity, artifact) for entity, artifact in said)


def by_id(questions: Sequence[Question]) -> dict[str, Question]:
    """The questions by what they are called, in their order."""
    signatures = [question.signature for question in questions]
    size = ID_CHARS
    while len({signature[:size] for signature in signatures}) < len(set(signatures)):
        size += 1
    return dict(zip((signature[:size] for signature in signatures), questions, strict=True))


def answers(prose: str) -> dict[str, int]:
    """What a user's own words decide, by a question's id: a line of its own that is nothing else. Whoever says two
    things of a question has said nothing.

    >>> answers("Good.\\ndecision 7f3a: 1\\n> decision 1111: 1\\nIs decision 2222: 1 better?")
    {'7f3a': 1}
    """
    found: dict[str, set[int]] = {}
    quoted = False
    for line in prose.split("\n"):
        quoted = (quoted or line.strip() == _NOTICE) and line.strip() != _END
        said = None if quoted else _LINE.fullmatch(line)
        if said is not None:
            found.setdefault(said["id"].lower(), set()).add(int(said["option"]))
    return {name: options.pop() for name, options in found.items() if len(options) == 1}


# -- what is asked


def asked(unit: UnitOfWork, known: Callable[[Collection[str]], Mapping[str, FileState]]) -> list[Question]:
    """What an answer of the model's leaves to the user: its open candidates that only want a word, and code without a
    path that one file has all definitions of. `known`: what the store knows of files that nothing was said of."""
    judged: list[Judged] = [(n, event.moves, dict(event.about)) for n, event in enumerate(unit.events)]
    found = [question for one in open_candidates(judged) if (question := _of_candidate(unit, one, judged)) is not None]
    for _, moves, about in judged:
        proposed = _proposed(moves) if about.get("origin") == Origin.MODEL else ()
        if not proposed:
            continue
        path = Entity.parse(proposed[0][0]).path
        state = unit.files.get(path) or known([path]).get(path, FileState(path))
        if (snippet := _of_snippet(unit, state, proposed)) is not None:
            found.append(snippet)
    return found


def _of_candidate(unit: UnitOfWork, one: Candidate, judged: Sequence[Judged]) -> Question | None:
    state = unit.file(one.entity)
    refused = next(about.get("refused") or {} for at, _, about in judged if at == one.at)
    if state.file is None or not state.file.clean or Entity.parse(one.entity).symbol is not None:
        return None
    base, brings = ((one.entity, state.file.artifact),), ((one.entity, one.artifact),)
    renamed, lost = refused.get("renamed"), refused.get("lost")
    if isinstance(renamed, Mapping) and len(renamed) == 1:
        names = tuple(state.entity(name) for pair in renamed.items() for name in pair)
        return Question(Kind.RENAME, base, brings, names, one.source)
    if isinstance(lost, (list, tuple)) and 0 < len(lost) <= LOST_MAX and all(name in state.symbols for name in lost):
        return Question(Kind.LOSS, base, brings, tuple(state.entity(name) for name in lost), one.source)
    return None


def _proposed(moves: Sequence[Move]) -> tuple[Part, ...]:
    """The definitions of code without a path, all of which one file has."""
    found = tuple(
        (m.entity, m.artifact)
        for m in moves
        if m.op is Op.PROPOSE and m.reason == "no-path" and m.entity is not None and m.artifact is not None
    )
    return found if len(found) == len(moves) else ()


def _of_snippet(unit: UnitOfWork, state: FileState, brings: tuple[Part, ...]) -> Question | None:
    base = [(state.entity(name), known) for name, known in state.symbols.items() if state.entity(name) in dict(brings)]
    texts = {artifact: text for artifact, text in unit.contents.items() if isinstance(text, str)}
    clean = len(base) == len(brings) and all(known.clean for _, known in base)
    if not clean or pieces_of(unit, state, brings, texts) is None:
        return None
    parts = tuple((entity, known.artifact) for entity, known in base)
    return None if set(parts) == set(brings) else Question(Kind.SNIPPET, parts, brings, tuple(dict(brings)))


def named(name: str, rows: Iterable[Part]) -> Question | None:
    """The question which of several entities a bare name means."""
    parts = tuple(sorted(rows))
    return Question(Kind.NAME, parts, (), tuple(dict(parts)), name=name) if 1 < len(parts) <= CHOICES_MAX else None


# -- what an answer does


def decide(unit: UnitOfWork, question: Question, texts: Mapping[str, str]) -> bool:
    """Make true what a question brings. Gate A is asked again: of a whole text on the very text that it passed it on,
    as long as the question stands; of a snippet here, where its file is proven first."""
    state = unit.file(question.path)
    if question.kind is Kind.SNIPPET:
        pieces = pieces_of(unit, state, question.brings, texts)
        change: Change | None = insert(state, pieces, Grant.USER_VERIFICATION) if pieces else None
    else:
        change = adopt(state, texts[question.brings[0][1]], question.source, Grant.USER_VERIFICATION)
    about = {"origin": Origin.USER, "carrier": DECISION, "grant": Grant.USER_VERIFICATION}
    return change is not None and unit.change(change, **about)


def pieces_of(
    unit: UnitOfWork, state: FileState, brings: Sequence[Part], texts: Mapping[str, str]
) -> list[Piece] | None:
    """The definitions that code without a path brings, each by itself; None where a gate speaks against one."""
    found = []
    for entity, artifact in brings:
        seen, symbol = outline(language_of(state), texts.get(artifact, "")), Entity.parse(entity).symbol
        known = seen.by_name.get(symbol or "")
        if known is None or seen.slice(known) != texts[artifact] or gates.conflicting(seen) is not None:
            return None
        piece = Piece(known, seen)
        if Fragment(seen, outline_of(state), Intent("")).refused(piece, unit.limits) is not None:
            return None
        found.append(piece)
    return found
