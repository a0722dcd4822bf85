"""Fences of every length and kind, nested and unfinished."""

import pytest

from tslp_litellm.dialects.fences import fences


def bodies(text: str) -> list[tuple[str, str]]:
    return [(f.info, f.body) for f in fences(text) if f.closed]


@pytest.mark.parametrize("marks", ["```", "````", "``````", "~~~", "~~~~"])
def test_marks_of_any_length(marks: str) -> None:
    assert bodies(f"x\n{marks}python\na = 1\n{marks}\ny\n") == [("python", "a = 1\n")]


def test_a_longer_fence_holds_shorter_ones() -> None:
    assert bodies("````md\n# T\n\n```sh\nls\n```\n````\n") == [("md", "# T\n\n```sh\nls\n```\n")]
    assert bodies("~~~md\n```\nx\n```\n~~~\n") == [("md", "```\nx\n```\n")]


def test_a_closing_fence_may_be_longer_but_not_shorter() -> None:
    assert bodies("````\n```\n`````\n") == [("", "```\n")]


def test_a_fence_of_the_same_length_with_an_info_string_is_nested() -> None:
    text = "```markdown\n# T\n\n```python\nx = 1\n```\n\nend\n```\nafter\n"
    assert bodies(text) == [("markdown", "# T\n\n```python\nx = 1\n```\n\nend\n")]


def test_an_unclosed_fence_is_known_as_such() -> None:
    found = fences("```python\nx = 1\n")
    assert [f.closed for f in found] == [False]
    found = fences("```python\nx = 1\n\nb.py\n```python\ny = 2\n```\n")
    assert [f.closed for f in found] == [False], "one fence too few: neither text is certain"


def test_indented_fences_lose_the_indentation_that_all_lines_have() -> None:
    assert bodies("1. This:\n\n   ```python\n   def f():\n       return 1\n\n   x = 1\n   ```\n") == [
        ("python", "def f():\n    return 1\n\nx = 1\n")
    ]
    assert bodies("  ```\nx\n  ```\n") == [("", "x\n")]


def test_inline_code_is_no_fence() -> None:
    assert fences("```a``` and ``b``\n") == []
    assert bodies("```py\nx = '```'\n```\n") == [("py", "x = '```'\n")]


def test_empty_and_blank_bodies() -> None:
    assert bodies("```\n```\n") == [("", "")]
    assert bodies("```\n\n\n```\n") == [("", "\n\n")]


def test_carriage_returns_do_not_hide_fences() -> None:
    assert bodies("```py\r\nx = 1\r\n```\r\n") == [("py", "x = 1\r\n")]


def test_prose_followed_by_a_bare_fence_is_in_doubt() -> None:
    """The first bare fence may have been meant as an inner one: the README may go on behind it."""
    text = "README.md\n```markdown\n# T\n\n```\nnpm install\n```\n\nMore.\n```\n"
    assert fences(text)[0].doubtful
    assert not fences("README.md\n```markdown\n# T\n```\n\nand\n```python\nx = 1\n```\n")[0].doubtful
