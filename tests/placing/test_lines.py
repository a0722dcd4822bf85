"""Files told by their lines."""

from __future__ import annotations

import pytest

from tests.resolution.helpers import known
from tslp_litellm.parser import outline
from tslp_litellm.placing.lines import is_next_version, shows_whole
from tslp_litellm.syntax.languages import language_named

CONF = "import os\n\nURL = 'a'\nDEBUG = True\n\nprint(URL)\n"
CODE = "import os\n\n\ndef f():\n    return os.sep\n\n\ndef g():\n    return 1\n"


@pytest.mark.parametrize(
    ("text", "said", "whole"),
    [
        (CONF.replace("'a'", "'b'"), "python", True),
        (CONF.replace("'a'", "'b'"), "", False),  # it may be any language
        (CONF.replace("DEBUG = True\n", ""), "python", False),
        ("print(URL)\n", "python", False),
    ],
)
def test_statements_and_values_are_shown_whole(text: str, said: str, whole: bool) -> None:
    assert shows_whole(text, language_named(said).kin if said else "", known("conf.py", CONF)) is whole


def test_functions_are_told_by_their_names() -> None:
    assert not shows_whole(CODE, language_named("python").kin, known("a.py", CODE))


@pytest.mark.parametrize(
    ("text", "base", "next_"),
    [
        (CODE.replace("return 1", "return 2"), CODE, True),
        (CODE.partition("\n\n\n")[2], CODE, False),  # without its imports
        (CODE.replace("def g", "def h"), CODE, False),
        ("import os\n\n\ndef f():\n    return 2\n\n\ndef g():\n    x = 2\n    return x\n", CODE, True),
        ("def f():\n    return 2\n", "def f():\n    return 1\n", False),  # one name proves nothing
        ("def f():\n    return 1\n\n\ndef g():\n    return f()\n", "def f():\n    return 1\n", True),
        (
            "class A:\n    x = 1\n\n    def f(self):\n        return 2\n",
            "class A:\n    def f(self):\n        return 1\n",
            True,
        ),
    ],
)
def test_the_next_version_of_a_file(text: str, base: str, next_: bool) -> None:
    assert is_next_version(outline(language_named("python"), text), known("a.py", base)) is next_
