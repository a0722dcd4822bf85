"""A type whose own text is unknown, most often as a method is new and nobody saw where it stands (SEMANTICS 2 and 3).

Real models showed the whole class turn after turn, and it stayed unknown.
"""

from __future__ import annotations

import pytest

from .helpers import Session, sha


def fence(text: str, word: str = "python") -> str:
    return f"```{word}\n{text}```\n"


HEAD = "import json\n\n\n"
CART = "class Cart:\n    def __init__(self):\n        self.items = []\n\n    def total(self):\n        return sum(self.items)\n"
ADD = "\n    def add(self, price):\n        self.items.append(price)\n"
KINDER = CART.replace("return sum", "return 0.9 * sum")


@pytest.fixture
def cart(session: Session) -> Session:
    """A class of which a method is new: where it stands in it is unknown."""
    session.ask(f"cart.py\n{fence(HEAD + CART)}\nAdd a method `add` to Cart.", fence("class Cart:\n" + ADD[1:]))
    assert session.state()["cart.py::Cart"] == "DIRTY"
    return session


def test_shown_with_all_its_members_it_is_known(cart: Session) -> None:
    state = cart.ask("Let `total` give ten percent off.", fence(KINDER + ADD)).state()
    assert state["cart.py::Cart"] == sha((KINDER + ADD).rstrip("\n"))


def test_shown_without_one_of_them_it_is_those_that_are_shown(cart: Session) -> None:
    before = cart.state()
    after = cart.ask("Let `total` give ten percent off.", fence(KINDER)).state()
    assert after["cart.py::Cart"] == "DIRTY"
    assert after["cart.py::Cart.add"] == before["cart.py::Cart.add"]
    assert after["cart.py::Cart.total"] not in {"DIRTY", before["cart.py::Cart.total"]}


def test_what_the_user_changed_himself_no_answer_makes_known(cart: Session) -> None:
    cart.ask("I changed the class Cart.")
    state = cart.ask("Let `total` give ten percent off.", fence(KINDER + ADD)).state()
    assert set(state.values()) == {"DIRTY"}


def test_a_new_method_in_rust_stands_outside_of_its_type(session: Session) -> None:
    store = (
        "pub struct Store {\n    n: u8,\n}\n\nimpl Store {\n    pub fn get(&self) -> u8 {\n        self.n\n    }\n}\n"
    )
    more = store[:-2] + "\n    pub fn parse(&self) -> u8 {\n        self.n + 1\n    }\n}\n"
    session.ask(f"src/store.rs\n{fence(f'use std::fs;{chr(10)}{chr(10)}{store}', 'rust')}\nJust say ok.")
    session.ask("Add a method `parse` to Store.", fence(more, "rust"))
    session.ask("Rename `parse` to `read`.", fence(more.replace("parse", "read"), "rust"))
    state = session.state()
    assert state["src/store.rs::Store"] != "DIRTY"
    assert state["src/store.rs::Store.parse"] == "DIRTY"
