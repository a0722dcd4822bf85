"""Two texts side by side in a real browser: what is hostile stays text, and what is long stays bearable."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.engine.helpers import Session, make_engine, sha
from tslp_litellm.diagnostics import comparison
from tslp_litellm.store.database import Database

from .conftest import HOSTILE, HOSTILE_TEXT, LOOKS, Open, violations

Show = Callable[..., Page]
EVIL = {
    "html": "<img src=x onerror=window.pwned=1><b>bold</b>&lt;&amp;<!-- --></code></td></table>",
    "script": "</script><script>window.pwned=1</script><svg onload=window.pwned=1>",
    "link": "<a href='javascript:window.pwned=1'>x</a> javascript:window.pwned=1 {{7*7}} ${window.pwned=1}",
    "style": "</style><style>body{display:none}</style><link rel=stylesheet href=//evil.example/x>",
    "quotes": '"\'` onmouseover=window.pwned=1 x="',
}
UNSEEN = {
    "\u202e": "U+202E",
    "\u2066": "U+2066",
    "\u200b": "U+200B",
    "\x00": "U+0000",
    "\x1b": "U+001B",
    "\r": "U+000D",
}


@pytest.fixture
def compare(open_at: Open, origin: str, database: Database) -> Show:
    """Opens two texts of a file side by side, each written by a tool."""

    def opened(path: str, *texts: str, **how: object) -> Page:
        return open_at(origin, "#" + urlencode(pair(database, path, *texts)), key=None, **how)

    return opened


NAMES = (f"w{n}" for n in itertools.count())


def pair(database: Database, path: str, *texts: str) -> dict[str, str]:
    """The link to a file's texts, in a workspace of its own."""
    session = writer(database)
    for text in texts:
        write(session, path, text)
    before, after = map(sha, texts)
    return {"workspace": session.workspace, "view": "diff", "entity": path, "from": before, "to": after}


def writer(database: Database) -> Session:
    return Session(make_engine(database, audit=False), database, next(NAMES), tools=("Write",))


def write(session: Session, path: str, text: str) -> None:
    call, named = {"name": "Write", "arguments": {"file_path": path, "content": text}}, f"c{len(session.messages)}"
    session.ask("Do it.", None, calls={named: call}).ask(None, results={named: "Wrote file successfully."})
    assert session.holds(path, text)


class TestHostile:
    def test_markup_is_only_text(self, compare: Show) -> None:
        lines = [*EVIL.values(), HOSTILE_TEXT.splitlines()[1]]
        page = compare(HOSTILE, "a\n" * 9, "".join(f"{line}\n" for line in lines))
        expect(page.locator(".diff .new code")).to_have_text(lines, use_inner_text=False)
        assert page.locator(".diff .new code").all_text_contents() == lines
        expect(page.locator("h1")).to_have_text(HOSTILE)
        assert page.evaluate("window.pwned") is None
        assert page.locator("main :is(img, svg, b, style, link, script, [onmouseover], [onload])").count() == 0
        expect(page.locator("main")).to_be_visible()

    def test_what_can_not_be_seen_is_spelled(self, compare: Show) -> None:
        lines = [f"x = 'a{sign}b'" for sign in UNSEEN]
        page = compare("bidi.py", "x = 'ab'\n" * 9, "".join(f"{line}\n" for line in lines))
        expect(page.locator(".diff .new .unseen")).to_have_text(list(UNSEEN.values()))
        shown = page.locator(".diff .new code").all_text_contents()
        assert shown == [f"x = 'a{name}b'" for name in UNSEEN.values()]

    def test_a_line_of_a_million_characters(self, compare: Show) -> None:
        page = compare("min.js", "x", "x = '" + "<b>" * 330_000 + "'\n")
        new = page.locator(".diff .new code")
        expect(new.locator(".unseen")).to_have_text("988,006 characters more")
        assert len(new.inner_text()) < 2_100
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


OLD, NEW = ("".join(f"def f{n}(a):\n    return a + {n} * {by}\n" for n in range(5_000)) for by in (1, 2))


class TestLong:
    @pytest.mark.slow
    def test_ten_thousand_lines_are_drawn_a_part_at_a_time(self, compare: Show) -> None:
        page = compare("long.py", OLD, NEW)
        expect(page.locator(".diff tbody tr")).to_have_count(1_000)
        expect(page.locator("main")).to_contain_text("Rows 1 to 1,000 of 10,000")
        expect(page.locator("main")).to_contain_text("Of a long text the beginning is coloured.")
        assert page.locator("*").count() < 20_000
        later, first = page.get_by_role("button", name="Later rows"), page.locator(".diff tbody tr").first
        for n in range(1, 10):
            later.click()
            expect(first.locator("td.n")).to_have_text([f"{n}001"] * 2)
        expect(page.get_by_role("region", name="The two texts")).to_be_focused()
        expect(later).to_be_disabled()
        expect(page.locator(".diff tbody tr")).to_have_count(1_000)
        expect(page.locator(".diff tbody tr").last.locator(".new code")).to_have_text("return a + 4999 * 2")
        page.get_by_role("button", name="Earlier rows").click()
        expect(first.locator("td.n")).to_have_text(["8001"] * 2)

    def test_a_new_version_is_shown_from_its_first_row(self, open_at: Open, origin: str, database: Database) -> None:
        session = writer(database)
        for text in (OLD, NEW):
            write(session, "grows.py", "".join(text.splitlines(keepends=True)[:2_400]))
        page = open_at(origin, f"#workspace={session.workspace}&view=diff&entity=grows.py", key=None)
        page.get_by_role("button", name="Later rows").click()
        expect(page.locator("main")).to_contain_text("Rows 1,001 to 2,000 of 2,400")
        write(session, "grows.py", "x = 1\n")
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # who comes back sees what is new
        expect(page.locator(".diff tbody tr").first.locator(".new code")).to_have_text("x = 1")
        expect(page.locator("main")).to_contain_text("Rows 1 to 1,000 of 2,400")
        expect(page.locator(".diff td.old code").first).to_have_text("def f0(a):")

    def test_the_gateway_answers_others_meanwhile(
        self, origin: str, database: Database, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        given, reading, goes_on = pair(database, "held.py", "x = 1\n", "x = 2\n"), threading.Event(), threading.Event()

        def slow(text: str) -> str:
            reading.set()
            assert goes_on.wait(60)
            return text

        monkeypatch.setattr(comparison, "redact", slow)
        named = {name: given[name] for name in ("workspace", "entity")}
        asked = {**named, "before_artifact": given["from"], "after_artifact": given["to"]}
        with httpx.Client(base_url=origin, trust_env=False, timeout=60) as http, ThreadPoolExecutor(1) as beside:
            answer = beside.submit(http.get, "/tslp/diff", params=asked)
            assert reading.wait(60)
            assert httpx.get(f"{origin}/tslp/health", trust_env=False, timeout=30).status_code == 200
            assert not answer.done()
            goes_on.set()
            assert answer.result().json()["hunks"] == [[0, 1, 0, 1]]

    def test_what_is_cut_is_said(self, compare: Show, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(comparison, "LINES_MAX", 4)
        page = compare("cut.py", OLD[:400], NEW[:400])
        expect(page.locator(".diff tbody tr")).to_have_count(4)
        expect(page.locator("main")).to_contain_text("These texts are long: the first 20,000 lines")


@LOOKS
def test_axe_finds_nothing(compare: Show, scheme: str, size: dict[str, int]) -> None:
    rest = "".join(f"# {n}\n" for n in range(2_000))
    before = f"import re\n\n\nclass A:\n    def f(self):  # one\n        return 'a' + 1\n\n\n{rest}"
    after = before.replace("'a' + 1", "'b' + 2").replace("one", "two\u202e").replace("# 1999", "# 2_000")
    page = compare("axe.py", before, after, scheme=scheme, size=size)
    expect(page.locator(".diff .changed .code-comment").first).to_be_visible()
    expect(page.locator(".diff .fold").first).to_be_visible()
    assert not violations(page)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
