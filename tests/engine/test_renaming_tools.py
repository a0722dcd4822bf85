"""Tools that no table knows and that change more files than their arguments name (SEMANTICS 2, Calls)."""

from __future__ import annotations

from typing import Any

import pytest

from .helpers import Session

CART = "def total(xs):\n    return sum(xs)\n"
API = "from cart import total\n\n\ndef checkout(xs):\n    return total(xs)\n"
OTHER = "def subtotal(xs):\n    return xs\n"


@pytest.fixture
def shop(session: Session) -> Session:
    for path, text in (("src/cart.py", CART), ("src/api.py", API), ("src/other.py", OTHER)):
        session.ask(f"{path}\n```python\n{text}```\n")
    return session


def called(session: Session, tool: str, result: str, **arguments: Any) -> set[str]:
    """The files that are DIRTY after a call."""
    session.ask("Go on.", None, {"c": {"name": tool, "arguments": arguments}})
    session.ask(None, "Done.", results={"c": result})
    return {entity for entity, artifact in session.state().items() if artifact == "DIRTY" and "::" not in entity}


BOTH = {"src/cart.py", "src/api.py"}


@pytest.mark.parametrize(
    "result",
    [
        "Successfully renamed total to sum_total.\n\nChanges:\n  src/cart.py: 1\n  src/api.py: 2",
        "src/cart.py:1:5\nsrc/api.py:5:12",
        '{"changes": {"file:///home/me/src/cart.py": [{"newText": "s"}], "file:///home/me/src/api.py": []}}',
    ],
)
def test_the_files_that_the_result_names(shop: Session, result: str) -> None:
    arguments = {"file": "src/cart.py", "line": 1, "character": 5, "new_name": "sum_total"}
    assert called(shop, "lsp_rename", result, **arguments) == BOTH


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("rename_symbol", {"symbol": "total", "newName": "sum_total"}),
        ("mcp__serena__rename_symbol", {"name_path": "total", "new_name": "sum_total"}),
        ("mcp__lsp__rename_symbol", {"filePath": "src/cart.py", "symbolName": "total", "newName": "sum_total"}),
        ("refactor_rename", {"old_name": "total", "new_name": "sum_total"}),
    ],
)
def test_the_files_that_hold_the_old_name(shop: Session, tool: str, arguments: dict[str, str]) -> None:
    assert called(shop, tool, "Renamed 3 occurrences.", **arguments) == BOTH


@pytest.mark.parametrize(
    ("tool", "result", "arguments"),
    [
        ("rename_symbol", "Error: src/cart.py has no symbol total", {"symbol": "total", "newName": "s"}),
        ("rename_symbol", "The user doesn't want to proceed with this tool use.", {"symbol": "total", "newName": "s"}),
        ("rename_symbol", "Renamed 3 occurrences.", {"symbol": "total", "newName": "s", "repo": "acme/shop"}),
        ("find_references", "src/cart.py:1:5\nsrc/api.py:5:12", {"symbol": "total"}),
        ("codebase_retrieval", "src/cart.py\n" + CART, {"query": "total"}),
        ("get_symbols", "Updated index: src/cart.py", {"symbol": "total"}),
        ("rename_symbol", "Renamed 0 occurrences.", {"symbol": "grand_total", "newName": "s"}),
    ],
)
def test_what_changes_nothing(shop: Session, tool: str, result: str, arguments: dict[str, str]) -> None:
    assert called(shop, tool, result, **arguments) == set()
