"""What notices say, and that they stay short."""

from __future__ import annotations

from tslp_litellm.hydration import notices
from tslp_litellm.state.values import Flag


def test_a_list_that_is_long_says_how_many_more_there_are() -> None:
    names = [f"a{n}.py" for n in range(notices.LISTED_MAX + 3)]
    lines = notices.unknown(names).splitlines()
    assert "- a0.py" in lines
    assert "- and 3 more" in lines
    assert f"- a{notices.LISTED_MAX}.py" not in lines
    assert "more" not in notices.unknown(names[: notices.LISTED_MAX])


def test_of_many_ambiguous_names_the_first_are_told_with_their_meanings() -> None:
    names = [(f"n{n}", [f"a.py::n{n}", f"b.py::n{n}"]) for n in range(notices.AMBIGUOUS_MAX + 2)]
    *told, rest = notices.ambiguous(names)
    assert len(told) == notices.AMBIGUOUS_MAX
    assert "- b.py::n0" in told[0].splitlines()
    assert rest.splitlines()[2:-1] == ["- `n10`", "- `n11`"]
    assert len(notices.ambiguous(names[:1])) == 1


def test_of_many_renames_the_first_are_told() -> None:
    flags = [Flag("rename", (f"a.py::f{n}", f"a.py::g{n}")) for n in range(notices.FLAGS_MAX + 5)]
    *told, rest = notices.from_flags(flags)
    assert len(told) == notices.FLAGS_MAX
    assert "a.py::f0" in told[0]
    assert "5 more notices" in rest
    assert len(notices.from_flags(flags[:3])) == 3
