"""How much of one text stands in another."""

from __future__ import annotations

import pytest

from tslp_litellm.parser import outline
from tslp_litellm.syntax.alike import keeps_ends
from tslp_litellm.syntax.languages import language_named

YAML = language_named("yaml")
BASE = "a: 1\nb: 2\nc: 3\nd: 4\n"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (BASE, True),
        ("a: 1\nb: 9\nc: 3\nd: 4\ne: 5\n", True),
        ("a: 0\nb: 2\nc: 3\nd: 5\n", True),
        ("b: 2\nc: 3\nd: 4\n", False),
        ("a: 1\nb: 2\nc: 3\n", False),
        ("a: 1\nx: 2\ny: 3\nz: 4\n", False),
        ("", False),
    ],
)
def test_the_next_version_of_a_file_keeps_its_ends_and_half_of_its_lines(text: str, kept: bool) -> None:
    assert keeps_ends(outline(YAML, text), outline(YAML, BASE)) is kept


def test_of_one_line_it_is_that_line() -> None:
    assert keeps_ends(outline(YAML, "a: 2\n"), outline(YAML, "a: 1\n"))
