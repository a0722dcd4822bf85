"""A request as the model will see it: what its window keeps (SEMANTICS 4, What the window keeps)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from tslp_litellm.clients.tools import texts_of
from tslp_litellm.dialects.values import Carrier, Shown
from tslp_litellm.engine.talk import ReadingCache, Talk
from tslp_litellm.engine.values import Request
from tslp_litellm.hydration.blocks import blocks_in
from tslp_litellm.hydration.counting import TokenCounts
from tslp_litellm.hydration.standing import Stated
from tslp_litellm.hydration.window import Kept
from tslp_litellm.state.names import Entity
from tslp_litellm.wire.extent import as_json
from tslp_litellm.wire.turn import Changes, ItemKind, Role, Turn


def kept(request: Request, counts: TokenCounts) -> Kept:
    """What the window keeps of a request as it was sent."""
    return Kept(request.turn.items, request.window, request.answer, lambda: words_of(request.tools), counts)


def without(turn: Turn, changes: Changes) -> Turn:
    """A turn as the model sees it; messages keep the index that they have on the wire."""
    items = (
        replace(item, text=changes.texts[n]) if n in changes.texts else item
        for n, item in enumerate(turn.items)
        if item.message not in changes.messages
    )
    return Turn(tuple(items), turn.tools)


def words_of(tools: object) -> str:
    """The tools that a request offers, in the same words as in its extent: counted once."""
    return as_json(tools) if tools else ""


def stated(
    talk: Talk, turn: Turn, readings: ReadingCache, kept: Kept, hydration: int, fronts: Mapping[int, str]
) -> list[Stated]:
    """A request's system messages and its own items, for `stands`. `kept`: what the window keeps of it; `hydration`:
    the tokens in front of the prompt; `fronts`: what of ours stands in front of messages before, by their index."""
    hydration += sum(map(kept.tokens, fronts.values()))
    found = [Stated(item.text, tuple) for item in turn.items if item.role is Role.SYSTEM]
    fronts = dict(fronts)
    for n, (item, call) in enumerate(zip(talk.items, talk.calls, strict=True)):
        keeps = partial(kept.keeps, item.message, hydration)
        if front := fronts.pop(item.message, ""):
            found.append(Stated(front, partial(_blocks_of, front), kept=keeps))
        within = partial(texts_of, item) if item.kind is ItemKind.CALL or item.text.startswith("{") else tuple
        found.append(Stated(item.text, partial(readings.visible, talk, n), call.text if call else "", keeps, within))
    return found


def _blocks_of(front: str) -> list[Shown]:
    return [Shown(Entity.parse(one.entity).path, one.text, Carrier.FENCE) for one in blocks_in(front)]
