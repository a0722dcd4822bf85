"""What still names a definition that was renamed stays listed until its own text does no more, whatever was changed
first (SEMANTICS 10, Rename and removal)."""

from __future__ import annotations

import itertools
import re

import pytest

from .helpers import Session
from .test_dependencies import entity

MONEY = "def to_cents(amount):\n    return int(amount * 100)\n"
IMPORT, ONE, TWO = "from .money import to_cents", "append(to_cents(price))", "append(to_cents(price) * 2)"
CART = f"{IMPORT}\n\n\ndef put(items, price):\n    items.{ONE}\n\n\ndef put_two(items, price):\n    items.{TWO}\n"
PUT, PUT_TWO = "src/cart.py::put", "src/cart.py::put_two"
STILL_USED = re.compile(r"These entities still use it[^\n]*\n((?:- .*\n)+)")
IDS = itertools.count()


def edit(session: Session, old: str, new: str, path: str = "src/cart.py") -> Session:
    return play(session, change(old, new, path))


def change(old: str, new: str, path: str = "src/cart.py") -> dict[str, object]:
    return {"name": "edit", "arguments": {"filePath": path, "oldString": old, "newString": new}}


def play(session: Session, call: dict[str, object], result: str = "Edit applied successfully.") -> Session:
    name = f"call{next(IDS)}"
    session.ask("Go on.", "", calls={name: call})
    return session.ask(None, "Done.", results={name: result})


def listed(session: Session) -> set[str]:
    return listed_in(session.ask("What is a good name for a cat?", "Tom.").prompt)


def listed_in(prompt: str) -> set[str]:
    return {line[2:] for found in STILL_USED.finditer(prompt) for line in found[1].splitlines()}


@pytest.fixture
def shop(session: Session) -> Session:
    session.ask(f"Here are my files.\n\nsrc/money.py\n```python\n{MONEY}```\n\nsrc/cart.py\n```python\n{CART}```")
    edit(session.forget(), "def to_cents(", "def cents_of(", "src/money.py")
    assert listed(session) == {PUT, PUT_TWO}
    return session


def test_the_import_first(shop: Session) -> None:
    edit(shop, IMPORT, "from .money import cents_of")
    assert listed(shop) == {PUT, PUT_TWO}
    assert entity(shop, PUT)["dependencies"] == "stale"
    edit(shop, ONE, ONE.replace("to_cents", "cents_of"))
    assert listed(shop) == {PUT_TWO}
    assert [entity(shop, one)["dependencies"] for one in (PUT, PUT_TWO)] == ["ok", "stale"]
    edit(shop, TWO, f"{TWO.replace('to_cents', 'cents_of')}  # once to_cents")
    assert listed(shop) == set()


def test_the_bodies_first(shop: Session) -> None:
    edit(shop, TWO, TWO.replace("to_cents", "cents_of"))
    assert listed(shop) == {PUT}
    edit(shop, ONE, ONE.replace("to_cents", "cents_of"))
    assert listed(shop) == {"src/cart.py"}
    edit(shop, IMPORT, "from .money import cents_of")
    assert listed(shop) == set()


def test_in_one_turn_of_an_agent(session: Session) -> None:
    """The list stands in each of its prompts: what a result has just changed is not read yet."""
    session.ask(f"Here are my files.\n\nsrc/money.py\n```python\n{MONEY}```\n\nsrc/cart.py\n```python\n{CART}```")
    session.forget().ask(
        "Rename to_cents to cents_of.", "", calls={"a": change("def to_cents(", "def cents_of(", "src/money.py")}
    )
    steps = [(IMPORT, {PUT, PUT_TWO}), (ONE, {PUT, PUT_TWO}), (TWO, {PUT_TWO})]
    for n, (old, left) in enumerate(steps):
        call = {f"b{n}": change(old, old.replace("to_cents", "cents_of"))}
        session.ask(None, "", results={"a" if n == 0 else f"b{n - 1}": "Edit applied successfully."}, calls=call)
        assert listed_in(session.prompt) == left
    session.ask(None, "Done.", results={"b2": "Edit applied successfully."})
    assert listed(session) == set()


def test_only_the_import_is_left_in_one_turn(session: Session) -> None:
    session.ask(f"Here are my files.\n\nsrc/money.py\n```python\n{MONEY}```\n\nsrc/cart.py\n```python\n{CART}```")
    session.forget().ask(
        "Rename to_cents to cents_of.", "", calls={"a": change("def to_cents(", "def cents_of(", "src/money.py")}
    )
    both = {
        "b": change(ONE, ONE.replace("to_cents", "cents_of")),
        "c": change(TWO, TWO.replace("to_cents", "cents_of")),
    }
    session.ask(None, "", results={"a": "Edit applied successfully."}, calls=both)
    session.ask(None, "Done.", results=dict.fromkeys(both, "Edit applied successfully."))
    assert listed(session) == {"src/cart.py"}


def test_whatever_else_is_changed_in_its_text(shop: Session) -> None:
    edit(shop, IMPORT, "from .money import cents_of")
    edit(shop, ONE, f"{ONE}\n    return items")
    assert listed(shop) == {PUT, PUT_TWO}


def test_or_shown_again(shop: Session) -> None:
    new = CART.replace(IMPORT, "from .money import cents_of")
    play(shop, {"name": "write", "arguments": {"filePath": "src/cart.py", "content": new}}, "Wrote file successfully.")
    numbered = "".join(f"{n:05d}| {line}\n" for n, line in enumerate(new.splitlines(), 1))
    total = f"\n(End of file - total {len(new.splitlines())} lines)\n"
    play(shop, {"name": "read", "arguments": {"filePath": "src/cart.py"}}, f"<file>\n{numbered}{total}</file>")
    assert listed(shop) == {PUT, PUT_TWO}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (IMPORT, "from .money import cents_of as to_cents"),
        (IMPORT, "from .coins import to_cents"),
        (f"{IMPORT}\n", "from .money import cents_of\n\n\ndef to_cents(price):\n    return cents_of(price)\n"),
    ],
)
def test_but_not_where_the_name_means_something_else_now(shop: Session, old: str, new: str) -> None:
    assert listed(edit(shop, old, new)) == set()


def test_nor_once_the_name_is_back(shop: Session) -> None:
    edit(shop, IMPORT, "from .money import cents_of")
    edit(shop, "def cents_of(", "def to_cents(", "src/money.py")
    assert listed(shop) == set()


def test_nor_where_its_file_went(shop: Session) -> None:
    edit(shop, IMPORT, "from .money import cents_of")
    play(shop, {"name": "bash", "arguments": {"command": "rm src/cart.py"}}, "")
    assert listed(shop) == set()


@pytest.mark.parametrize(
    "said", ['{"total": sum_total(items)}', "'the total', sum_total(items)", "sum_total(items)  # total"]
)
def test_nor_where_only_a_string_or_a_comment_has_the_name(session: Session, said: str) -> None:
    cart, api = (
        "def total(items):\n    return sum(items)\n",
        "from .cart import total\n\n\ndef checkout(items):\n    return total(items)\n",
    )
    session.ask("".join(f"src/{name}.py\n```python\n{text}```\n" for name, text in (("cart", cart), ("api", api))))
    session.ask(
        "Rename `total` to `sum_total` in src/cart.py.",
        f"src/cart.py\n```python\n{cart.replace('total', 'sum_total')}```",
    )
    assert "src/api.py::checkout" in session.ask("What does `sum_total` need?").prompt
    new = api.replace("import total", "import sum_total").replace("total(items)\n", f"{said}\n")
    session.ask("Go on with the api.", f"src/api.py\n```python\n{new}```")
    assert "src/api.py::checkout" not in session.ask("What does `sum_total` give?").prompt
