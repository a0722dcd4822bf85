"""A visit's budget of time."""

from __future__ import annotations

import threading

import pytest

from tslp_litellm.parser.budget import OverBudgetError, budget, remaining, spend


def test_without_a_budget_there_is_no_end() -> None:
    assert remaining() is None
    spend()


def test_what_is_left_is_known_and_never_negative() -> None:
    with budget(100):
        assert 0 < (remaining() or 0) <= 100
        spend()
    with budget(-1):
        assert remaining() == 0
        with pytest.raises(OverBudgetError):
            spend()
    assert remaining() is None


def test_a_budget_inside_a_budget_is_never_longer() -> None:
    with budget(-1), budget(100), pytest.raises(OverBudgetError):
        spend()
    with budget(100):
        with budget(-1):
            assert remaining() == 0
        assert remaining() != 0


def test_a_budget_is_its_threads_own() -> None:
    seen: list[float | None] = []
    with budget(-1):
        thread = threading.Thread(target=lambda: seen.append(remaining()))
        thread.start()
        thread.join()
    assert seen == [None]
