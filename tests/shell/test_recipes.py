"""Task runners' files: the commands under a name, and those that they run by their names."""

import json

import pytest

from tslp_litellm.shell import changed_by, evaluate
from tslp_litellm.shell.certainty import Outcome
from tslp_litellm.shell.effects import Ran
from tslp_litellm.shell.recipes import commands_of, is_recipe_book
from tslp_litellm.shell.targets import At

MAKE = """
SRC = a.py
all: up
up: first
\t@sed -i s/a/b/ $(SRC)
first:
\trm b.py
other: ; true
test:
\tpytest
"""
PACKAGE = json.dumps({"main": "x.js", "scripts": {"up": "npm run fix", "fix": "rm a.py", "preup": "rm b.py"}})
JUST = "up name='x':\n    rm {{name}} a.py\n\ntest:\n    pytest\n"


@pytest.mark.parametrize(
    ("path", "text", "names", "lines"),
    [
        ("Makefile", MAKE, ("up",), ["sed -i s/a/b/ a.py", "rm b.py"]),
        ("Makefile", MAKE, (), ["", "sed -i s/a/b/ a.py", "rm b.py"]),
        ("Makefile", MAKE, ("test",), ["pytest"]),
        ("package.json", PACKAGE, ("run", "up"), ["npm run fix", "rm b.py", "rm a.py"]),
        ("justfile", JUST, ("up",), ['rm "$_" a.py']),
    ],
)
def test_the_commands_under_a_name(path: str, text: str, names: tuple[str, ...], lines: list[str]) -> None:
    script = commands_of(path, text, names)
    assert script is not None and script.split("\n") == lines


@pytest.mark.parametrize("text", ["", "{", "[]", '{"scripts": []}', "x = 1"])
def test_a_file_without_the_name(text: str) -> None:
    assert commands_of("package.json", text, ("up",)) is None
    assert commands_of("Makefile", text, ("up",)) is None


def test_a_target_changes_what_its_commands_do() -> None:
    assert At("a.py") in changed_by("Makefile", MAKE, "", ("up",))[0]
    assert changed_by("Makefile", MAKE, "", ("test",)) == ((), ())
    assert changed_by("Makefile", MAKE, "", ("nothing",)) == ((), ())
    assert is_recipe_book("sub/Makefile") and not is_recipe_book("make.py")


@pytest.mark.parametrize("script", ["make up", "just up", "npm run up", "npm test", "yarn x", "pnpm y"])
def test_what_runs_recipes(script: str) -> None:
    ran = [effect for effect in evaluate(script, Outcome.SUCCESS, "").effects if isinstance(effect, Ran)]
    assert ran and ran[0].recipes == tuple(script.split()[1:])
