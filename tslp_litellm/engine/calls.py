"""Calls as the model made them, found again by their ids: what results answer, whether or not the request repeats them
(SEMANTICS 2, Calls)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tslp_litellm.clients.repeats import carried_out
from tslp_litellm.clients.text_calls import is_in_text
from tslp_litellm.clients.tools import texts_of
from tslp_litellm.conversation import history
from tslp_litellm.conversation.history import Age
from tslp_litellm.engine.talk import Talk
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Entry, EventKind
from tslp_litellm.state.values import Conversation
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.wire.turn import Item, ItemKind, Role


def kept(unit: UnitOfWork, items: Sequence[Item]) -> list[list[str]]:
    """The calls of an answer as its event names them: id, tool, and the artifact of the arguments.

    One whose arguments hold what may not be kept is left out; escaped, it would not be found in them.
    """
    calls = [i for i in items if i.kind is ItemKind.CALL and i.exact and i.call_id and not is_in_text(i)]
    calls = [call for call in calls if not unit.refuses(*texts_of(call))]
    return [[i.call_id, i.name, artifact] for i in calls if (artifact := unit.put(i.text)) is not None]


def recall(store: WorkspaceReader, talk: Talk, ages: Sequence[Age], known: Conversation | None) -> None:
    """Give the new results of a request the calls that were carried out."""
    for n, item in enumerate(talk.items):
        if item.kind is not ItemKind.RESULT or ages[n] is Age.SEEN or n in talk.made:
            continue
        repeated = talk.calls[n]
        if repeated is not None and is_in_text(repeated):
            continue
        made = _made(store, item.call_id, known, elsewhere=repeated is None)
        if made is not None:
            call, talk.since[n] = made
            talk.made[n] = carried_out(call, repeated)


def _made(
    store: WorkspaceReader, call_id: str, known: Conversation | None, *, elsewhere: bool
) -> tuple[Item, int] | None:
    """A call by its id, and the place in the Ledger of the answer that made it: of the conversation, or else,
    `elsewhere`, of the last answer of another one."""
    for entry in _episodes(store, call_id, known, elsewhere=elsewhere):
        for name, tool, artifact in entry.calls():
            if name == call_id:
                text = store.texts([artifact]).get(artifact)
                call = Item(Role.ASSISTANT, ItemKind.CALL, text or "", name=tool, call_id=name)
                return (call, entry.seq) if text is not None else None
    return None


def _episodes(store: WorkspaceReader, call_id: str, known: Conversation | None, *, elsewhere: bool) -> Iterator[Entry]:
    """The episodes that may have made a call."""
    digest = history.digest(Item(Role.ASSISTANT, ItemKind.CALL, "", call_id=call_id))
    if known is not None:
        yield from _turn(store, known)
        for ordinal in reversed(store.memory(known.id, [digest]).get(digest, [])):
            for entry in store.turns(known.id):
                place = entry.content().get("place")
                if place is not None and place[1] <= ordinal < place[2]:
                    yield entry
    if elsewhere:
        for name in store.related([digest]):
            if (other := store.conversation(name)) is not None:
                yield from _turn(store, other)


def _turn(store: WorkspaceReader, conversation: Conversation) -> list[Entry]:
    """The last episode of a conversation."""
    last = conversation.last_episode
    return [e for e in store.entries_of(last) if e.kind == EventKind.EPISODE] if last is not None else []
