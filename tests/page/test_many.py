"""The page of a workspace with 20,000 entities, in a real browser: what is drawn of them, and what that takes."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect
from sqlalchemy import insert, select

from tests.engine.helpers import Session, make_engine, sha
from tslp_litellm.store.database import Database
from tslp_litellm.store.schema import state_map, workspaces

from .conftest import DESKTOP, PHONE, Open, violations

FILES, DEFINITIONS = 1_000, 19
LIST = "#workspace=many&view=entities"


def row(path: str, symbol: str | None, dirty: bool) -> dict[str, Any]:
    entity = path if symbol is None else f"{path}::{symbol}"
    return {
        "entity": entity, "path": path, "basename": path.rsplit("/", 1)[-1], "symbol": symbol, "leaf": symbol,
        "artifact": sha(entity), "freshness": "DIRTY" if dirty else "CLEAN", "source": "AST",
        "updated_at": "2026-01-01T00:00:00.000Z",
    }  # fmt: skip


@pytest.fixture(scope="module")
def many(origin: str, database: Database) -> str:
    """An origin with a workspace of 1,000 files with 19 definitions each, every hundredth file DIRTY."""
    Session(make_engine(database, audit=False), database, "many").ask("Hi.")
    paths = [f"src/part{n % 40:02}/module{n:04}.py" for n in range(FILES)]
    rows = [row(path, None, n % 100 == 0) for n, path in enumerate(paths)]
    rows += [row(path, f"function{n:02}", False) for path in paths for n in range(DEFINITIONS)]
    with database.writing() as connection:
        mine = connection.execute(select(workspaces.c.id).where(workspaces.c.name == "many")).scalar_one()
        connection.execute(insert(state_map), [{**one, "workspace_id": mine} for one in rows])
    return origin


@pytest.mark.parametrize(
    ("scheme", "size"),
    [("light", DESKTOP), pytest.param("dark", PHONE, marks=pytest.mark.slow)],
    ids=["desktop", "phone"],
)
def test_a_window_of_them_is_drawn(many: str, open_at: Open, scheme: str, size: dict[str, int]) -> None:
    page = open_at(many, LIST, key=None, scheme=scheme, size=size)
    found, rows = page.locator("#found"), page.locator("#rows li")
    expect(found).to_have_text("20,000 entities in 1,000 files")
    expect(rows).to_have_count(150)
    page.get_by_role("searchbox").fill("part07 function03")
    expect(found).to_have_text("25 entities in 25 files found")
    expect(rows).to_have_count(50)
    page.get_by_role("searchbox").fill("function")
    expect(found).to_have_text("19,000 entities in 1,000 files found")
    expect(rows).to_have_count(150)
    page.get_by_role("button", name="Show more").click()
    expect(rows).to_have_count(450)
    page.get_by_role("searchbox").fill("")
    page.get_by_role("combobox", name="Show").select_option("DIRTY")
    expect(found).to_have_text("10 entities in 10 files found")
    assert not violations(page)
    page.evaluate("at => { location.hash = at }", "workspace=many&view=overview")
    expect(page.locator(".tiles")).to_contain_text("10 DIRTY")
    assert not violations(page)


@pytest.mark.slow
@pytest.mark.parametrize(("at", "shown"), [("#workspace=many", ".tiles"), (LIST, "#rows li")], ids=["overview", "list"])
def test_the_first_view_takes_a_second_of_the_processor_at_most(many: str, open_at: Open, at: str, shown: str) -> None:
    page = open_at(many, "#workspace=nothing", key=None)
    expect(page.locator("main")).to_contain_text("Nothing here yet")
    meter = page.context.new_cdp_session(page)
    meter.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(f"{many}/tslp/?again{at}")
    expect(page.locator(shown).first).to_be_visible()
    told = {one["name"]: one["value"] for one in meter.send("Performance.getMetrics")["metrics"]}
    assert 0.05 < told["TaskDuration"] <= 1.0, "seconds of the page's main thread"
