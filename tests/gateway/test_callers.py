"""Whose request it is: tenants and workspaces."""

from __future__ import annotations

import hashlib
from types import SimpleNamespace
from typing import Any

import pytest
from litellm.constants import LITELLM_PROXY_MASTER_KEY_ALIAS

from tslp_litellm.gateway import callers
from tslp_litellm.wire.turn import Item, ItemKind, Role, Turn


def key(**fields: Any) -> SimpleNamespace:
    return SimpleNamespace(
        **{"team_id": None, "api_key": None, "user_role": None, "metadata": {}, "via_virtual_key": False, **fields}
    )


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_tenants() -> None:
    assert callers.tenant_of(key()) == "local"
    assert callers.tenant_of(key(team_id="t1", api_key="x")) == "team:t1"
    assert callers.tenant_of(key(api_key="a" * 64, via_virtual_key=True)) == "key:" + "a" * 64
    assert callers.tenant_of(key(api_key=LITELLM_PROXY_MASTER_KEY_ALIAS, user_role="proxy_admin")) == "local"


def test_raw_keys_are_hashed_and_can_not_pass_for_another() -> None:
    assert callers.tenant_of(key(api_key="my-raw-key")) == "key:" + sha("my-raw-key")
    assert callers.tenant_of(key(api_key="a" * 64)) == "key:" + sha("a" * 64)
    assert callers.tenant_of(key(api_key=LITELLM_PROXY_MASTER_KEY_ALIAS)) == "key:" + sha(
        LITELLM_PROXY_MASTER_KEY_ALIAS
    )


def turn(system: str = "") -> Turn:
    return Turn((Item(Role.SYSTEM, ItemKind.TEXT, system),))


def test_the_workspace_is_chosen_in_order() -> None:
    stated = turn("<env>\n  Working directory: /home/dev/x\n</env>")
    data: dict[str, Any] = {"metadata": {"tslp_workspace": "body"}}
    caller = key(metadata={"tslp_workspace": "key"})
    assert callers.workspace_of(dict(data), {"x-tslp-workspace": "header"}, caller, stated) == "header"
    assert callers.workspace_of({"metadata": {"tslp_workspace": "body"}}, {}, caller, stated) == "body"
    assert callers.workspace_of({}, {}, caller, stated) == "key"
    assert callers.workspace_of({}, {}, key(), stated) == "/home/dev/x"
    assert callers.workspace_of({}, {}, key(), turn()) == "default"


@pytest.mark.parametrize("value", ["", "   ", 7, None, ["x"]])
def test_what_is_no_name_is_no_workspace(value: Any) -> None:
    assert (
        callers.workspace_of({"metadata": {"tslp_workspace": value}}, {"x-tslp-workspace": ""}, key(), turn())
        == "default"
    )


def test_long_names_are_cut() -> None:
    assert len(callers.workspace_of({}, {"x-tslp-workspace": "w" * 10_000}, key(), turn())) == callers.NAME_MAX_CHARS


def test_header_names_know_no_case() -> None:
    data = {"proxy_server_request": {"headers": {"X-TSLP-Workspace": "w"}}}
    assert callers.headers_of(data) == {"x-tslp-workspace": "w"}
    assert callers.headers_of({}) == {}
