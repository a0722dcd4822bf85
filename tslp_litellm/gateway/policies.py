"""What a key, or its team, may do here, by LiteLLM's metadata of it (SEMANTICS 13).

Metadata is written by whoever makes keys, at any time, so a value that nobody knows stops no start: it counts as the
strictest, and the doctor says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tslp_litellm.resolution.trust import Trust

TRUST, ACCESS = "tslp_trust", "tslp_access"
NAMES = (TRUST, ACCESS)
_SETTABLE = (Trust.PROOF, Trust.CLIENT, Trust.HUMAN)


class PolicyError(Exception):
    """A key's or a team's metadata holds a value that means nothing."""


@dataclass(frozen=True, slots=True)
class Policy:
    """`trust`: whose word makes a text the truth in a key's requests; NOBODY where it may only read. `unclear`: what is
    wrong with the metadata, one sentence each."""

    trust: Trust = Trust.PROOF
    unclear: tuple[str, ...] = ()


def metadata_of(key: Any) -> dict[str, Any]:
    """What is said of a key under our names: its own metadata wins over its team's, name by name."""
    found: dict[str, Any] = {}
    for said in (getattr(key, "team_metadata", None), getattr(key, "metadata", None)):
        if isinstance(said, Mapping):
            found |= {name: said[name] for name in NAMES if said.get(name) is not None}
    return found


def policy_of(key: Any, default: Trust) -> Policy:
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

    trust = read(TRUST, {str(one): one for one in _SETTABLE}, default, Trust.HUMAN)
    writes = read(ACCESS, {"write": True, "read": False}, True, False)
    return Policy(trust if writes else Trust.NOBODY, tuple(unclear))
