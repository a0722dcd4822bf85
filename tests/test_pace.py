"""A bound of CPU time: passed by what is linear however busy the machine is, never by what is not."""

import pytest

from tests import pace


def test_a_cost_below_its_bound_is_not_measured_again() -> None:
    def never() -> None:
        raise AssertionError

    assert pace.exceeds(never, 1.0, first=0.5) is None


def test_one_slow_run_is_forgiven() -> None:
    assert pace.exceeds(lambda: None, 1.0, first=50.0) is None


def test_what_is_always_too_dear_exceeds() -> None:
    runs: list[int] = []

    def work() -> None:
        runs.append(sum(range(100_000)))

    assert (pace.exceeds(work, 1e-9) or 0) > 1e-9
    assert len(runs) == pace.RUNS


def test_a_slow_machine_is_given_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "YARDSTICK_S", pace.YARDSTICK_S / 1e6)
    assert pace.pace() > 1
    assert pace.exceeds(lambda: sum(range(1000)), 1e-5, first=1.0) is None
