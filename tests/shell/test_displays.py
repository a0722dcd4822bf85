"""What scripts show of files."""

import pytest

from tslp_litellm.shell.displays import Display, Form, displays, searched

LINES, NUMBERED, DIFF = Form.LINES, Form.NUMBERED, Form.DIFF


def several(*paths: str, first: int = 1, count: int = 0) -> list[Display]:
    return [Display(path, LINES, first, count, alone=False) for path in paths]


@pytest.mark.parametrize(
    ("script", "shown"),
    [
        ("sed -n '4,5p' a.py", [Display("a.py", LINES, 4, 2)]),
        ("sed -n '4,$p' a.py", [Display("a.py", LINES, 4, 0)]),
        ("sed -n 4p a.py", [Display("a.py", LINES, 4, 1)]),
        ("head -5 a.py", [Display("a.py", LINES, 1, 5)]),
        ("head -n 5 a.py", [Display("a.py", LINES, 1, 5)]),
        ("head a.py", [Display("a.py", LINES, 1, 10)]),
        ("cat a.py", [Display("a.py", LINES)]),
        ("cat a.py | head -3", [Display("a.py", LINES, 1, 3)]),
        ("cat -n a.py", [Display("a.py", NUMBERED)]),
        ("nl -ba a.py | sed -n '4,5p'", [Display("a.py", NUMBERED)]),
        ("grep -n x a.py", [Display("a.py", NUMBERED)]),
        ("tail -n 2 a.py", [Display("a.py", LINES, -2, 2)]),
        ("tail -2 a.py", [Display("a.py", LINES, -2, 2)]),
        ("tail a.py", [Display("a.py", LINES, -10, 10)]),
        ("tail -n +4 a.py", [Display("a.py", LINES, 4, 0)]),
        ("cat a.py | tail -n 2", [Display("a.py", LINES, -2, 2)]),
        ("tail -f a.py", []),
        ("git blame a.py", [Display("a.py", Form.BLAMED)]),
        ("cd src && git blame -L 4,5 a.py", [Display("src/a.py", Form.BLAMED)]),
        ("git blame HEAD~1 a.py", []),
        ("git blame -w a.py", []),
        ("git diff a.py", [Display("", DIFF)]),
        ("git diff HEAD", [Display("", DIFF)]),
        ("cd src && cat a.py", [Display("src/a.py", LINES)]),
        ("ls; cat a.py", [Display("a.py", LINES, alone=False)]),
        ("cat a.py; cat b.py", [Display("a.py", LINES, alone=False), Display("b.py", LINES, alone=False)]),
        ("cat a.py b.py", several("a.py", "b.py")),
        ("cat -n a.py b.py", []),
        ("head -n 5 a.py b.py", several("a.py", "b.py", count=5)),
        ("head a.py b.py", several("a.py", "b.py", count=10)),
        ("tail -2 a.py b.py", several("a.py", "b.py", first=-2, count=2)),
        ("sed -n 1,5p a.py && sed -n 1,5p b.py", several("a.py", "b.py", count=5)),
        ("sed -n 1,5p a.py b.py", []),
        ("cat a.py b.py | head -5", []),
        ("for f in a.py b.py; do echo == $f; cat src/$f; done", several("src/a.py", "src/b.py")),
        ('for f in a.py b.py; do head -5 "$f" | tail -2; cat $g; done', []),
        ("for f in a.py; do cat $f | head -5; done", [Display("a.py", LINES, 1, 5)]),
        ("for f in *.py; do cat $f; done", []),
        ("cat a.py 2>/dev/null", [Display("a.py", LINES)]),
        ("cat a.py 2>/dev/null || echo none", several("a.py")),
        ("{ cat a.py; } && (cat b.py)", several("a.py")),
        ("cat a.py && ls || cat b.py", several("a.py")),
        ("git diff --cached a.py", []),
        ("git diff main..x", []),
        ("git diff main", []),
        ("sed -n /x/p a.py", []),
        ("sed 4d a.py", []),
        ("grep x a.py", []),
        ("grep -rn x src", []),
        ("grep -on x a.py", []),
        ("cat a.py | tr a b", []),
        ("cat a.py > b.py", []),
        ("cat $X", []),
        ("cat *.py", []),
        ("false || cat a.py", []),
        ("cat 'a", []),
    ],
)
def test_what_is_shown(script: str, shown: list[Display]) -> None:
    assert list(displays(script)) == shown


@pytest.mark.parametrize(
    ("script", "folder"),
    [
        ("grep -rn x src", ""),
        ("grep -rn 'a b' . --include=*.py -A 2 | head -20", ""),
        ("cd src && rg -ni x", "src"),
        ("rg x -g '*.py' 2>/dev/null", ""),
        ("git grep -n x; grep -n x a.py b.py", ""),
        ("for f in a.py b.py; do grep -Hn x $f; done", ""),
        ("rg -rn x src", None),
        ("rg --column x", None),
        ("grep -ron x src", None),
        ("grep -rnb x src", None),
        ("grep -rn x src | sed s/x/y/", None),
        ("grep -rn x src > found.txt", None),
        ("cat a.py; grep -rn x src", None),
        ("(cd a && grep -rn x .)", None),
        ("ls", None),
        ("cat 'a", None),
    ],
)
def test_where_a_script_searched(script: str, folder: str | None) -> None:
    assert searched(script) == folder
