"""Definitions that an answer shows in another file than the one that has them."""

from __future__ import annotations

import pytest

from tslp_litellm.resolution.moving import doubt_moved, moved_as_asked
from tslp_litellm.state.events import Op

from .helpers import fence, moved, unit

BEFORE = "import os\n\nLIMIT = 3\n\n\nclass Cart:\n    def total(self):\n        return LIMIT\n\n\ndef tax():\n    return 1\n"
AFTER = "import os\nfrom cart import LIMIT, Cart\n\n\ndef tax():\n    return 1\n"
CART = "LIMIT = 3\n\n\nclass Cart:\n    def total(self):\n        return LIMIT\n"
WENT = {"shop.py::LIMIT", "shop.py::Cart", "shop.py::Cart.total"}


@pytest.mark.parametrize(
    ("prompt", "shown", "found"),
    [
        ("Move the cart to cart.py.", CART, WENT),
        ("Move the cart elsewhere.", CART, set()),
        ("Move the cart to cart.py.", CART.replace("return LIMIT", "return [item for item in self.all()]"), WENT),
        ("Move the cart to cart.py.", "class Cart:\n    pass\n", set()),
        ("Write cart.py.", "def tax():\n    return 1\n", set()),
    ],
)
def test_what_the_prompt_sends_to_a_file(prompt: str, shown: str, found: set[str]) -> None:
    bench = unit(shop_py=BEFORE)
    assert moved_as_asked(bench, [fence("cart.py", shown), fence("shop.py", AFTER)], prompt) == found


def test_what_is_imported_from_elsewhere_is_in_doubt_with_its_members() -> None:
    bench = unit(shop_py=BEFORE)
    doubt_moved(bench, [fence("cart.py", CART), fence("shop.py", AFTER)])
    assert set(moved(bench, Op.DIRTY)) >= WENT
    assert "shop.py::tax" not in moved(bench, Op.DIRTY)


@pytest.mark.parametrize(("limit", "goes"), [("LIMIT = 3\n", True), ("LIMIT = max_of(os.environ)\n", False)])
def test_a_constant_goes_along_as_it_is(limit: str, goes: bool) -> None:
    bench = unit(shop_py=BEFORE)
    after = AFTER.replace("LIMIT, ", "")
    doubt_moved(bench, [fence("cart.py", CART.replace("LIMIT = 3\n", limit)), fence("shop.py", after)])
    assert ("shop.py::LIMIT" in moved(bench, Op.DIRTY)) is goes
    assert "shop.py::tax" not in moved(bench, Op.DIRTY)
