"""A field of a type, shown alone: what the model was asked to set."""

from __future__ import annotations

import pytest

from .helpers import Session

FILES = {
    "src/Loans.java": (
        "package com.acme;\n\nimport java.time.LocalDate;\n\npublic class Loans {\n\n    private static final int MAX_LOANS = 5;\n"
        "    private static final int DAYS = 28;\n\n    public boolean full(int n) {\n        return n >= MAX_LOANS;\n    }\n}\n"
    ),
    "src/Loans.cs": (
        "namespace Acme;\n\npublic class Loans\n{\n    private const int MAX_LOANS = 5;\n    private const int DAYS = 28;\n\n"
        "    public bool Full(int n)\n    {\n        return n >= MAX_LOANS;\n    }\n}\n"
    ),
    "src/Loans.kt": (
        "package com.acme\n\nclass Loans {\n    private val MAX_LOANS = 5\n    private val DAYS = 28\n\n"
        "    fun full(n: Int): Boolean {\n        return n >= MAX_LOANS\n    }\n}\n"
    ),
    "src/loans.ts": (
        "import { today } from './day';\n\nexport class Loans {\n  static readonly MAX_LOANS = 5;\n  static readonly DAYS = 28;\n\n"
        "  full(n: number): boolean {\n    return n >= Loans.MAX_LOANS;\n  }\n}\n"
    ),
    "loans.py": "import day\n\n\nclass Loans:\n    MAX_LOANS = 5\n    DAYS = 28\n\n    def full(self, n):\n        return n >= self.MAX_LOANS\n",
}


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize(
    "prompt", ["In {path}, set MAX_LOANS to 8", "set MAX_LOANS in Loans to 8", "set MAX_LOANS to 8"]
)
def test_it_takes_the_place_of_the_old_one(session: Session, path: str, prompt: str) -> None:
    text = FILES[path]
    line = next(one for one in text.split("\n") if " MAX_LOANS = 5" in one)
    session.ask(f"{path}\n```\n{text}```")
    session.ask(prompt.format(path=path), f"```{path.rpartition('.')[2]}\n{line.strip().replace('5', '8')}\n```")
    assert session.holds(path, text.replace("= 5", "= 8"))
    assert "DIRTY" not in session.state().values()


@pytest.mark.parametrize(
    ("prompt", "shown"),
    [
        ("What would it mean to set MAX_LOANS to 8?", "private static final int MAX_LOANS = 8;"),
        ("Set the limit in src/Loans.java to 8.", "private static final int MIN_LOANS = 8;"),
        ("Use MAX_LOANS in `full`.", "boolean full = n >= MAX_LOANS;"),
    ],
)
def test_nothing_else_is_one(session: Session, prompt: str, shown: str) -> None:
    path = "src/Loans.java"
    session.ask(f"{path}\n```java\n{FILES[path]}```").ask(prompt, f"```java\n{shown}\n```")
    assert session.holds(path, FILES[path])


def test_a_local_value_of_a_method_is_none(session: Session) -> None:
    text = "class A:\n    def f(self):\n        n = 5\n        return n\n"
    session.ask(f"a.py\n```python\n{text}```").ask("set n in a.py to 8", "```python\nn = 8\n```")
    assert not session.holds("a.py", text.replace("5", "8"))
