"""Edits apply exactly once, or not at all."""

import pytest

from tslp_litellm.evidence.model import Replacement as R
from tslp_litellm.resolution.edits import applied

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
