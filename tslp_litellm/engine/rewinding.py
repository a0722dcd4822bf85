"""Where a conversation goes on without answers that had been given, the State Map goes back with it (SEMANTICS 2)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tslp_litellm.clients.frames import edit_forms
from tslp_litellm.conversation.history import Age, Alignment
from tslp_litellm.dialects.values import Edit, Evidence, Shown
from tslp_litellm.engine.gone import GONE
from tslp_litellm.engine.histories import Histories
from tslp_litellm.engine.recent_turns import TurnsRead, place_of
from tslp_litellm.engine.talk import Talk
from tslp_litellm.engine.values import Episode
from tslp_litellm.placing.readings import code_languages, names_in, unlabelled
from tslp_litellm.resolution.decisions import of_flags
from tslp_litellm.resolution.edits import stands
from tslp_litellm.resolution.gates import Limits
from tslp_litellm.resolution.going_back import REWIND, Left, Said, Without, is_models, left_behind, needed, restored
from tslp_litellm.resolution.trust import Trust
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.names import normalise_path
from tslp_litellm.state.values import Conversation, Grant, Origin
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.store.writing import WorkspaceWriter
from tslp_litellm.wire.turn import ItemKind, Role, Turn


@dataclass(frozen=True, slots=True)
class Past:
    """What was read of the Ledger in the visits before: it only grows, so that only what is new has to be."""

    turns: TurnsRead = field(default_factory=TurnsRead)
    histories: Histories = field(default_factory=Histories)


@dataclass(frozen=True, slots=True)
class Way:
    """Where a request stands in its conversation. `rewritten`: whether the last answer in it shows other code than it
    was given with."""

    alignment: Alignment
    talk: Talk
    past: Past
    rewritten: bool = False
    trust: Trust = Trust.PROOF


def due(store: WorkspaceReader, known: Conversation, way: Way, limits: Limits) -> bool:
    """Whether a request goes on without answers that changed what is held, or that left flags for it."""
    back = brought_back(store, known, way, limits)
    return back is not None and bool(back[0].events or known.next_flags)


def settle(
    store: WorkspaceWriter,
    episode: Episode,
    way: Way,
    limits: Limits,
    now: Callable[[], str],
) -> None:
    """Bring the files that hang on what is left to what they would be without it."""
    back = brought_back(store, episode.conversation, way, limits)
    if back is not None:
        unit, left = back
        store.put(unit.contents)
        store.append(unit.events, episode.id, now())
        flags = episode.conversation.next_flags
        gone = [flag for flag in flags if flag.kind == GONE]  # what has come back is told of no more by itself
        asked = [question.flag() for question in of_flags(flags) if question.episode not in left]
        episode.conversation = replace(episode.conversation, next_flags=(*gone, *asked))


def brought_back(
    store: WorkspaceReader, known: Conversation, way: Way, limits: Limits
) -> tuple[UnitOfWork, frozenset[str]] | None:
    """What going back changes, and the episodes whose answers are left; None where the request goes on from the last
    answer."""
    last_said = way.alignment.last_said
    if way.rewritten and (place := _last_place(store, known)) is not None:
        last_said = place.parent
    elif not _goes_back(store, known, way.alignment, way.talk):
        return None
    if last_said is None:
        return None
    recent = way.past.turns.of(store, known.id)
    left = left_behind(recent.places, way.alignment.fitting, last_said, recent.left())
    if last_said < 0 and not _is_newest(store, known.id):
        left = Left(left.answers)  # others have been at work since: it may as well be a session of its own
    left = replace(left, conversation=known.id)
    paths = recent.paths(left)
    unit = UnitOfWork(store.files(paths), limits=limits, trust=way.trust)
    histories = way.past.histories.without(store, paths, left)
    if not way.trust.takes_model:
        histories |= _of_the_model(store, histories)
    texts = store.texts({artifact for path, told in histories.items() if told for artifact in needed(path, told)})
    for path in sorted(paths):
        _bring_back(unit, path, histories[path], texts, left, known.id)
    return unit, left.answers


def _of_the_model(store: WorkspaceReader, histories: Mapping[str, Without | None]) -> dict[str, None]:
    """The files whose text would come back by the model's own word: it is unknown where that does not count."""
    about = store.entries_about(histories)
    known = {path: told for path, told in histories.items() if told and path in told.held}
    return {
        path: None
        for path, told in known.items()
        if told.since or is_models(path, told.held[path].artifact, reversed(about[path]))
    }


def _goes_back(store: WorkspaceReader, known: Conversation, alignment: Alignment, talk: Talk) -> bool:
    """Whether the model's last word in the request is not the last that it said in this conversation.

    All that stands before that word must have been said there too, and words of the user's own among it: sessions of
    their own have a system prompt, a summary or a word of the model's in common.
    """
    last = alignment.last_said
    if last is None or last == known.items - 1 or known.last_episode is None:
        return False  # in most turns nothing but this is asked
    said = max((n for n, item in enumerate(talk.items) if item.role is Role.ASSISTANT), default=-1)
    if any(age is not Age.SEEN for age in alignment.ages[: said + 1]):
        return False
    if said >= 0 and not any(n < said for n in talk.own):
        return False
    place = _last_place(store, known)
    return place is None or last < place.said


BEGINNING_BYTES_MIN = 12
"""A conversation that went on is known by its first words only where there are so many: many begin with a greeting."""


def reworded(alignment: Alignment, talk: Talk, turn: Turn) -> int | None:
    """The model's last word in a request where somebody has written it anew: all that stands before it was said, words
    of the user's own among it, and new ones stand behind it. Only where the model's answers are what makes files."""
    at = max((n for n, item in enumerate(talk.items) if item.role is Role.ASSISTANT), default=-1)
    known = at > 0 and alignment.last_said is None and all(age is Age.SEEN for age in alignment.ages[:at])
    fresh = known and talk.items[at].kind is ItemKind.TEXT and any(n > at for n in talk.own)
    mine = fresh and any(n < at for n in talk.own) and all(age is Age.NEW for age in alignment.ages[at + 1 :])
    return at if mine and not turn.tools and not edit_forms(turn) else None


def shows_other(
    store: WorkspaceReader, known: Conversation, fitting: Collection[int], shown: Sequence[Evidence], root: str | None
) -> bool:
    """Whether an answer that was written anew shows other code than it made true as it was given; False where it is not
    the conversation's last one, or shows none: clients put answers away to save space."""
    place = _last_place(store, known) if shown else None
    if (
        known.last_episode is None
        or place is None
        or place.parent is None
        or max(fitting, default=-1) != place.said - 1
    ):
        return False
    replaced = store.replaced(known.last_episode)
    texts = store.texts({one.made for one in replaced.values()})
    made = {path: texts.get(one.made, "") for path, one in replaced.items()}
    names = {(row.path, row.symbol or "") for row in store.tracked(made)}
    return any(_is_other(made, names, piece, root) for piece in shown)


def _last_place(store: WorkspaceReader, known: Conversation) -> Said | None:
    """Where a conversation's last episode stands in it."""
    entries = store.entries_of(known.last_episode) if known.last_episode is not None else ()
    return next((place for entry in entries if (place := place_of(entry)) is not None), None)


def _is_other(made: Mapping[str, str], names: Collection[tuple[str, str]], piece: Evidence, root: str | None) -> bool:
    """Whether a piece is of a file that an answer made true, by its label or by a name that both define, and says
    something else of it."""
    if (code := unlabelled(piece)) is not None:
        top, leaves = names_in(code, lambda: code_languages(made))
        shared = {path for path, symbol in names if symbol in top or symbol.rpartition(".")[2] in leaves}
        return any(not _holds(made[path], code.text) for path in shared)
    path = normalise_path(piece.path, root) if isinstance(piece, (Shown, Edit)) else None
    if not isinstance(piece, (Shown, Edit)) or path is None or path not in made:
        return False
    return not (stands(made[path], piece.steps) if isinstance(piece, Edit) else _holds(made[path], piece.text))


def _holds(text: str, part: str) -> bool:
    """Whether all lines of a part stand in a text, however far they are indented."""
    return {line.strip() for line in text.splitlines()}.issuperset(line.strip() for line in part.splitlines())


def may_begin_anew(store: WorkspaceReader, known: Conversation, talk: Talk, turn: Turn) -> bool:
    """Whether a request that is how a conversation began may be that conversation, gone back to its first answer.

    Only if nothing else has been said in the workspace since. Where the conversation went on, only if its answers are
    what makes files: agents begin many sessions with the same words, and what they did is on the disk.
    """
    if not _is_newest(store, known.id):
        return False
    if known.turn_digest == talk.turn_key():
        return True
    return not (turn.tools or edit_forms(turn)) and len(talk.prose.strip().encode()) >= BEGINNING_BYTES_MIN


def _bring_back(
    unit: UnitOfWork,
    path: str,
    told: Without | None,
    texts: Mapping[str, str],
    left: Left,
    conversation: str,
) -> None:
    state = unit.file(path)
    unit.change(
        restored(state, told, texts),
        origin=Origin.USER,
        carrier=REWIND,
        grant=Grant.REINSTATED if told is not None else None,
        conversation=conversation,
        left=sorted(left.answers),
        unasked=sorted(left.requests) or None,
    )


def _is_newest(store: WorkspaceReader, conversation: str) -> bool:
    """Whether the last turn in the workspace was this conversation's."""
    last = store.last_turn()
    return last is not None and last.content()["conversation"] == conversation
