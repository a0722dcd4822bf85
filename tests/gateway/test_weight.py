"""Large and small bodies, told in bounded time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tslp_litellm.gateway.weight import LARGE_CHARS, NODES_MAX, is_large

HALF = "x" * (LARGE_CHARS // 2)


@pytest.mark.parametrize(
    "small", [None, 3, "", {}, [], "x" * (LARGE_CHARS - 1), {"a": ["x", {"b": HALF}]}, SimpleNamespace(a="x", b=[1])]
)
def test_small(small: Any) -> None:
    assert not is_large(small)


@pytest.mark.parametrize(
    "large",
    [
        "x" * LARGE_CHARS,
        b"x" * LARGE_CHARS,
        {"a": [HALF], "b": (HALF,)},
        SimpleNamespace(a=SimpleNamespace(b=HALF), c=HALF),
        ["x"] * NODES_MAX,
        dict.fromkeys(range(NODES_MAX), "x"),
        [[["x"] * 40] * 40],
    ],
)
def test_large(large: Any) -> None:
    assert is_large(large)


def test_what_holds_itself_comes_to_an_end() -> None:
    endless: list[Any] = []
    endless.append(endless)
    assert is_large(endless)
