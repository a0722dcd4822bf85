"""`uses` and `used-by` on a database."""

from __future__ import annotations

from .conftest import Shell, fence

MONEY = "def to_cents(amount):\n    return int(amount * 100)\n"
CART = "from .money import to_cents\n\n\ndef put(price):\n    return to_cents(price)\n\n\ndef size(items):\n    return len(items)\n"


def shown(shell: Shell) -> Shell:
    shell.client().ask(f"Here is my file.\n\n{fence('src/money.py', MONEY)}")
    shell.client().ask(f"Here is my file.\n\n{fence('src/cart.py', CART)}")
    return shell


def test_what_an_entity_uses(bare: Shell) -> None:
    used = {"entity": "src/money.py::to_cents", "route": "import", "signature": "def to_cents(amount):"}
    assert shown(bare).json("uses", "src/cart.py::put") == {"entity": "src/cart.py::put", "uses": [used]}
    assert "src/money.py::to_cents" in bare.run("uses", "src/cart.py::put").stdout
    assert bare.run("uses", "src/cart.py::size").stdout == "It uses nothing known.\n"


def test_what_uses_an_entity(bare: Shell) -> None:
    found = shown(bare).json("used-by", "src/money.py::to_cents")["used_by"]
    assert [row["entity"] for row in found] == ["src/cart.py", "src/cart.py::put"]
    assert bare.run("used-by", "src/cart.py::put").stdout == "Nothing known uses it.\n"


def test_a_dirty_file_is_followed_nowhere(bare: Shell) -> None:
    shown(bare).shell_call("sed -i s/100/1000/ src/money.py", 1)
    assert bare.json("uses", "src/cart.py::put")["uses"] == []
    assert "DIRTY" in bare.run("uses", "src/money.py::to_cents", status=1).stderr


def test_an_unknown_entity_is_a_negative_finding(bare: Shell) -> None:
    assert "unknown" in shown(bare).run("uses", "src/cart.py::none", status=1).stderr
