"""What scripts show of files."""

import pytest

from tslp_litellm.shell.displays import Display, Form, displays, shown_by
from tslp_litellm.shell.targets import At, Like

LINES, NUMBERED, DIFF = Form.LINES, Form.NUMBERED, Form.DIFF


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
        ("grep -rn x src", [Display("", Form.FOUND)]),
        ("cd src && grep -rn --include='*.py' x . | head -5", [Display("src", Form.FOUND)]),
        ("rg -n x", [Display("", Form.FOUND)]),
        ("git grep -n x", [Display("", Form.FOUND)]),
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
        ("cat a.py; cat b.py", [Display("", LINES, beside=(At("a.py"), At("b.py")))]),
        ("cat a.py b.py", [Display("", LINES, beside=(At("a.py"), At("b.py")))]),
        ("cd src && cat *.py", [Display("", LINES, beside=(Like("src", "*.py"),))]),
        ("cat a.py; x; cat b.py", [Display("a.py", LINES, alone=False), Display("b.py", LINES, alone=False)]),
        ("cat a.py b.py; x", [Display("", LINES, alone=False, beside=(At("a.py"), At("b.py")))]),
        ("cat a.py 2>&1", [Display("a.py", LINES)]),
        ("cat < a.py", [Display("a.py", LINES)]),
        ("cat $PWD/a.py", [Display("./a.py", LINES)]),
        ("cat a.py 2>b.py", []),
        ("cat a.py $x", []),
        ("cat -A a.py b.py", []),
        ("git diff --cached a.py", []),
        ("git diff main..x", []),
        ("git diff main", []),
        ("sed -n /x/p a.py", [Display("a.py", Form.SOME)]),
        ("sed 4d a.py", []),
        ("grep x a.py", [Display("a.py", Form.SOME)]),
        ("grep -r x src", []),
        ("grep -rno x src", []),
        ("rg -c -n x", []),
        ("grep -on x a.py", []),
        ("cat a.py | tr a b", []),
        ("cat a.py > b.py", []),
        ("cat $X", []),
        ("cat *.py", [Display("", LINES, beside=(Like("", "*.py"),))]),
        ("false || cat a.py", []),
        ("cat 'a", []),
    ],
)
def test_what_is_shown(script: str, shown: list[Display]) -> None:
    assert list(displays(script)) == shown


@pytest.mark.parametrize(
    "script",
    ["cat a.py", "cat 'a.py' 2>&1", "cat a.py 2>/dev/null", "cat < a.py", "/bin/cat -- a.py"],
)
def test_a_script_that_is_only_cat_however_it_is_written(script: str) -> None:
    assert shown_by(script) == "a.py"
    assert shown_by('cat "$PWD"/a.py') == shown_by('cat "$PWD/a.py"') == "./a.py"


@pytest.mark.parametrize(
    "script",
    ["cat a.py > b.py", "cat a.py 2> b.py", "cat <<< a.py", "cat a.py &", "cat $x/a.py", "cat -n a.py", "cat *.py"],
)
def test_what_is_not_only_cat(script: str) -> None:
    assert shown_by(script) is None
