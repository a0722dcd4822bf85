"""A completion call as the engine sees it, between its two visits."""

from __future__ import annotations

from dataclasses import dataclass, field

from tslp_litellm.resolution.common import Context
from tslp_litellm.store.reading import Conversation
from tslp_litellm.wire.turn import Turn


@dataclass(frozen=True, slots=True)
class Request:
    """A completion call. `window`: tokens of the model's context, None if unknown."""

    tenant: str
    workspace: str
    call_type: str
    model: str
    turn: Turn
    window: int | None = None


@dataclass(slots=True)
class Episode:
    """One call between its two visits. `digests`: what is new in its conversation and not remembered yet."""

    id: str
    started_at: str
    request: Request
    side: bool
    conversation: Conversation
    digests: tuple[bytes, ...] = ()
    context: Context = field(default_factory=Context)
    prompt_message: int | None = None
    preface: str = ""
    hydrated: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
