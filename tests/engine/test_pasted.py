"""A whole chat about code that was pasted without a fence (SEMANTICS 2): nothing of one with a real model was tracked."""

from __future__ import annotations

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
