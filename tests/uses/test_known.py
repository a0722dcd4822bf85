"""What is known of a file: by whom a name is asked for, and in time that grows as the text does."""

from __future__ import annotations

import pytest

from tests.pace import exceeds
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
NAMES = range(6000)
SHAPES = {
    "functions.py": "from b import a\n" + "".join(f"# c\ndef f{i}(x):\n    return a(x)\n" for i in NAMES),
    "methods.py": "from b import a\nclass C:\n" + "".join(f"    # c\n    def f{i}(x):\n        a(x)\n" for i in NAMES),
    "functions.js": "import {a} from './b';\n" + "".join(f"// c\nfunction f{i}() {{ a(); }}\n" for i in NAMES),
    "imports.js": "".join(f"import {{a{i}}} from './b{i}';\n" for i in NAMES),
    "calls.js": "import {a} from './b';\na" + ".b(a)" * 6000 + ";\n",
    "lambdas.py": "x = " + "".join(f"lambda a{i}: (" for i in range(700)) + "q" + ")" * 700 + "\n",
}


def test_a_name_is_asked_for_by_all_that_is_around_it_the_innermost_last() -> None:
    assert {one.holders for one in known_file(NESTED).asked} == {("C",), ("C", "C.f")}


@pytest.mark.parametrize("path", SHAPES)
def test_reading_is_linear(path: str) -> None:
    text, language = SHAPES[path], language_of_path(path)
    assert exceeds(lambda: known_file(text, language), 1.5) is None
