"""What is known of a file: by whom a name is asked for, and in time that grows as the text does."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.growth import steep
from tests.uses.reading import known_file
from tslp_litellm.syntax.languages import language_of_path

NESTED = """from b import a


class C:
    size = a

    def f(self):
        def g():
            return a

        return a
"""
SHAPES = {
    "functions.py": ("from b import a\n", "# c\ndef f{}(x):\n    return a(x)\n", ""),
    "methods.py": ("from b import a\nclass C:\n", "    # c\n    def f{}(x):\n        a(x)\n", ""),
    "functions.js": ("import {{a}} from './b';\n", "// c\nfunction f{}() {{ a(); }}\n", ""),
    "imports.js": ("", "import {{a{0}}} from './b{0}';\n", ""),
    "required.js": (
        "",
        "const {{ a{0} }} = require('./b{0}');\nmodule.exports.a{0} = module.exports = {{ a{0}() {{}} }};\n",
        "",
    ),
    "given.js": ("a = 0", " + (exports.a = 1).b", ";\n"),
    "calls.js": ("import {{a}} from './b';\na", ".b(a)", ";\n"),
}
"""Path -> how a text begins, what it repeats, how it ends."""


def test_a_name_is_asked_for_by_all_that_is_around_it_the_innermost_last() -> None:
    assert {one.holders for one in known_file(NESTED).asked} == {("C",), ("C", "C.f")}


@pytest.mark.slow
@pytest.mark.parametrize("path", SHAPES)
def test_reading_is_linear(path: str) -> None:
    language, (begin, part, end) = language_of_path(path), SHAPES[path]

    def work(chars: int) -> Callable[[], object]:
        text = begin.format() + "".join(part.format(i) for i in range(chars // len(part))) + end
        return lambda: known_file(text, language)

    assert steep(work, 64_000) == ""
