"""A completion call as the engine sees it, between its two visits, and the audit's questions about its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tslp_litellm.hydration.window import Kept
from tslp_litellm.plan.values import LeftOut
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.trust import Trust
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.state.values import Conversation
from tslp_litellm.wire.extent import Extent
from tslp_litellm.wire.turn import Changes, Turn


@dataclass(frozen=True, slots=True)
class Request:
    """A completion call. `window`: tokens of the model's window, None if unknown. `caller`: what the gateway wants to
    be told of its caller with calls of our own; opaque here. `root`: the working directory that the client states.
    `answer`: the tokens that it reserves for its answer, if it says; `tools`: the tools that it offers, as sent.
    `trust`: whose word makes a text the truth in it; `who`: by whom it is, as names for the Ledger (SEMANTICS 13).
    `size`: bytes, no fewer than its tokens, None where it is not to be made to fit; `extent`: what its turn does not
    tell."""

    tenant: str
    workspace: str
    call_type: str
    model: str
    turn: Turn
    window: int | None = None
    caller: Mapping[str, Any] = field(default_factory=dict)
    root: str | None = None
    answer: int | None = None
    tools: object = None
    trust: Trust = Trust.PROOF
    who: Mapping[str, str] = field(default_factory=dict)
    size: int | None = None
    extent: Callable[[], Extent] = Extent

    @property
    def key(self) -> WorkspaceKey:
        """Tenant and workspace."""
        return WorkspaceKey(self.tenant, self.workspace)


@dataclass(frozen=True, slots=True)
class Prefaced:
    """What is put in front of a prompt: the text, and the entities whose blocks are in it."""

    preface: str = ""
    hydrated: tuple[str, ...] = ()


@dataclass(slots=True)
class Episode:
    """One call between its two visits. `digests`: what is new in its conversation and not remembered yet; `since`: how
    many items the conversation had before; `parent`: the ordinal of the model's last word in the request, -1 where it
    holds none, None where it is not known; `kept`: what the model's window keeps of the request as it was sent.
    `over_budget`: the request took too long to read, `answer_over_budget`: the answer did; nothing of it was judged
    (SEMANTICS 9). `injected`: the tokens of its blocks and notices; `front`: its blocks, each with its tokens and why
    it is there (`mentioned`, `moved`, `decided`, `used`). `changes`: what is left out of the request on the
    wire, before the preface goes into `prompt_message`, which is where that stands then; `fit`: what became of it, as
    `x-tslp-window` says it, empty where nothing was asked; `unfitted`: what would stand in front of the prompt, had
    nothing been left out: what is judged is judged by that. `left_out`: what was left out of its conversation before;
    `prompts`: the keys of the user's messages, by their index in the request as it was sent, where what is put in front
    of them stays (`placement: stay`), else none; `fronts`: what was put in front of them before; `stays`: what of it
    does, by the index that `changes` leave."""

    id: str
    started_at: str
    request: Request
    side: bool
    conversation: Conversation
    digests: tuple[bytes, ...] = ()
    since: int = 0
    parent: int | None = None
    context: Context = field(default_factory=Context)
    kept: Kept = field(default_factory=Kept)
    prompt_message: int | None = None
    over_budget: bool = False
    answer_over_budget: bool = False
    preface: str = ""
    hydrated: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    injected: int = 0
    front: tuple[tuple[str, int, str], ...] = ()
    changes: Changes = field(default_factory=Changes)
    fit: str = ""
    unfitted: Prefaced | None = None
    left_out: LeftOut = field(default_factory=LeftOut)
    prompts: Mapping[int, str] = field(default_factory=dict)
    fronts: Mapping[int, str] = field(default_factory=dict)
    stays: Mapping[int, str] = field(default_factory=dict)

    def as_sent(self) -> Prefaced:
        """What stands in front of the prompt where nothing is left out."""
        return self.unfitted or Prefaced(self.preface, self.hydrated)


@dataclass(frozen=True, slots=True)
class Question:
    """What the shadow audit asks of one candidate. `hangs`: its promotion hangs on the answer, else it is for the
    record. `model`: the one that answered; the one that audits may be another."""

    tenant: str
    workspace: str
    conversation: str
    episode: str
    entity: str
    artifact: str
    hangs: bool
    text: str
    model: str
    caller: Mapping[str, Any] = field(default_factory=dict)
