"""Merges left undone are errors, in every language and where there is none."""

from __future__ import annotations

import pytest

from tslp_litellm.parser import outline
from tslp_litellm.syntax.conflicts import conflicts
from tslp_litellm.syntax.languages import language_named

OURS, THEIRS = "def slug(s):\n    return s.upper()\n", "def slug(s):\n    return s.lower()\n"
TORN = f"import re\n\n\n<<<<<<< HEAD\n{OURS}=======\n{THEIRS}>>>>>>> main\n\n\ndef title(s):\n    return s.title()\n"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_marks_in_order_are_a_conflict(end: str) -> None:
    assert len(conflicts(TORN.replace("\n", end).encode())) == 1
    assert len(conflicts((TORN + TORN).replace("\n", end).encode())) == 2
    assert len(conflicts(TORN.replace("=======", "||||||| base\npass\n=======").encode())) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Title\n=======\n",
        "<<<<<<< HEAD\n=======\n",
        ">>>>>>> a\n=======\n<<<<<<< b\n",
        "<<<<<<< HEAD\n>>>>>>> main\n",
        "# <<<<<<< HEAD\n# =======\n# >>>>>>> main\n",
    ],
)
def test_what_is_none(text: str) -> None:
    assert conflicts(text.encode()) == ()


def test_what_a_conflict_touches_is_not_sound() -> None:
    seen = outline(language_named("python"), TORN)
    assert not seen.sound
    assert {s.name for s in seen.symbols if s.sound} == {"title"}
    assert list(seen.error_lines()) == [b"<<<<<<< HEAD"]


@pytest.mark.parametrize("language", ["markdown", "yaml", "json", "dockerfile"])
def test_texts_without_definitions_have_the_error_too(language: str) -> None:
    assert outline(language_named(language), "a\n" + TORN).errors
    assert outline(None, TORN).errors


def test_a_mark_in_a_string_is_one_all_the_same() -> None:
    quoted = f'TEXT = """\n{TORN}"""\n'
    assert not outline(language_named("python"), quoted).sound, "a conflict in a string is a conflict"
