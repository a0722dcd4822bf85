"""The two faces: guardrail parameters, and what LiteLLM looks up in the leaf class."""

from __future__ import annotations

import asyncio
import importlib
from types import SimpleNamespace
from typing import Any

import pytest

from tslp_litellm.settings import SettingsError


@pytest.fixture(scope="module")
def hooks() -> Any:
    """Imported here, as LiteLLM with it takes seconds."""
    return importlib.import_module("tslp_litellm.litellm_hooks")


def test_guardrail_parameters_are_told_apart(hooks: Any) -> None:
    settings, rest = hooks._guardrail_settings(
        {
            "guardrail_name": "tslp",
            "event_hook": ["pre_call", "post_call"],
            "default_on": True,
            "debug": True,
            "database_url": "sqlite://",
            "mask_request_content": False,
        }
    )
    assert settings.debug
    assert set(rest) == {"guardrail_name", "event_hook", "default_on", "mask_request_content"}
    with pytest.raises(SettingsError, match="tombstone_episode`"):
        hooks._guardrail_settings({"guardrail_name": "tslp", "tombstone_episode": 3})


@pytest.mark.parametrize("mode", ["pre_call", ["pre_call"], ["post_call", "during_call"], []])
def test_a_guardrail_that_would_not_hear_both_ways_stops_the_start(hooks: Any, mode: object) -> None:
    with pytest.raises(SettingsError, match="`mode`.*call"):
        hooks._guardrail_settings({"guardrail_name": "tslp", "event_hook": mode})


@pytest.mark.parametrize("face", ["TSLPCallback", "TSLPGuardrail"])
@pytest.mark.parametrize(
    "hook",
    [
        "async_pre_call_hook",
        "async_post_call_success_hook",
        "async_post_call_streaming_iterator_hook",
        "async_post_call_failure_hook",
        "async_post_call_response_headers_hook",
    ],
)
def test_every_hook_stands_in_the_leaf_class(hooks: Any, face: str, hook: str) -> None:
    """LiteLLM looks two of them up there and nowhere else."""
    assert hook in vars(getattr(hooks, face))
    assert hasattr(hooks.CustomLogger, hook)
    assert "apply_guardrail" not in vars(getattr(hooks, face))


def test_what_is_a_face_s_own_goes_with_each_request(hooks: Any) -> None:
    settings, _ = hooks._guardrail_settings({"guardrail_name": "tslp", "workspace": "shop", "trust": "client"})
    heard: list[Any] = []

    async def pre_call(*given: Any) -> None:
        heard.extend(given[-2:])

    face = SimpleNamespace(
        _attendant=SimpleNamespace(pre_call=pre_call), _trust=settings.trust, _workspace=settings.workspace
    )
    asyncio.run(hooks._pre_call(face, None, None, {}, "acompletion"))
    assert heard == ["client", "shop"]
