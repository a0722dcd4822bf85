"""What a prompt asks to add beside the file that it pastes or names (SEMANTICS 2, Which file 4), and its whole text
thereafter."""

from __future__ import annotations

import pytest

from .helpers import Session, sha

GEO = "def area(w, h):\n    return w * h\n"
PERIMETER = "def perimeter(w, h):\n    return 2 * (w + h)\n"
CART = "class Cart:\n    def __init__(self):\n        self.items = []\n"
ADD = "def add(self, item):\n    self.items.append(item)\n"
PASTED = f"geo.py\n```python\n{GEO}```\n\n"


def fence(text: str, language: str = "python") -> str:
    return f"```{language}\n{text}```\n"


@pytest.mark.parametrize(
    "asked",
    [
        "Add a function perimeter(w, h).",
        "I also need perimeter(w, h).",
        "Please write a function `perimeter`.",
        "Ergänze eine Funktion perimeter(w, h).",
    ],
)
def test_a_new_function_is_of_the_file_that_the_prompt_pastes(session: Session, asked: str) -> None:
    state = session.ask(PASTED + asked, "Sure:\n\n" + fence(PERIMETER)).state()
    assert (state["geo.py"], state["geo.py::area"]) == ("DIRTY", sha(GEO.strip()))
    assert state["geo.py::perimeter"] == sha(PERIMETER.strip())
    session.ask("Give me the complete file.", fence(f"{GEO}\n\n{PERIMETER}"))
    assert session.holds("geo.py", f"{GEO}\n\n{PERIMETER}")


@pytest.mark.parametrize(
    "asked",
    [
        "How would you write perimeter(w, h)?",
        "Add perimeter(w, h) in a new file.",
        "Add perimeter(w, h) to round.py.",
        "Don't add perimeter(w, h) yet. What do you think of area?",
        "Write perimeter(w, h) like round.py does.",
        "Add something for the outline.",
    ],
)
def test_it_is_not_where_the_prompt_means_another_file_or_none(session: Session, asked: str) -> None:
    state = session.ask(PASTED + asked, fence(PERIMETER)).state()
    assert state["geo.py"] == sha(GEO)


def test_nor_where_it_is_a_type_to_be_written_a_test_or_tracked_elsewhere(session: Session) -> None:
    session.ask(
        PASTED + "Write a class Room that uses area.", fence("class Room:\n    def size(self):\n        return 1\n")
    )
    session.ask(PASTED + "Write test_area().", fence("def test_area():\n    assert area(1, 2) == 2\n"))
    assert session.holds("geo.py", GEO)
    session.ask(f"round.py\n```python\n{PERIMETER}```\n").forget()
    session.ask(PASTED + "Let perimeter double.", fence(PERIMETER.replace("2 *", "4 *")))
    assert session.holds("geo.py", GEO)


@pytest.mark.parametrize(("asked", "adds"), [("perimeter(w, h) fails for 0.", False), ("Add perimeter(w, h).", True)])
def test_nor_where_the_file_only_uses_it(session: Session, asked: str, adds: bool) -> None:
    text = f"from shapes import *\n\n\n{GEO}\n\ndef both(w, h):\n    return area(w, h), perimeter(w, h)\n"
    session.ask(f"geo.py\n{fence(text)}\n{asked}", fence(PERIMETER))
    assert session.holds("geo.py", text) is not adds


def test_nor_of_several_files(session: Session) -> None:
    session.ask(
        f"{PASTED}round.py\n```python\ndef circle(r):\n    return r\n```\n\nAdd perimeter(w, h).", fence(PERIMETER)
    )
    assert session.holds("geo.py", GEO)


def test_nor_where_the_file_is_named_beside_it(session: Session) -> None:
    session.ask(PASTED).forget().ask("Use geo.py to write perimeter(w, h).", fence(PERIMETER))
    assert session.holds("geo.py", GEO)
    session.forget().ask("Look at geo.py. I want perimeter(w, h) beside area.", fence(PERIMETER))
    assert session.state()["geo.py"] == "DIRTY"


def test_a_method_is_of_the_one_type_of_the_file_that_is_pasted(session: Session) -> None:
    state = session.ask(f"cart.py\n```python\n{CART}```\n\nAdd a method add(item).", fence(ADD)).state()
    assert state["cart.py"] == state["cart.py::Cart"] == "DIRTY"
    assert "cart.py::Cart.add" in state and "cart.py::add" not in state


def test_a_function_beside_a_type_is_none_of_its_members(session: Session) -> None:
    make = "def make_cart():\n    return Cart()\n"
    state = session.ask(f"cart.py\n```python\n{CART}```\n\nAdd make_cart().", fence(make)).state()
    assert state["cart.py"] == "DIRTY" != state["cart.py::Cart"]
    assert "cart.py::make_cart" in state


@pytest.mark.parametrize(
    ("path", "text", "more"),
    [
        ("geo.py", GEO, f"{GEO}\n\n{PERIMETER}"),
        ("cart.py", CART, CART + "\n    def remove(self, x):\n        self.items.remove(x)\n"),
    ],
)
def test_the_whole_file_of_one_definition_is_known_a_few_turns_later(
    session: Session, path: str, text: str, more: str
) -> None:
    session.ask(f"{path}\n```python\n{text}```\n").ask("Thanks!").ask("One more thing is missing.", "Which?")
    session.ask("Give me the complete thing.", fence(more))
    assert session.holds(path, more)
