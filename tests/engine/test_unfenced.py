"""Code that a user writes into his words without a fence: nothing of it counted, and the old text was shown."""

from __future__ import annotations

import pytest

from .helpers import Session, sha

CART = "TAX = 0.19\n\n\ndef total(items):\n    return sum(items) * (1 + TAX)\n\n\ndef add(items, price):\n    items.append(price)\n    return items\n"
ADD = "def add(items, price):\n    if price < 0:\n        return items\n    items.append(price)\n    return items\n"
NOW = CART[: CART.index("def add")] + ADD


@pytest.fixture
def shop(session: Session) -> Session:
    return session.ask(f"shop/cart.py\n```python\n{CART}```")


def _indented(code: str) -> str:
    return "".join(f"    {line}" for line in code.splitlines(keepends=True))


@pytest.mark.parametrize(
    "said",
    [
        f"no, add looks like this now\n\n{ADD}\nis it ok",
        f"no i have this now\n{ADD}",
        f"i changed it, look:\n\n{_indented(ADD)}\nok?",
        f"this is it now ```{ADD}``` good?",
        f"```{ADD.rstrip()}```",
    ],
)
def test_it_is_his(shop: Session, said: str) -> None:
    assert shop.ask(said, "Fine.").holds("shop/cart.py", NOW)
    assert ADD.rstrip() in shop.forget().ask("Explain `add`.").prompt


def test_a_member_is_placed_by_its_type(session: Session) -> None:
    cart = "class Cart:\n    def total(self):\n        return 1\n"
    session.ask(f"cart.py\n```python\n{cart}```")
    session.ask("total is this now:\n\n    def total(self):\n        return 2\n\nok?")
    assert session.holds("cart.py", cart.replace("1", "2"))


def test_of_several_files_each_is_in_doubt(shop: Session) -> None:
    shop.ask(f"old/cart.py\n```python\n{CART}```").ask("Hello.").ask("Hello.")
    state = shop.ask(f"no i have this now\n\n{ADD}\nis it ok").state()
    assert state["shop/cart.py::add"] == state["old/cart.py::add"] == "DIRTY"


def test_where_it_ends_in_doubt_what_it_defines_is_in_doubt(shop: Session) -> None:
    state = shop.ask(f"I have this:\n\n{ADD}\nTraceback (most recent call last):\n  File x\n").state()
    assert [name for name, text in state.items() if text == "DIRTY"] == ["shop/cart.py", "shop/cart.py::add"]
    assert state["shop/cart.py::total"] == sha(CART[CART.index("def total") : CART.index("\n\n\ndef add")])


@pytest.mark.parametrize(
    "said",
    [
        f"why is this slow?\n\n{CART[CART.index('def add') :]}\nthanks",
        f"My old version:\n\n{ADD}\nwas faster.",
        "What does\n\ndef add(items, price):\n\nmean?",
        ">>> def add(items, price):\n...     return 1\n",
        f"A colleague wrote:\n\n{ADD.replace(' add', ' put')}\nIs it as good?",
        f"cart.py:\n\n> {ADD}".replace("\n    ", "\n>     "),
        f"I have this:\n\n{CART[CART.index('def add') :]}\nTraceback (most recent call last):\n  File x\n",
        "Make it so\n\ndef add(items, price):\n    ...\n\nwith a check.",
    ],
)
def test_else_it_changes_nothing(shop: Session, said: str) -> None:
    before = shop.state()
    assert shop.ask(said).state() == before


def test_it_founds_no_file(session: Session) -> None:
    assert session.ask(f"This is how I add in cart.py\n\n{ADD}\nis it ok").state() == {}
