"""Of each entity one copy of the current text is kept."""

from __future__ import annotations

from tslp_litellm.plan.repeats import repeated
from tslp_litellm.plan.values import Shown, Text


def copy(item: int, text: Text = Text.CURRENT, whole: bool = True, path: str = "a.py", *inside: Shown) -> Shown:
    return Shown(item, path, text, 0, 9, whole and text is Text.CURRENT, inside)


def symbol(item: int, text: Text = Text.CURRENT, start: int = 0) -> Shown:
    return Shown(item, "a.py::f", text, start, start + 3, text is Text.CURRENT)


def gone(shown: list[Shown], brought: set[str] | None = None, closed: set[int] | None = None) -> list[tuple[int, str]]:
    opened = {one.item for one in shown} - (closed or set())
    return [(one.item, one.entity) for one in repeated(shown, brought or set(), opened)]


def test_the_last_copy_stays_or_one_that_may_not_be_changed() -> None:
    three = [copy(0), copy(1), copy(2)]
    assert gone(three) == [(0, "a.py"), (1, "a.py")]
    assert gone(three, closed={1}) == [(0, "a.py"), (2, "a.py")]
    assert gone(three, brought={"a.py"}) == [(0, "a.py"), (1, "a.py")], "the copy that stands is kept all the same"


def test_an_older_text_goes_only_where_the_current_one_stands() -> None:
    assert gone([copy(0, Text.OLDER), copy(1, Text.OLDER)]) == []
    assert gone([copy(0, Text.OLDER), copy(1)]) == [(0, "a.py")]
    assert gone([copy(0), copy(1, Text.OLDER)]) == [(1, "a.py")]
    assert gone([copy(0, Text.OLDER)], brought={"a.py"}) == [(0, "a.py")]
    assert gone([copy(0, Text.OLDER), copy(1, path="b.py")]) == []


def test_an_excerpt_is_no_copy() -> None:
    assert gone([copy(0, whole=False), copy(1, whole=False)]) == []
    assert gone([copy(0, whole=False), copy(1)]) == [(0, "a.py")]


def test_of_a_text_that_never_was_the_truth_only_known_definitions_go() -> None:
    proposal = copy(0, Text.OTHER, False, "a.py", symbol(0, Text.OLDER, 2))
    assert gone([proposal]) == []
    assert gone([proposal, copy(1)]) == [(0, "a.py::f")]
    assert gone([proposal, copy(1, Text.OTHER, False, "a.py", symbol(1))]) == [(0, "a.py::f")]
    assert gone([proposal], brought={"a.py::f"}) == [(0, "a.py::f")]


def test_what_is_not_found_as_lines_counts_as_a_copy_and_is_never_cut() -> None:
    unseen = Shown(1, "a.py", Text.CURRENT, whole=True)
    assert gone([copy(0), unseen]) == [(0, "a.py")]
    assert gone([unseen, copy(2)]) == [(2, "a.py")]
