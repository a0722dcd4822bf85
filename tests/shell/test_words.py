"""Words: quotes, expansions, here-documents."""

import pytest

from tslp_litellm.shell.reading import read
from tslp_litellm.shell.syntax import Opaque, Parameter, Simple, Substitution, Text, Word


def words(script: str) -> list[Word]:
    command = read(script).items[0].command
    assert isinstance(command, Simple)
    return list(command.words[1:])


@pytest.mark.parametrize(
    ("script", "text"),
    [
        ("x a.py", "a.py"),
        ("x 'a b'", "a b"),
        ('x "a\\"b\\$"', 'a"b$'),
        ('x "a\\b"', "a\\b"),
        ("x a\\ b", "a b"),
        ("x 'a'\"b\"c", "abc"),
        ("x a#b", "a#b"),
        ("x $", "$"),
        ("x a\\\nb", "ab"),
        ("x ''", ""),
    ],
)
def test_literal_words(script: str, text: str) -> None:
    assert [word.literal for word in words(script)] == [text]


@pytest.mark.parametrize(
    ("script", "part"),
    [
        ("x $a", Parameter("a")),
        ("x ${a}", Parameter("a")),
        ("x $1", Parameter("1")),
        ("x $@", Parameter("@")),
        ("x ${a:-b}", Opaque()),
        ("x ${a:=b}", Opaque(assigns=frozenset({"a"}))),
        ("x ${a:?b}", Opaque(aborts=True)),
        ("x ${#a}", Opaque()),
        ("x ${!a}", Opaque(aborts=True)),
        ("x $((1 + a))", Opaque()),
        ("x $((1 / a))", Opaque(aborts=True)),
        ("x $((a = 1))", Opaque(assigns=frozenset({"a"}), aborts=True)),
        ("x $'a\\n'", Opaque(quoted=True)),
    ],
)
def test_expansions(script: str, part: object) -> None:
    assert [word.parts for word in words(script)] == [(part,)]


@pytest.mark.parametrize("script", ["x $(a b)", "x `a b`", 'x "$(a b)"', "x ${y:-$(a b)}", "x <(a b)"])
def test_scripts_in_words(script: str) -> None:
    (word,) = words(script)
    part = word.parts[-1]
    inside = part.inside[0] if isinstance(part, Opaque) else part
    assert isinstance(inside, Substitution)
    assert inside.script == read("a b")
    assert inside.awaited is not script.startswith("x <")


@pytest.mark.parametrize(
    ("script", "text"),
    [
        ("cat <<'E'\na $b\n  c\nE", "a $b\n  c\n"),
        ("cat <<E\na\nE\n", "a\n"),
        ("cat <<E\na\\$b \\x\nE", "a$b \\x\n"),
        ("cat <<E\na\\\nE\nE", "aE\n"),
        ("cat <<-E\n\ta\n\tE", "a\n"),
        ("cat <<E\nE", ""),
        ("cat <<E\nno end", "no end\n"),
        ("cat <<E\n$a\nE", None),
    ],
)
def test_here_documents(script: str, text: str | None) -> None:
    command = read(script).items[0].command
    assert isinstance(command, Simple)
    document = command.redirects[0].document
    assert document is not None and document.text is not None
    assert document.text.literal == text


def test_quoted_and_bare_text_are_told_apart() -> None:
    assert words("x '*'")[0].parts == (Text("*", quoted=True),)
    assert words("x *")[0].bare == "*"
