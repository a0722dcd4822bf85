"""Tokens of texts: each counted once, in parts that no text makes dear."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tslp_litellm.hydration.counting import CHUNK_CHARS, RUN_CHARS, TokenCounts, chunks


@given(st.text(max_size=60), st.integers(1, 400))
def test_the_parts_are_the_text(text: str, times: int) -> None:
    parts = list(chunks(text * times))
    assert "".join(parts) == text * times
    assert all(0 < len(part) <= CHUNK_CHARS for part in parts)


def test_a_long_text_is_cut_behind_its_lines() -> None:
    lines = "".join(f"line {n} of some text\n" for n in range(3_000))
    assert all(part.endswith("\n") for part in chunks(lines))


def test_a_long_run_is_never_given_whole() -> None:
    """A byte-pair encoder takes the square of it."""
    assert max(map(len, chunks("x" * 100_000))) == RUN_CHARS


def test_a_text_is_counted_once_while_it_is_remembered() -> None:
    asked: list[str] = []

    def count(text: str) -> int:
        asked.append(text)
        return len(text)

    counts = TokenCounts(count, counts_max=2)
    assert [counts.of(text) for text in ("a", "a", "bb", "", "\ud800", "a")] == [1, 1, 2, 0, 1, 1]
    assert asked == ["a", "bb", "\ud800", "a"], "the ones used longest ago are forgotten"
