"""Shapes of every alphabet."""

import pytest

from .shapes import fill, indented, nest, shapes
from .subjects import PARSER, READING, Subject, subjects

SUBJECTS = subjects()
LEAST = 200


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda s: s.name)
def test_every_subject_has_enough_of_them(subject: Subject) -> None:
    assert len(shapes(subject.tokens, "1")) >= LEAST


def test_the_same_seed_makes_the_same_texts_and_another_others() -> None:
    tokens = SUBJECTS[0].tokens
    one, again, other = ([s.make(4000) for s in shapes(tokens, seed)] for seed in ("1", "1", "2"))
    assert one == again
    assert one != other


def test_they_have_about_the_size_that_was_asked_for() -> None:
    for subject in SUBJECTS[::9]:
        for shape in shapes(subject.tokens, "1"):
            assert 2000 <= len(shape.make(4000)) <= 8500, shape.name


def test_the_kinds() -> None:
    assert fill("ab", 5) == "abab"
    assert nest("f(", ")", 6) == "f(f())"
    assert indented("x", 7) == "x\n x\n  x"


def test_subjects_are_found() -> None:
    names = {(s.level, s.name) for s in SUBJECTS}
    assert {(PARSER, "python"), (PARSER, "perl"), (PARSER, "vue"), (PARSER, "yaml"), (PARSER, "shell")} <= names
    assert {(READING, "words.mentions.mentions"), (READING, "request/user"), (READING, "result/read_file")} <= names
    assert {f"state.markers.{n}" for n in ("markers", "unframed")} <= {
        n.removeprefix("tslp_litellm.") for _, n in names
    }
    assert not [n for n, s in ((s.name, s) for s in SUBJECTS) if not s.tokens]
