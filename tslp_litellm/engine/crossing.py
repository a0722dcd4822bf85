"""Which calls were under way at the same time as others, by the order of the wire (SEMANTICS 2, Positive proof).

No call was given for the sake of a result that nobody had seen yet: the calls of one answer, those that no result
stands between, and those that were heard before any of their results was.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from tslp_litellm.conversation.history import digest
from tslp_litellm.dialects.values import Drift, Evidence, Excerpt, Outcome, Report, Shown
from tslp_litellm.engine.recent_turns import TurnsRead
from tslp_litellm.engine.rewinding import recorded
from tslp_litellm.engine.talk import Talk
from tslp_litellm.engine.values import Episode
from tslp_litellm.resolution.at_once import Round, agrees, path_of, touches, was_made
from tslp_litellm.resolution.common import Context, paths_of
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.names import normalise_path
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.wire.turn import Item, ItemKind, Role

HEARD = -1
"""The round of the calls that were heard before any of their results."""
Piece = Evidence | Outcome | Report


def rounds(talk: Talk, results: Iterable[int], heard: Callable[[Sequence[bytes]], Mapping[bytes, object]]) -> list[int]:
    """For each of some results that are new the number of its round. `heard`: which calls were heard before."""
    places = _given(talk.items)
    found = [places.get(id(talk.calls[n]), HEARD) for n in results]
    if len(set(found)) <= 1:
        return found
    calls = [digest(call) if (call := talk.calls[n]) is not None else b"" for n in results]
    known = heard(calls)
    return [HEARD if call in known else place for place, call in zip(found, calls, strict=True)]


def rounds_of(talk: Talk) -> dict[int, Round]:
    """The rounds of all results of a request of which nothing was heard before."""
    places, made = _given(talk.items), dict[int, Round]()
    called = {n: places[id(call)] for n, call in enumerate(talk.calls) if call is not None}
    return {n: made.setdefault(place, Round()) for n, place in called.items()}


def _given(items: Sequence[Item]) -> dict[int, int]:
    """For each call, by its identity, how many results stand before it."""
    places, answered = dict[int, int](), 0
    for item in items:
        answered += item.kind is ItemKind.RESULT
        if item.kind is ItemKind.CALL:
            places[id(item)] = answered
    return places


class Crossings:
    """The rounds of the results that are new in a request."""

    def __init__(
        self,
        store: WorkspaceReader,
        unit: UnitOfWork,
        talk: Talk,
        new: Sequence[tuple[int, Sequence[Piece]]],
        episode: Episode,
        turns: TurnsRead,
        context: Context,
    ) -> None:
        results = [(n, pieces) for n, pieces in new if talk.items[n].kind is ItemKind.RESULT]
        conversation = episode.conversation.id
        numbers = rounds(talk, [n for n, _ in results], lambda calls: store.memory(conversation, calls))
        asked = {path for _, pieces in results for piece in pieces for path in _news(unit, piece, context)}
        given = given_in(store, talk, [n for n, _ in results], episode, turns) if asked else None
        elsewhere = store.changed_since(given, asked, episode.id) if given is not None else frozenset[str]()
        made: dict[int, Round] = defaultdict(lambda: Round(elsewhere))
        self._rounds = {n: made[number] for (n, _), number in zip(results, numbers, strict=True)}

    def around(self, n: int) -> Round | None:
        """The round of a result; None for what is none."""
        return self._rounds.get(n)


def _news(unit: UnitOfWork, piece: Piece, context: Context) -> set[str]:
    """The files of which a result says what is not held, and not only that nothing is known of them."""
    if isinstance(piece, (Shown, Excerpt)):
        path = path_of(piece, context)
        return {path} if path is not None and not agrees(piece, unit.file(path)) else set()
    found = set[str]()
    for change in piece.attempt.changes if isinstance(piece, Outcome) and was_made(piece) else ():
        if not isinstance(change, Drift):
            found |= {path for path in unit.files if touches(unit, change, path, context)}
            found |= {p for raw in paths_of(change) if (p := normalise_path(raw.rstrip("/"), context.root)) is not None}
    return found


def given_in(
    store: WorkspaceReader, talk: Talk, results: Sequence[int], episode: Episode, turns: TurnsRead
) -> str | None:
    """The episode in whose answer the first of the calls was given that some results answer; None where that was never
    heard."""
    known = episode.conversation
    if episode.parent == episode.since - 1 and _all_in_last_answer(talk, results):
        return known.last_episode  # in most turns nothing more is asked
    calls = {digest(call) for n in results if (call := talk.calls[n]) is not None}
    first = min((ordinals[-1] for ordinals in store.memory(known.id, calls).values() if ordinals), default=None)
    if first is None or known.last_episode is None:
        return None
    _, place = recorded(store, known.last_episode)
    if place is not None and place.said <= first:
        return known.last_episode
    return next((one.episode for one in turns.of(store, known.id).places if one.said <= first < one.end), None)


def _all_in_last_answer(talk: Talk, results: Sequence[int]) -> bool:
    """Whether all calls stand in the model's last words of a request."""
    last = max((n for n, item in enumerate(talk.items) if item.role is Role.ASSISTANT), default=-1)
    first = last
    while first > 0 and talk.items[first - 1].role is Role.ASSISTANT:
        first -= 1
    own = {id(item) for item in talk.items[first : last + 1]}
    return all(id(talk.calls[n]) in own for n in results)
