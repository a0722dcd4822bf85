"""Words of scripts that part none, glued to paths and names: what is tracked tells which part is meant."""

from __future__ import annotations

import pytest

from .helpers import Session

CART = "税率 = 0.13\n\n\ndef 计算总价(商品):\n    return sum(商品) * (1 + 税率)\n\n\ndef total(商品):\n    return 1\n"
NEW = CART.replace("return 1", "return 2")


@pytest.fixture
def shop(session: Session) -> Session:
    return session.ask(f"工具/购物车.py\n```python\n{CART}```").forget()


@pytest.mark.parametrize("label", ["这是工具/购物车.py：", "这是购物车.py：", "现在工具/购物车.py:"])
def test_the_end_of_a_label_is_the_tracked_file(shop: Session, label: str) -> None:
    state = shop.ask(f"{label}\n\n```python\n{NEW}```").state()
    assert shop.holds("工具/购物车.py", NEW)
    assert {name.partition("::")[0] for name in state} == {"工具/购物车.py"}


@pytest.mark.parametrize("label", ["工具/大购物车.py", "这是工具/购物车.py："])
def test_another_file_is_another_file(shop: Session, label: str) -> None:
    shop.ask(f"{label}\n\n```python\ndef 别的():\n    return 1\n```")
    assert label.rstrip("：") in shop.state()
    assert shop.holds("工具/购物车.py", CART)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("把工具/购物车.py改一下", ["工具/购物车.py"]),
        ("请帮我看看工具/购物车.py", ["工具/购物车.py"]),
        ("把购物车.py改一下", ["工具/购物车.py"]),
        ("工具/购物车.py::total是什么", ["工具/购物车.py::total"]),
        ("工具/购物车.py::计算总价是什么", ["工具/购物车.py::计算总价"]),
        ("请解释工具/购物车.py::计算总价", ["工具/购物车.py::计算总价"]),
        ("工具/购物车.py::计算总价", ["工具/购物车.py::计算总价"]),
        ("total（）应该返回0", ["工具/购物车.py::total"]),
        ("在购物车.py中，total（）应该返回0", ["工具/购物车.py::total"]),
        ("工具/别的.py改一下", []),
    ],
)
def test_what_a_prompt_means(shop: Session, said: str, shown: list[str]) -> None:
    assert shop.ask(said).hydrated == shown


def test_the_longest_name_is_meant(session: Session) -> None:
    session.ask("a.py\n```python\ndef 总价():\n    return 1\n\n\ndef 总价格():\n    return 2\n```").forget()
    assert session.ask("a.py::总价格是什么").hydrated == ["a.py::总价格"]
    assert session.forget().ask("a.py::总价是什么").hydrated == ["a.py::总价"]
