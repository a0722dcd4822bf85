"""What `cat` of several files prints, held against our texts."""

import pytest

from .helpers import Session

ROOT = "<env>\n  Working directory: /w/p\n</env>"
A, B = "A = 1\n", "C = 3\nD = 4\n"


def dirty(session: Session, script: str, output: str) -> set[str]:
    session.messages.append({"role": "system", "content": ROOT})
    session.ask(f"a.py\n```python\n{A}```\n\nb.py\n```python\n{B}```\n\nLook.", None, {
        "c": {"name": "bash", "arguments": {"command": script, "description": "x"}}
    })  # fmt: skip
    session.ask(None, "Done.", results={"c": output})
    return {path for path, text in session.state().items() if "::" not in path and text == "DIRTY"}


@pytest.mark.parametrize(
    ("script", "output"),
    [
        ("cat a.py b.py", A + B),
        ("cat a.py b.py", A + B.rstrip()),
        ("cat b.py a.py", B + A),
        ("cat a.py && cat b.py", A + B),
        ("cat *.py", A + B),
        ("cat a.py new.py b.py", A + "x = 1\n" + B),
        ("cat a.py; echo ---; cat b.py", A + "---\n" + B),
        ("cat a.py new.py", A + "cat: new.py: No such file or directory\n"),
        ("cat ~/a.py b.py", "x = 1\n" + B),
    ],
)
def test_our_texts_one_after_the_other_change_nothing(session: Session, script: str, output: str) -> None:
    assert dirty(session, script, output) == set()


@pytest.mark.parametrize(
    ("script", "output", "found"),
    [
        ("cat a.py b.py", "A = 7\n" + B, {"a.py", "b.py"}),
        ("cat a.py b.py", A + "B = 2\n" + B, {"a.py", "b.py"}),
        ("cat a.py; cat b.py", A + B + "E = 5\n", {"a.py", "b.py"}),
        ("cat new.py a.py", "x = 1\nA = 10\n", {"a.py"}),
        ("cat *.py", "A = 10\n" + B, {"a.py"}),
        ("cat $PWD/*.py", "A = 10\n" + B, {"a.py"}),
        ("cat a.py; echo ---; cat b.py", "A = 10\n---\n" + B, {"a.py"}),
    ],
)
def test_other_texts_contradict_ours(session: Session, script: str, output: str, found: set[str]) -> None:
    assert dirty(session, script, output) == found


@pytest.mark.parametrize("script", ["cat a.py 2>&1", "cat < a.py", "cat $PWD/a.py", 'cat "$PWD/a.py"', "cat ./a.py"])
def test_one_file_in_another_spelling_is_read(session: Session, script: str) -> None:
    dirty(session, script, "A = 7\n")
    assert session.holds("a.py", "A = 7\n")
