"""Write docs/rules.md, and the tables of docs/truth.md, from the code: `.venv/bin/python -m scripts.write_rules`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from scripts.markdown_tables import table
from tslp_litellm.resolution.reasons import CONFIDENCES, GRANTS, REASONS, STATES
from tslp_litellm.settings import Settings
from tslp_litellm.state.lifecycle import TRANSITIONS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "rules.md"
TRUTH = PAGE.with_name("truth.md")

HEAD = """\
# Rules

<!-- Written by scripts/write_rules.py from the code; a test holds it against it. -->

What changes a state, and what the reason codes in the Ledger and in `/tslp/recent` mean.
"""

GATES = """\
An artifact becomes AUTHORITATIVE only by passing both gates. Gate A is structural proof: CONFIRMED, the full
definition, no new syntax error, no left-out code, and at least {nodes:.0%} of the syntax nodes and {tokens:.0%} of
the tokens of what it replaces (settings). Gate B is authority: any one grant. No grant heals a refusal by gate A, but
for the client's confirmation and the user's own word: what they say is on the disk is the truth, whatever it is.
"""


def page() -> str:
    """The page's text."""
    defaults = Settings()
    gates = GATES.format(nodes=defaults.parity_nodes_min_ratio, tokens=defaults.parity_tokens_min_ratio)
    refusals = {gate: [(c, r.sentence) for c, r in REASONS.items() if r.gate == gate] for gate in ("A", "B", "")}
    parts = [
        HEAD,
        "## Confidence\n\n" + table(("confidence", ""), ((c, said) for c, said in CONFIDENCES.items())),
        "## Artifact states\n\n"
        + table(
            ("state", "may become", ""),
            ((s, ", ".join(sorted(TRANSITIONS[s])) or "nothing", said) for s, said in STATES.items()),
        )
        + "\nA text that comes back is a new artifact of its entity, which begins as PROPOSED.\n",
        "## Gates\n\n" + gates,
        "### Refusals by gate A\n\n" + table(("reason", ""), _codes(refusals["A"])),
        "### Refusals by gate B\n\n" + table(("reason", ""), _codes(refusals["B"])),
        "### Grants\n\nThe reason of a promotion is the grant that gave it authority.\n\n"
        + table(("reason", ""), _codes((str(g), said) for g, said in GRANTS.items())),
        "## Other reasons\n\n" + table(("reason", ""), _codes(refusals[""])),
    ]
    return "\n".join(parts)


def tables() -> dict[str, str]:
    """The tables that docs/truth.md holds between its marks, by the marks' names."""
    by_gate = {gate: [(c, r.sentence) for c, r in REASONS.items() if r.gate == gate] for gate in ("A", "B", "")}
    return {
        "refused-by-gate-a": table(("reason", ""), _codes(by_gate["A"])),
        "refused-by-gate-b": table(("reason", ""), _codes(by_gate["B"])),
        "grants": table(("reason", ""), _codes((str(g), said) for g, said in GRANTS.items())),
        "other": table(("reason", ""), _codes(by_gate[""])),
    }


def with_tables(text: str) -> str:
    """The text with every `<!-- table: NAME -->` … `<!-- end -->` filled anew. KeyError: no such table."""
    found = tables()
    return re.sub(
        r"(<!-- table: ([\w-]+) -->\n).*?(<!-- end -->)",
        lambda m: f"{m[1]}\n{found[m[2]]}\n{m[3]}",
        text,
        flags=re.DOTALL,
    )


def _codes(rows: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(f"`{code}`", said) for code, said in rows]


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    TRUTH.write_text(with_tables(TRUTH.read_text("utf-8")), "utf-8")
