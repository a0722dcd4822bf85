"""Questions by their signatures, and what a user's line is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tslp_litellm.resolution.decisions import Kind, Question, answers, by_id, named, of_flags
from tslp_litellm.state.values import Flag, Source

ONE = Question(Kind.RENAME, (("a.py", "1" * 64),), (("a.py", "2" * 64),), ("a.py::f", "a.py::g"), Source.EDIT)


def test_a_question_is_carried_as_it_is() -> None:
    name = named("f", [("b.py::f", "2" * 64), ("a.py::f", "1" * 64)])
    assert name is not None
    assert name.about == ("a.py::f", "b.py::f")
    assert of_flags([Flag("rename", ("a", "b")), ONE.flag(), name.flag()]) == [ONE, name]


def test_one_changed_byte_is_another_question() -> None:
    others = [
        replace(ONE, base=(("a.py", "3" * 64),)),
        replace(ONE, brings=(("a.py", "3" * 64),)),
        replace(ONE, kind=Kind.LOSS),
        replace(ONE, base=(("b.py", "1" * 64),)),
    ]
    assert len({one.signature for one in (ONE, *others)}) == 5


def test_names_grow_until_they_differ() -> None:
    found: dict[str, Question] = {}
    number = 0
    while len(found) < 2:  # two whose first four digits are the same
        one = replace(ONE, base=(("a.py", f"{number:064}"),))
        twin = found.get("first")
        if number == 0:
            found["first"] = one
        elif twin is not None and one.signature[:4] == twin.signature[:4]:
            found["second"] = one
        number += 1
    names = list(by_id(list(found.values())))
    assert len(set(names)) == 2
    assert all(len(name) > 4 for name in names)
    assert list(by_id([ONE])) == [ONE.signature[:4]]


def test_a_name_with_too_many_meanings_is_no_question() -> None:
    assert named("f", [(f"{n}.py::f", "1" * 64) for n in range(10)]) is None
    assert named("f", [("a.py::f", "1" * 64)]) is None


@pytest.mark.parametrize(
    ("prose", "said"),
    [
        ("decision 7f3a: 1", {"7f3a": 1}),
        ("Fine.\n\nDecision 7f3a: 12  \n\nGo on.", {"7f3a": 12}),
        ("decision 7f3a: 1\ndecision 1234: 2", {"7f3a": 1, "1234": 2}),
        ("decision 7f3a: 1\ndecision 7f3a: 1", {"7f3a": 1}),
        ("decision 7f3a: 1\ndecision 7f3a: 2", {}),
        ("> decision 7f3a: 1", {}),
        ("  decision 7f3a: 1", {}),
        ("- decision 7f3a: 1", {}),
        ("`decision 7f3a: 1`", {}),
        ("decision 7f3a: 1.", {}),
        ("decision 7f3a: 0", {}),
        ("decision 7f3: 1", {}),
        ("Is decision 7f3a: 1 better?", {}),
        ("my decision 7f3a: 1", {}),
        ("[STATE NOTICE]\nDecision 7f3a: x\ndecision 7f3a: 1\n[END NOTICE]\n", {}),
        ("[STATE NOTICE]\n[END NOTICE]\ndecision 7f3a: 1", {"7f3a": 1}),
    ],
)
def test_what_a_user_decides(prose: str, said: dict[str, int]) -> None:
    assert answers(prose) == said
