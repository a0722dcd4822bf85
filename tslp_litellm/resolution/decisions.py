"""What only the user can decide: questions, how they are told apart, and what an answer does (SEMANTICS 11).

A question is about texts: one changed byte of what it rests on, or of what it would bring, makes it another one.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from tslp_litellm.dialects.values import Shown, Snippet
from tslp_litellm.placing.structure import by_structure
from tslp_litellm.placing.values import Asked, Play, Unplaced
from tslp_litellm.resolution.by_model import shown_by_model
from tslp_litellm.resolution.candidates import Candidate, Judged, current_text, open_candidates, promote
from tslp_litellm.resolution.common import known, without_usage
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.files import Change, adopt, language_of, outline_of
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.resolution.trust import DECISION
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Op
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import FileState, Flag, Freshness, Grant, Held, Origin, Source

ID_CHARS = 4
"""Of a signature's hexadecimal digits so many name a question, more where two open ones would share them."""
LOST_MAX = 20
"""So many definitions at most can be given up or renamed in a word."""
NAME_CHARS_MAX = 200
"""Longer names are not told: keys of a data file may be any text."""
LOSS = "lost"
"""The kind of flag for a loss of which no question can be made."""
CHOICES_MAX = 9
"""A name that fits more entities is not asked for."""
Part = tuple[str, str]
"""An entity and its artifact."""
_LINE = re.compile(r"decision (?P<id>[0-9a-f]{4,64}): ?(?P<option>[1-9][0-9]?)\.?", re.IGNORECASE)


class Kind(StrEnum):
    """What is asked: a rename that nobody confirmed, definitions that are gone, the file of code without a path, the
    meaning of a name."""

    RENAME = "rename"
    LOSS = "loss"
    SNIPPET = "snippet"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Question:
    """Something that the user can settle in a word.

    `base`: what has to stand as it is; `brings`: the texts that an answer may make true (none of a name's); `about`:
    the entities that it names: of renames each old one with its new one, of a snippet the files, of a name what it may
    mean. `source`: as what a whole text counts; `word`: the name, or the snippet's language; `episode`: whose answer
    raised it; `besides`: the entities that go together with a rename.
    """

    kind: Kind
    base: tuple[Part, ...]
    brings: tuple[Part, ...] = ()
    about: tuple[str, ...] = ()
    source: Source = Source.AST
    word: str = ""
    episode: str = ""
    besides: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        """The kind and the sorted entities with their artifacts, as a hash."""
        parts = [str(self.kind), sorted(self.base), sorted(self.brings)]
        return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode(errors="replace")).hexdigest()

    @property
    def path(self) -> str:
        """The file that it is about, the first of several."""
        return Entity.parse(self.base[0][0]).path

    def stands(self, held: Mapping[str, Held]) -> bool:
        """Whether nothing that it rests on has moved. `held`: the State Map's rows of that."""
        return all(
            entity in held and held[entity].freshness is Freshness.CLEAN and held[entity].artifact == artifact
            for entity, artifact in self.base
        )

    @property
    def entities(self) -> tuple[str, ...]:
        """The full names of what it is about."""
        return tuple(entity for entity, _ in self.base) if self.kind is Kind.SNIPPET else (*self.about, *self.besides)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Of renames each old entity with its new one."""
        return list(zip(self.about[::2], self.about[1::2], strict=True)) if self.kind is Kind.RENAME else []

    @property
    def gone(self) -> tuple[str, ...]:
        """The entities that would be there no more by the first option."""
        return (*(old for old, _ in self.pairs), *self.besides) if self.kind is Kind.RENAME else self.about

    def keeps(self, option: int) -> bool:
        """Whether an option leaves in place what the output would have replaced."""
        return self.kind in (Kind.RENAME, Kind.LOSS) and option > len(self.brings)

    def flag(self) -> Flag:
        """The question as a conversation carries it until it is closed."""
        body = [self.kind, self.base, self.brings, self.source, self.word, self.episode, *self.besides]
        return Flag(DECISION, self.about, json.dumps(body, ensure_ascii=False))

    def decided(self, option: int) -> Flag:
        """What is told where it was decided before."""
        chosen = self.says()[1][option - 1]
        return Flag("decided", self.entities, f"`{self.word}` means {chosen}" if self.kind is Kind.NAME else chosen)

    def says(self, used_by: str = "") -> tuple[str, list[str]]:
        """The question in words, and its options. `used_by`: what is known to use what would go."""
        leaves = ", ".join(map(_leaf, self.gone))
        match self.kind:
            case Kind.RENAME:
                does = [f"removes {old} and brings {new}" for old, new in self.pairs]
                does += [f"lacks {', '.join(self.besides)}"] if self.besides else []
                chosen = [f"rename {_leaf(old)} to {_leaf(new)}" for old, new in self.pairs]
                chosen += [f"remove {', '.join(map(_leaf, self.besides))}"] if self.besides else []
                return f"the previous output {'; '.join(does)}.", [f"{'; '.join(chosen)}.{used_by}", f"keep {leaves}"]
            case Kind.LOSS:
                said = f"the previous output of {self.path} lacks {', '.join(self.about)}."
                return said, [f"remove {leaves}.{used_by}", f"keep {leaves}"]
            case Kind.SNIPPET:
                said = f"the previous output shows code without a path, of {', '.join(self.entities)}."
                return said, [*(f"put it into {path}" for path in self.about), "leave it out"]
        return f"`{self.word}` may mean several entities.", list(self.about)


def _leaf(entity: str) -> str:
    return Entity.parse(entity).symbol or entity


def of_flags(flags: Iterable[Flag]) -> list[Question]:
    """The open questions of a conversation, oldest first."""
    found = []
    for flag in flags:
        if flag.kind == DECISION:
            kind, base, brings, source, word, episode, *besides = json.loads(flag.detail)
            parts = [tuple((entity, artifact) for entity, artifact in said) for said in (base, brings)]
            told = Source(source), word, episode, tuple(besides)
            found.append(Question(Kind(kind), parts[0], parts[1], flag.entities, *told))
    return found


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
    for line in prose.split("\n"):
        if (said := _LINE.fullmatch(line.rstrip().strip("*_`"))) is not None:
            found.setdefault(said["id"].lower(), set()).add(int(said["option"]))
    return {name: options.pop() for name, options in found.items() if len(options) == 1}


# -- what is asked

Find = Callable[[Collection[str]], Mapping[str, FileState]]
"""What the store knows of files that nothing was said of."""


def asked(unit: UnitOfWork, episode: str, find: Find) -> list[Question]:
    """What an answer of the model's leaves to the user: its open candidates that only want a word, and code without a
    path that can be of known files."""
    found = [_of_candidate(unit, one, refused) for one, refused in _open(unit)]
    found += [_of_snippet(unit, code, find) for code in unit.unplaced]
    return [replace(question, episode=episode) for question in found if question is not None]


def losses(unit: UnitOfWork) -> list[Flag]:
    """What an answer of the model's lost, where that is too much for a question, or nothing that a word can name."""
    return [
        Flag(LOSS, (one.entity, *(state.entity(name) for name in _lost(refused) if _is_tellable(name))))
        for one, refused in _open(unit)
        if _lost(refused) and _of_candidate(unit, one, refused) is None
        for state in [unit.file(Entity.parse(one.entity).path)]
        if current_text(state, Entity.parse(one.entity).symbol) is not None
    ]


def _open(unit: UnitOfWork) -> list[tuple[Candidate, Mapping[str, Any]]]:
    """The candidates that only want a word, each with its refusal."""
    judged: list[Judged] = [(n, event.moves, dict(event.about)) for n, event in enumerate(unit.events)]
    return [(one, judged[one.at][2].get("refused") or {}) for one in open_candidates(judged)]


def _of_candidate(unit: UnitOfWork, one: Candidate, refused: Mapping[str, Any]) -> Question | None:
    state, symbol = unit.file(Entity.parse(one.entity).path), Entity.parse(one.entity).symbol
    renamed, lost = _renamed(refused), _lost(refused)
    if not 0 < len(renamed) + len(lost) <= LOST_MAX or not all(map(_is_tellable, lost)):
        return None
    if state.file is None or not state.file.clean:
        return None
    whole = _with_its_part(unit, state, one, next(iter(renamed), symbol)) if symbol is not None else one.artifact
    if whole is None:
        return None
    base, gone = ((state.entity(), state.file.artifact),), tuple(map(state.entity, lost))
    pairs = tuple(state.entity(name) for pair in renamed.items() for name in pair)
    kind, about, besides = (Kind.RENAME, pairs, gone) if pairs else (Kind.LOSS, gone, ())
    return Question(kind, base, ((state.entity(), whole),), about, one.source, besides=besides)


def _renamed(refused: Mapping[str, Any]) -> dict[str, str]:
    return dict(refused.get("renamed") or {})


def _lost(refused: Mapping[str, Any]) -> list[str]:
    return list(refused.get("lost") or ())


def _is_tellable(name: str) -> bool:
    return name.isprintable() and len(name) <= NAME_CHARS_MAX


def _with_its_part(unit: UnitOfWork, state: FileState, one: Candidate, old: str) -> str | None:
    """The file's text with a candidate's definition in the place of an old one; its artifact."""
    text, seen = unit.contents.get(one.artifact), outline_of(state)
    found = seen.by_name.get(old) if seen is not None else None
    if seen is None or found is None or not found.alone or not isinstance(text, str):
        return None
    return unit.put((seen.text[: found.start] + text.encode() + seen.text[found.end :]).decode())


def _of_snippet(unit: UnitOfWork, code: Unplaced, find: Find) -> Question | None:
    """Of code without a path: the files that can take it, where it says anything new in one."""
    states = {path: unit.files.get(path) for path in code.paths}
    states |= find([path for path, state in states.items() if state is None])
    takes = sorted(p for p, state in states.items() if state is not None and _taken(unit, code, state) is not None)
    base: list[Part] = []
    for state in (states[path] for path in takes):
        assert state is not None
        named = [(state.entity(name), state.symbols[name].artifact) for name in code.names if name in state.symbols]
        base += named or ([(state.entity(), state.file.artifact)] if state.file is not None else [])
    if not base or len(takes) > CHOICES_MAX - 1 or (artifact := unit.put(code.text)) is None:
        return None
    brings = tuple((path, artifact) for path in takes)
    return Question(Kind.SNIPPET, tuple(base), brings, tuple(takes), word=code.language)


def named(name: str, rows: Iterable[Part]) -> Question | None:
    """The question which of several entities a bare name means."""
    parts = tuple(sorted(rows))
    fits = 1 < len(parts) <= CHOICES_MAX
    return Question(Kind.NAME, parts, (), tuple(entity for entity, _ in parts), word=name) if fits else None


# -- what an answer does


def decide(unit: UnitOfWork, question: Question, option: int, texts: Mapping[str, str]) -> bool:
    """Make true what an answer says, by its grant and no other. Gate A is asked again: of a whole text on the very text
    that it passed it on, as long as the question stands; of a snippet here. False where nothing is to be done."""
    if question.kind is Kind.NAME or option > len(question.brings):
        return False
    path, artifact = question.brings[option - 1]
    state = unit.file(path)
    if question.kind is Kind.SNIPPET:
        change = _taken(unit, Unplaced(texts[artifact], question.word), state)
    else:
        change = adopt(state, texts[artifact], question.source, Grant.USER_VERIFICATION)
    about = {"origin": Origin.USER, "carrier": DECISION, "grant": Grant.USER_VERIFICATION}
    return change is not None and unit.change(change, **about)


def _taken(unit: UnitOfWork, code: Unplaced, state: FileState) -> Change | None:
    """What code without a path does in a file; None where gate A refuses any of it, or nothing would change."""
    trial = UnitOfWork({state.path: state}, limits=unit.limits)
    asked_for = Asked(play=Play(frozenset({state.path})), by_model=True)
    shown = by_structure(Snippet(code.text, code.language), asked_for, known(trial, asked_for))
    if not isinstance(shown, Shown) or language_of(state) is None:
        return None
    shown_by_model(trial, without_usage(trial, shown, Intent("")), state, Context())
    judged: list[Judged] = [(n, event.moves, dict(event.about)) for n, event in enumerate(trial.events)]
    waiting = open_candidates(judged)
    proposed = [move for event in trial.events for move in event.moves if move.op is Op.PROPOSE]
    if len(proposed) > len(waiting):
        return None
    for one in waiting:
        promote(trial, one, str(trial.contents[one.artifact]), Grant.USER_VERIFICATION, origin=Origin.USER)
    moves = [move for event in trial.events for move in event.moves if move.op is not Op.PROPOSE]
    granted = (replace(m, reason=Grant.USER_VERIFICATION) if m.op is Op.PROMOTE else m for m in moves)
    return (trial.file(state.path), tuple(granted)) if moves else None
