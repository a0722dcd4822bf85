"""Code without a label, whole turns."""

from __future__ import annotations

from .helpers import Session

CART = (
    "import re\n\n\nclass Cart:\n    rate = 1\n\n    def total(self):\n        return sum(self.items)\n\n"
    "    def add(self, price):\n        self.items.append(price)\n"
)


def shown(session: Session) -> Session:
    return session.ask(f"src/cart.py\n```python\n{CART}```\n")


def test_a_type_with_some_of_its_members_only_is_these_members(session: Session) -> None:
    part = "class Cart:\n    def total(self):\n        return round(sum(self.items), 2)\n"
    shown(session).ask("Make `Cart.total` round.", f"```python\n{part}```\n")
    assert session.holds("src/cart.py", CART.replace("sum(self.items)", "round(sum(self.items), 2)"))


def test_a_type_that_is_otherwise_not_as_it_was_is_judged_as_a_whole(session: Session) -> None:
    part = "class Cart:\n    digits = 2\n\n    def total(self):\n        return round(sum(self.items), self.digits)\n"
    shown(session).ask("Make `Cart.total` round.", f"```python\n{part}```\n")
    assert session.holds("src/cart.py", CART)


def test_a_usage_example_in_the_same_fence_is_no_part_of_the_file(session: Session) -> None:
    session.ask("a.py\n```python\ndef f(x):\n    return x\n```\n")
    session.ask("Let f double.", "```python\ndef f(x):\n    return 2 * x\n\n\n# Example\nprint(f(2))\n```\n")
    assert session.holds("a.py", "def f(x):\n    return 2 * x\n")


def test_what_the_user_says_that_he_changed_is_dirty_until_he_shows_it(session: Session) -> None:
    shown(session).ask("I renamed things in `Cart.total`.")
    assert session.state()["src/cart.py::Cart.total"] == session.state()["src/cart.py"] == "DIRTY"
    assert session.state()["src/cart.py::Cart.add"] != "DIRTY"
    session.ask(f"Here:\n\nsrc/cart.py\n```python\n{CART}```\n")
    assert session.holds("src/cart.py", CART)


def test_what_he_changed_and_shows_is_as_he_shows_it(session: Session) -> None:
    text = "    def add(self, price):\n        self.items += [price]\n"
    shown(session).ask(f"I changed `Cart.add`:\n\n```python\n{text}```\n")
    assert session.holds("src/cart.py", CART.replace("self.items.append(price)", "self.items += [price]"))


def test_a_history_that_nobody_heard_brings_no_file_that_an_answer_may_have_changed(session: Session) -> None:
    session.messages = [
        {
            "role": "user",
            "content": "a.py\n```python\ndef f():\n    return 1\n```\n\nb.py\n```python\ndef g():\n    return 1\n```\n",
        },
        {"role": "assistant", "content": "```python\ndef f():\n    return 2\n```\n"},
    ]
    session.ask("Go on.")
    assert session.state().get("a.py", "DIRTY") == "DIRTY"
    assert session.state()["b.py"] != "DIRTY"
