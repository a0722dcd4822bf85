"""Places, sizes and counts of results, held against their calls."""

import pytest

from tslp_litellm.clients.counts import adds_up, measures
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
        (REPLACED, {"edits": "1"}, True),
        (REPLACED, {"edits": "2"}, False),
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
