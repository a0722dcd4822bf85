"""Whose request it is: tenants and workspaces."""

from __future__ import annotations

import hashlib
from types import SimpleNamespace
from typing import Any

import pytest

from tslp_litellm.gateway import callers
from tslp_litellm.gateway.policies import WORKSPACE_MAX_CHARS

MASTER = "litellm_proxy_master_key"
"""LiteLLM's `constants.LITELLM_PROXY_MASTER_KEY_ALIAS`, which is not imported here: it takes seconds."""


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
    assert callers.tenant_of(key(api_key=MASTER, user_role="proxy_admin")) == "local"


def test_whose_questions_are_counted_together() -> None:
    own, master = key(api_key="sk-raw", team_id="t1"), key(api_key=MASTER, user_role="proxy_admin")
    another = key(api_key="sk-other", team_id="t1")
    asked = [
        callers.asker_of(one, "::1")
        for one in (own, another, master, key(user_id="u", team_id="t1"), key(team_id="t1"), key())
    ]
    assert len(set(asked)) == len(asked)
    assert "sk-raw" not in asked[0]
    assert callers.asker_of(own, "::2") == asked[0]
    assert callers.asker_of(key(), "::2") != asked[-1]


def test_the_master_key_is_named_as_litellm_names_it() -> None:
    from litellm.constants import LITELLM_PROXY_MASTER_KEY_ALIAS

    assert MASTER == LITELLM_PROXY_MASTER_KEY_ALIAS


def test_who_asks_is_told_by_names_and_never_by_a_key() -> None:
    own = key(api_key="a" * 64, via_virtual_key=True, user_id="ann", team_id="t1", team_alias="Shop")
    said = callers.who(own, {"user-agent": "claude-cli/2.0\n (external)"})
    assert said == {"key": "a" * 64, "user": "ann", "team": "Shop", "client": "claude-cli/2.0 (external)"}
    held = key(api_key="b" * 64, token="b" * 64)  # LiteLLM's hash, where its custom auth was handed an `sk-` key
    assert callers.who(held, {"user-agent": "x"}) == {"key": "b" * 64, "client": "x"}
    own.key_alias = "ann-laptop"
    assert callers.who(own, {})["key"] == "ann-laptop"
    raw = key(api_key="my-raw-key", user_id="my-raw-key", team_id="sk-another-one")
    assert callers.who(raw, {"user-agent": "curl my-raw-key"}) == {"key": sha("my-raw-key")}
    assert callers.who(key(api_key=MASTER, user_role="proxy_admin"), {}) == {}
    assert len(callers.who(key(user_id="u" * 5000), {})["user"]) == callers.WHO_MAX_CHARS


def test_raw_keys_are_hashed_and_can_not_pass_for_another() -> None:
    assert callers.tenant_of(key(api_key="my-raw-key")) == "key:" + sha("my-raw-key")
    assert callers.tenant_of(key(api_key="a" * 64)) == "key:" + sha("a" * 64)
    assert callers.tenant_of(key(api_key=MASTER)) == "key:" + sha(MASTER)


def test_the_workspace_is_chosen_in_order() -> None:
    caller, header, stated = key(metadata={"tslp_workspace": "key"}), {"x-tslp-workspace": "header"}, "/home/dev/x"
    assert callers.workspace_of(header, "body", caller, stated) == "header"
    assert callers.workspace_of({}, "body", caller, stated) == "body"
    assert callers.workspace_of({}, None, caller, stated) == "key"
    assert callers.workspace_of({}, None, key(), stated, "set") == "/home/dev/x"
    assert callers.workspace_of({}, None, key(), None, "set") == "set"
    assert callers.workspace_of({}, None, key(), None) == "default"


@pytest.mark.parametrize("stated", ["C:\\Dev\\X", "c:/dev/x", "c:\\dev\\X\\"])
def test_a_working_directory_on_a_drive_is_one_workspace_in_any_case(stated: str) -> None:
    assert callers.workspace_of({}, None, key(), stated) == "c:/dev/x"


@pytest.mark.parametrize("value", ["", "   ", 7, None, ["x"]])
def test_what_is_no_name_is_no_workspace(value: Any) -> None:
    assert callers.workspace_of({"x-tslp-workspace": ""}, value, key(), value) == "default"


@pytest.mark.parametrize(
    ("metadata", "left"),
    [
        ({"tslp_workspace": "w", "x": 1}, {"x": 1}),
        ({"requester_metadata": {"tslp_workspace": "w"}}, {"requester_metadata": {}}),
    ],
)
def test_what_the_body_names_goes_no_further(metadata: dict[str, Any], left: dict[str, Any]) -> None:
    data = {"metadata": metadata}
    assert callers.take_workspace(data) == "w"
    assert data == {"metadata": left}
    assert callers.take_workspace(data) is None
    assert callers.take_workspace({"metadata": "no mapping"}) is None


def test_long_names_are_cut() -> None:
    assert len(callers.workspace_of({"x-tslp-workspace": "w" * 10_000}, None, key(), None)) == WORKSPACE_MAX_CHARS


def test_header_names_know_no_case() -> None:
    data = {"proxy_server_request": {"headers": {"X-TSLP-Workspace": "w"}}}
    assert callers.headers_of(data) == {"x-tslp-workspace": "w"}
    assert callers.headers_of({}) == {}


def test_what_a_request_reserves_for_its_answer() -> None:
    assert callers.reserve_of({"max_tokens": 900}) == 900
    assert callers.reserve_of({"max_output_tokens": 700}) == 700
    assert callers.reserve_of({"max_tokens": 900, "max_completion_tokens": 800}) == 800
    assert callers.reserve_of({"max_tokens": "many"}) is None
