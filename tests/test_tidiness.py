"""The code's own tidiness: sizes, names, and what stands at the head of a module."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "tslp_litellm"
MODULES = sorted(PACKAGE.rglob("*.py"))
LINES_MAX, FUNCTION_LINES_MAX = 450, 70
AT_THE_TOP = {
    "__init__": "the version, and the names that a proxy's config gives",
    "command": "the entry of the command, which loads no more than a hook needs",
    "litellm_hooks": "the faces, which LiteLLM loads",
    "demo_model": "a model of the offline demo, which LiteLLM loads as it does the faces",
    "settings": "every room is given a part of it, and it knows none",
    "secrets": "the engine, the gateway and the diagnostics redact, and none of them may import another for it",
}
"""What stands beside the rooms, and why it is in none of them."""
ODDS_AND_ENDS = ("util", "helper", "misc", "common", "manager")


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


def test_what_is_in_no_room_has_a_reason() -> None:
    assert {m.stem for m in PACKAGE.glob("*.py")} == set(AT_THE_TOP)


def test_no_room_for_odds_and_ends() -> None:
    named = {str(m.relative_to(PACKAGE)) for m in MODULES if any(word in m.stem for word in ODDS_AND_ENDS)}
    assert named == {"resolution/common.py"}, "the ground that the judgements of user, model and client share"
