"""`tslp forget`: what an operator no longer believes is DIRTY, until it is shown again."""

from __future__ import annotations

import pytest

from tslp_litellm.engine.forgetting import forget
from tslp_litellm.state.names import Entity, WorkspaceKey

from .helpers import Session

AT = "2026-01-01T00:00:00.000Z"
TEXT = (
    "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n\n\ndef h():\n    return 3\n"
)
SHOWN = f"These are mine:\n\na.py\n```python\n{TEXT}```\n"
KEY = WorkspaceKey("local", "w")


@pytest.mark.parametrize(
    ("named", "gone"),
    [
        ("a.py", {"a.py", "a.py::A", "a.py::A.f", "a.py::A.g", "a.py::h"}),
        ("a.py::A", {"a.py", "a.py::A", "a.py::A.f", "a.py::A.g"}),
        ("a.py::A.f", {"a.py", "a.py::A", "a.py::A.f"}),
        ("a.py::h", {"a.py", "a.py::h"}),
    ],
)
def test_what_is_forgotten_is_shown_no_more_until_it_is_told_again(
    session: Session, named: str, gone: set[str]
) -> None:
    session.ask(SHOWN)
    done = forget(session.database, KEY, Entity.parse(named), AT)
    assert set(done or ()) == gone
    assert forget(session.database, KEY, Entity.parse(named), AT) == []
    session.forget()
    session.ask("What does `h` in a.py do?")
    assert ("a.py::h" in session.hydrated) == ("a.py::h" not in gone)
    session.ask(SHOWN)
    assert session.holds("a.py", TEXT)


@pytest.mark.parametrize("named", ["b.py", "a.py::x", "a.py::A.h"])
def test_what_is_unknown_is_said(session: Session, named: str) -> None:
    session.ask(SHOWN)
    assert forget(session.database, KEY, Entity.parse(named), AT) is None
    assert forget(session.database, WorkspaceKey("local", "other"), Entity.parse("a.py"), AT) is None
    assert session.holds("a.py", TEXT)
