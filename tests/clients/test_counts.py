"""Places, sizes and counts of results, held against their calls."""

import pytest

from tslp_litellm.clients.counts import adds_up, counts_all, measures
from tslp_litellm.dialects.values import Attempt, Carrier, Edit, FileChange, Insertion, Replacement, Shown

WRITTEN = Shown("a.py", "x\ny\n", Carrier.WRITE, whole=True)
REPLACED = Edit("a.py", (Replacement("x\n", "y\nz\n"),), Carrier.TOOL_EDIT)
INSERTED = Edit("a.py", (Insertion("x", 2),), Carrier.TOOL_EDIT)


@pytest.mark.parametrize(
    ("change", "told", "so"),
    [
        (WRITTEN, {"size": "2"}, True),
        (WRITTEN, {"size": "3"}, True),
        (WRITTEN, {"size": "57"}, False),
        (REPLACED, {"old": "1", "new": "2"}, True),
        (REPLACED, {"old": "1", "new": "9"}, False),
        (INSERTED, {"line": "2"}, True),
        (INSERTED, {"line": "12"}, False),
        (INSERTED, {}, True),
    ],
)
def test_places_and_sizes(change: FileChange, told: dict[str, str | None], so: bool) -> None:
    assert measures(told, Attempt("c", "t", (change,))) == so


@pytest.mark.parametrize(
    ("change", "count", "unit", "so"),
    [
        (WRITTEN, 2, "line", True),
        (WRITTEN, 57, "line", False),
        (WRITTEN, 57, "byte", True),
        (REPLACED, 1, "edit", True),
        (REPLACED, 3, "edit", False),
    ],
)
def test_counts(change: FileChange, count: int, unit: str, so: bool) -> None:
    assert adds_up(count, unit, Attempt("c", "t", (change,))) == so


TWICE = Edit("a.py", (Replacement("a", "b"), Replacement("c", "d")), Carrier.TOOL_EDIT)
ALL = Edit("a.py", (Replacement("a", "b", everywhere=True),), Carrier.TOOL_EDIT)


@pytest.mark.parametrize(
    ("change", "counts", "so"),
    [
        (TWICE, [2], True),
        (TWICE, [1, 1], True),
        (TWICE, [1], False),
        (TWICE, [3], False),
        (TWICE, [], True),
        (ALL, [7], True),
        (ALL, [0], False),
        (WRITTEN, [7], True),
    ],
)
def test_all_that_was_asked(change: FileChange, counts: list[int], so: bool) -> None:
    assert counts_all(counts, Attempt("c", "t", (change,))) == so
