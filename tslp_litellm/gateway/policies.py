"""What a key, or its team, may do here, by LiteLLM's metadata of it (SEMANTICS 1 and 13).

Metadata is written by whoever makes keys, at any time, so a value that nobody knows stops no start: it counts as the
strictest, and the doctor says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tslp_litellm.resolution.trust import Trust

SWITCH, TRUST, ACCESS, PINNED, WORKSPACE = "tslp", "tslp_trust", "tslp_access", "tslp_pinned", "tslp_workspace"
NAMES = (SWITCH, TRUST, ACCESS, PINNED, WORKSPACE)
DEFAULT_WORKSPACE = "default"
WORKSPACE_MAX_CHARS = 512
_SETTABLE = tuple(trust for trust in Trust if trust is not Trust.NOBODY)


class PolicyError(Exception):
    """A key's or a team's metadata holds a value that means nothing."""


@dataclass(frozen=True, slots=True)
class Policy:
    """`on`: whether a key's requests are attended to at all. `trust`: whose word makes a text the truth in them; NOBODY
    where it may only read. `pin`: the one workspace that it has; None: any of its tenant's. `unclear`: what is wrong
    with the metadata, one sentence each."""

    on: bool = True
    trust: Trust = Trust.PROOF
    pin: str | None = None
    unclear: tuple[str, ...] = ()


def metadata_of(key: Any) -> dict[str, Any]:
    """What is said of a key under our names: its own metadata wins over its team's, name by name."""
    found: dict[str, Any] = {}
    for said in (getattr(key, "team_metadata", None), getattr(key, "metadata", None)):
        if isinstance(said, Mapping):
            found |= {name: said[name] for name in NAMES if said.get(name) is not None}
    return found


def workspace_name(name: object) -> str:
    """A workspace's name without what no database takes: NULs, lone surrogates, and more than fits. Empty for none."""
    if not isinstance(name, str):
        return ""
    return name.replace("\0", "").encode("utf-8", "replace").decode().strip()[:WORKSPACE_MAX_CHARS]


def policy_of(key: Any, default: Trust = Trust.PROOF) -> Policy:
    """A key's policy. `default`: the trust by settings."""
    said = metadata_of(key)
    unclear: list[str] = []

    def read(name: str, known: Mapping[object, Any], unset: Any, strictest: Any) -> Any:
        value = said.get(name)
        if value is None:
            return unset
        word = value.strip().lower() if isinstance(value, str) else value
        if isinstance(word, (bool, str)) and word in known:
            return known[word]
        unclear.append(f"`{name}` is none of {', '.join(str(v) for v in known if isinstance(v, str))}")
        return strictest

    on = read(SWITCH, {"on": True, "off": False, True: True, False: False}, True, False)
    trust = read(TRUST, {str(one): one for one in _SETTABLE}, default, Trust.HUMAN)
    writes = read(ACCESS, {"write": True, "read": False}, True, False)
    pinned = read(PINNED, {"true": True, "false": False, True: True, False: False}, False, True)
    name = workspace_name(said.get(WORKSPACE))
    if pinned and not name:
        unclear.append(f"`{PINNED}` without a `{WORKSPACE}` pins to `{DEFAULT_WORKSPACE}`")
    pin = (name or DEFAULT_WORKSPACE) if pinned else None
    return Policy(on, trust if writes else Trust.NOBODY, pin, tuple(unclear))
