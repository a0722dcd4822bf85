"""Diffs without a head, of files that no word of the prompt or the answer names."""

from __future__ import annotations

import pytest

from .helpers import Session

TS = "export function greet(name: string) {\n  return 'Hello ' + name;\n}\n\nexport function bye() {\n  return 1;\n}\n"
PY = "def greet(name):\n    if not name:\n        return ''\n    return 'Hello ' + name\n\n\ndef bye():\n    return 1\n"
GO = 'package a\n\nfunc greet(name string) string {\n\treturn "Hello " + name\n}\n\nfunc bye() int {\n\treturn 1\n}\n'
RB = "def greet(name)\n  'Hello ' + name\nend\n\ndef bye\n  1\nend\n"
FILES = [("src/user.ts", TS), ("user.py", PY), ("user.go", GO), ("user.rb", RB)]


def diff(text: str, margin: str | None = None) -> str:
    """One that says Hi, its lines as far in as they stand, or otherwise."""
    old = next(line for line in text.splitlines() if "Hello" in line)
    old = old if margin is None else margin + old.lstrip()
    return f"```diff\n-{old}\n+{old.replace('Hello', 'Hi')}\n```\n"


@pytest.mark.parametrize("margin", [None, " ", "", "\t\t"])
@pytest.mark.parametrize(("path", "text"), FILES)
def test_it_is_of_the_one_file_of_the_turn_before(session: Session, path: str, text: str, margin: str | None) -> None:
    session.ask(f"{path}\n```\n{text}```").ask("greet should say Hi", diff(text, margin))
    assert session.holds(path, text.replace("Hello", "Hi"))


def test_new_lines_go_in_as_far_as_the_old_ones(session: Session) -> None:
    change = "```diff\n-return 'Hello ' + name\n+name = name.strip()\n+return 'Hi ' + name\n```\n"
    session.ask(f"user.py\n```python\n{PY}```").ask("strip the name, and say Hi", change)
    assert session.holds("user.py", PY.replace("return 'Hello '", "name = name.strip()\n    return 'Hi '"))


@pytest.mark.parametrize(
    ("prompt", "change"),
    [
        ("why does greet say Hello?", diff(PY)),
        ("greet should say Hi", "Not so:\n\n```diff\n-    return 'Hallo'\n+    return 'Hi'\n```\n"),
        ("greet should say Hi", "For example, before:\n\n" + diff(PY)),
        ("greet should say Hi", "```diff\n- return 'Hello ' + name\n     if x:\n+return 'Hi ' + name\n```\n"),
        ("greet should say Hi", "```python\nprint(greet('Hi'))\n```\n"),
    ],
)
def test_what_is_no_diff_of_it_changes_nothing(session: Session, prompt: str, change: str) -> None:
    session.ask(f"user.py\n```python\n{PY}```").ask(prompt, change)
    assert session.holds("user.py", PY)


def test_where_it_fits_two_files_of_the_turn_before_it_is_of_neither(session: Session) -> None:
    session.ask(f"a.py\n```python\n{PY}```\n\nb.py\n```python\n{PY}```").ask("greet should say Hi", diff(PY, " "))
    assert session.holds("a.py", PY) and session.holds("b.py", PY)
