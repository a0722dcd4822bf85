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
