"""Chats that were copied off a page."""

from __future__ import annotations

from tslp_litellm.dialects.speakers import another_speaks


def test_what_stands_below_another_s_name_is_that_one_s() -> None:
    lines = ["You", "make it strip", "", "Claude", "Here it is.", "", "ChatGPT said:", "Or so.", "", "You", "Thanks"]
    assert another_speaks(lines) == [False] * 3 + [True] * 6 + [False] * 2


def test_headings_are_no_speakers() -> None:
    assert not any(another_speaks(["Models", "these are mine:", "", "Views", "and these:"]))
    assert not any(another_speaks(["Hello", "here is my file."]))
