"""The rules by example (docs/truth.md): each row is played, and is what comes of it; so is each notice."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.engine.helpers import Session, make_engine
from tslp_litellm.diagnostics import reports
from tslp_litellm.store.database import Database

from .pages import ROOT

PAGE = (ROOT / "docs" / "truth.md").read_text("utf-8")
PATH = "src/cart.py"
ROUNDED = "    return round(value * (1 + TAX), 2)\n"
WHOLE = f"def total(items):\n    value = sum(item.price for item in items)\n{ROUNDED}"
CLIP = 'def clip(text, width):\n    return text if len(text) <= width else text[: width - 1] + "…"\n'
NOT_THERE = "    return value * TAX\n"
ALL = {"CLEAN": {PATH, "TAX", "total", "slug"}}
SHOP = (
    "def sell(name):\n    return name\n\n\ndef main():\n    sell('tea')\n\n\nif __name__ == '__main__':\n    main()\n"
)
TEXT = {"CLEAN": {*ALL["CLEAN"], "src/text.py", "src/text.py::clip"}}
DONE = f"The file {PATH} has been updated successfully."
FAILED = "<tool_use_error>String to replace not found in file.</tool_use_error>"


def shown(section: str) -> str:
    """The first Python text of a section."""
    found = re.search(rf"^## {section}.*?```python\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE)
    assert found
    return found[1]


def rows(section: str) -> list[list[str]]:
    """The rows of the first table of a section, without its head."""
    found = re.search(rf"^## {section}.*?\| --- [^\n]*\n((?:\|[^\n]*\n)+)", PAGE, re.DOTALL | re.MULTILINE)
    assert found
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in found[1].splitlines()]


CART = shown("By example")
WITHOUT = CART[: CART.index("\n\n\ndef slug")] + "\n"


def fence(text: str, label: str = "") -> str:
    return f"{label}\n```python\n{text}```\n"


def edit(old: str, new: str) -> dict[str, Any]:
    return {"name": "Edit", "arguments": {"file_path": PATH, "old_string": old, "new_string": new}}


def bash(command: str) -> dict[str, Any]:
    return {"name": "bash", "arguments": {"command": command}}


def begun(more: dict[str, str] | None = None, tools: tuple[str, ...] = ()) -> Session:
    """A client's first turn, in a workspace whose files were shown before."""
    database = Database("sqlite://")
    database.migrate()
    engine = make_engine(database, audit=False)
    files = "".join(fence(text, path) for path, text in {PATH: CART, **(more or {})}.items())
    Session(engine, database).ask(f"This is mine:\n\n{files}", "Thanks.")
    return Session(engine, database, tools=tools)


def known(client: Session) -> tuple[dict[str, set[str]], set[str]]:
    """What is known of each freshness, tombstones included, and all reasons given since the files were shown."""
    with client.database.reading() as connection:
        found = reports.state(connection, client.tenant, client.workspace)
        episodes = reports.recent(connection, client.tenant, client.workspace, 50)["episodes"][:-1]
    names: dict[str, set[str]] = {}
    for row in (*found["entities"], *({**row, "freshness": "removed"} for row in found["tombstones"])):
        names.setdefault(row["freshness"], set()).add(row["entity"].removeprefix(f"{PATH}::"))
    return names, {row["reason"] for one in episodes for row in (*one["artifact_states"], *one["dirtied"])}


Case = tuple[str, str | None, dict[str, Any] | None, str, dict[str, set[str]], str]
"""Prompt, answer, the call in it, the call's result, what is known then, a reason."""
EXAMPLES: list[Case] = [
    ("Let `total` round to cents.", fence(WHOLE), None, "", ALL, "structural-parity"),
    ("Let `total` round to cents.", fence(f"def total(items):\n    # ... sum as before\n{ROUNDED}"), None, "", ALL, "left-out-code"),
    ("Make `total` exact.", fence(CART.replace("+ TAX)", "+ TAX"), PATH), None, "", ALL, "syntax-error"),
    ("Shorten `total`.", fence("def total(items):\n    return sum(items)\n"), None, "", ALL, "collapse"),
    ("Explain `total`.", fence(WHOLE), None, "", ALL, "only-asked"),
    (f"Remove `slug` from {PATH}.", fence(WITHOUT, PATH), None, "", {"CLEAN": {PATH, "TAX", "total"}, "removed": {"slug"}}, "structural-parity"),
    (f"Clean up {PATH}.", fence(WITHOUT, PATH), None, "", ALL, "lost-symbols"),
    (f"Tidy {PATH}.", fence(CART.replace("total", "sum_total"), PATH), None, "", ALL, "rename-unconfirmed"),
    ("Round in `total`.", f"{PATH}\n<<<<<<< SEARCH\n{NOT_THERE}=======\n{ROUNDED}>>>>>>> REPLACE\n", None, "", ALL, "not-one-match"),
    ("Let `total` give cents.", "", edit("    return value * (1 + TAX)\n", ROUNDED), DONE, ALL, "client-confirmation"),
    ("Let `total` give euros.", "", edit(NOT_THERE, ROUNDED), FAILED, ALL, "failure"),
    (f"This is {PATH} now:\n\n{fence(CART.replace('0.2', '0.19'), PATH)}", "Fine.", None, "", ALL, "user-write-head"),
    (f"I renamed `slug` in {PATH}.", "Fine.", None, "", {"CLEAN": {"TAX", "total"}, "DIRTY": {PATH, "slug"}}, "told"),
    ("Use 19 %.", None, bash(f"sed -i s/0.2/0.19/ {PATH}"), "", {"DIRTY": ALL["CLEAN"]}, "drift"),
    ("Drop the file.", None, bash(f"rm {PATH}"), "", {"removed": ALL["CLEAN"]}, "deleted"),
]  # fmt: skip
PLACES: list[Case] = [
    ("Take 19 %.", fence(CART.replace("0.2", "0.19"), f"File: {PATH}"), None, "", ALL, "structural-parity"),
    ("Let `total` round to cents.", fence(WHOLE), None, "", ALL, "structural-parity"),
    ("Write a `clip` for long names.", f"Here is `src/text.py`:\n{fence(CLIP)}", None, "", TEXT, "structural-parity"),
    ("Write a function `clip` in src/text.py.", fence(CLIP), None, "", TEXT, "structural-parity"),
    (f"Write a function `clip` in {PATH}.", fence(CLIP), None, "", {"CLEAN": {"TAX", "total", "slug", "clip"}, "DIRTY": {PATH}}, "unknown-place"),
    ("Write a small shop in src/shop.py.", fence(SHOP), None, "", {"CLEAN": ALL["CLEAN"] | {"src/shop.py", "src/shop.py::sell", "src/shop.py::main"}}, "structural-parity"),
    ("I need a `clip` for long names.", fence(CLIP), None, "", ALL, "no-path"),
]  # fmt: skip


@pytest.mark.parametrize(("number", "case"), [*enumerate(EXAMPLES)])
def test_a_row_is_what_comes_of_it(number: int, case: Case) -> None:
    assert_row(rows("By example")[number], case)


@pytest.mark.parametrize(("number", "case"), [*enumerate(PLACES)])
def test_a_place_is_what_comes_of_it(number: int, case: Case) -> None:
    assert_row(rows(r"Which file is it\?")[number][1:], case)


def assert_row(row: list[str], case: Case) -> None:
    prompt, answer, call, result, state, reason = case
    assert prompt.startswith(row[0].removesuffix(" …"))
    assert f"`{reason}`" in row[-1]
    assert call is None or call["name"] != "bash" or f"`{call['arguments']['command']}`" in row[1]
    client = begun(tools=(call["name"],) if call else ())
    before = client.state()
    client.ask(prompt, answer, calls={"c": call} if call else {})
    if call:
        assert "awaiting-result" in known(client)[1]
        client.ask(None, "Done.", results={"c": result})
    found, reasons = known(client)
    assert found == state
    assert reason in reasons
    assert (client.state() == before) == row[-1].startswith("nothing")


def test_no_row_is_left_out() -> None:
    assert (len(rows("By example")), len(rows(r"Which file is it\?"))) == (len(EXAMPLES), len(PLACES))


def test_the_notice_of_a_tombstone() -> None:
    client = begun().ask(f"Remove `slug` from {PATH}.", fence(WITHOUT, PATH)).ask("Who calls `slug`?")
    assert f"```text\n{client.prompt}\n```" in PAGE


def test_the_notice_of_a_use_that_changed() -> None:
    client = begun({"src/order.py": shown("What it uses")})
    new = CART.replace("total(items)", "total(items, tax=TAX)").replace("1 + TAX", "1 + tax")
    client.ask(f"This is {PATH} now:\n\n{fence(new, PATH)}").forget().ask("Shorten `pay`.")
    block, notice, words = client.prompt.split("\n\n[STATE NOTICE]")[0], *client.prompt.rsplit("\n\n", 2)[1:]
    assert "Entity: src/order.py::pay" in block
    assert words == "Shorten `pay`."
    assert f"```text\n{notice}\n```" in PAGE
