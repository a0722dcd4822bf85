"""What words mean among what is tracked: the entities that they mention, and what they put in play."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import takewhile
from typing import Any

from tslp_litellm.dialects.values import Carrier, Drift, Edit, Evidence, Excerpt, Shown, Snippet, Told
from tslp_litellm.engine.recent_turns import place_of
from tslp_litellm.engine.talk import ReadingCache, Talk
from tslp_litellm.engine.values import Episode
from tslp_litellm.hydration.select import Selection, may_be_open, select, wanted
from tslp_litellm.parser import outline
from tslp_litellm.placing.readings import code_languages, names_in, unlabelled
from tslp_litellm.placing.rules import said_above
from tslp_litellm.placing.values import Play
from tslp_litellm.resolution.context import Earlier, Insisted
from tslp_litellm.resolution.decisions import answers
from tslp_litellm.resolution.files import below_comments, dirty, outline_of, with_holders
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Entry, Move, Op
from tslp_litellm.state.names import Entity, normalise_path
from tslp_litellm.state.values import Confidence, FileState, Origin, Tracked
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.syntax.languages import language_of_path
from tslp_litellm.syntax.outline import Kind, Symbol
from tslp_litellm.wire.turn import Item, ItemKind, Role
from tslp_litellm.words.mentions import mentions
from tslp_litellm.words.sentences import holds, mentions_word


def meant(
    store: WorkspaceReader,
    prose: str,
    root: str | None,
    also_named: Collection[str] = (),
    removed: Callable[[Tracked], bool] = lambda _: False,
) -> Selection:
    """The entities that some prose mentions (SEMANTICS 4). `also_named`: files that are spoken of beside it; `removed`:
    whether a symbol is asked to go, and its file is meant where that is named."""
    found = mentions(prose)
    want = wanted(found, root)
    rows = store.tracked(want.paths | want.inner)
    rows += store.tracked(store.with_tails(want.paths - {row.path for row in rows}))
    named, crowded = store.named(want.names)
    opened = {row.path for row in named if not row.clean or may_be_open(row)}
    rows += store.tracked(opened - {row.path for row in rows})
    is_type = partial(_is_type, store)
    return select(found, [*rows, *named], root, is_type, also_named, crowded, removed, store.texts)


def _is_type(store: WorkspaceReader, row: Tracked) -> bool:
    state = store.files([row.path]).get(row.path)
    seen = outline_of(state) if state is not None else None
    symbol = seen.by_name.get(row.symbol or "") if seen is not None else None
    return symbol is not None and counts_as_type(row.path, symbol)


def counts_as_type(path: str, symbol: Symbol) -> bool:
    """Whether a plain capitalised word may mean a definition: a type, or whatever is called as types are in JavaScript
    (`Make the button in App bigger.`)."""
    language = language_of_path(path)
    return symbol.kind is Kind.TYPE or (language is not None and language.family == "ecma")


# -- in play (SEMANTICS 2, Which file 2)


def play_of(chosen: Selection) -> Play:
    """What a mention puts in play, whether its text is known or not."""
    several = [entity for _, entities in chosen.ambiguous for entity in entities]
    return Play(
        frozenset(chosen.paths), frozenset([*(row.entity for row in chosen.entities), *chosen.unknown, *several])
    )


def prose_before(talk: Talk, readings: ReadingCache) -> str:
    """The user's own words of the turn before."""
    own = _own_before(talk)
    return readings.get(talk.items[own], talk.digests[own], talk.large).prose if own is not None else ""


def _own_before(talk: Talk) -> int | None:
    return next((n for n in reversed(talk.own) if talk.items[n].message != talk.message), None)


def play_before(store: WorkspaceReader, episode: Episode, readings: ReadingCache, root: str | None) -> Play:
    """What the conversation's turn before mentioned, showed or made true, what the last turns before it made true or
    showed of no file, and what is pasted in the prompt itself."""
    talk, last = readings.talk(episode.request.turn), episode.conversation.last_episode
    own = _own_before(talk)
    start, prompt = own if own is not None else 0, talk.prompt if talk.prompt is not None else -1
    pasted, shown = set[str](), set[str]()
    for n in range(start, prompt + 1):
        if talk.items[n].kind is ItemKind.TEXT and talk.items[n].role in (Role.USER, Role.ASSISTANT):
            paths = shown_paths(readings.shown(talk, n), root)
            (pasted if talk.items[n].message == talk.message else shown).update(paths)
    said = prose_before(talk, readings)
    answered = store.entries_of(last) if last is not None else ()
    before = shown | _made_true(answered, asked_about=True) | play_of(meant(store, said, root)).files()
    turns = store.turns(episode.conversation.id)[:EARLIER_MAX]
    entries = store.entries_of(*{turn.episode_id for turn in turns if turn.episode_id is not None})
    made, loose = frozenset(_made_true(entries)), _of_no_file(store, entries)
    return Play(frozenset(pasted), before=frozenset(before), earlier=made, loose=loose)


def _of_no_file(store: WorkspaceReader, entries: Iterable[Entry]) -> frozenset[str]:
    """The names that code of no file defines which some events tell of."""
    moves = [move for entry in entries for move in entry.moves()]
    found = {m.artifact for m in moves if m.entity is None and m.confidence == Confidence.UNRESOLVED and m.artifact}
    return frozenset(name for text in store.texts(found).values() for name in names_in(Snippet(text, ""))[0])


def selected(talk: Talk, readings: ReadingCache, root: str | None) -> frozenset[str]:
    """The files of which the prompt shows some lines by their numbers."""
    last = talk.prompt if talk.prompt is not None else -1
    here = takewhile(lambda n: talk.items[n].message == talk.message, range(last, -1, -1))
    shown = (piece for n in here if talk.items[n].kind is ItemKind.TEXT for piece in readings.shown(talk, n))
    return frozenset(shown_paths([piece for piece in shown if isinstance(piece, Excerpt)], root))


EARLIER_MAX = 10
"""What so many turns made true is what an answer that shows a file whole may be about."""


def _made_true(entries: Iterable[Entry], *, asked_about: bool = False) -> set[str]:
    """The files of what some events made true. `asked_about`: and of what an answer showed to one who merely asked."""
    moves = [move for entry in entries for move in entry.moves() if move.entity is not None]
    found = [m for m in moves if m.op is Op.PROMOTE or (asked_about and m.reason == "only-asked")]
    return {Entity.parse(move.entity).path for move in found if move.entity is not None}


def shown_paths(pieces: Sequence[Evidence], root: str | None) -> set[str]:
    """The files that some evidence shows by a label, all of them or some lines."""
    said = [piece.path for piece in pieces if isinstance(piece, Shown)]
    said += [one.path for one in pieces if isinstance(one, Excerpt) and one.carrier is Carrier.FENCE]
    found = (normalise_path(path, root) for path in said)
    return {path for path in found if path is not None}


def brought(store: WorkspaceReader, episode: str | None) -> tuple[frozenset[str], bool]:
    """The definitions that the model's text made known in an episode; and whether it showed nothing else."""
    moves = by_model(store.entries_of(episode) if episode is not None else ())
    named = [m for m in moves if m.entity and "::" in m.entity and m.op is not Op.CONFIRM]
    new = frozenset(m.entity for m in named if m.op is Op.PROMOTE and m.entity and not m.replaces)
    return new, new == {m.entity for m in named}


def commented(store: WorkspaceReader, episode: str | None) -> frozenset[str]:
    """The definitions above which the model's text put a comment block in an episode."""
    entries = store.entries_of(episode) if episode is not None else ()
    moves = [m for m in by_model(entries) if m.op is Op.PROMOTE and m.entity and "::" in m.entity and m.replaces]
    texts = store.texts({artifact for m in moves for artifact in (m.artifact, m.replaces) if artifact is not None})
    paired = [(m.entity or "", texts.get(m.replaces or "", ""), texts.get(m.artifact or "", "")) for m in moves]
    return frozenset(e for e, was, now in paired if _is_commented(e, now) and not _is_commented(e, was))


def by_model(entries: Iterable[Entry]) -> list[Move]:
    """What the model's text did in some events."""
    return [m for entry in entries if entry.content().get("origin") == Origin.MODEL for m in entry.moves()]


def _is_commented(entity: str, text: str) -> bool:
    """Whether the text of a definition begins with a comment block."""
    seen = outline(language_of_path(Entity.parse(entity).path), text)
    return bool(seen.symbols) and below_comments(seen, seen.symbols[0]) > 0


def insisted(store: WorkspaceReader, episode: Episode, path: str) -> Insisted:
    """What of a file the conversation's last answer about it showed, and was refused for: new names, and texts in which
    a definition had collapsed; of names only where it is the conversation's last one. None of what the user has a word
    about: this prompt decides something or names the definition, or the prompt before found fault, or named what had
    collapsed in an answer before that."""
    last = store.last_about(path)
    entries = store.entries_of(last[0].episode_id) if last and last[0].episode_id is not None else []
    refused = _refusals(entries, path)
    if not refused or answers(episode.context.intent.prompt) or not goes_on_from(episode, entries):
        return Insisted()
    *_, before, prompt = "", "", *(item.text for item in episode.request.turn.items if _is_said(item))
    if holds(before, "fault"):
        return Insisted()
    earlier = {why.get("of") for why, _ in _refusals(last, path, but=last[0].episode_id)}
    renames, shrunk = set[tuple[str, str]](), set[str]()
    for why, moves in refused:
        renames |= {pair for pair in why.get("renamed", {}).items() if not mentions_word(prompt, pair[0])}
        if why["reason"] == "collapse":
            leaf = why["of"].rpartition(".")[2]
            words = (prompt, before) if why["of"] in earlier else (prompt,)
            spoken_of = any(mentions_word(text, leaf) for text in words)
            shrunk |= {move.artifact for move in moves if move.artifact is not None and not spoken_of}
    at_once = last[0].episode_id == episode.conversation.last_episode
    return Insisted(frozenset(renames if at_once else ()), tuple(store.texts(shrunk).values()))


def _refusals(
    entries: Iterable[Entry], path: str, but: str | None = None
) -> list[tuple[Mapping[str, Any], Sequence[Move]]]:
    """Why some events refused a text of a file, and what they hold of it; without those of an episode."""
    found = [(entry.content().get("refused"), entry.moves()) for entry in entries if entry.episode_id != but]
    about = ((why, moves) for why, moves in found if why)
    return [(w, moves) for w, moves in about if any(Entity.parse(m.entity).path == path for m in moves if m.entity)]


def goes_on_from(episode: Episode, entries: Iterable[Entry]) -> bool:
    """Whether a request holds the answer of an episode of its conversation, told by that one's events."""
    turn = next((entry for entry in entries if place_of(entry) is not None), None)
    place = place_of(turn) if turn is not None else None
    if turn is None or place is None or turn.content().get("conversation") != episode.conversation.id:
        return False
    return episode.parent is not None and episode.parent >= place.said


def _is_said(item: Item) -> bool:
    return item.kind is ItemKind.TEXT and item.role is Role.USER


def made_up(store: WorkspaceReader, path: str) -> frozenset[str]:
    """The artifacts of a file that answers showed out of the model's head, as far as its last events tell."""
    moves = (move for entry in store.last_about(path) for move in entry.moves() if move.op is Op.PROPOSE)
    return frozenset(m.artifact for m in moves if m.reason == "out-of-sight" and m.artifact is not None)


_ALTERED = ("not-undone", "several-versions", "shown-in-part", "unplaced-inside", "unplaced-lines")
"""Reasons by which an answer leaves a definition of unknown text, and its base in sight of the next one."""


def altered(store: WorkspaceReader, path: str) -> frozenset[str]:
    """The entities of a file that are of unknown text for what answers showed of them alone."""
    last = dict[str, bool]()
    for entry in store.last_about(path):
        by_model = entry.content().get("origin") == Origin.MODEL
        for move in entry.moves():
            if move.op is Op.DIRTY and move.entity is not None:
                last.setdefault(move.entity, by_model and move.reason in _ALTERED)
    return frozenset(entity for entity, so in last.items() if so)


def shown_in_part(store: WorkspaceReader, path: str) -> bool:
    """Whether the user has shown but a part of a file, and nobody its text since."""
    moves = (move for entry in store.last_about(path) for move in reversed(entry.moves()) if move.entity == path)
    last = next((move for move in moves if move.op in (Op.PROMOTE, Op.DIRTY, Op.TOMBSTONE)), None)
    return last is not None and last.op is Op.DIRTY and last.reason == "part-shown"


def earlier(store: WorkspaceReader, path: str, text: str, parts: Mapping[str, str]) -> Earlier:
    """Whether a text of a file was said before one of its `parts` (by their entities) became what it is now, or each
    part before that part did; whether they became so by the user's own showing; and whether the text was once the
    file's."""
    by, seen, once = dict[str, object](), list[tuple[str, frozenset[str]]](), set[str]()
    for entry in store.last_about(path):
        for move in entry.moves():
            if move.op is Op.PROMOTE and move.entity == path:
                once |= {one for one in (move.artifact, move.replaces) if one}
            if move.op is Op.PROMOTE and move.entity is not None and move.entity in parts:
                by.setdefault(move.entity, entry.content().get("origin"))
            if by and (move.entity == path or move.entity in parts):
                seen += [(one, frozenset(by)) for one in (move.artifact, move.replaces) if one]
    texts = store.texts({artifact for artifact, _ in seen} | once)
    said = {(texts[artifact].strip(), entity) for artifact, past in seen if artifact in texts for entity in past}
    whole = any((text.strip(), entity) in said for entity in parts)
    return Earlier(
        whole or all((part, entity) in said for entity, part in parts.items()),
        set(by.values()) == {Origin.USER},
        any(texts[artifact].strip() == text.strip() for artifact in once & texts.keys()),
    )


_GOING = ("asked-to-go", "not-taken", "stands-elsewhere")


def going(store: WorkspaceReader, states: Iterable[FileState]) -> frozenset[str]:
    """The definitions of some files that are DIRTY because a prompt asked for them to go, or showed the file's part
    without them, or an answer showed them elsewhere: most likely they are gone. So may be what a user told that he
    changed, where it is not the file."""
    found = set[str]()
    for state in states:
        reasons = (*_GOING, "told") if any(known.clean for known in state.symbols.values()) else _GOING
        asked = {state.entity(name) for name, known in state.symbols.items() if not known.clean}
        for entry in store.last_about(state.path) if asked else ():
            last = {move.entity: move.reason for move in entry.moves() if move.op is Op.DIRTY and move.entity in asked}
            found |= {entity for entity, reason in last.items() if entity is not None and reason in reasons}
            asked -= last.keys()
    return frozenset(found)


# -- told (SEMANTICS 2, Told)


def told_of(store: WorkspaceReader, told: Told, root: str | None) -> Drift | list[Entity]:
    """What a user says that he changed: some entities, or anything."""
    chosen = meant(store, told.sentence, root)
    named = [*(row.entity for row in chosen.entities), *chosen.unknown]
    if not named and told.everywhere:
        return Drift((), Carrier.TOLD)
    return [Entity.parse(entity) for entity in named]


def doubt_told(unit: UnitOfWork, entities: Sequence[Entity], shown: Sequence[object]) -> None:
    """What was told and is not shown by the same message is of unknown text, a symbol's file with it."""
    for entity in entities:
        state = unit.file(entity.path)
        if any(_shows(piece, entity, state.symbols.keys()) for piece in shown):
            continue
        within = f"{entity.symbol}."
        members = [name for name in state.symbols if name.startswith(within)]
        symbols = True if entity.symbol is None else with_holders(state, [entity.symbol, *members])
        unit.change(dirty(state, "told", symbols), origin=Origin.USER, carrier=Carrier.TOLD)


def _shows(piece: object, entity: Entity, symbols: Iterable[str]) -> bool:
    """Whether a piece of the same message shows an entity, or what was changed in its file."""
    code = unlabelled(piece)
    if isinstance(piece, Edit):
        return piece.path.rpartition("/")[2] == entity.path.rpartition("/")[2]
    if code is None and (not isinstance(piece, Shown) or piece.doubted):
        return False
    base = entity.path.rpartition("/")[2]
    if code is not None and (said := said_above(code.above)):
        if said.replace("\\", "/").rpartition("/")[2] != base:
            return False  # `I moved total to order.py:` shows nothing of the file that had it
        if entity.symbol is None:
            return True
    if isinstance(piece, Shown) and code is None:
        if piece.path.replace("\\", "/").rpartition("/")[2] != base:
            return False
        names = {symbol.name for symbol in outline(language_of_path(entity.path), piece.text).symbols}
    else:
        top, leaves = names_in(code, lambda: code_languages((entity.path,))) if code is not None else (set(), set())
        names = top | leaves
    if entity.symbol is not None:
        return bool({entity.symbol, entity.leaf} & names)
    return code is None or bool(names & set(symbols))
