"""Keys of all kinds for a gateway under test: LiteLLM's `custom_auth`."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from litellm.proxy._types import UserAPIKeyAuth

TEAM = "reach"
KEYS: dict[str, dict[str, Any]] = {
    "sk-reach-plain": {"key_alias": "ann-laptop", "user_id": "ann"},
    "sk-reach-client": {"metadata": {"tslp_trust": "client"}},
    "sk-reach-human": {"metadata": {"tslp_trust": "human"}},
    "sk-reach-reader": {"metadata": {"tslp_access": "read"}},
    "sk-reach-off": {"metadata": {"tslp": "off"}},
    "sk-reach-pinned": {"metadata": {"tslp_workspace": "own", "tslp_pinned": True}},
    "sk-reach-by-team": {"team_metadata": {"tslp_access": "read", "tslp_workspace": "own", "tslp_pinned": True}},
    "sk-reach-over-team": {"metadata": {"tslp_access": "write"}, "team_metadata": {"tslp_access": "read"}},
}


async def authenticate(request: Request, api_key: str) -> UserAPIKeyAuth:
    """LiteLLM's `general_settings: custom_auth`."""
    key = api_key.removeprefix("Bearer ")
    return UserAPIKeyAuth(api_key=key, team_id=TEAM, **KEYS.get(key, {}))
