"""The code's own tidiness: sizes, names, and what stands at the head of a module."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "tslp_litellm"
MODULES = sorted(PACKAGE.rglob("*.py"))
LINES_MAX, FUNCTION_LINES_MAX = 400, 70


@pytest.mark.parametrize("module", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
class TestModule:
    def test_it_fits_on_a_few_screens(self, module: Path) -> None:
        assert len(module.read_text().splitlines()) <= LINES_MAX

    def test_it_says_what_it_owns(self, module: Path) -> None:
        assert ast.get_docstring(ast.parse(module.read_text())), "a module opens with what it owns"

    def test_its_functions_are_short_and_public_ones_explained(self, module: Path) -> None:
        for node in ast.walk(ast.parse(module.read_text())):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                assert (node.end_lineno or 0) - node.lineno < FUNCTION_LINES_MAX, node.name


def test_no_room_for_odds_and_ends() -> None:
    assert not [m for m in MODULES if m.stem in ("utils", "helpers", "misc", "common_utils") or "manager" in m.stem]
