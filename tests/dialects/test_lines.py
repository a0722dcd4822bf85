"""Texts in pieces: the same as in one go."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tslp_litellm.dialects import lines
from tslp_litellm.dialects.lines import (
    LineSearch,
    Words,
    first_on_lines,
    join_lines,
    lines_with,
    on_lines,
    split_lines,
    without,
    words_of,
)

TEXTS = st.text(alphabet="ab \n", max_size=200)


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "PIECE_CHARS", 7)
    monkeypatch.setattr(lines, "LINES_AT_ONCE", 3)


@given(TEXTS)
def test_lines_are_split_and_joined_as_python_does(text: str) -> None:
    assert split_lines(text) == text.split("\n")
    assert join_lines(text.split("\n")) == text


@given(TEXTS)
def test_lines_with_words(text: str) -> None:
    assert [text[a:b] for a, b in lines_with(text, ("ab", "ba"))] == [
        line for line in text.split("\n") if "ab" in line or "ba" in line
    ]


@given(TEXTS)
def test_a_pattern_on_lines_finds_what_it_finds_on_each(text: str) -> None:
    pattern = re.compile(r"^ *ab|b{2,3}$", re.M)
    singly = [match.group() for line in text.split("\n") if (match := pattern.search(line))]
    assert [match.group() for match in on_lines(pattern, text)] == singly


def test_a_long_line_is_searched_to_its_end() -> None:
    pattern = re.compile(r"\bend$", re.M)
    text = "x " * 10_000 + "end"
    found = first_on_lines(pattern, text + "\nmore")
    assert found is not None
    assert found.end() == len(text)
    assert first_on_lines(pattern, "end " * 10_000 + "ends") is None


def test_words_at_ever_later_places() -> None:
    words = Words("a bb a bbb", ("a", "bb", "bbb", "c"))
    assert [words.first(at) for at in (0, 1, 3, 6)] == [(0, "a"), (2, "bb"), (5, "a"), (7, "bbb")]
    assert words.first(9) is None


def test_search_goes_on_within_a_line() -> None:
    search = LineSearch(re.compile(r"<(\w)>"), "<a> <b>\n<c>")
    first = search.first(0)
    assert first is not None
    second = search.first(first.end())
    assert second is not None
    assert (first[1], second[1]) == ("a", "b")


def test_spans_are_left_out() -> None:
    assert without("abcdef", [(1, 2), (4, 6)], "-") == "a-cd-"


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("^ab+c", ("a",)),
        ("(?:one|two) words?", (" word",)),
        ("x?(?:one|three)", ("one", "three")),
        (r"\d+ \w+: name", (": name",)),
        ("(?:ab){2}c", ("ab",)),
    ],
)
def test_the_words_that_a_pattern_needs(pattern: str, words: tuple[str, ...]) -> None:
    assert words_of(re.compile(pattern)) == words


@pytest.mark.parametrize("pattern", [r"\d+", "a|b?", r"(?:one)?\s"])
def test_a_pattern_without_words_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="no words"):
        words_of(re.compile(pattern))


def test_a_pattern_whatever_its_case_has_none() -> None:
    with pytest.raises(ValueError, match="no words"):
        words_of(re.compile("one", re.I))
