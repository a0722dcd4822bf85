"""What a program's output names."""

import pytest

from tslp_litellm.shell.naming import quoted_in, said_in
from tslp_litellm.shell.targets import ANYWHERE, At, Like


@pytest.mark.parametrize(
    ("output", "names"),
    [
        ("wrote /w/util.py", [At("/w/util.py")]),
        ("Updated 3 files: util.py, a/b.py", [Like(None, "a/b.py"), Like(None, "util.py")]),
        ("+ sed -i s/a/b/ util.py", [Like(None, "s/a/b"), Like(None, "util.py")][1:]),
        (" util.py | 2 +-", [Like(None, "util.py")]),
        ("util.py: 1 change", [Like(None, "util.py")]),
        ('  File "/w/util.py", line 3, in f', []),
        ("util.py:3: error: no", []),
        ("util.py::test_a PASSED", []),
        ("modified: ./util.py", [Like(None, "util.py")]),
        ("took 1.5s at version 2.0", []),
        ("x.py " * 3, [Like(None, "x.py")]),
    ],
)
def test_names_in_output(output: str, names: list[At | Like]) -> None:
    assert said_in(output) == names


def test_more_names_than_can_be_followed() -> None:
    assert said_in("\n".join(f"a{n}.py" for n in range(300))) == [ANYWHERE]
    assert said_in("x" * 300_000) == [ANYWHERE]


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("join('src', 'util.py')", ["util.py"]),
        ('f"{folder}/util.py", `${d}/app.ts`', ["util.py", "app.ts"]),
        ("src + '/util.py'", ["util.py"]),
        ("'src/util.py', 'a word.', 'x.1', 'no.such_language'", []),
    ],
)
def test_names_in_strings_of_code(code: str, names: list[str]) -> None:
    assert quoted_in(code) == [Like(None, name, alone=True) for name in names]
