"""`uses`, `used-by`, `state --stale`: what binding proves, on a database."""

from __future__ import annotations

from .conftest import Shell, fence

MONEY = "def to_cents(amount):\n    return int(amount * 100)\n"
CART = "from .money import to_cents\n\n\ndef put(price):\n    return to_cents(price)\n"
PUT, MINT = "src/cart.py::put", "src/money.py::to_cents"


def test_uses_and_used_by(bare: Shell) -> None:
    client = bare.client()
    client.ask("These are mine:\n\n" + fence("src/money.py", MONEY) + fence("src/cart.py", CART))
    assert bare.json("uses", PUT)["uses"][0] == {
        "entity": MINT,
        "route": "import",
        "standing": "ok",
        "signature": "def to_cents(amount):",
    }
    assert bare.json("used-by", MINT) == {"entity": MINT, "used_by": [PUT]}
    assert bare.json("used-by", "src/money.py")["used_by"] == [PUT]
    assert bare.run("uses", MINT).stdout == "It uses nothing known.\n"
    assert bare.run("used-by", PUT).stdout == "Nothing known uses it.\n"
    assert bare.json("state", "--stale")["entities"] == []


def test_what_is_stale(bare: Shell) -> None:
    client = bare.client()
    client.ask("These are mine:\n\n" + fence("src/money.py", MONEY) + fence("src/cart.py", CART))
    client.ask("This is mine now:\n\n" + fence("src/money.py", MONEY.replace("amount):", "amount, currency):")))
    assert [row["entity"] for row in bare.json("state", "--stale")["entities"]] == ["src/cart.py", PUT]
    assert "CLEAN stale" in bare.run("state", "--stale").stdout
    told = bare.run("uses", PUT).stdout
    assert "def to_cents(amount, currency): (was: def to_cents(amount):)" in told


def test_nobody_knows_an_entity_that_is_not_there(bare: Shell) -> None:
    bare.client().ask("This is mine:\n\n" + fence("src/money.py", MONEY))
    assert "did you mean" in bare.run("uses", "to_cents", status=1).output.lower()
