"""What a file defines, a line each."""

from __future__ import annotations

import pytest

from tslp_litellm.hydration.signatures import signatures

PYTHON = """import os

LIMIT = {
    "a": 1,
}


@cached
def total(
    items: list[int],
    tax: float = 0.2,
) -> float:
    # adds up
    return sum(items)


class Cart(Base):
    def add(self, item: int) -> None: return None
"""
TYPESCRIPT = """export function area(w: number, h: number): number {
  return w * h;
}
export class Shape extends Base {
  name(): string { return "x"; }
}
"""


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "a.py",
            PYTHON,
            [
                "a.py::LIMIT: LIMIT = {",
                "a.py::total: @cached def total( items: list[int], tax: float = 0.2, ) -> float:",
                "a.py::Cart: class Cart(Base):",
                "a.py::Cart.add: def add(self, item: int) -> None:",
            ],
        ),
        (
            "a.ts",
            TYPESCRIPT,
            [
                "a.ts::area: export function area(w: number, h: number): number",
                "a.ts::Shape: export class Shape extends Base",
                "a.ts::Shape.name: name(): string",
            ],
        ),
        ("a.md", "# Title\n", []),
    ],
)
def test_a_file(path: str, text: str, expected: list[str]) -> None:
    assert [line for _, line in signatures(path, text)] == expected


def test_a_symbol_has_none_and_values_come_last() -> None:
    assert signatures("a.py::total", PYTHON) == []
    ranks = {line.partition(":: ")[0].split(": ")[0]: rank for rank, line in signatures("a.py", PYTHON)}
    assert ranks["a.py::LIMIT"] > ranks["a.py::Cart.add"] > ranks["a.py::Cart"]
