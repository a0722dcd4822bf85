"""Messages and files whose lines end in CRLF."""

from __future__ import annotations

import pytest

from .helpers import Session

CART = "TAX = 0.19\n\n\nclass Cart:\n    def total(self):\n        x = 1\n\n        return x\n\n    def clear(self):\n        return 2\n\n\ndef add(items, price):\n    items.append(price)\n    return items\n"
ADD = "def add(items, price):\n    if price < 0:\n        return items\n    items.append(price)\n    return items\n"
TOTAL = "    def total(self):\n        x = 3\n\n        return x\n"
NEW = {
    ADD: CART[: CART.index("def add")] + ADD,
    TOTAL: CART.replace("x = 1", "x = 3"),
}


def crlf(text: str) -> str:
    return text.replace("\n", "\r\n")


def fence(text: str) -> str:
    return f"```python\n{text}```\n"


@pytest.fixture(params=["\n", "\r\n"])
def end(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def shop(session: Session, end: str) -> Session:
    return session.ask(f"cart.py\n{fence(CART)}".replace("\n", end))


@pytest.mark.parametrize("part", NEW)
@pytest.mark.parametrize(
    "said",
    ["this is it now\n\n{}", "cart.py\n{}", "it is so now ```{}```", "no, it is\n\n{}\nok?"],
)
def test_a_part_takes_those_of_its_file(shop: Session, end: str, said: str, part: str) -> None:
    code = part if "```" in said or "no," in said else fence(part)
    for made in (str, crlf):
        shop.ask(made(said.format(code)))
        assert shop.holds("cart.py", NEW[part].replace("\n", end))
        shop.ask(f"cart.py\n{fence(CART)}".replace("\n", end))


def test_so_does_one_of_a_model(shop: Session, end: str) -> None:
    shop.ask("Let `add` refuse negative prices.", crlf(fence(ADD)))
    assert shop.holds("cart.py", NEW[ADD].replace("\n", end))


@pytest.mark.parametrize("made", [crlf, str])
@pytest.mark.parametrize("said", ["why is this slow?\n\n{}", "cart.py\n{}"])
def test_a_quotation_changes_nothing(shop: Session, made: type[str], said: str) -> None:
    before = shop.state()
    for part in (CART, CART[CART.index("def add") :], TOTAL.replace("3", "1")):
        assert shop.ask(made(said.format(fence(part)))).state() == before


def test_a_file_of_both_stays_as_it_is(session: Session) -> None:
    mixed = CART.replace("0.19\n", "0.19\r\n")
    session.ask('<file_content path="cart.py">\n' + mixed + "</file_content>")
    assert session.ask(f"this is add now\n\n{fence(ADD)}").holds("cart.py", mixed[: mixed.index("def add")] + ADD)
