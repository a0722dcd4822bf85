"""A request as the model will see it: what its window keeps (SEMANTICS 4, What the window keeps)."""

from __future__ import annotations

import json

from tslp_litellm.engine.talk import ReadingCache, Talk
from tslp_litellm.engine.values import Episode, Request
from tslp_litellm.hydration.counting import TokenCounts
from tslp_litellm.hydration.standing import Stated
from tslp_litellm.hydration.window import Kept
from tslp_litellm.wire.turn import Role


def kept(request: Request, counts: TokenCounts) -> Kept:
    """What the window keeps of a request."""
    return Kept(request.turn.items, request.window, request.answer, lambda: _words(request.tools), counts)


def _words(tools: object) -> str:
    try:
        return json.dumps(tools, default=str) if tools else ""
    except (ValueError, RecursionError):
        return ""


def stated(talk: Talk, readings: ReadingCache, episode: Episode, hydration: int) -> list[Stated]:
    """The request's system messages and its own items, for `stands`. `hydration`: the tokens in front of the prompt."""
    system = [Stated(item.text, tuple) for item in episode.request.turn.items if item.role is Role.SYSTEM]
    own = [
        Stated(
            item.text,
            lambda n=n: readings.shown(talk, n),  # type: ignore[misc]
            call.text if call else "",
            lambda message=item.message: episode.kept.keeps(message, hydration),  # type: ignore[misc]
            talk.prompt is not None and n > talk.prompt and item.role is Role.ASSISTANT,
        )
        for n, (item, call) in enumerate(zip(talk.items, talk.calls, strict=True))
    ]
    return [*system, *own]
