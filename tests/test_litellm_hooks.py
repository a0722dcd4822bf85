"""Whose request it is: tenants, workspaces, guardrail parameters."""

from __future__ import annotations

import hashlib
from types import SimpleNamespace
from typing import Any

import pytest
from litellm.constants import LITELLM_PROXY_MASTER_KEY_ALIAS
from litellm.integrations.custom_logger import CustomLogger

from tslp_litellm import litellm_hooks as hooks
from tslp_litellm.settings import SettingsError
from tslp_litellm.wire.turn import Item, ItemKind, Role, Turn


def key(**fields: Any) -> SimpleNamespace:
    return SimpleNamespace(
        **{"team_id": None, "api_key": None, "user_role": None, "metadata": {}, "via_virtual_key": False, **fields}
    )


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_tenants() -> None:
    assert hooks.tenant_of(key()) == "local"
    assert hooks.tenant_of(key(team_id="t1", api_key="x")) == "team:t1"
    assert hooks.tenant_of(key(api_key="a" * 64, via_virtual_key=True)) == "key:" + "a" * 64
    assert hooks.tenant_of(key(api_key=LITELLM_PROXY_MASTER_KEY_ALIAS, user_role="proxy_admin")) == "local"


def test_raw_keys_are_hashed_and_can_not_pass_for_another() -> None:
    assert hooks.tenant_of(key(api_key="my-raw-key")) == "key:" + sha("my-raw-key")
    assert hooks.tenant_of(key(api_key="a" * 64)) == "key:" + sha("a" * 64)
    assert hooks.tenant_of(key(api_key=LITELLM_PROXY_MASTER_KEY_ALIAS)) == "key:" + sha(LITELLM_PROXY_MASTER_KEY_ALIAS)


def turn(system: str = "") -> Turn:
    return Turn((Item(Role.SYSTEM, ItemKind.TEXT, system),))


def test_the_workspace_is_chosen_in_order() -> None:
    stated = turn("<env>\n  Working directory: /home/dev/x\n</env>")
    data: dict[str, Any] = {"metadata": {"tslp_workspace": "body"}}
    caller = key(metadata={"tslp_workspace": "key"})
    assert hooks.workspace_of(dict(data), {"x-tslp-workspace": "header"}, caller, stated) == "header"
    assert hooks.workspace_of({"metadata": {"tslp_workspace": "body"}}, {}, caller, stated) == "body"
    assert hooks.workspace_of({}, {}, caller, stated) == "key"
    assert hooks.workspace_of({}, {}, key(), stated) == "/home/dev/x"
    assert hooks.workspace_of({}, {}, key(), turn()) == "default"


@pytest.mark.parametrize("value", ["", "   ", 7, None, ["x"]])
def test_what_is_no_name_is_no_workspace(value: Any) -> None:
    assert (
        hooks.workspace_of({"metadata": {"tslp_workspace": value}}, {"x-tslp-workspace": ""}, key(), turn())
        == "default"
    )


def test_long_names_are_cut() -> None:
    assert len(hooks.workspace_of({}, {"x-tslp-workspace": "w" * 10_000}, key(), turn())) == hooks.NAME_MAX_CHARS


def test_header_names_know_no_case() -> None:
    data = {"proxy_server_request": {"headers": {"X-TSLP-Workspace": "w"}}}
    assert hooks.headers_of(data) == {"x-tslp-workspace": "w"}
    assert hooks.headers_of({}) == {}


def test_guardrail_parameters_are_told_apart() -> None:
    settings, rest = hooks._guardrail_settings(
        {
            "guardrail_name": "tslp",
            "event_hook": ["pre_call"],
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


@pytest.mark.parametrize("face", [hooks.TSLPCallback, hooks.TSLPGuardrail])
@pytest.mark.parametrize(
    "hook",
    [
        "async_pre_call_hook",
        "async_post_call_success_hook",
        "async_post_call_streaming_iterator_hook",
        "async_post_call_failure_hook",
    ],
)
def test_every_hook_stands_in_the_leaf_class(face: type, hook: str) -> None:
    """LiteLLM looks two of them up there and nowhere else."""
    assert hook in vars(face)
    assert hasattr(CustomLogger, hook)
    assert "apply_guardrail" not in vars(face)
