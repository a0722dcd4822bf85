"""Which remembered conversation a request continues (SEMANTICS 1)."""

from __future__ import annotations

from tslp_litellm.conversation import history
from tslp_litellm.conversation.history import Alignment
from tslp_litellm.engine import rewinding
from tslp_litellm.engine.talk import Talk
from tslp_litellm.state.values import Conversation
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.wire.turn import Role, Turn


def conversation_of(store: WorkspaceReader, talk: Talk, turn: Turn) -> tuple[Conversation | None, Alignment]:
    """The remembered conversation that a request continues, and how it fits; None for a new one."""
    best, best_id = history.align(talk.items, talk.digests, {}), None
    spoken = any(item.role is Role.ASSISTANT for item in talk.items)
    if not spoken and talk.prompt is None:
        return None, best
    related = store.related(talk.digests)
    for candidate in related if spoken else ():
        aligned = history.align(talk.items, talk.digests, store.memory(candidate, talk.digests))
        if (aligned.weight > 0, aligned.unbroken, aligned.weight) > (best.weight > 0, best.unbroken, best.weight):
            best, best_id = aligned, candidate
    if best_id is not None:
        return store.conversation(best_id), best
    for candidate in related:
        if (found := _begun(store, candidate, talk, turn)) is not None:
            return found
    return None, best


def _begun(store: WorkspaceReader, candidate: str, talk: Talk, turn: Turn) -> tuple[Conversation, Alignment] | None:
    """A conversation that begins as a request does, where that goes on from none of its answers as it was given."""
    known = store.conversation(candidate)
    if known is None:
        return None
    at = max((n for n, item in enumerate(talk.items) if item.role is Role.ASSISTANT), default=-1)
    if at < 0 and rewinding.may_begin_anew(store, known, talk, turn):
        anew = history.begun_anew(talk.digests, store.memory(candidate, talk.digests))
    elif at > 0 and rewinding.may_be_reworded(store, known, talk, turn, at):
        anew = history.begun_otherwise(talk.digests, store.memory(candidate, talk.digests), at)
    else:
        return None
    return (known, anew) if anew is not None else None
