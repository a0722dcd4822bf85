"""What an answer shows together with what it uses is confirmed by that (SEMANTICS 10, Freshness)."""

from __future__ import annotations

import pytest

from .helpers import Session
from .test_dependencies import CART, MONEY, OTHER_MONEY, PUT, entity, fence, shop, show, stale

__all__ = ["shop"]
ONE_FILE = {
    "src/cart.py": "RATE = 2\n\n\ndef gross(amount):\n    return amount * RATE\n",
    "src/cart.ts": "const RATE = 2;\n\nexport function gross(amount: number) {\n  return amount * RATE;\n}\n",
    "cart.go": "package cart\n\nconst Rate = 2\n\nfunc Gross(a int) int {\n\treturn a * Rate\n}\n",
    "src/cart.rs": "const RATE: u32 = 2;\n\nfn gross(a: u32) -> u32 {\n    a * RATE\n}\n",
}


def code(path: str, text: str) -> str:
    return f"{path}\n```{path.rpartition('.')[2]}\n{text}```\n"


def write(session: Session, path: str, text: str) -> Session:
    session.tools = ("Write",)
    session.ask("Do it.", "", {"c": {"name": "Write", "arguments": {"file_path": path, "content": text}}})
    done = f"The file {path} has been updated successfully. (file state is current in your context)"
    return session.ask(None, "Done.", results={"c": done})


@pytest.mark.parametrize("path", ONE_FILE)
def test_an_answer_s_whole_file(session: Session, path: str) -> None:
    new = ONE_FILE[path].replace("2", "3", 1)
    session.ask("Mine:\n\n" + code(path, ONE_FILE[path]))
    session.ask(f"Let the rate in {path} be 3.", code(path, new))
    assert session.holds(path, new)
    assert stale(session) == set()


def test_a_file_that_a_tool_writes_whole(session: Session) -> None:
    path, text = "src/cart.py", ONE_FILE["src/cart.py"]
    session.ask("Mine:\n\n" + fence(path, text))
    write(session, path, text.replace("2", "3"))
    assert session.holds(path, text.replace("2", "3"))
    assert stale(session) == set()


NEW_CART = CART.replace("to_cents(price)", "to_cents(price, 1)")


@pytest.mark.parametrize("cart", [CART, NEW_CART])
@pytest.mark.parametrize("first", [True, False])
def test_a_user_in_another_file_whichever_comes_first(shop: Session, cart: str, first: bool) -> None:
    both = [fence("src/cart.py", cart), fence("src/money.py", OTHER_MONEY)]
    shop.ask(
        "Here:\n\n" + fence("src/money.py", MONEY) + "\nLet to_cents in src/money.py take a currency, and do what "
        "that needs to put in src/cart.py.",
        "\n".join(both if first else both[::-1]),
    )
    assert shop.holds("src/money.py", OTHER_MONEY)
    assert stale(shop) == set()


@pytest.mark.parametrize("cart", [CART, NEW_CART])
def test_what_the_user_shows_in_front_of_what_it_uses(shop: Session, cart: str) -> None:
    shop.ask("Mine are now:\n\n" + fence("src/cart.py", cart) + fence("src/money.py", OTHER_MONEY))
    assert stale(shop) == set()


def test_what_an_answer_does_not_show_is_as_stale_as_ever(shop: Session) -> None:
    shop.ask("Let to_cents in src/money.py take a currency.", fence("src/money.py", OTHER_MONEY))
    assert stale(shop) == {PUT, "src/cart.py"}
    shop.ask("What is `put`?", f"It is\n\n{fence('src/cart.py', CART)}")
    assert stale(shop) == {PUT, "src/cart.py"}, "a quotation"


def test_an_edit_of_one_line_shows_nothing_else(session: Session) -> None:
    path, text = "src/cart.py", ONE_FILE["src/cart.py"]
    session.ask("Mine:\n\n" + fence(path, text))
    session.ask(
        f"Let RATE in {path} be 3.",
        f"{path}\n```python\n<<<<<<< SEARCH\nRATE = 2\n=======\nRATE = 3\n>>>>>>> REPLACE\n```\n",
    )
    assert session.holds(path, text.replace("2", "3"))
    assert f"{path}::gross" in stale(session)


def test_what_uses_what_the_same_answer_removed_is_stale(session: Session) -> None:
    text = "def one(a):\n    return a\n\n\ndef two(a):\n    return one(a)\n"
    session.ask("Mine:\n\n" + fence("a.py", text))
    session.ask("Remove `one` from a.py.", fence("a.py", "def two(a):\n    return one(a)\n"))
    assert "a.py::one" not in session.state()
    assert entity(session, "a.py::two")["dependencies"] == "stale"


def test_what_a_tool_read_before_an_edit_was_not_written_for_it(shop: Session) -> None:
    show(shop, CART.replace("price", "cost"), "src/cart.py")
    shop.tools = ("Read", "Edit")
    numbered = "".join(f"{n}\t{line}\n" for n, line in enumerate(CART.split("\n"), 1))
    calls = {
        "r": {"name": "Read", "arguments": {"file_path": "src/cart.py"}},
        "e": {
            "name": "Edit",
            "arguments": {
                "file_path": "src/money.py",
                "old_string": "to_cents(amount)",
                "new_string": "to_cents(amount, currency)",
            },
        },
    }
    shop.ask("Go.", "", calls)
    done = "The file src/money.py has been updated successfully. (file state is current in your context)"
    shop.ask(None, "Done.", results={"r": numbered, "e": done})
    assert shop.holds("src/money.py", OTHER_MONEY)
    assert stale(shop) == {PUT, "src/cart.py"}
