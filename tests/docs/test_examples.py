"""The rules by example (docs/truth.md): each row is played, and is what comes of it."""

from __future__ import annotations

import re

import pytest

from tests.engine.helpers import Session, make_engine
from tslp_litellm.diagnostics import reports
from tslp_litellm.store.database import Database

from .pages import ROOT

PAGE = (ROOT / "docs" / "truth.md").read_text("utf-8")
PATH = "src/cart.py"
ROUNDED = "    return round(value * (1 + TAX), 2)\n"
WHOLE = f"def total(items):\n    value = sum(item.price for item in items)\n{ROUNDED}"
ALL = {"CLEAN": {PATH, "TAX", "total", "slug"}}


def shown_first() -> str:
    found = re.search(r"^## By example.*?```python\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE)
    assert found
    return found[1]


CART = shown_first()
WITHOUT = CART[: CART.index("\n\n\ndef slug")] + "\n"


def fence(text: str, label: str = "") -> str:
    return f"{label}\n```python\n{text}```\n"


def state_after(prompt: str, answer: str | None, command: str | None = None) -> tuple[dict[str, set[str]], set[str]]:
    """What is known of each freshness, tombstones included, and all reasons given since the file was shown."""
    database = Database("sqlite://")
    database.migrate()
    engine = make_engine(database, audit=False)
    Session(engine, database).ask(f"This is mine:\n\n{fence(CART, PATH)}", "Thanks.")
    client = Session(engine, database, tools=("bash",) if command else ())
    client.ask(prompt, answer, calls={"c": {"name": "bash", "arguments": {"command": command}}} if command else {})
    if command:
        client.ask(None, "Done.", results={"c": ""})
    with database.reading() as connection:
        ((tenant, workspace),) = connection.exec_driver_sql("SELECT tenant, name FROM workspaces").all()
        found = reports.state(connection, tenant, workspace)
        history = [
            reports.entity(connection, tenant, workspace, f"{PATH}{n}")
            for n in ("", "::total", "::sum_total", "::slug")
        ]
    known: dict[str, set[str]] = {}
    for row in (*found["entities"], *({**row, "freshness": "removed"} for row in found["tombstones"])):
        known.setdefault(row["freshness"], set()).add(row["entity"].removeprefix(f"{PATH}::"))
    return known, {event["reason"] for one in history if one for event in one["history"]}


@pytest.mark.parametrize(
    ("prompt", "answer", "command", "known", "reason"),
    [
        ("Let `total` round to cents.", fence(WHOLE), None, ALL, "structural-parity"),
        (
            "Let `total` round to cents.",
            fence(f"def total(items):\n    # ... sum as before\n{ROUNDED}"),
            None,
            ALL,
            "left-out-code",
        ),
        ("Explain `total`.", fence(WHOLE), None, ALL, "only-asked"),
        (
            "Remove `slug` from src/cart.py.",
            fence(WITHOUT, PATH),
            None,
            {"CLEAN": {PATH, "TAX", "total"}, "removed": {"slug"}},
            "structural-parity",
        ),
        ("Tidy src/cart.py.", fence(CART.replace("total", "sum_total"), PATH), None, ALL, "rename-unconfirmed"),
        (
            "I renamed `slug` in src/cart.py.",
            "Fine.",
            None,
            {"CLEAN": {"TAX", "total"}, "DIRTY": {PATH, "slug"}},
            "told",
        ),
        ("Use 19 %.", None, "sed -i s/0.2/0.19/ src/cart.py", {"DIRTY": ALL["CLEAN"]}, "drift"),
        ("Drop the file.", None, "rm src/cart.py", {"removed": ALL["CLEAN"]}, "deleted"),
    ],
)  # fmt: skip
def test_a_row_is_what_comes_of_it(
    prompt: str, answer: str | None, command: str | None, known: dict[str, set[str]], reason: str
) -> None:
    assert f"| {prompt} |" in PAGE
    assert command is None or f"`{command}`" in PAGE
    found, reasons = state_after(prompt, answer, command)
    assert found == known
    assert reason in reasons
