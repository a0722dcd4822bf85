"""A whole chat about code that was pasted without a fence (SEMANTICS 2): nothing of one with a real model was tracked."""

from __future__ import annotations

import pytest

from .helpers import Session

CART = "class Cart:\n    def __init__(self):\n        self.items = []\n\n    def total(self):\n        return sum(self.items)\n"
KIND = CART.replace("return sum", "return 0.9 * sum")


def test_it_is_tracked_as_in_a_fence(session: Session) -> None:
    session.ask(f"C:\\projects\\shop\\cart.py\n\n{CART}\nlet total give ten percent off", f"```python\n{KIND}```\n")
    assert session.holds("C:/projects/shop/cart.py", KIND)
    assert KIND.rstrip("\n") in session.forget().ask("Show me `Cart`.", "Look.").sent[-1]["content"]


def test_what_he_pastes_again_is_the_truth(session: Session) -> None:
    session.ask(f"cart.py\n{CART}\nlet total give ten percent off", f"```python\n{KIND}```\n")
    assert session.ask(f"I'd rather have it so. cart.py:\n\n{CART}\nAdd nothing.").holds("cart.py", CART)


def test_no_copy_is_put_in_front_of_what_he_pastes(session: Session) -> None:
    session.ask(f"cart.py\n{CART}\nlet total give ten percent off", "Sure.")
    session.ask(f"cart.py\n{CART}\nWhat does `Cart` do?", "It holds items.")
    assert session.sent[-1]["content"].count("class Cart") == 1


@pytest.mark.parametrize(
    "label",
    [
        "This is cart.py now:",
        "cart.py now looks like this:",
        "**cart.py**",
        "### cart.py",
        "My `cart.py` is as follows:",
    ],
)
def test_a_line_that_leads_to_it_is_its_label(session: Session, label: str) -> None:
    session.ask(f"cart.py\n```python\n{CART}```")
    assert session.ask(f"{label}\n\n{KIND}\nWhat does `total` do?").holds("cart.py", KIND)


def test_a_comment_that_is_only_its_path_is_its_label(session: Session) -> None:
    session.ask(f"cart.py\n```python\n{CART}```")
    assert session.ask(f"Look:\n\n# cart.py\n{KIND}\nWhat does `total` do?").holds("cart.py", KIND)


TORN = f"{KIND}\n\ndef broken(:\n    pass\n"


@pytest.mark.parametrize("label", ["cart.py", "This is shop/cart.py now:", "I changed it a bit. cart.py:"])
def test_what_changed_in_code_that_does_not_parse_is_of_unknown_text(session: Session, label: str) -> None:
    session.ask(f"shop/cart.py\n```python\n{CART}\n\ndef load():\n    return Cart()\n```")
    state = session.ask(f"{label}\n\n{TORN}\nWhat is wrong here?").state()
    assert [name for name, text in state.items() if text == "DIRTY"] == [
        "shop/cart.py",
        "shop/cart.py::Cart",
        "shop/cart.py::Cart.total",
    ]


@pytest.mark.parametrize(
    "said",
    [
        f"cart.py\n\n{CART}\n\ndef broken(:\n    pass\n\nWhat is wrong here?",
        f"An old cart.py:\n\n{TORN}\nWhat was wrong here?",
        f"What if it were so? Imagine this in cart.py:\n\n{TORN}\nWhat then?",
        "Why does it fail in cart.py:\n\nTraceback (most recent call last):\n  def total(self):\nTypeError: no\n",
        f"cart.py:\n\n- {TORN}".replace("\n", "\n> "),
        "I had a look at cart.py:\n\ntotal is a def that returns nothing (",
    ],
)
def test_else_it_changes_nothing(session: Session, said: str) -> None:
    before = session.ask(f"cart.py\n```python\n{CART}```").state()
    assert session.ask(said).state() == before
