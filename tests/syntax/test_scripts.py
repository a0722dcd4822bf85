"""Shell scripts as commands: words, redirections, here-documents, what is sure to run."""

import pytest

from tslp_litellm.syntax import scripts
from tslp_litellm.syntax.commands import Command, Word
from tslp_litellm.syntax.scripts import COMMANDS_MAX


def commands(script: str) -> list[Command] | None:
    return scripts.commands(script.encode())


def words(script: str) -> list[str | None]:
    found = commands(script)
    assert found is not None and len(found) == 1
    return [word.text for word in found[0].words]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("rm a.py", ["rm", "a.py"]),
        ("rm 'a b'", ["rm", "a b"]),
        ('rm "a b"', ["rm", "a b"]),
        ('rm "a\\"b\\$"', ["rm", 'a"b$']),
        ("rm a\\ b", ["rm", "a b"]),
        ("rm 'a'\"b\"c", ["rm", "abc"]),
        ("rm ''", ["rm", ""]),
        ("rm $x", ["rm", None]),
        ('rm "$x"', ["rm", None]),
        ("rm a$x", ["rm", None]),
        ("rm $(ls)", ["rm", None]),
        ("rm `ls`", ["rm", None]),
        ("rm $'a\\tb'", ["rm", None]),
        ("rm a{1..3}.py", ["rm", None]),
        ("X=1 rm a", ["rm", "a"]),
        ("head -5 a", ["head", "-5", "a"]),
    ],
)
def test_words(script: str, expected: list[str | None]) -> None:
    assert words(script) == expected


@pytest.mark.parametrize("pattern", ["*.py", "a?.py", "[ab].py", "{a,b}.py", "~/a.py"])
def test_patterns_of_file_names(pattern: str) -> None:
    found = commands(f"rm {pattern}")
    assert found is not None
    assert found[0].words[1].glob
    quoted = commands(f"rm '{pattern}'")
    assert quoted is not None
    assert quoted[0].words[1] == Word(pattern)


@pytest.mark.parametrize(
    ("script", "output"),
    [
        ("x > a", [(Word("a"), False)]),
        ("x >> a", [(Word("a"), True)]),
        ("x &> a", [(Word("a"), False)]),
        ("x >| a", [(Word("a"), False)]),
        ("x > a >> b", [(Word("a"), False), (Word("b"), True)]),
        ("x 2> a", []),
        ("x < a", []),
        ("x > $a", [(Word(None), False)]),
    ],
)
def test_output(script: str, output: list[tuple[Word, bool]]) -> None:
    found = commands(script)
    assert found is not None
    assert found[-1].output == output


@pytest.mark.parametrize(
    ("script", "text"),
    [
        ("cat <<'E'\na $b\n  c\nE", "a $b\n  c\n"),
        ("cat <<E\na\nE", "a\n"),
        ("cat <<E\n$a\nE", None),
        ("cat <<E\na\\b\nE", None),
        ("cat <<'E'\nE", ""),
        ("cat <<-'E'\n\ta\n\tE", None),
        ("cat <<'E'\nünïcode – ✓\nE", "ünïcode – ✓\n"),
        ("cat", None),
    ],
)
def test_here_documents(script: str, text: str | None) -> None:
    found = commands(script)
    assert found is not None
    assert found[0].input == text


@pytest.mark.parametrize(
    ("script", "sure"),
    [
        ("a; b", [True, True]),
        ("a && b", [True, True]),
        ("a && b && c", [True, True, True]),
        ("a && b; c", [True, False, True]),
        ("cd a && b; c", [True, True, True]),
        ("a || b", [True, False]),
        ("a && b || c", [True, False, False]),
        ("a | b", [True, True]),
        ("if a; then b; fi", [False, False]),
        ("while a; do b; done", [False, False]),
        ("(a)", [False]),
        ("{ a; }", [True]),
        ("f() { a; }", [False]),
        ("case x in x) a;; esac", [False]),
    ],
)
def test_what_is_sure_to_run(script: str, sure: list[bool]) -> None:
    found = commands(script)
    assert found is not None
    assert [command.sure for command in found] == sure


@pytest.mark.parametrize(
    ("script", "last"), [("a", True), ("a && b", True), ("a; b", False), ("a\nb", False), ("a # x\n# y", True)]
)
def test_whether_the_exit_status_speaks_for_all(script: str, last: bool) -> None:
    found = commands(script)
    assert found is not None
    assert found[-1].last is last


@pytest.mark.parametrize("script", ["rm 'a", "if a; then", "a ) b", "\x00("])
def test_what_can_not_be_read(script: str) -> None:
    assert commands(script) is None


def test_too_many_commands_are_not_read() -> None:
    assert commands("a\n" * COMMANDS_MAX) is not None
    assert commands("a\n" * (COMMANDS_MAX + 1)) is None


def test_no_commands() -> None:
    assert commands("") == []
    assert commands("# only a comment") == []
