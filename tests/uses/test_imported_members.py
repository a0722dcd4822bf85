"""A member that is imported from its type (Java), or asked of a module (Ruby)."""

from __future__ import annotations

import pytest

from tests.uses.reading import known, uses
from tslp_litellm.state.names import Entity
from tslp_litellm.uses.gone import askers
from tslp_litellm.uses.unknown import asked_for

MONEY = "package com.acme;\n\npublic class Money {\n    public static long toCents(double amount) {\n        return 1;\n    }\n}\n"
CART = "package com.shop;\n\nimport static com.acme.Money.%s;\n\npublic class Cart%s {\n    long put(double price) {\n        return toCents(price);\n    }\n%s}\n"
RUBY = "module Money\n  def self.to_cents(amount)\n    amount\n  end\nend\n"
RUBY_CART = "require_relative 'money'\n\nclass Cart\n  def put(price)\n    %s(price)\n  end\nend\n"


def used(files: dict[str, str], path: str) -> set[str]:
    return {str(use.used) for use in uses(path, known(files)) if use.user.symbol == "Cart.put"}


@pytest.mark.parametrize(
    ("name", "base", "more", "counts"),
    [
        ("toCents", "", "", True),
        ("*", "", "", False),
        ("toCents", " extends Base", "", False),
        ("toCents", " implements Priced", "", False),
        ("toCents", "", "    long toCents(double price) {\n        return 2;\n    }\n", False),
        (
            "toCents",
            "",
            "    Base one = new Base() {\n        long two() {\n            return 2;\n        }\n    };\n",
            False,
        ),
        ("fromCents", "", "", False),
    ],
)
def test_in_java(name: str, base: str, more: str, counts: bool) -> None:
    files = {"com/acme/Money.java": MONEY, "com/shop/Cart.java": CART % (name, base, more)}
    assert used(files, "com/shop/Cart.java") == ({"com/acme/Money.java::Money.toCents"} if counts else set())


def test_in_java_until_it_is_renamed_there_and_once_it_is_known() -> None:
    files = known(
        {"com/acme/Money.java": MONEY.replace("toCents", "cents"), "com/shop/Cart.java": CART % ("toCents", "", "")}
    )
    gone, user = Entity("com/acme/Money.java", "Money.toCents"), Entity("com/shop/Cart.java", "Cart.put")
    assert askers(gone, [user], files) == {user}
    assert files["com/acme/Money.java"].key in asked_for("com/shop/Cart.java", files["com/shop/Cart.java"])


@pytest.mark.parametrize(
    ("money", "asked", "counts"),
    [
        (RUBY, "Money.to_cents", True),
        (RUBY, "Cash.to_cents", False),
        (RUBY, "Money.cents", False),
        (RUBY + "\nmodule Money\nend\n", "Money.to_cents", False),
    ],
)
def test_in_ruby(money: str, asked: str, counts: bool) -> None:
    files = {"lib/money.rb": money, "lib/cart.rb": RUBY_CART % asked}
    assert used(files, "lib/cart.rb") == ({"lib/money.rb::to_cents"} if counts else set())
