"""Faults of ours: logged once, shown until they heal."""

from __future__ import annotations

import logging

import pytest

from tslp_litellm.gateway.faults import Faults


def test_a_fault_is_logged_once_until_it_heals(caplog: pytest.LogCaptureFixture) -> None:
    faults = Faults()
    with caplog.at_level(logging.WARNING, logger="tslp_litellm"):
        for _ in range(3):
            faults.note("pre-flight", ValueError("x"))
        faults.healed("pre-flight")
        faults.healed("pre-flight")
        faults.note("pre-flight", ValueError("x"))
    assert [r.levelname for r in caplog.records] == ["ERROR", "WARNING", "ERROR"]
    assert faults.total == 4


def test_what_alternates_between_causes_is_logged_with_the_first(caplog: pytest.LogCaptureFixture) -> None:
    faults = Faults()
    with caplog.at_level(logging.WARNING, logger="tslp_litellm"):
        for _ in range(3):
            faults.note("pre-flight", ConnectionError("the server is away"))
            faults.note("pre-flight", ValueError("an answer waits for it"))
    assert ["the server is away" in r.getMessage() for r in caplog.records] == [True]
    assert faults.open == {"pre-flight": "ValueError: an answer waits for it"}, "the doctor says what is now"
