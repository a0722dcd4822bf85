"""Questions that only the user can settle: put to him with each prompt, and closed by his own line (SEMANTICS 11)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from tslp_litellm.engine.talk import Talk
from tslp_litellm.engine.values import Episode
from tslp_litellm.hydration import notices
from tslp_litellm.hydration.select import Selection
from tslp_litellm.resolution.decisions import CHOICES_MAX, Kind, Question, answers, by_id, decide, named, of_flags
from tslp_litellm.resolution.gates import Limits
from tslp_litellm.resolution.trust import DECISION, Trust
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Event, EventKind
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Conversation, Flag, Freshness, Origin, Tracked
from tslp_litellm.store import uses
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.store.writing import WorkspaceWriter

SHOWN_MAX = 3
"""Open questions in one prompt, the newest first."""
OPEN_MAX = 20
"""Open questions that a conversation carries, the newest."""
NAMES_MAX = 10
"""Names in one prompt of which it is asked what they mean."""
USERS_MAX = 10
"""Known uses that a question names."""


def due(talk: Talk, known: Conversation) -> bool:
    """Whether questions wait for what the user says now."""
    return talk.prompt is not None and known.turn_digest != talk.turn_key() and bool(of_flags(known.next_flags))


def settle(store: WorkspaceWriter, talk: Talk, episode: Episode, limits: Limits, now: Callable[[], str]) -> None:
    """On the next user turn: close the questions that the user answers, that somebody answered before, and those whose
    texts have moved since."""
    known = episode.conversation
    if not due(talk, known):
        return
    counts = episode.context.trust is not Trust.NOBODY
    said = answers(talk.prose) if counts else {}
    kept: list[Flag] = [flag for flag in known.next_flags if flag.kind != DECISION]
    for name, question in by_id(of_flags(known.next_flags)).items():
        if not _stands(store, question):
            continue
        option = said.get(name, 0)
        if 1 <= option <= question.options:
            _carry_out(store, episode, question, option, limits, now)
        elif counts and (earlier := earlier_of(store, question)) is not None:
            _carry_out(store, episode, question, earlier, limits, now, again=True)
            kept.append(Flag("decided", question.about, str(earlier)))
        else:
            kept.append(question.flag())
    episode.conversation = replace(known, next_flags=tuple(kept))


def _carry_out(
    store: WorkspaceWriter,
    episode: Episode,
    question: Question,
    option: int,
    limits: Limits,
    now: Callable[[], str],
    *,
    again: bool = False,
) -> None:
    unit = UnitOfWork(store.files([question.path]), limits=limits, trust=episode.context.trust)
    if option == 1 and question.kind is not Kind.NAME:
        decide(unit, question, store.texts(artifact for _, artifact in question.brings))
    made = [] if again else [_event(question, option)]
    store.put(unit.contents)
    store.append([*made, *unit.events], episode.id, now())


def _event(question: Question, option: int) -> Event:
    about = {
        "origin": Origin.USER,
        "entity": question.base[0][0],
        "question": question.kind,
        "signature": question.signature,
        "option": option,
        "about": list(question.about),
    }
    return Event(EventKind.DECISION, (), tuple(about.items()))


def earlier_of(store: WorkspaceReader, question: Question) -> int | None:
    """What was decided in the workspace about the very same texts."""
    for entry in store.decisions_about(question.path):
        content = entry.content()
        if content.get("signature") == question.signature:
            return int(content["option"])
    return None


def _stands(store: WorkspaceReader, question: Question) -> bool:
    """Whether nothing that a question rests on has moved."""
    if store.workspace_id is None:
        return False
    held = uses.held(store.connection, store.workspace_id, {entity for entity, _ in question.base})
    return all(
        entity in held and held[entity].freshness is Freshness.CLEAN and held[entity].artifact == artifact
        for entity, artifact in question.base
    )


# -- in a prompt


def meant(store: WorkspaceReader, chosen: Selection) -> list[Question]:
    """The questions which entity a name means that fits too many; what was decided of one is what it means."""
    left: list[tuple[str, list[str]]] = []
    found: list[Question] = []
    for number, (name, candidates) in enumerate(chosen.ambiguous):
        few = number < NAMES_MAX and len(candidates) <= CHOICES_MAX
        rows = _rows(store, candidates) if few else {}
        question = named(name, ((row.entity, row.artifact) for row in rows.values()))
        option = earlier_of(store, question) if question is not None else None
        if question is not None and option is not None:
            row = rows[question.about[option - 1]]
            chosen.entities += [row] if row not in chosen.entities else []
        elif question is not None:
            found.append(question)
        else:
            left.append((name, candidates))
    chosen.ambiguous = left
    return found


def _rows(store: WorkspaceReader, candidates: Iterable[str]) -> dict[str, Tracked]:
    wanted = set(candidates)
    paths = {Entity.parse(entity).path for entity in wanted}
    found = {row.entity: row for row in store.tracked(paths) if row.entity in wanted and row.clean}
    return found if found.keys() == wanted else {}


def open_questions(
    store: WorkspaceReader, known: Conversation, names: Sequence[Question]
) -> tuple[Conversation, list[str]]:
    """The conversation with the questions that a prompt raises, and the notices of its open ones."""
    waiting = [question for question in of_flags(known.next_flags) if _stands(store, question)]
    waiting += [question for question in names if question.signature not in {one.signature for one in waiting}]
    waiting = waiting[-OPEN_MAX:]
    others = tuple(flag for flag in known.next_flags if flag.kind != DECISION)
    known = replace(known, next_flags=(*others, *(question.flag() for question in waiting)))
    asked = list(by_id(waiting).items())[::-1][:SHOWN_MAX]
    return known, [notices.decision(name, *_words(store, question)) for name, question in asked]


def _words(store: WorkspaceReader, question: Question) -> tuple[str, list[str]]:
    """What a question says, and its options."""
    about = question.about
    leaves = [Entity.parse(entity).symbol or entity for entity in about]
    match question.kind:
        case Kind.RENAME:
            old, new = about
            renames = f"rename {leaves[0]} to {leaves[1]}.{_used_by(store, [old])}"
            return f"the previous output removes {old} and brings {new}.", [renames, f"keep {leaves[0]}"]
        case Kind.LOSS:
            gone, names = ", ".join(about), ", ".join(leaves)
            removes = f"remove {names}.{_used_by(store, about)}"
            return f"the previous output of {question.path} lacks {gone}.", [removes, f"keep {names}"]
        case Kind.SNIPPET:
            names = ", ".join(about)
            return f"the previous output shows {names} without a path.", [
                f"put it into {question.path}",
                "leave it as it is",
            ]
    return f"`{question.name}` may mean several entities. None of them is shown.", list(about)


def _used_by(store: WorkspaceReader, entities: Sequence[str]) -> str:
    assert store.workspace_id is not None
    paths = {Entity.parse(entity).path for entity in entities}
    rows = uses.to_paths(store.connection, store.workspace_id, paths)
    users = sorted({row.entity for row in rows if row.used in entities} - set(entities))
    more = f" and {len(users) - USERS_MAX} more" if len(users) > USERS_MAX else ""
    return f" Known uses: {', '.join(users[:USERS_MAX])}{more}" if users else ""
