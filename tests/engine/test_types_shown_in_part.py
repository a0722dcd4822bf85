"""A type that an answer shows below its file's path with some of its members only: the others are left out, not gone."""

from __future__ import annotations

import pytest

from .helpers import Session

HEAD, FRAME = "import json\n\n\n", "class Cart:\n"
INIT = "    def __init__(self):\n        self.items = []\n        self.rate = 3\n\n"
SAVE = (
    "    def save(self, path):\n        with open(path, 'w') as file:\n            for item in self.items:\n"
    "                file.write(str(item) + self.sep)\n        return path\n\n"
)
TOTAL = "    def total(self):\n        return sum(item.price for item in self.items)\n"
ROUND = TOTAL.replace("return ", "return 1 * ")
ASKED = "Let `total` of shop/cart.py give it once."


def labelled(text: str) -> str:
    return f"shop/cart.py\n```python\n{text}```\n"


@pytest.mark.parametrize("head", ["", HEAD])
@pytest.mark.parametrize("shown", [FRAME + ROUND, FRAME + INIT + ROUND])
def test_what_the_prompt_names_is_new_and_the_rest_stays(session: Session, head: str, shown: str) -> None:
    session.ask(labelled(head + FRAME + INIT + SAVE + TOTAL)).ask(ASKED, labelled(shown))
    assert session.holds("shop/cart.py", head + FRAME + INIT + SAVE + ROUND)


def test_what_changes_more_than_the_prompt_names_is_refused(session: Session) -> None:
    before = HEAD + FRAME + INIT + SAVE + TOTAL
    session.ask(labelled(before)).ask(ASKED, labelled(HEAD + FRAME + INIT.replace("3", "4") + ROUND))
    assert session.holds("shop/cart.py", before)


CLEAR = "    def clear(self):\n        self.items = []\n"


@pytest.mark.parametrize("above", ["", "I changed it myself:\n\n", "This fails with a TypeError:\n\n"])
def test_what_the_user_does_not_show_of_a_type_stays(session: Session, above: str) -> None:
    rest = "\n\ndef empty_cart():\n    return Cart()\n"
    session.ask(labelled(HEAD + FRAME + INIT + SAVE + TOTAL + rest)).ask(above + labelled(FRAME + ROUND), "Noted.")
    assert session.holds("shop/cart.py", HEAD + FRAME + INIT + SAVE + ROUND + rest)


def test_a_method_that_the_user_adds_to_a_type_takes_none_of_it_away(session: Session) -> None:
    rest = "\n\ndef empty_cart():\n    return Cart()\n"
    session.ask(labelled(HEAD + FRAME + INIT + SAVE + TOTAL + rest))
    before = session.state()
    session.ask(f"I added a method:\n\n{labelled(FRAME + CLEAR)}", "Noted.")
    changed = {one for one, artifact in session.state().items() if artifact != before.get(one)}
    assert changed == {"shop/cart.py", "shop/cart.py::Cart", "shop/cart.py::Cart.clear"}


def test_a_type_that_the_user_shows_without_one_of_many_members_has_lost_it(session: Session) -> None:
    session.ask(labelled(HEAD + FRAME + INIT + SAVE + TOTAL)).ask(labelled(FRAME + INIT + ROUND), "Noted.")
    assert session.holds("shop/cart.py", HEAD + FRAME + INIT + ROUND)
