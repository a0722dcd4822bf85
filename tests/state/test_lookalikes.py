"""Names that people take for one another."""

from __future__ import annotations

import pytest

from tslp_litellm.state.lookalikes import skeleton


@pytest.mark.parametrize(
    "other",
    [
        "Shop-10",
        "\u0455h\u043e\u0440-10",
        "shop-lO",
        "sh\u200bop-10",
        "\uff53hop-10",
        " shop_10",
        "sh\u00f6p-10",
        "SH\u03bfP-1\u03bf",
    ],
)
def test_alike(other: str) -> None:
    assert skeleton(other) == skeleton("shop-10")


@pytest.mark.parametrize("other", ["shop-11", "shop10", "shop/10", "shops-10", "\u5e97-10", ""])
def test_another(other: str) -> None:
    assert skeleton(other) != skeleton("shop-10")
