"""Usage examples behind definitions."""

from __future__ import annotations

from tslp_litellm.parser import outline
from tslp_litellm.placing.usage import ends_in_statements, trailing_usage
from tslp_litellm.syntax.languages import language_named

PYTHON = language_named("python")


def test_a_usage_example_behind_the_definitions() -> None:
    text = "def f(a):\n    return a\n\n\n# Example usage\nx = f(1)\nprint(x)\n"
    seen = outline(PYTHON, text)
    before = outline(PYTHON, "def f(a):\n    return 1\n")
    assert seen.text[: trailing_usage(seen, before)].decode() == "def f(a):\n    return a"
    assert trailing_usage(seen, seen) == len(seen.text), "it stands in the file"
    assert trailing_usage(seen, None) == len(seen.text), "a new file"


def test_what_ends_a_block_around_the_last_definition_is_none() -> None:
    rust = language_named("rust")
    body = "    fn f(&self) -> u32 {\n        1\n    }\n"
    seen = outline(rust, f"impl A {{\n{body}\n    // ... the other methods\n}}\n")
    assert trailing_usage(seen, outline(rust, f"struct A;\n\nimpl A {{\n{body}\n    fn g() {{}}\n}}\n")) == len(
        seen.text
    )


def test_a_file_that_goes_on_behind_its_definitions() -> None:
    js = language_named("javascript")
    code = "function f() {\n  return 1;\n}\n\n"
    ends = {"f();\n": True, "module.exports = { f };\n": False, "// f();\n": False, "const x = 1;\n": False}
    assert {end: ends_in_statements(outline(js, code + end)) for end in ends} == ends


def test_a_comment_behind_the_last_definition_is_of_its_line() -> None:
    lines = {
        "python": "LIMIT = 10  # items",
        "javascript": "const LIMIT = 10; // items",
        "go": "const LIMIT = 10 // items",
        "rust": "const LIMIT: u8 = 10; /* items */",
        "java": "class A {\n    int x;\n} // A",
    }
    for name, text in lines.items():
        seen = outline(language_named(name), f"{text}\n")
        base = outline(language_named(name), text.replace("items", "no item").replace("// A", "").replace("10", "2"))
        assert seen.text[: trailing_usage(seen, base)].decode().strip() == text, name
    seen = outline(PYTHON, "LIMIT = 10  # items\n# Usage\nprint(LIMIT)\n")
    assert seen.text[: trailing_usage(seen, outline(PYTHON, "LIMIT = 2\n"))].decode() == "LIMIT = 10  # items"
