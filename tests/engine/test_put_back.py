"""A definition that was removed comes back alone: its name is known to have been of one file."""

from __future__ import annotations

import pytest

from .helpers import Session

CART = "TAX = 0.19\n\n\ndef total(items):\n    return sum(items) * (1 + TAX)\n\n\ndef count_items(items):\n    return len(items)\n"
LESS = CART.partition("\n\n\ndef count")[0] + "\n"
BACK = "Here:\n\n```python\ndef count_items(items):\n    return len(items)\n```"


@pytest.fixture
def gone(session: Session) -> Session:
    session.ask(f"shop/cart.py\n```python\n{CART}```")
    return session.ask("remove count_items", f"shop/cart.py\n```python\n{LESS}```")


@pytest.mark.parametrize(
    "said",
    [
        "put count_items back",
        "nimm count_items wieder rein",
        "把count_items加回来",
        "`count_items` was needed after all, put it back into cart.py.",
    ],
)
def test_it_is_back(gone: Session, said: str) -> None:
    state = gone.ask(said, BACK).state()
    assert state["shop/cart.py"] == "DIRTY"
    assert state["shop/cart.py::count_items"] != "DIRTY"
    assert "def count_items" in gone.forget().ask("Explain `count_items`.").prompt


def test_the_user_shows_it_himself(gone: Session) -> None:
    assert "shop/cart.py::count_items" in gone.ask(f"count_items is back.\n\n{BACK}").state()


def test_a_member(session: Session) -> None:
    cart = "class Cart:\n    def total(self):\n        return 1\n\n    def count(self):\n        return 2\n"
    less = cart.partition("\n    def count")[0]
    session.ask(f"cart.py\n```python\n{cart}```").ask("Remove `count`.", f"cart.py\n```python\n{less}```")
    assert "cart.py::Cart.count" not in session.state()
    state = session.ask("Put `count` back.", "```python\ndef count(self):\n    return 2\n```").state()
    assert state["cart.py::Cart.count"] != "DIRTY"


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("put it back", BACK),
        ("Why did you remove count_items?", BACK),
        ("put count_items into shop/other.py", BACK),
        ("put count_items back", BACK.replace("python", "go").replace("def ", "func ")),
    ],
)
def test_else_it_is_of_no_file(gone: Session, said: str, answer: str) -> None:
    state = gone.ask(said, answer).state()
    assert "shop/cart.py::count_items" not in state
    assert state["shop/cart.py"] != "DIRTY"


def test_of_two_files_neither(gone: Session) -> None:
    gone.ask(f"old/cart.py\n```python\n{CART}```")
    gone.ask("remove count_items from old/cart.py", f"old/cart.py\n```python\n{LESS}```")
    assert not [name for name in gone.ask("put count_items back", BACK).state() if "count_items" in name]


def test_it_is_where_it_lives_by_now(gone: Session) -> None:
    gone.ask(f"shop/util.py\n```python\nimport re\n\n\n{CART[CART.index('def count') :]}```")
    state = gone.ask("Let count_items return 0.", BACK.replace("len(items)", "0")).state()
    assert "shop/cart.py::count_items" not in state
    assert "shop/util.py::count_items" in state
