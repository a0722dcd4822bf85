"""Whose word a user's text is: the model's own, handed on by a client, is nobody's showing (SEMANTICS 2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tslp_litellm.clients.frames import floating, is_editor, is_floating
from tslp_litellm.conversation import history
from tslp_litellm.conversation.hearsay import Piece, doubted, kept, keys, may_be_models, said_in, without_repeated
from tslp_litellm.dialects.values import Shown, Standing
from tslp_litellm.engine.talk import UNREAD, ReadingCache, Talk
from tslp_litellm.engine.values import Request
from tslp_litellm.parser.budget import OverBudgetError
from tslp_litellm.resolution.hearsay import is_proposed
from tslp_litellm.state.names import normalise_path
from tslp_litellm.state.values import FileState, Heard, Hearsay, artifact_hash
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.wire.turn import ItemKind, Role


def own_word(
    store: WorkspaceReader, readings: ReadingCache, talk: Talk, n: int, root: str | None = None
) -> list[Piece]:
    """What an item of the user's side is evidence of, less what is the model's in a user's text.

    An answer's code is the user's where the model has spoken: who goes on pastes it back. It may be anybody's in the
    first message of a conversation that somebody gave instructions to.
    """
    found, item = readings.evidence(talk, n, root), talk.items[n]
    if not found or item.role is not Role.USER or item.kind is not ItemKind.TEXT:
        return found
    if n not in talk.keys:
        talk.keys[n] = keys(item.text)
    first = _is_silent(talk, range(n))
    known = store.hearsay(talk.keys[n], answers=first)
    if (rest := _rest(talk, n, known, first)) != item.text:
        left = replace(item, text=rest)
        reading = readings.get(left, history.digest(left), talk.large)
        if reading is UNREAD:
            raise OverBudgetError("it was found before that the text takes too long to read")
        found = kept(reading.evidence, found)
    handed = first and talk.instructed
    known = [one for one in known if handed or one.heard is not Heard.ANSWER]
    if known and n in talk.own and not first:
        said = _said_before(talk, n)  # who goes on where the model said it, in words of his own, is the user
        known = [one for one in known if not one.lines <= said]
    if not (known or handed):
        return found
    return [_doubted(store, p, known, root, handed) if may_be_models(p, known) else p for p in found]


def _doubted(store: WorkspaceReader, shown: Shown, known: Sequence[Hearsay], root: str | None, handed: bool) -> Shown:
    """A file as a user's text shows it, with what may be the model's in it. What was the truth once is no answer's; a
    text that was only ever proposed is nobody's showing."""
    path = normalise_path(shown.path, root) if handed else None
    if path is not None:
        state = store.files([path]).get(path, FileState(path))
        texts = {shown.text, shown.text if shown.ended or shown.text.endswith("\n") else shown.text + "\n"}
        if any(store.was_current(path, artifact_hash(text)) for text in texts):
            known = [one for one in known if one.heard is not Heard.ANSWER]
        elif is_proposed(shown.text, state.file.text if state.file is not None else None, store.proposed(path)):
            return replace(shown, standing=Standing.HEARSAY)
    return doubted(shown, known)


def _said_before(talk: Talk, n: int) -> frozenset[int]:
    if n not in talk.said:
        talk.said[n] = said_in(talk.items[:n])
    return talk.said[n]


def _rest(talk: Talk, n: int, known: list[Hearsay], first: bool) -> str:
    key = n, frozenset(one.number for one in known)
    if key not in talk.rests:
        talk.rests[key] = without_repeated(talk.items[n].text, known, first)
    return talk.rests[key]


def is_handed_on(store: WorkspaceReader, talk: Talk, n: int, request: Request) -> bool:
    """Whether a user text is a model's answer, handed on to an editor: it is not the user's word.

    Known by the editor's prompt, or because the very text, with its prose, was a model's and stands here without any
    history. A user who pastes an answer's code back into the conversation means it.
    """
    item = talk.items[n]
    if item.role is not Role.USER or is_floating(item.text):
        return False
    if is_editor(request.turn):
        return True
    if n != talk.prompt or not talk.prose or not _is_silent(talk, range(len(talk.items))):
        return False
    return store.was_said(history.digest(replace(item, role=Role.ASSISTANT)))


def _is_silent(talk: Talk, among: Iterable[int]) -> bool:
    """Whether none of some items is a word of the model's."""
    floats = floating(talk.items)
    return all(talk.items[m].role is not Role.ASSISTANT or floats[m] for m in among)
