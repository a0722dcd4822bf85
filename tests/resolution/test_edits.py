"""Edits apply exactly once, or not at all."""

import pytest

from tslp_litellm.dialects.values import Insertion
from tslp_litellm.dialects.values import Replacement as R
from tslp_litellm.parser.budget import MADE_CHARS_MAX, OverBudgetError, budget
from tslp_litellm.parser.limits import TEXT_BYTES_MAX
from tslp_litellm.resolution.edits import applied, stands

TEXT = "a = 1\nb = 2\nab = 1\na = 1\n"


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([R("b = 2", "b = 3")], "a = 1\nb = 3\nab = 1\na = 1\n"),
        ([R("a = 1", "a = 2")], None),
        ([R("a = 1\n", "x\n", everywhere=True)], "x\nb = 2\nab = 1\nx\n"),
        ([R("missing", "x")], None),
        ([R("missing", "x", everywhere=True)], None),
        ([R("", "new\n")], "new\n"),
        ([R("b = 2", "c = 2"), R("c = 2", "d = 2")], "a = 1\nd = 2\nab = 1\na = 1\n"),
        ([R("b = 2", "c = 2"), R("b = 2", "d = 2")], None),
        ([R("b = 1\n", "x\n", lines=True)], None),
        ([R("ab = 1\n", "x\n", lines=True)], "a = 1\nb = 2\nx\na = 1\n"),
        ([R("b = 2", "")], "a = 1\n\nab = 1\na = 1\n"),
    ],
)
def test_replacements(edits: list[R], expected: str | None) -> None:
    assert applied(TEXT, edits) == expected


def test_overlapping_occurrences_are_two() -> None:
    assert applied("aaa", [R("aa", "b")]) is None


def test_line_edits_end_the_last_line() -> None:
    assert applied("a\nb", [R("b\n", "c\n", lines=True)]) == "a\nc\n"
    assert applied("a\nb", [R("b", "c")]) == "a\nc"


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        ("x = 1", "x = 1", "x = 1\n", "x = 1\n"),
        ("x = 1\n", "x = 1", "x = 1\n", None),
        ("x = 10", "x = 1", "x = 2", None),
        ("x = 1\ny\n", "x = 1\n", "x = 2", None),
        ("y\nx = 1\n", "x = 1\n", "x = 2", "y\nx = 2"),
        ("y\nx = 1", "x = 1", "x = 2", "y\nx = 2"),
        ("yx = 1", "x = 1", "x = 2", None),
    ],
)
def test_an_unended_line_stands_only_at_the_end(text: str, old: str, new: str, expected: str | None) -> None:
    assert applied(text, [R(old, new, lines=True)]) == expected


@pytest.mark.parametrize(
    ("text", "new", "expected"),
    [("x = 1", "x = 1", True), ("x = 10", "x = 1", False), ("x = 1\n", "x = 1", False), ("x\nb\n", "x\n", True)],
)
def test_whether_the_new_side_stands(text: str, new: str, expected: bool) -> None:
    assert stands(text, [R("old", new, lines=True)]) is expected
    assert stands(text, [R("old", new, lines=True, line=1)]) is expected


def test_hidden_carriage_returns_are_put_back() -> None:
    assert applied("a\r\nb\r\n", [R("a\nb", "c\nd")]) == "c\r\nd\r\n"
    assert applied("a\r\nb\n", [R("a\nb", "c\nd")]) is None


@pytest.mark.parametrize(
    ("before", "expected"), [(1, "i\na\nb\n"), (3, "a\nb\ni\n"), (None, "a\nb\ni"), (9, None), (0, None)]
)
def test_insertions(before: int | None, expected: str | None) -> None:
    assert applied("a\nb\n", [Insertion("i", before)]) == expected


def test_a_hunk_of_git_leaves_the_end_of_a_last_line_that_it_does_not_touch() -> None:
    assert applied("a\nb\nc", [R("a\n", "x\n", lines=True, keeps_end=True)]) == "x\nb\nc"
    assert applied("a\nb\nc", [R("a\nb\n", "a\n", lines=True, keeps_end=True)]) == "a\nc"
    assert applied("a\nb\nc", [R("b\nc\n", "b\n", lines=True, keeps_end=True)]) == "a\nb\n"
    assert applied("a\nb\nc", [R("a\n", "x\n", lines=True)]) == "x\nb\nc\n"


@pytest.mark.parametrize(
    ("text", "old", "everywhere", "expected"),
    [
        (TEXT, "b = 2", False, "a = 1\nab = 1\na = 1\n"),
        (TEXT, "a = 1", True, "b = 2\nab = 1\n"),
        (TEXT, "b = 2\n", False, "a = 1\nab = 1\na = 1\n"),
        (TEXT, "a =", True, " 1\nb = 2\nab = 1\n 1\n"),
        ("x; x\n", "x", True, "x; "),  # only where a newline stands behind it, if it does so anywhere
        ("x\nx", "x", False, None),
        ("a\nx", "x", False, "a\n"),
        ("a\r\nx\r\nb\r\n", "x", False, "a\r\nb\r\n"),
        ("a\r\nx\nb\n", "x", False, None),
    ],
)
def test_whole_lines(text: str, old: str, everywhere: bool, expected: str | None) -> None:
    assert applied(text, [R(old, "", everywhere=everywhere, whole_lines=True)]) == expected


def test_whole_lines_are_of_deletions_only() -> None:
    assert applied(TEXT, [R("b = 2", "b = 3", whole_lines=True)]) == "a = 1\nb = 3\nab = 1\na = 1\n"


def test_no_edit_makes_more_than_a_text_may_be() -> None:
    few, many = (R("a", "b" * count, everywhere=True) for count in (100, TEXT_BYTES_MAX // 1000))
    assert applied("a" * 1000, [few]) == "b" * 100_000
    assert applied("a" * 1001, [many]) is None


def test_edits_make_no_more_text_than_a_visit_may() -> None:
    text = "a\n" * (MADE_CHARS_MAX // 200)
    with budget(60), pytest.raises(OverBudgetError):
        for _ in range(101):
            applied(text, [Insertion("x\n", 1)])
    with budget(60):
        assert applied(text, [Insertion("x\n", 1)]) is not None
