"""Who still asks for what is gone."""

from __future__ import annotations

import pytest

from tests.uses.reading import known
from tslp_litellm.state.names import Entity
from tslp_litellm.uses.gone import askers

PUT = "\n\ndef put(price):\n    return to_cents(price)\n"
GONE, USER = Entity("money.py", "to_cents"), Entity("cart.py", "put")


@pytest.mark.parametrize(
    ("cart", "money", "asks"),
    [
        ("from .money import to_cents" + PUT, "RATE = 1\n", True),
        ("from .shop import to_cents" + PUT, "RATE = 1\n", True),  # passed on
        ("from .money import as_cents as to_cents" + PUT, "def as_cents(n): ...\n", False),
        ("from .coins import to_cents" + PUT, "RATE = 1\n", False),
        ("def to_cents(n): ..." + PUT, "RATE = 1\n", False),
        ("from .money import to_cents" + PUT, "from .coins import to_cents\n", False),  # its old file passes it on
        ("from .money import to_cents" + PUT, None, True),
        ("from .coins import to_cents" + PUT, None, False),
    ],
)
def test_a_user_asks_where_its_names_would_lead(cart: str, money: str | None, asks: bool) -> None:
    files = {"cart.py": cart, "coins.py": "def to_cents(n): ...\n", "shop.py": "from .money import to_cents\n"}
    files |= {"money.py": money} if money is not None else {}
    assert askers(GONE, [USER], known(files)) == ({USER} if asks else set())


def test_a_member_is_asked_for_by_its_type() -> None:
    gone = Entity("price.py", "Price.of")
    text = "from .price import Price\n\n\ndef put(text):\n    return Price.{}(text)\n"
    price = "class Price:\n    def parse(text): ...\n"
    for member, asks in (("of", True), ("parse", False)):
        files = known({"cart.py": text.format(member), "price.py": price})
        assert askers(gone, [USER], files) == ({USER} if asks else set())
    assert askers(gone, [USER], known({"cart.py": text.format("of"), "price.py": "RATE = 1\n"})) == {USER}


@pytest.mark.parametrize("importing", ["import { slug } from './slug.js';", "const { slug } = require('./slug');"])
def test_a_name_that_is_required_is_asked_for_as_an_imported_one(importing: str) -> None:
    user = Entity("post.js", "url")
    text = f"{importing}\n\nfunction url(post) {{\n  return slug(post);\n}}\n"
    files = known({"post.js": text, "slug.js": "function toSlug(text) {}\n\nmodule.exports = { toSlug };\n"})
    assert askers(Entity("slug.js", "slug"), [user], files) == {user}


@pytest.mark.parametrize(
    ("cart", "asks"),
    [
        ("export const RATE = 1;\n", True),
        ("export default class Basket {}\n", False),  # by whatever name, it is there
        (None, True),
    ],
)
def test_what_is_given_out_without_its_name_is_asked_for_until_something_else_is(cart: str | None, asks: bool) -> None:
    user = Entity("app.js", "run")
    text = {"app.js": "import Cart from './cart';\n\nexport function run() {\n  return new Cart();\n}\n"}
    files = known(text | ({"cart.js": cart} if cart is not None else {}))
    assert askers(Entity("cart.js", "Cart"), [user], files) == ({user} if asks else set())


def test_nobody_can_tell_which_package_a_removed_file_declared() -> None:
    files = known({"cart/put.go": "package cart\n\nfunc put(n int) int {\n\treturn round(n)\n}\n"})
    assert askers(Entity("cart/round.go", "round"), [Entity("cart/put.go", "put")], files) != set()
    files |= known({"cart/round.go": "package cart\n\nfunc put(n int) int {\n\treturn n\n}\n"})
    assert askers(Entity("cart/round.go", "size"), [Entity("cart/put.go", "put")], files) == set()
