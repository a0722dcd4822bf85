"""Members shown alone, in the languages that have them inside a type."""

from __future__ import annotations

import pytest

from tests.resolution.helpers import known as state
from tslp_litellm.placing.members import indent_of, members_in, within
from tslp_litellm.resolution.files import outline_of
from tslp_litellm.syntax.languages import language_named


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", "    def total(self):\n        return 1\n"),
        ("python", "@property\ndef total(self):\n    return 1\n"),
        ("typescript", "  total(): number {\n    return 1;\n  }\n"),
        ("javascript", "total() {\n  return 1;\n}\n"),
        ("java", "    public int total() {\n        return 1;\n    }\n"),
        ("csharp", "public int total() { return 1; }\n"),
        ("kotlin", "fun total(): Int { return 1 }\n"),
        ("rust", "pub fn total(&self) -> u32 {\n    1\n}\n"),
        ("ruby", "def total\n  1\nend\n"),
        ("php", "public function total() { return 1; }\n"),
        ("swift", "func total() -> Int { return 1 }\n"),
        ("cpp", "int total() { return 1; }\n"),
        ("scala", "def total: Int = 1\n"),
        ("dart", "int total() { return 1; }\n"),
    ],
)
def test_a_member_by_its_name(language: str, text: str) -> None:
    assert members_in(language_named(language), text) == ["total"]


@pytest.mark.parametrize(
    ("language", "text"), [("go", "func Total() int {\n\treturn 1\n}\n"), ("python", "def total(:\n")]
)
def test_what_is_none(language: str, text: str) -> None:
    assert members_in(language_named(language), text) == []


def test_nested_types_are_nested_headers() -> None:
    text = within(language_named("python"), "def f(self):\n    return 1\n", "A.B", " " * 8)
    assert text == "class A:\n    class B:\n        def f(self):\n            return 1\n"


def test_the_indentation_is_that_of_the_file() -> None:
    seen = outline_of(state("a.js", "class A {\n\tf() {\n\t\treturn 1;\n\t}\n}\n"))
    assert indent_of(seen, "A") == "\t"
    assert indent_of(seen, "B") == "    "


@pytest.mark.parametrize(
    ("language", "imports", "text"),
    [
        ("python", "from decimal import (\n    Decimal,\n)\n\n", "def total(self):\n    return 1\n"),
        ("java", "import java.util.List;\n\n", "public int total() {\n    return 1;\n}\n"),
        ("typescript", "import a from 'a';\n", "total(): number {\n  return 1;\n}\n"),
        ("csharp", "using System;\n\n", "public int total() { return 1; }\n"),
        ("php", "use App\\Price;\n\n", "public function total() { return 1; }\n"),
        ("swift", "import Foundation\n\n", "func total() -> Int { return 1 }\n"),
    ],
)
def test_its_imports_stand_above_its_type(language: str, imports: str, text: str) -> None:
    assert members_in(language_named(language), imports + text) == ["total"]
    made = within(language_named(language), imports + text, "Cart") or ""
    assert made.removeprefix("<?php\n").startswith(imports)
