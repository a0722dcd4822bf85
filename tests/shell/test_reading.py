"""From a script's text to its commands: what is read, and what is refused as a whole."""

import contextlib
from collections.abc import Callable

import pytest

from tests.growth import steep
from tslp_litellm.shell.reading import read
from tslp_litellm.shell.syntax import (
    AndOr,
    Case,
    For,
    Function,
    Group,
    If,
    Pipeline,
    Redirected,
    Simple,
    Subshell,
    Test,
    UnreadableError,
    While,
)


@pytest.mark.parametrize(
    ("script", "kinds"),
    [
        ("", []),
        ("# rm a\n", []),
        ("a; b & c\n", [Simple, Simple, Simple]),
        ("a && b || c", [AndOr]),
        ("a | b | c", [Pipeline]),
        ("! a", [Pipeline]),
        ("time -p a", [Simple]),
        ("(a; b)", [Subshell]),
        ("{ a; b; }", [Group]),
        ("{ a\n} > b 2>&1", [Redirected]),
        ("if a; then b; elif c; then d; else e; fi", [If]),
        ("for f in a b; do c; done", [For]),
        ("for ((i=0; i<3; i++)); do c; done", [For]),
        ("while a; do b; done < c", [Redirected]),
        ("until a\ndo b\ndone", [While]),
        ("case $x in a|b) c;; (d) e ;& *) ;; esac", [Case]),
        ("f() { a; }", [Function]),
        ("function f { a; }", [Function]),
        ("f ()\n(a)", [Function]),
        ("[[ -f a && $b =~ ^(c|d)$ ]]", [Test]),
        ("((i++))", [Test]),
        ("a=(1 2\n3) b", [Simple]),
        ("cat <<A <<-'B' && c\n1\nA\n\t2\n\tB\nd", [AndOr, Simple]),
        ("git commit -m \"$(cat <<'EOF'\nit's (a) `b`\nEOF\n)\"", [Simple]),
        ("a \\\n b", [Simple]),
        ("x=`a \\`b\\``", [Simple]),
        ("find . -exec a {} +", [Simple]),
    ],
)
def test_commands(script: str, kinds: list[type]) -> None:
    assert [type(item.command) for item in read(script).items] == kinds


@pytest.mark.parametrize(
    "script",
    ["a )", "fi", "if a; then", "echo 'a", 'echo "a', "a ;; b", "echo $(ls", "a &&", "a |", "echo !(a)", "x y(z)", "{ }",
     "(" * 100, "a\r\n", "a\0", "coproc a", "a |& b", "cat << $(x)", "for in; do", "`a", "case x in a", "a > ", "((a)"],
)  # fmt: skip
def test_what_is_not_known_exactly_is_refused(script: str) -> None:
    with pytest.raises(UnreadableError):
        read(script)


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", ["1|", "(", "a ", "$(", '"', "`", "${", "a;", ">a ", "<<E\n", "[", "{a,", "\\", "\n", "#\n"]
)
def test_reading_is_linear(unit: str) -> None:
    def work(size: int) -> Callable[[], object]:
        text = unit * (size // len(unit))

        def reading() -> None:
            with contextlib.suppress(UnreadableError):
                read(text)

        return reading

    assert not steep(work)
