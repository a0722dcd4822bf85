"""Every kind of caller that LiteLLM knows, and whose tenant each is. Also the custom auth of the gateway under test."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fastapi import HTTPException, Request

if TYPE_CHECKING:
    from litellm.proxy._types import UserAPIKeyAuth

PREFIX = "sk-caller-"


@dataclass(frozen=True, eq=False)
class Caller:
    """`tenant`: callers of the same one share their state, and nobody else does."""

    name: str
    tenant: str
    fields: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """What the caller sends as its key."""
        return f"{PREFIX}{self.name}-0123456789"

    def auth(self) -> UserAPIKeyAuth:
        """What LiteLLM's hooks are told of the caller."""
        from litellm.proxy._types import UserAPIKeyAuth

        given = dict(self.fields)
        if given.get("api_key") == "own":
            given["api_key"] = self.key
        return UserAPIKeyAuth(**given)

    @property
    def admin(self) -> bool:
        return self.fields.get("user_role") == "proxy_admin"


def _one(name: str, tenant: str | None = None, **fields: Any) -> Caller:
    return Caller(name, tenant or name, fields)


CALLERS = [
    _one("alice", api_key="own", user_id="alice"),
    _one("alice-again", api_key="own", user_id="alice"),  # another key of hers is another tenant
    _one("bob", api_key="own", user_id="bob", user_role="internal_user"),
    _one("raw", api_key="a-key-of-another-form", user_id="bob"),
    _one("team1-a", "team1", api_key="own", team_id="team1"),
    _one("team1-b", "team1", api_key="own", team_id="team1", user_id="alice"),
    _one("team1-keyless", "team1", team_id="team1"),
    _one("team2", "team2", api_key="own", team_id="team2", team_alias="team1", user_id="alice"),
    _one("jwt-alice", "user alice", user_id="alice"),
    _one("jwt-alice-2", "user alice", user_id="alice", user_role="internal_user"),
    _one("jwt-bob", "user bob", user_id="bob"),
    _one("org", api_key="own", org_id="team1", organization_alias="team1"),
    _one("viewer", api_key="own", user_role="proxy_admin_viewer"),
    _one("team-admin", api_key="own", user_role="team", user_id="team1"),
    _one("customer", api_key="own", end_user_id="team1", user_role="customer"),
    _one("wishful", api_key="own", metadata={"team_id": "team1", "tenant": "team:team1", "user_role": "proxy_admin"}),
    _one("team-named-local", team_id="local", api_key="own"),
    _one("team-named-key", team_id="key:team1", api_key="own"),
    _one("team-in-capitals", team_id="TEAM1", api_key="own"),
    _one("team-with-space", team_id="team1 ", api_key="own"),
    _one("team-of-long-name", team_id="team1" * 100, api_key="own"),
    _one("team-of-longer-name", team_id="team1" * 100 + "x", api_key="own"),
    _one("key-named-local", api_key="local"),
    _one("key-named-master", api_key="litellm_proxy_master_key"),
    _one("user-named-local", user_id="local"),
    _one("anonymous", "local"),
    _one("boss", api_key="own", user_role="proxy_admin"),
]
BY_KEY = {caller.key: caller for caller in CALLERS}
BY_NAME = {caller.name: caller for caller in CALLERS}
TENANTS = list(dict.fromkeys(caller.tenant for caller in CALLERS))
FIRST = {tenant: next(c for c in CALLERS if c.tenant == tenant) for tenant in TENANTS}


async def authenticate(request: Request, api_key: str) -> UserAPIKeyAuth:
    """LiteLLM's `general_settings: custom_auth`."""
    caller = BY_KEY.get(api_key.removeprefix("Bearer "))
    if caller is None:
        raise HTTPException(401, "Who are you?")
    return caller.auth()


def others(caller: Caller) -> list[Caller]:
    """The first caller of every other tenant."""
    return [first for tenant, first in FIRST.items() if tenant != caller.tenant]
