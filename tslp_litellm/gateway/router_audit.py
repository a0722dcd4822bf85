"""Asking a model for the shadow audit, through the proxy's own router and past all of its hooks (§10, SEMANTICS 5).

A call by the router skips the proxy's request hooks. Should it come back as a request all the same (a deployment that
points at this proxy), it bears a mark that nobody outside can know, and the header that asks for no attendance.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from tslp_litellm.engine import Question

MARK_KEY = "tslp_audit"
BYPASS_HEADER = "x-tslp-bypass"
REPLY_TOKENS_MAX = 2048
"""Room for a model that thinks aloud; the reply itself is one line."""
_CALLER_PREFIX = "user_api_key"
_MARK = secrets.token_hex(16)


def caller_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """What a request's metadata says of its caller, so that an audit's cost is booked where the answer's was."""
    found: dict[str, Any] = {}
    for name in ("metadata", "litellm_metadata"):
        metadata = data.get(name)
        if isinstance(metadata, Mapping):
            found |= {key: value for key, value in metadata.items() if str(key).startswith(_CALLER_PREFIX)}
    return found


def is_own_call(data: Mapping[str, Any]) -> bool:
    """Whether a request is one of our own audits."""
    places = (data.get("metadata"), data.get("litellm_metadata"))
    return any(isinstance(place, Mapping) and place.get(MARK_KEY) == _MARK for place in places)


async def ask(question: Question, audit_model: str | None, timeout_s: float) -> str:
    """The reply's text. Raises what the router raises, and RuntimeError where there is no router."""
    from litellm.proxy import proxy_server  # noqa: PLC0415 - rebound when the proxy has loaded its models

    router = proxy_server.llm_router
    if router is None:
        raise RuntimeError("the proxy has no models of its own to ask")
    response = await router.acompletion(
        model=audit_model or question.model,
        messages=[{"role": "user", "content": question.text}],
        metadata={**question.caller, MARK_KEY: _MARK},
        extra_headers={BYPASS_HEADER: "true"},
        max_tokens=REPLY_TOKENS_MAX,
        num_retries=0,
        timeout=timeout_s,
        stream=False,
    )
    choice = response.choices[0]
    if choice.finish_reason not in ("stop", None):
        raise RuntimeError(f"the reply was cut short ({choice.finish_reason})")
    return str(choice.message.content or "")
