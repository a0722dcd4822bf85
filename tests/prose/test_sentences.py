"""Which sentences say that a file's new text follows."""

from __future__ import annotations

import pytest

from tslp_litellm.prose.sentences import file_that_follows

TAILS = [
    "",
    " with the change",
    " with the changes",
    " with the fix applied",
    " with your changes",
    " with those changes applied",
    " with the requested changes",
    " with both changes applied",
    " with all the requested changes",
    " with the changes you requested",
    " with the changes we discussed",
    " with the new `slug` function",
    " with a new `title` function",
    " with an optional `sep` parameter",
    " with `slug` added",
    " with `slug` renamed to `slugify`",
    " with the `title` and `shout` functions added",
    " with the `shout` function removed",
    " with the new helper function",
    " with type hints",
    " with type hints and docstrings",
    " with docstrings for all functions",
    " with comments added",
    " with the bug fixed",
    " with all changes in place",
    ", as requested",
    " that includes the fix",
    " to include the new parameter",
    " again",
    " now with the fix",
]
OTHERS = [
    " with the bug still in it",
    " with the bug",
    " with the bug added",
    " with the bug put back in",
    " with the new bug",
    " with the vulnerability",
    " with a deliberate flaw",
    " with your colleague's idea",
    " with the change undone",
    " with the fix removed",
    " with the fixes missing",
    " with the new function missing",
    " with Python 2 semantics",
    " with mock data",
    " with placeholders",
    " with the debugging left in",
    " with the naive approach",
    " with the changes from the other branch",
    " with the changes in the pull request",
    " with everything that I would never do",
    " that crashes",
    " that has the bug",
    " that contains the vulnerability",
    " which I discarded",
    " to show the problem",
    " using threads",
    " and why it is slow",
    " for you to laugh at",
    " as you suggested in jest",
]


def proves(sentence: str) -> bool:
    return file_that_follows(sentence, lambda text: text.endswith(".py")) is not None


@pytest.mark.parametrize("lead", ["Here is the updated `util.py`", "Sure! Here's `util.py`", "I updated `util.py`"])
@pytest.mark.parametrize("tail", TAILS)
def test_a_tail_that_says_it_is_the_new_text(lead: str, tail: str) -> None:
    assert proves(f"{lead}{tail}:")


@pytest.mark.parametrize("lead", ["Here is the updated `util.py`", "Here is `util.py`", "I updated `util.py`"])
@pytest.mark.parametrize("tail", OTHERS)
def test_any_other_tail_proves_nothing(lead: str, tail: str) -> None:
    assert not proves(f"{lead}{tail}:")


@pytest.mark.parametrize("what", ["the changes in", "the changes for", "the bug in", "a diff of"])
def test_what_is_no_file(what: str) -> None:
    assert not proves(f"Here are {what} `util.py`:")
    assert not proves(f"Here is {what} `util.py`:")
