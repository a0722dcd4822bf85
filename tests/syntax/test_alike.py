"""How much of one text stands in another."""

from __future__ import annotations

import pytest

from tslp_litellm.parser import outline
from tslp_litellm.syntax.alike import keeps_ends
from tslp_litellm.syntax.languages import language_named

JS, MARKDOWN, YAML = map(language_named, ("javascript", "markdown", "yaml"))
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


@pytest.mark.parametrize(("last", "kept"), [("test('b', () => {\n  is(2);\n});\n", True), ("", False)])
def test_brackets_alone_are_no_lines_that_are_missing(last: str, kept: bool) -> None:
    base = "is(0);\nis(1);\nif (ready) {\n  test('b', () => {\n    is(2);\n  });\n}\n"
    assert keeps_ends(outline(JS, f"is(0);\nis(1);\n{last}"), outline(JS, base)) is kept


def test_words_of_every_script_count() -> None:
    base = "# 标题\n\n第一行\n\n第二行\n"
    assert not keeps_ends(outline(MARKDOWN, "第一行\n"), outline(MARKDOWN, base))
    assert keeps_ends(outline(MARKDOWN, base.replace("第一", "第三")), outline(MARKDOWN, base))
