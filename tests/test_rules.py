"""The table of rules: the committed page is what the code says, and the code uses no reason that it does not name."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

from scripts import write_rules
from tslp_litellm.dialects.values import Verdict
from tslp_litellm.resolution.reasons import CONFIDENCES, GRANTS, REASONS, STATES
from tslp_litellm.state.lifecycle import TRANSITIONS
from tslp_litellm.state.values import ArtifactState, Confidence, Grant

ROOT = Path(__file__).parent.parent
REASON_ARGUMENT = {"Refusal": 0, "dirty": 1, "remove": 1, "drifted": 2, "_doubted": 3, "propose": 3, "Move": 4,
                   "Unplaced": 4, "_Doubt": 0}  # fmt: skip
"""Where the reason stands among the positional arguments."""


def texts(node: ast.AST) -> set[str]:
    return {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def used() -> dict[str, set[str]]:
    """Reason codes in the code -> the gates with which they are used (empty: not as a refusal)."""
    found: dict[str, set[str]] = defaultdict(set)
    for module in (ROOT / "tslp_litellm").rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text())):
            codes: set[str] = set()
            gate = ""
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                at = REASON_ARGUMENT.get(name)
                codes |= texts(node.args[at]) if at is not None and len(node.args) > at else set()
                codes |= {text for k in node.keywords if k.arg == "reason" for text in texts(k.value)}
                if name == "Refusal":
                    gate = next((str(k.value.value) for k in node.keywords if k.arg == "gate"), "A")  # type: ignore[attr-defined]
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == "reason":
                codes |= texts(node.value) if node.value is not None else set()
            elif isinstance(node, ast.Assign) and any(
                isinstance(t, ast.Name) and t.id == "reason" for t in node.targets
            ):
                codes |= texts(node.value)
            for code in codes - {":"}:
                found[code] |= {gate} - {""}
    return found


def test_the_page_is_what_the_code_says() -> None:
    assert write_rules.PAGE.read_text("utf-8") == write_rules.page(), "run python -m scripts.write_rules"


def test_every_reason_is_named_and_every_name_used() -> None:
    named = REASONS.keys() - {Verdict.FAILURE, Verdict.DENIED}  # recorded as the verdict itself
    assert used().keys() == named


def test_refusals_name_their_gate() -> None:
    for code, gates in used().items():
        assert gates <= {REASONS[code].gate}, code


def test_nothing_is_left_unexplained() -> None:
    assert GRANTS.keys() == set(Grant)
    assert STATES.keys() == set(ArtifactState) == TRANSITIONS.keys()
    assert CONFIDENCES.keys() == set(Confidence)
    assert {Verdict.FAILURE, Verdict.DENIED} <= REASONS.keys()
