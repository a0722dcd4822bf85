"""Parsing: what it keeps, and what it notices."""

from __future__ import annotations

import pytest

from tslp_litellm.parser import outline
from tslp_litellm.syntax.languages import language_named
from tslp_litellm.syntax.parsing import parse


@pytest.mark.parametrize(
    "text", ["def f(x):\n", "class A:\n    def f(self):\n# rest\n", "def f(x):\n    # soon\n\n\ndef g():\n    pass\n"]
)
def test_a_python_definition_without_a_block_is_an_error(text: str) -> None:
    seen = outline(language_named("python"), text)
    assert not seen.sound
    assert not seen.by_name["A.f" if "class" in text else "f"].sound


def test_a_python_statement_without_a_block_is_an_error_of_its_function() -> None:
    seen = outline(
        language_named("python"), "def f(x):\n    if x:\n        # soon\n    return x\n\n\ndef g():\n    pass\n"
    )
    assert not seen.by_name["f"].sound
    assert seen.by_name["g"].sound


def test_what_is_no_text_has_no_tree() -> None:
    assert parse("python", b"x = 1\0\n") is None
    assert not outline(language_named("python"), "def f():\n    return '\0'\n").parsed
