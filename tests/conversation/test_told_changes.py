"""What is told of changes, as evidence."""

from __future__ import annotations

import pytest

from tslp_litellm.conversation.user_text import read_user_text
from tslp_litellm.dialects.values import Drift, Shown


def drifts(text: str) -> list[Drift]:
    return [piece for piece in read_user_text(text).evidence if isinstance(piece, Drift)]


@pytest.mark.parametrize("text", ["I edited a.py.", '<file_changed path="a.py"/>\nGo on.', "I ran black on a.py."])
def test_a_file_that_was_changed(text: str) -> None:
    assert [drift.paths for drift in drifts(text) if drift.paths] == [("a.py",)]


@pytest.mark.parametrize("text", ["I did git checkout main.", "I did a git pull.", "I merged main."])
def test_any_file_may_have_changed(text: str) -> None:
    assert any(drift.anything for drift in drifts(text))


@pytest.mark.parametrize(
    "text",
    [
        "I ran pytest and got an error in a.py.",
        "I did a git status.",
        "I ran the tests in a.py.",
        '<file path="a.py"/>',
    ],
)
def test_what_changes_nothing(text: str) -> None:
    assert drifts(text) == []


def test_what_the_same_message_shows_comes_behind() -> None:
    told, shown = read_user_text("I edited a.py.\n\na.py\n```python\nx = 1\n```\n").evidence
    assert isinstance(told, Drift)
    assert isinstance(shown, Shown)


def test_a_line_that_leads_to_the_change_tells_of_that() -> None:
    assert drifts("I changed this in a.py:\n```python\ndef f():\n    return 1\n```\n") == []
    assert drifts("I changed this in a.py:\n```\nTraceback (most recent call last):\n```\n")
