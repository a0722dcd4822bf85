"""The site is built without a warning, holds every page, and fetches nothing from anywhere."""

from __future__ import annotations

import os
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.page.conftest import CHROMIUM, FLAGS

from .pages import PAGES, ROOT

FETCHING = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("link", "href"), ("use", "href")}
NOT_FETCHED = {"canonical", "next", "prev", "edit", "alternate"}


class Fetched(HTMLParser):
    """What a browser would load for a page."""

    def __init__(self) -> None:
        super().__init__()
        self.urls: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "link" and given.get("rel") in NOT_FETCHED:
            return
        self.urls += [value for name, value in attrs if (tag, name) in FETCHING and value]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    clean = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
    done = subprocess.run(
        ["make", "--no-print-directory", "docs", f"ARGS=--site-dir {folder}"],
        cwd=ROOT,
        check=False,
        env=clean,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.slow
def test_every_page_is_there_and_in_the_navigation(site: Path) -> None:
    home = (site / "index.html").read_text("utf-8")
    for page in PAGES:
        if page.name in ("README.md", "index.md") or "reasons" in page.name:
            continue
        name = str(page.relative_to(ROOT / "docs").with_suffix(".html"))
        assert (site / name).is_file(), name
        assert f'href="{name}"' in home, f"{name} is not in mkdocs.yml's nav"
    assert (site / "clients" / "index.html").is_file()


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")
def test_the_search_works_from_the_disk(site: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        page.goto((site / "clients" / "aider.html").as_uri())
        page.click("input.md-search__input")
        expect(page.locator(".md-search-result__meta")).to_have_text("Type to start searching")
        page.keyboard.type("tombstone")
        found = page.locator(".md-search-result__item a").first
        expect(found).to_have_attribute("href", re.compile(r"^file:.*\.html"))
        browser.close()


@pytest.mark.slow
def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 15
    for page in pages:
        reader = Fetched()
        reader.feed(page.read_text("utf-8"))
        assert reader.urls
        assert not [u for u in reader.urls if re.match(r"(?:https?:)?//", u)], page
    for style in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", style.read_text("utf-8")), style


@pytest.mark.slow
def test_nothing_of_this_checkout_is_linked(site: Path) -> None:
    """Links that leave `docs/` have become text."""
    for page in site.rglob("*.html"):
        assert not re.search(r'href="[^"]*\.(?:md|py|toml|yaml|sh)(?:#[^"]*)?"', page.read_text("utf-8")), page
