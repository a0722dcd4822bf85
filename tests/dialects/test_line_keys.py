"""Lines are known again whatever a client did to them; a text is found by a few of them."""

from __future__ import annotations

import random

import pytest

from tslp_litellm.dialects.line_keys import WINDOW_LINES, anchors, line_keys

CODE = 'def f(a):\n\tif a < 1 and a > "x":\n        return [a]\n'


@pytest.mark.parametrize(
    "text",
    [
        CODE.replace("\n", "\r\n"),
        CODE.replace("\t", "    "),
        "".join(f"    {line}\n" for line in CODE.splitlines()),
        "".join(f"> {line}\n" for line in CODE.splitlines()),
        "".join(f"{n}: {line}\n" for n, line in enumerate(CODE.splitlines(), 1)),
        CODE.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;"),
    ],
)
def test_what_clients_do_to_lines(text: str) -> None:
    assert line_keys(text).keys == line_keys(CODE).keys


def test_other_lines_have_other_keys_and_blank_ones_none() -> None:
    found = line_keys("a = 1\n\n \t\nb = 1")
    assert [bool(key) for key in found.keys] == [True, False, False, True]
    assert found.sizes == [3, 0, 0, 3]
    assert found.weight({found.keys[0]}) == 3


def found(text: str) -> frozenset[int]:
    return anchors(text, line_keys(text))


def test_a_part_of_so_many_lines_has_an_anchor_of_its_text() -> None:
    drawn = random.Random(7)
    lines = [f"line{drawn.random()}" for _ in range(100)]
    whole = found("\n".join(lines))
    assert len(whole) < 50
    for at in range(100 - WINDOW_LINES):
        assert whole & set(line_keys("\n".join(lines[at : at + WINDOW_LINES])).keys)


def test_each_block_has_one_and_short_lines_are_none_of_them() -> None:
    text = "I shall do it so:\n```python\nreturn slug\n}\n```\nAnd that is all.\n"
    assert found(text) == set(line_keys("I shall do it so:\nreturn slug\nAnd that is all.").keys)
    assert found("}\nx\n") == {min(line_keys("}\nx").keys)}
    assert found("\n \n") == found("") == frozenset()
