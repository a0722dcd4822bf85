"""Tokens are counted once a text."""

from __future__ import annotations

import pytest

from tslp_litellm.hydration.counting import TokenCounts
from tslp_litellm.parser.budget import OverBudgetError, budget


def test_a_text_is_counted_once_and_few_are_remembered() -> None:
    counted: list[str] = []
    counts = TokenCounts(lambda text: counted.append(text) or len(text), counts_max=2)
    assert counts.known("a b") is None
    assert [counts.of("a b"), counts.of("a b"), counts.known("a b")] == [3, 3, 3]
    assert (counts.of("c"), counts.of("a b"), counts.of("d")) == (1, 3, 1)
    assert (counts.known("c"), counts.known("a b")) == (None, 3), "the least asked for goes first"
    assert counted == ["a b", "c", "d"]


@pytest.mark.parametrize("text", ["word " * 10_000, "x" * 10_000, "a line\n" * 5_000, "é\n\n" * 4_001 + "x" * 9_000])
def test_long_texts_are_counted_in_parts_that_make_the_whole(text: str) -> None:
    parts: list[str] = []
    assert TokenCounts(lambda part: parts.append(part) or len(part)).of(text) == len(text)
    assert "".join(parts) == text
    assert max(map(len, parts)) <= 8_000
    assert max(len(run) for part in parts for run in part.split()) <= 400


def test_a_visits_budget_of_time_holds_here_too() -> None:
    with pytest.raises(OverBudgetError), budget(0):
        TokenCounts(len).of("a")
