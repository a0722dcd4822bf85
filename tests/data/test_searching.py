"""Forms are found wherever they stand in a text, however long it is, as one search of `re` finds them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tslp_litellm.data import searching
from tslp_litellm.data.searching import FORM_CHARS, STRETCH_CHARS, find

LINE, WORD, COMMENT = re.compile(r"^exit: (\d+)$", re.M), re.compile(r"\bcd\b"), re.compile(r"^[ \t]*#[^\n]*", re.M)


@pytest.mark.parametrize(
    "filler", ["a line\n", "some words ", "x" * 79 + "\n"], ids=["lines", "one line", "long lines"]
)
@pytest.mark.parametrize("before", [0, 10, STRETCH_CHARS - 3, STRETCH_CHARS, 3 * STRETCH_CHARS - 4, 5 * STRETCH_CHARS])
@pytest.mark.parametrize(
    ("pattern", "form"), [(LINE, "\nexit: 12\n"), (WORD, " cd "), (COMMENT, "\n  # said " + "so " * 300)]
)
def test_a_form_anywhere(pattern: re.Pattern[str], form: str, before: int, filler: str) -> None:
    text = (filler * (before // len(filler) + 1))[:before] + form + filler * (5 * STRETCH_CHARS // len(filler))
    expected, found = pattern.search(text), find(pattern, text)
    assert expected is not None and found is not None
    assert (found.span(), found.group()) == (expected.span(), expected.group())


def test_a_text_without_the_form() -> None:
    assert find(LINE, "nothing\n" * 50_000) is None
    assert find(WORD, "nothing " * 50_000) is None


def test_a_form_at_the_beginning_is_looked_for_there_alone() -> None:
    pattern = re.compile(r"\Aexit (\d)")
    assert find(pattern, "exit 1\n" * 20_000) is not None
    assert find(pattern, "a\n" + "exit 1\n" * 20_000) is None


def test_a_form_at_the_end_is_looked_for_in_the_last_lines() -> None:
    pattern = re.compile(r"^exit (\d)\s*\Z", re.M)
    long = "exit 2\n" * 20_000
    assert find(pattern, long + "exit 1" + " \n" * 50_000)[1] == "1"  # type: ignore[index]
    assert find(pattern, long + "but not so") is None
    assert find(re.compile(r"\nend\Z"), "a" * FORM_CHARS * 2 + "\nend") is not None


@given(st.text("ab#\n ", max_size=200), st.integers(0, 40))
def test_as_one_search_finds_it(text: str, at: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searching, "STRETCH_CHARS", 7)
        patch.setattr(searching, "FORM_CHARS", 3)
        for pattern in (COMMENT, re.compile(r"\bab?\b"), re.compile(r"(?<=b)a")):
            expected, found = pattern.search(text, at), find(pattern, text, at)
            assert (expected and expected.span()) == (found and found.span())
