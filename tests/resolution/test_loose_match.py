"""How a client finds the place of an edit: the first, re-indented, between dots; what it refuses, what is not known."""

from __future__ import annotations

import pytest

from tslp_litellm.resolution.loose_match import RefusedError, UnfollowedError, hunked, searched

TEXT = "def f():\n    return 1\n\n\ndef g():\n    return 1\n"
TICKS = ("```", "```")


@pytest.mark.parametrize(
    ("text", "old", "new", "after"),
    [
        (TEXT, "    return 1\n", "    return 2\n", TEXT.replace("1", "2", 1)),  # the first of two places
        (TEXT, "return 1\n", "return 2\n", TEXT.replace("1", "2", 1)),  # indented as it stands there
        (TEXT, "        return 1\n", "        return 2\n", TEXT.replace("1", "2", 1)),
        (TEXT, "\ndef f():\n    return 1\n", "def f():\n    return 2\n", TEXT.replace("1", "2", 1)),
        (TEXT, "return 3\n", "return 4\n", None),
        (TEXT, "def f():\n...\ndef g():\n", "def f(x):\n...\ndef g(x):\n", TEXT.replace("()", "(x)")),
        (TEXT, "    return 1\n...\n", "    return 2\n...\n", None),  # a part that stands twice
        (TEXT, "def f():\n...\n", "def f(x):\n", None),  # dots on one side only
        (TEXT, "", "x = 1\n", TEXT + "x = 1\n"),  # nothing to look for: at the end
        ("x = 1", "x = 1\n", "x = 2\n", "x = 2\n"),  # the last line is ended
        ("x = 1\n", "x = 1\n", "", None),  # an empty file is taken for a failure
        (TEXT, "src/a.py\n```\ndef f():\n```\n", "```\ndef h():\n```\n", TEXT.replace("f()", "h()")),
        ("    a\n\n    b\n", "a\n\nb\n", "c\n\nb\n", "    c\n\n    b\n"),
        ("  a\n    b\n", "a\nb\n", "c\n", None),  # not all indented by the same
    ],
)
def test_search_and_replace(text: str, old: str, new: str, after: str | None) -> None:
    assert searched(text, "src/a.py", old, new, TICKS) == after


def test_a_side_that_is_nothing_but_the_file_s_name_fails_the_answer() -> None:
    with pytest.raises(RefusedError):
        searched(TEXT, "src/a.py", "a.py\n", "x\n", TICKS)


@pytest.mark.parametrize(
    ("text", "old", "new", "after"),
    [
        (TEXT, "def f():\n    return 1\n", "def f():\n    return 2\n", TEXT.replace("1", "2", 1)),
        ("alphabet\nx\nalphabet\n", "alphabet\nx\n", "y\n", "y\nalphabet\n"),
        ("alphabet_soup\n" * 2, "alphabet_soup\n", "y\n", "y\ny\n"),  # a telling side is replaced wherever it stands
        ("a\n\nb\n\n", "\na\n\nb\n", "c\n", "c\n"),  # blank lines around are left out, the file's as well
        (TEXT, "", "x = 1\n", TEXT + "x = 1\n"),
    ],
)
def test_hunks(text: str, old: str, new: str, after: str) -> None:
    assert hunked(text, old, new) == after


@pytest.mark.parametrize(
    ("text", "old"),
    [("x\ny\nx\n", "x\n"), (TEXT, "def h():\n    return 1\n"), (TEXT, "def f():\nreturn 1\n")],
)
def test_hunks_whose_place_is_not_known(text: str, old: str) -> None:
    with pytest.raises(UnfollowedError):
        hunked(text, old, "")


def test_a_search_that_would_take_too_long_is_not_followed() -> None:
    with pytest.raises(UnfollowedError):
        searched("a\n" * 20_000, "a.py", "a\n" * 5_000 + "b\n", "c\n", TICKS)
