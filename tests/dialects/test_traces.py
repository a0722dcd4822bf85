"""Source lines in traces, and in the frames of compilers and linters."""

import pytest

from tslp_litellm.dialects.traces import LINE_CHARS_MAX, frames

PYTHON = (
    'Traceback (most recent call last):\n  File "/w/a.py", line 9, in total\n    t += x\n    ~~^^~~\nTypeError: x\n'
)
RUFF = "a.py:9:5: PLW2901 x\n   |\n 8 | for x in xs:\n 9 |     t += x\n   |     ^^^^^^ PLW2901\n   |\nFound 1 error.\n"
RUST = "error[E0308]: mismatched\n  --> src/a.rs:3:5\n   |\n3  |     let x = 1;\n   |     ^ expected\nhelp: try\n   |\n3  |     let y = 1;\n"
SPAN = "error: x\n --> a.rs:3:5\n  |\n3 | /     match x {\n4 | |         1 => 2,\n  | |_____^\n"
NODE = "/w/a.js:3\n  throw new Error(x)\n  ^\n\nError: x\n    at f (/w/a.js:7:9)\n"
GCC = "a.c: In function 'f':\na.c:9:5: error: x\n    9 |     return t\n      |     ^~~~~~\n"
MYPY = "a.py:9: error: x\n    t += x\n         ^\n"
VITEST = " ❯ src/a.test.ts:3:5\n      1| import x\n      2| \n      3|   foo()\n       |   ^\n"
PYTEST = (
    "    def total(xs):\n>       return sum(x)\nE       NameError: x\nE       twice\n\na.py:9: NameError\n1 failed\n"
)
SEARCH = "a.py:9:    return sum(x)\n"


def shown(output: str) -> list[tuple[str, int, str]]:
    return [(frame.path, frame.first, frame.lines[0]) for frame in frames(output)]


@pytest.mark.parametrize(
    ("output", "lines"),
    [
        (PYTHON, [("/w/a.py", 9, "t += x")]),
        (RUFF, [("a.py", 8, "for x in xs:"), ("a.py", 9, "t += x")]),
        (RUST, [("src/a.rs", 3, "let x = 1;")]),
        (SPAN, []),
        (NODE, [("/w/a.js", 3, "throw new Error(x)")]),
        (GCC, [("a.c", 9, "return t")]),
        (MYPY, [("a.py", 9, "t += x")]),
        (PYTEST, [("a.py", 9, "return sum(x)")]),
        (SEARCH, [("a.py", 9, "return sum(x)")]),
        (VITEST, [("src/a.test.ts", 1, "import x"), ("src/a.test.ts", 3, "foo()")]),
    ],
)
def test_lines_at_their_places(output: str, lines: list[tuple[str, int, str]]) -> None:
    assert shown(output) == lines


@pytest.mark.parametrize(
    "output",
    [
        "src/a.py:9: AssertionError\n====== short test summary info ======\n",
        'File "a.py", line 9\nno line here\n',
        "a.py:9: error: x\n",
        ">   return sum(x)\n\na.py:9: note\n",
        "a.py:9: NameError\n>       return sum(x)\nE       NameError: x\n",
        "a.py:9: note\n\nSome text | with a bar\n",
        "help: try\n   |\n3  |     let y = 1;\n",
        "a.c:9:5: error\n    9 |     " + "x" * (LINE_CHARS_MAX + 1) + "\n",
        "a.c:9:5: error\n    9 |     return t...\n",
    ],
)
def test_what_shows_no_line(output: str) -> None:
    assert shown(output) == []
