"""Who is calling, for which workspace, and how long an answer may be: read off what LiteLLM hands to its hooks."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from tslp_litellm.gateway.policies import DEFAULT_WORKSPACE, WORKSPACE, metadata_of, workspace_name
from tslp_litellm.state.spelling import fold, has_drive

WORKSPACE_HEADER = "x-tslp-workspace"
LOCAL_TENANT = "local"
TENANT_MAX_CHARS = 200
KEY_NAME_CHARS = 16
"""How much of a key's hash is told where it has no alias: enough to find it among LiteLLM's keys."""


def tenant_of(key: Any) -> str:
    """The LiteLLM team of the calling key, else the key (its hash), else the user that custom auth or a JWT names, else
    `local` (SEMANTICS 1)."""
    team, user = getattr(key, "team_id", None), getattr(key, "user_id", None)
    if team:
        return f"team:{_short(str(team))}"
    if not getattr(key, "api_key", None):
        return f"user:{_short(str(user))}" if user else LOCAL_TENANT
    hashed = _key_hash(key)
    return f"key:{hashed}" if hashed is not None else LOCAL_TENANT


def _key_hash(key: Any) -> str | None:
    """A key's hash; None where there is no key, or it is the gateway's own."""
    from litellm.constants import LITELLM_PROXY_MASTER_KEY_ALIAS  # noqa: PLC0415

    api_key = getattr(key, "api_key", None)
    if not api_key or (api_key == LITELLM_PROXY_MASTER_KEY_ALIAS and is_admin(key)):
        return None
    return str(api_key) if getattr(key, "via_virtual_key", False) else hashlib.sha256(api_key.encode()).hexdigest()


def _short(identity: str) -> str:
    """An identity that fits the tenant's column; what is long or no plain text goes by its hash."""
    if len(identity) <= TENANT_MAX_CHARS and identity.isprintable():
        return identity
    return "sha256:" + hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()


def asker_of(key: Any, address: str) -> str:
    """Whose questions to the diagnostics are counted together: a key's (the gateway's own is one), else those of the
    user or team that a token names, else all that come from an address."""
    if getattr(key, "api_key", None):
        return f"key:{_key_hash(key) or LOCAL_TENANT}"
    user, team = getattr(key, "user_id", None), getattr(key, "team_id", None)
    return f"user:{user}" if user else f"team:{team}" if team else f"address:{address}"


def is_admin(key: Any) -> bool:
    """Whether the caller is the proxy's admin."""
    role = getattr(key, "user_role", None)
    return getattr(role, "value", role) == "proxy_admin"


WHO_MAX_CHARS = 200
_KEYS = re.compile(r"sk-[\w-]{4,}")


def who(key: Any, headers: Mapping[str, str]) -> dict[str, str]:
    """Who makes a request, for the Ledger (SEMANTICS 13): `key` (its alias, else its hash), `user`, `team`, and the
    `client`, as its User-Agent calls it. Names only: whatever holds a key, ours or another's, is left out."""
    api_key, hashed = getattr(key, "api_key", None), _key_hash(key)
    raw = api_key if not _is_hash(key) else None
    said = {
        "key": getattr(key, "key_alias", None) or (api_key if hashed and not raw else hashed),
        "user": getattr(key, "user_id", None),
        "team": getattr(key, "team_alias", None) or getattr(key, "team_id", None),
        "client": headers.get("user-agent"),
    }
    names = {name: _plain_line(str(value)) for name, value in said.items() if value}
    return {n: v for n, v in names.items() if v and not _KEYS.search(v) and not (raw and raw in v)}


def _is_hash(key: Any) -> bool:
    """Whether LiteLLM has put a key's hash in its place: the one that its own pages show."""
    api_key = getattr(key, "api_key", None)
    is_token = api_key == getattr(key, "token", None) and bool(re.fullmatch("[0-9a-f]{64}", str(api_key)))
    return bool(getattr(key, "via_virtual_key", False)) or is_token


def _plain_line(text: str) -> str:
    printable = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(printable.split())[:WHO_MAX_CHARS]


def key_name(key: Any) -> str:
    """What a key is called where people read it: its alias, else the beginning of its hash, else its tenant's name;
    never the key."""
    alias, hashed = getattr(key, "key_alias", None), _key_hash(key)
    return str(alias) if alias else hashed[:KEY_NAME_CHARS] if hashed else tenant_of(key)


def headers_of(data: Mapping[str, Any]) -> dict[str, str]:
    """The request's headers, names in lower case."""
    headers = (data.get("proxy_server_request") or {}).get("headers") or {}
    return {str(name).lower(): str(value) for name, value in headers.items()}


def take_workspace(data: dict[str, Any]) -> object:
    """What the body's metadata names as the workspace; taken out of it, for some providers refuse unknown keys."""
    metadata = data.get("metadata")
    named = metadata.pop(WORKSPACE, None) if isinstance(metadata, dict) else None
    requester = metadata.get("requester_metadata") if isinstance(metadata, dict) else None
    if named is None and isinstance(requester, dict):
        named = requester.pop(WORKSPACE, None)
    return named


def workspace_of(
    headers: Mapping[str, str], in_body: object, key: Any, root: str | None, by_settings: str | None = None
) -> str:
    """The workspace: header, body metadata, key metadata (else its team's), the stated working directory, the one by
    settings, `default` (SEMANTICS 1). Of a key that is pinned to one, the policy says it instead.

    A working directory that begins at a drive is one folder however it is written, and so one workspace.
    """
    candidates = (
        headers.get(WORKSPACE_HEADER),
        in_body,
        metadata_of(key).get(WORKSPACE),
        _folder(root) if isinstance(root, str) else None,
        by_settings,
    )
    return next((name for name in map(workspace_name, candidates) if name), DEFAULT_WORKSPACE)


def _folder(root: str) -> str:
    slashed = root.replace("\\", "/")
    return fold(slashed).rstrip("/") if has_drive(slashed) else root


def reserve_of(data: Mapping[str, Any]) -> int | None:
    """The tokens that a request reserves for its answer, if it says."""
    named = (data.get(name) for name in ("max_completion_tokens", "max_tokens", "max_output_tokens"))
    return next((value for value in named if isinstance(value, int) and value > 1), None)
