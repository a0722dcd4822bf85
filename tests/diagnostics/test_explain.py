"""Reasons and witnesses as sentences."""

from __future__ import annotations

import pytest

from tslp_litellm.diagnostics import explain
from tslp_litellm.resolution.gates import Limits, shrunk
from tslp_litellm.syntax.symbols import Kind, Symbol


def definition(nodes: int, tokens: int) -> Symbol:
    return Symbol("greet", Kind.FUNCTION, None, 0, 0, 0, 0, 0, alone=True, sound=True, nodes=nodes, tokens=tokens)


@pytest.mark.parametrize(
    ("left", "limits", "says"),
    [
        (
            (27, 50),
            Limits(),
            "Gate A counted 27 syntax nodes in `greet`, which is 19 % of the 139 in the current text; "
            "at least 50 % must stay (setting `parity_nodes_min_ratio`).",
        ),
        (
            (139, 69),
            Limits(tokens_min_ratio=0.695),
            "Gate A counted 69 tokens in `greet`, which is 69 % of the 100 in the current text; "
            "at least 69.5 % must stay (setting `parity_tokens_min_ratio`).",
        ),
    ],
)
def test_what_share_is_left_and_what_must_stay(left: tuple[int, int], limits: Limits, says: str) -> None:
    refusal = shrunk(definition(*left), definition(139, 100), limits)
    assert refusal is not None
    assert explain.witness(refusal.body()) == says
