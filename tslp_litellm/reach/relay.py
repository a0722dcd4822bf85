"""The built-in model `tslp-relay`: it answers with exactly what would stand in front of the last user message, and
reaches no upstream (SEMANTICS 13). Its calls go the way of all others: key check, pre-flight, recording.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import Any

import litellm
from litellm.llms.custom_llm import CustomLLM
from litellm.types.router import Deployment
from litellm.types.utils import Choices, GenericStreamingChunk, Message, ModelResponse, Usage
from litellm.utils import custom_llm_setup

from tslp_litellm.reach.calls import RELAY

PrefaceOf = Callable[[Mapping[str, Any]], str]
"""What stands in front of a request's last user message, by the request's metadata; empty where nothing does."""


def offer(preface_of: PrefaceOf) -> None:
    """See to it that the proxy's router knows the relay; cheap where it does. A model that the operator calls so
    himself stays his.

    LiteLLM sets its table of providers anew while it reads its config, and its router with it, after it has loaded us.
    """
    from litellm.proxy import proxy_server  # noqa: PLC0415 - rebound when the proxy has loaded its models

    if not any(item["provider"] == RELAY for item in litellm.custom_provider_map):
        litellm.custom_provider_map.append({"provider": RELAY, "custom_handler": RelayModel(preface_of)})
        custom_llm_setup()
    router = proxy_server.llm_router
    if router is not None and RELAY not in router.model_names:
        free = {"input_cost_per_token": 0, "output_cost_per_token": 0}
        params = {"model": f"{RELAY}/state", "drop_params": True, **free}
        router.add_deployment(Deployment(model_name=RELAY, litellm_params=params, model_info={"id": RELAY}))


class RelayModel(CustomLLM):  # type: ignore[misc]
    """LiteLLM's face of it. The answer costs nothing and counts no tokens."""

    def __init__(self, preface_of: PrefaceOf) -> None:
        super().__init__()
        self._preface_of = preface_of

    def completion(self, *args: Any, **kwargs: Any) -> ModelResponse:
        """A whole answer."""
        message = Message(role="assistant", content=self._answer(kwargs))
        choices = [Choices(index=0, message=message, finish_reason="stop")]
        return ModelResponse(model=RELAY, choices=choices, usage=Usage())

    async def acompletion(self, *args: Any, **kwargs: Any) -> ModelResponse:
        """A whole answer."""
        return self.completion(*args, **kwargs)

    def streaming(self, *args: Any, **kwargs: Any) -> Iterator[GenericStreamingChunk]:
        """The answer in one piece, and its end. It is looked up now: a request's episode ends as its stream begins."""
        return iter(_chunks(self._answer(kwargs)))

    def astreaming(self, *args: Any, **kwargs: Any) -> AsyncIterator[GenericStreamingChunk]:
        """The same."""
        return _later(_chunks(self._answer(kwargs)))

    def _answer(self, kwargs: Mapping[str, Any]) -> str:
        return self._preface_of(kwargs.get("litellm_params") or {})


async def _later(chunks: Sequence[GenericStreamingChunk]) -> AsyncIterator[GenericStreamingChunk]:
    for chunk in chunks:
        yield chunk


def _chunks(text: str) -> list[GenericStreamingChunk]:
    return [*([_chunk(text, "")] if text else ()), _chunk("", "stop")]


def _chunk(text: str, finish: str) -> GenericStreamingChunk:
    usage = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0} if finish else None
    return GenericStreamingChunk(
        text=text, tool_use=None, is_finished=bool(finish), finish_reason=finish, usage=usage, index=0
    )
