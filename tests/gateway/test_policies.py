"""What a key and its team may do, by their metadata."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tslp_litellm.gateway.policies import Policy, policy_of
from tslp_litellm.resolution.trust import Trust


def of(key: Any = None, team: Any = None, default: Trust = Trust.PROOF) -> Policy:
    return policy_of(SimpleNamespace(metadata=key, team_metadata=team), default)


def test_nothing_said_is_the_setting() -> None:
    assert of() == of({}, {}) == Policy()
    assert of({"tslp_trustworthy": 1, "other": "tslp"}, None, Trust.CLIENT) == Policy(trust=Trust.CLIENT)


def test_the_key_wins_over_its_team_name_by_name() -> None:
    team = {"tslp_trust": "human", "tslp_access": "read", "tslp_workspace": "shop", "tslp_pinned": True, "tslp": "off"}
    assert of(None, team) == Policy(False, Trust.NOBODY, "shop")
    assert of({"tslp": "on", "tslp_access": "write"}, team) == Policy(True, Trust.HUMAN, "shop")
    assert of({"tslp_trust": " Proof", "tslp_access": "write", "tslp": True, "tslp_pinned": False}, team) == Policy()
    assert of({"tslp_workspace": "mine", "tslp_access": "write", "tslp": "ON "}, team).pin == "mine"


@pytest.mark.parametrize("trust", ["proof", "client", "human"])
def test_a_reader_s_word_counts_in_no_trust(trust: str) -> None:
    assert of({"tslp_trust": trust}).trust == trust
    assert of({"tslp_trust": trust, "tslp_access": "read"}).trust is Trust.NOBODY


@pytest.mark.parametrize("value", ["offf", 0, 1, [], {}, "", "nobody", 3.5])
def test_what_nobody_knows_is_the_strictest_and_is_said(value: Any) -> None:
    names = ("tslp", "tslp_trust", "tslp_access", "tslp_pinned")
    found = [of({name: value}) for name in names]
    assert not found[0].on
    assert found[1].trust is Trust.HUMAN
    assert found[2].trust is Trust.NOBODY
    assert found[3].pin == "default"
    assert all(name in one.unclear[0] for name, one in zip(names, found, strict=True))


def test_a_pin_needs_a_workspace() -> None:
    assert of({"tslp_pinned": True}).unclear == ("`tslp_pinned` without a `tslp_workspace` pins to `default`",)
    assert of({"tslp_pinned": True, "tslp_workspace": " shop\0 "}) == Policy(pin="shop")
    assert of({"tslp_workspace": "shop"}).pin is None
