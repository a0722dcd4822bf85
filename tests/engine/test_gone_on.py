"""An answer that was cut short, and the user says "continue"."""

from __future__ import annotations

import pytest

from .helpers import Session, sha

FILE = """\
def load(path):
    rows = open(path).read().split()
    return rows


def total(rows):
    result = 0
    for row in rows:
        result += int(row)
    return result


def show(rows):
    print(rows)
"""
NEW = FILE.replace("int(row)", "float(row)").replace("print(rows)", "print(sorted(rows))")
ASK = "Change a.py: amounts may be floats, and show prints them sorted. Give me the whole file."
HEAD = "Sure! Here it is:\n\n```python\n"
AT = NEW.index("float") + 2


@pytest.fixture
def chat(session: Session) -> Session:
    """Its last answer was cut short in the middle of `total`."""
    session.ask(f"Here is my file.\n\na.py\n```python\n{FILE}```\nJust say ok.")
    return session.ask(ASK, HEAD + NEW[:AT], finish="length")


def test_what_was_cut_short_shows_nothing_by_itself(chat: Session) -> None:
    assert chat.holds("a.py", FILE)
    chat.ask("continue", "What would you like to hear?")
    assert chat.holds("a.py", FILE)


@pytest.mark.parametrize(
    "rest",
    [
        NEW[AT:] + "```\n\nThat is all.",
        "Here is the rest:\n\n```python\n" + NEW[NEW.rindex("\n", 0, AT) + 1 :] + "```\n",
        "```python\n" + NEW[NEW.index("def total") :] + "```\n",
        HEAD + NEW + "```\n",
    ],
    ids=["as a model goes on", "the line again", "the function again", "all of it again"],
)
def test_with_its_rest_it_is_an_answer(chat: Session, rest: str) -> None:
    chat.ask("continue", rest)
    assert chat.holds("a.py", NEW)
    assert "DIRTY" not in chat.state().values()
    assert chat.forget().ask("What does `total` of a.py do?").hydrated == ["a.py::total"]
    assert "float(row)" in chat.prompt


def test_cut_short_twice(chat: Session) -> None:
    chat.ask("continue", NEW[AT : AT + 30], finish="length")
    assert chat.holds("a.py", FILE)
    chat.ask("go on", NEW[AT + 30 :] + "```\n")
    assert chat.holds("a.py", NEW)


def test_made_anew_the_rest_counts_as_it_was_said_last(chat: Session) -> None:
    before = list(chat.messages)
    chat.ask("continue", NEW[AT:] + "```\n")
    chat.messages = [*before, {"role": "user", "content": "continue"}]
    chat.ask(None, "I can't.")
    assert chat.holds("a.py", FILE)
    chat.messages = [*before, {"role": "user", "content": "continue"}]
    chat.ask(None, NEW[AT:].replace("sorted", "set") + "```\n")
    assert chat.holds("a.py", NEW.replace("sorted", "set"))


def test_made_anew_from_the_change_on_it_was_never_said(chat: Session) -> None:
    before = chat.messages[:3]
    chat.ask("continue", NEW[AT:] + "```\n")
    assert chat.holds("a.py", NEW)
    chat.messages = before
    chat.ask(None, "I can't.")
    assert chat.holds("a.py", FILE)


def test_a_fence_that_was_whole_before_the_one_that_was_not_counts_with_it(session: Session) -> None:
    both = f"b.py\n```python\n{FILE}```\n\na.py\n```python\n{FILE}```\n"
    session.ask(both)
    new = both.replace(FILE, NEW)
    session.ask("Change a.py and b.py so.", new[: len(new) - 30], finish="length")
    session.ask("continue", new[len(new) - 30 :])
    assert session.holds("a.py", NEW)
    assert session.holds("b.py", NEW)


def test_a_fence_that_was_only_left_open_is_no_part_of_what_comes_next(session: Session) -> None:
    session.ask(f"Here is my file.\n\na.py\n```python\n{FILE}```\nJust say ok.")
    session.ask(ASK, HEAD + NEW)
    session.ask("How do I call it?", "So:\n\n```python\nimport a\n\ndef main():\n    a.show(a.load('x'))\n```\n")
    assert session.holds("a.py", FILE)


def test_it_goes_on_in_a_fence_of_its_own_behind_a_whole_definition(session: Session) -> None:
    session.ask(f"Here is my file.\n\na.py\n```python\n{FILE}```\nJust say ok.")
    at = NEW.index("def show")
    session.ask(ASK, HEAD + NEW[:at], finish="length")
    session.ask("continue", f"```python\n{NEW[at:]}```\nThat is all.")
    assert session.holds("a.py", NEW)


def test_what_a_definition_that_is_asked_for_shows_is_its_own(chat: Session) -> None:
    chat.ask(
        "Forget that. Change `show` in a.py: it prints the length.",
        "```python\ndef show(rows):\n    print(len(rows))\n```\n",
    )
    assert chat.holds("a.py", FILE.replace("print(rows)", "print(len(rows))"))


def test_what_the_user_shows_since_ends_it(chat: Session) -> None:
    mine = FILE.replace("rows\n", "rows[1:]\n", 1)
    chat.ask(f"I did it. Here is a.py now:\n\na.py\n```python\n{mine}```\nGo on.", NEW[AT:] + "```\n")
    assert chat.holds("a.py", mine)


def test_the_gates_are_those_of_any_answer(chat: Session) -> None:
    chat.ask("continue", NEW[AT:].replace("print(sorted(rows))", "pass") + "```\n")
    assert chat.holds("a.py", FILE)
    states = {state["entity"]: state["reason"] for state in chat.recent()[0]["artifact_states"]}
    assert states["a.py"] != "structural-parity"


CART = """\
class Cart:
    def __init__(self):
        self.items = []

    def add(self, name, price):
        self.items.append((name, price))

    def total(self):
        return sum(price for _, price in self.items)


def receipt(cart):
    lines = []
    for name, price in cart.items:
        lines.append(f"{name}: {price}")
    lines.append(f"Total: {cart.total()}")
    return "\\n".join(lines)
"""


def test_what_a_real_model_said_and_how_it_went_on(session: Session) -> None:
    """Qwen2.5-Coder 1.5B, cut at 110 tokens, and asked to continue."""
    cut = (
        "Sure, here is the file with docstrings added to everything:\n\n```python\nclass Cart:\n"
        '    """\n    A class to represent a shopping cart.\n    """\n\n'
        "    def __init__(self):\n"
        '        """\n        Initializes an empty shopping cart.\n        """\n'
        "        self.items = []\n\n    def add(self, name, price):\n"
        '        """\n        Adds an item to the cart with the given name and price.\n        """\n'
        "        self.items.append((name, price))\n\n    def total(self):\n"
        '        """\n        Calculates the total price of all items in the cart.\n'
    )
    rest = (
        '        """\n        return sum(price for _, price in self.items)\n\n\ndef receipt(cart):\n'
        '    """\n    Generates a receipt for the shopping cart.\n    """\n'
        '    lines = []\n    for name, price in cart.items:\n        lines.append(f"{name}: {price}")\n'
        '    lines.append(f"Total: {cart.total()}")\n    return "\\n".join(lines)\n```\n\n'
        "I hope this helps! Let me know if you have any further questions."
    )
    session.ask(
        f"Here is my file.\n\nshop/cart.py\n```python\n{CART}```\n\nAdd docstrings to everything in shop/cart.py and give "
        "me the whole file.",
        cut,
        finish="length",
    )
    session.ask("continue", rest)
    whole = cut.partition("```python\n")[2] + rest.partition("```")[0]
    assert session.state()["shop/cart.py"] == sha(whole)
