"""What people and models leave out of what they show."""

from __future__ import annotations

import pytest

from tslp_litellm.syntax.opening import filled


@pytest.mark.parametrize(
    ("text", "now"),
    [
        (
            "def f():\n    # kept\n\n\ndef g():\n    return 1\n",
            "def f():\n    # kept\n    ...\n\n\ndef g():\n    return 1\n",
        ),
        ("class A:\n    def f(self):\n        # kept\n", "class A:\n    def f(self):\n        # kept\n        ...\n"),
        ("def f():\n    # why\n    return 1\n", None),
        ("def f():\n# beside it\n    return 1\n", None),
        ("if x:\n    # nothing\n", None),
    ],
)
def test_a_body_that_is_a_comment(text: str, now: str | None) -> None:
    assert filled(text) == (text if now is None else now)
