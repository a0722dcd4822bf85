"""Search results: the lines that they show, with their numbers and files."""

import json

import pytest

from tslp_litellm.clients.reads import read
from tslp_litellm.dialects.values import Excerpt
from tslp_litellm.wire.turn import Item, ItemKind, Role


def found(result: str, name: str = "grep", **arguments: object) -> list[object]:
    call = Item(Role.ASSISTANT, ItemKind.CALL, json.dumps({"pattern": "x", **arguments}), name=name, call_id="c")
    return list(read(call, Item(Role.TOOL, ItemKind.RESULT, result, call_id="c")))


def test_each_line_names_its_file() -> None:
    result = "src/a.py:5:    return 'x'\nsrc/b.py:7:x = 1\n"
    assert found(result, "Grep", output_mode="content") == [
        Excerpt("src/a.py", 5, ("    return 'x'",)),
        Excerpt("src/b.py", 7, ("x = 1",)),
    ]


def test_lines_below_the_name_of_their_file() -> None:
    result = "Found 2 matches\n/w/a.py:\n  Line 5:     return 'x'\n  Line 9: x: int\n\n/w/b.py:\n  Line 1: x\n"
    assert found(result) == [
        Excerpt("/w/a.py", 5, ("    return 'x'",)),
        Excerpt("/w/a.py", 9, ("x: int",)),
        Excerpt("/w/b.py", 1, ("x",)),
    ]


def test_lines_below_a_path_that_stands_alone() -> None:
    result = "src/a.py\n5:    return 'x'\n6-y\n\n./b.py\n1:x\n"
    assert found(result) == [Excerpt("src/a.py", 5, ("    return 'x'",)), Excerpt("./b.py", 1, ("x",))]


def test_lines_without_white_space_at_their_ends() -> None:
    result = "Found 2 matches\n---\nFile: src/a.py\nL5: return 'x'\nL9: x: int\n---\n"
    assert found(result, "grep_search") == [
        Excerpt("src/a.py", 5, ("return 'x'",), until=1),
        Excerpt("src/a.py", 9, ("x: int",), until=1),
    ]


def test_the_call_names_the_file() -> None:
    assert found("5:    return 'x'\n", "Grep", path="src/a.py") == [Excerpt("src/a.py", 5, ("    return 'x'",))]
    assert found("5:    return 'x'\n", "Grep") == []


@pytest.mark.parametrize(
    "result",
    ["", "No files found", "src/a.py\nsrc/b.py\n", "src/a.py:3\n", f"a.py:1:{'x' * 300}\n", "a.py:1:cut short...\n"],
)
def test_what_shows_no_line_as_it_stands(result: str) -> None:
    assert found(result) == []


def test_other_tools_search_nothing() -> None:
    assert found("a.py:5:x\n", "web_search") == []
