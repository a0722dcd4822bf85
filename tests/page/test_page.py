"""The status page in a real browser, before a real gateway that heard real traffic."""

from __future__ import annotations

import re

import httpx
from playwright.sync_api import Route, expect

from tests.e2e.gateway import KEY, Gateway
from tests.e2e.upstream import Upstream

from .conftest import CART, HOSTILE, HOSTILE_TEXT, LOOKS, Open, called, user, violations


def last_asks(gateway: Gateway, upstream: Upstream) -> None:
    upstream.say("It sums.")
    gateway.ask("chat", "openai", user("And `Cart.total`?"), stream=False, headers={"x-tslp-workspace": "shop"})


class TestServing:
    def test_it_holds_no_data_and_allows_nothing_but_itself(self, gateway: Gateway, shop: str) -> None:
        answer = httpx.get(f"{gateway.http.base_url}/tslp/", trust_env=False)
        assert answer.status_code == 200
        assert "cart.py" not in answer.text
        policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
        assert policy["default-src"] == "'none'"
        assert re.fullmatch(r"'sha256-[\w+/=]{44}'", policy["script-src"])
        assert re.fullmatch(r"'sha256-[\w+/=]{44}'", policy["style-src"])
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert not re.search(r'(src|href)="(?!#|data:)', answer.text), "no outside resource"

    def test_its_head_can_be_asked_for(self, gateway: Gateway) -> None:
        answer = httpx.head(f"{gateway.http.base_url}/tslp/", trust_env=False)
        assert (answer.status_code, answer.content) == (200, b"")

    def test_unchanged_pages_and_answers_are_not_sent_again(self, gateway: Gateway, shop: str) -> None:
        for path in ("/tslp/", "/tslp/state?workspace=shop", "/tslp/recent?workspace=shop"):
            first = gateway.http.get(path)
            again = gateway.http.get(path, headers={"If-None-Match": first.headers["ETag"]})
            assert (first.status_code, again.status_code, again.content) == (200, 304, b""), path
        other = gateway.http.get("/tslp/state?workspace=other", headers={"If-None-Match": first.headers["ETag"]})
        assert other.status_code == 200

    def test_without_the_slash_it_leads_to_the_page(self, gateway: Gateway) -> None:
        answer = httpx.get(f"{gateway.http.base_url}/tslp", follow_redirects=True, trust_env=False)
        assert (answer.status_code, answer.url.path) == (200, "/tslp/")


class TestKey:
    def test_it_asks_for_the_key_and_keeps_it_in_this_tab_only(self, visit: Open, gateway: Gateway, shop: str) -> None:
        page = visit("#workspace=shop&view=entities", key=None)
        expect(page.get_by_label("Your key for this gateway")).to_be_focused()
        assert "cart.py" not in page.content()
        page.fill("#key", KEY)
        page.keyboard.press("Enter")
        expect(page.get_by_role("link", name="src/cart.py", exact=True)).to_be_visible()
        assert KEY not in page.url
        assert page.evaluate("[localStorage.length, document.cookie, Object.values(sessionStorage)]") == [0, "", [KEY]]
        page.reload()
        expect(page.get_by_role("link", name="src/cart.py", exact=True)).to_be_visible()
        page.get_by_role("button", name="Forget key").click()
        expect(page.get_by_label("Your key for this gateway")).to_be_visible()
        assert "cart.py" not in page.content()
        assert page.evaluate("sessionStorage.length") == 0

    def test_nothing_is_asked_and_nothing_complains_before_there_is_a_key(self, visit: Open) -> None:
        page = visit("#workspace=shop", key=None)
        heard: list[str] = []
        page.on("console", lambda said: heard.append(said.text))
        page.on("request", lambda sent: heard.append(sent.url))
        page.reload()
        expect(page.get_by_label("Your key for this gateway")).to_be_focused()
        assert heard == [page.url.partition("#")[0]]

    def test_a_wrong_key_is_refused_in_words(self, visit: Open) -> None:
        page = visit(key="sk-wrong")
        expect(page.get_by_role("alert")).to_contain_text("The gateway refused this key. It said: ")
        expect(page.locator("#key-help")).to_contain_text("it is in .tslp/master.key")
        assert page.evaluate("sessionStorage.length") == 0


class TestViews:
    def test_the_overview_is_where_it_opens(self, visit: Open, gateway: Gateway, shop: str) -> None:
        page = visit("#workspace=shop")
        main, told = page.locator("main"), gateway.http.get("/tslp/overview?workspace=shop").json()
        expect(main.get_by_role("heading", name="Overview")).to_be_visible()
        expect(main.locator(".tiles li").nth(0)).to_contain_text(f"{told['episodes']} Episodes")
        expect(main.locator(".tiles li").nth(1)).to_contain_text(f"{told['injected']:,} Tokens put in front")
        expect(main.locator(".tiles li").nth(2)).to_contain_text("kept out: 1 collapse, 0 losses")
        days = main.get_by_role("img", name=re.compile("^Episodes a day, 30 days:")).get_attribute("aria-label")
        assert days and sum(map(int, days.split(": ")[1].split(", "))) == told["episodes"]
        expect(main).to_contain_text("stands for code that was not written out")
        main.get_by_role("link", name="0 DIRTY").click()
        expect(page.get_by_role("combobox", name="Show")).to_have_value("DIRTY")
        expect(page.locator("#rows")).to_have_text("Nothing fits the filter.")

    def test_the_list_as_it_is_filtered_has_a_link(self, visit: Open, shop: str) -> None:
        page = visit("#workspace=shop&view=entities&q=disc&sort=newest")
        expect(page.locator("#found")).to_have_text("1 entity in 1 file found")
        expect(page.get_by_role("combobox", name="Order")).to_have_value("newest")
        page.get_by_role("searchbox").fill("cart.py total")
        expect(page).to_have_url(re.compile("q=cart.py"))
        page.get_by_role("link", name="Cart.total", exact=True).click()
        expect(page.locator("#found")).to_have_text("1 entity in 1 file found")
        page.reload()
        expect(page.get_by_role("region", name="Current text")).to_contain_text("def total")
        expect(page.get_by_role("searchbox")).to_have_value("cart.py total")

    def test_entities_by_file_with_freshness_and_age(self, visit: Open, shop: str) -> None:
        page = visit("#workspace=shop&view=entities")
        rows = page.locator("#rows")
        expect(rows.get_by_role("link", name="Cart.total", exact=True)).to_be_visible()
        expect(rows).to_contain_text(re.compile(r"(just now|ago)"))
        page.get_by_role("searchbox").fill("disc")
        expect(page.locator("#found")).to_have_text("1 entity in 1 file found")
        expect(rows.get_by_role("link")).to_have_text(["src/cart.py", "discount"])
        page.get_by_role("searchbox").fill("nowhere")
        expect(rows).to_have_text("Nothing fits the filter.")

    def test_an_entity_its_text_and_its_history(self, visit: Open, shop: str) -> None:
        page = visit("#workspace=shop&entity=src/cart.py::Cart.total")
        detail = page.get_by_role("region", name="Entity", exact=True)
        expect(detail.get_by_role("region", name="Current text")).to_contain_text(
            "round(sum(p for _, p in self.items), 2)"
        )
        expect(detail.locator(".history > li")).to_have_count(2)
        expect(detail.locator(".history > li").last).to_contain_text("Shown by the user's side: it is the current text")
        detail.locator("summary").filter(has_text="Text").last.click()
        expect(detail).to_contain_text("return sum(price for _, price in self.items)")
        page.goto(page.url.split("#")[0] + "#workspace=shop&entity=nobody.py")
        expect(detail).to_contain_text("knows nothing of that name")

    def test_two_versions_side_by_side(self, visit: Open, shop: str) -> None:
        page = visit("#workspace=shop&entity=src/cart.py::Cart.total")
        page.get_by_role("link", name="what changed").first.click()
        rows = page.locator(".diff tbody tr")
        changed = page.locator(".diff tr.changed")
        expect(changed.locator(".old code")).to_have_text("return sum(price for _, price in self.items)")
        expect(changed.locator(".new code")).to_have_text("return round(sum(p for _, p in self.items), 2)")
        expect(rows.first.locator(".code-keyword").first).to_have_text("def")
        expect(changed.locator("td.n")).to_have_text(["2", "2"])
        assert not violations(page)
        page.reload()
        expect(changed).to_have_count(1)
        page.get_by_role("link", name="Swap").click()
        expect(changed.locator(".old code")).to_contain_text("round")
        page.get_by_role("combobox", name="Before").select_option(index=1)
        expect(page.locator("main")).to_contain_text("It is the same text twice.")
        page.goto(page.url.split("#")[0] + "#workspace=shop&entity=src/cart.py")
        page.get_by_role("link", name="against the current").first.click()
        expect(changed.filter(has_text="rest of the code unchanged")).to_have_count(1)

    def test_where_a_workspace_stands(self, visit: Open, gateway: Gateway, upstream: Upstream) -> None:
        upstream.say("Fine.")
        messages = called("bash", "=== 1 failed, 2 passed in 0.12s ===", command="pytest", description="Tests")
        assert gateway.ask("chat", "openai", messages, stream=False, headers={"x-tslp-workspace": "tested"})[0] == 200
        gateway.settled("tested", 1)
        page = visit("#workspace=tested&view=resume")
        expect(page.locator("main")).to_contain_text("pytest1 failed, 2 passed")
        expect(page.locator("main")).to_contain_text("RED")
        assert not violations(page)

    def test_an_entity_as_it_was(self, visit: Open, shop: str) -> None:
        page = visit("#workspace=shop&entity=src/cart.py::Cart.total")
        detail = page.get_by_role("region", name="Entity", exact=True)
        slider = detail.get_by_role("slider", name="As of")
        expect(detail.locator(".history > li")).to_have_count(2)
        expect(slider).to_have_attribute("aria-valuetext", "now")
        slider.fill("2")
        expect(detail).to_contain_text("return sum(price for _, price in self.items)")
        expect(detail.locator(".history > li")).to_have_count(1)
        assert "at=2" in page.url
        assert not violations(page)
        slider.fill("0")
        expect(detail).to_contain_text("has no text that is the truth")
        detail.get_by_role("link", name="Back to now").click()
        expect(detail.locator(".history > li")).to_have_count(2)
        assert "at=" not in page.url

    def test_episodes_with_states_and_reasons_in_words(self, visit: Open, shop: str) -> None:
        page = visit("#workspace=shop&view=episodes")
        refused = page.get_by_role("article").filter(has_text="REFUSED")
        expect(refused).to_contain_text("stands for code that was not written out")
        expect(refused.locator(".badge")).to_have_text("REFUSED")
        expect(refused).to_contain_text("Gate A found left-out code at: # ... rest of the code unchanged ...")
        refused.get_by_role("link", name="Tidy src/cart.py").click()
        main = page.locator("main")
        expect(main).to_contain_text("From the model's answer: refused; the current text stays as it was.")
        expect(main.locator("blockquote")).to_have_text("Tidy src/cart.py")
        expect(main).to_contain_text(re.compile(r"In front of it: \d+ tokens"))
        expect(main.locator(".card.states").first).to_contain_text(
            re.compile(r"^src/cart.py\d+ tokensthe prompt mentions it")
        )
        main.get_by_role("link", name="against the current").first.click()
        expect(main).to_contain_text("# ... rest of the code unchanged ...")
        expect(main.get_by_role("link", name="Swap")).to_be_visible()

    def test_an_episode_of_a_question(self, visit: Open, gateway: Gateway, upstream: Upstream, shop: str) -> None:
        last_asks(gateway, upstream)
        page = visit("#workspace=shop&view=episodes")
        asked = page.get_by_role("article").filter(has_text="And `Cart.total`?").first
        expect(asked).to_contain_text("No code was changed.")
        expect(asked).to_contain_text("In front of it:src/cart.py::Cart.total")

    def test_an_episode_that_made_a_file_dirty(self, visit: Open, gateway: Gateway, upstream: Upstream) -> None:
        headers = {"x-tslp-workspace": "drifted"}
        shell = called("bash", "", command="sed -i s/price/cost/ src/cart.py")
        for messages in (user(f"src/cart.py\n```python\n{CART}```\nHere it is."), shell):
            upstream.say("Fine.")
            assert gateway.ask("chat", "openai", messages, stream=False, headers=headers)[0] == 200
        gateway.settled("drifted", 2)
        page = visit("#workspace=drifted&view=episodes")
        drifted = page.get_by_role("article").first
        expect(drifted).to_contain_text("DIRTY")
        expect(drifted.get_by_role("link", name="src/cart.py")).to_be_visible()
        expect(drifted).not_to_contain_text("No code was changed")

    def test_the_last_prompt_and_what_was_given(
        self, visit: Open, gateway: Gateway, upstream: Upstream, shop: str
    ) -> None:
        last_asks(gateway, upstream)
        page = visit("#workspace=shop&view=prompt")
        expect(page.locator("mark").first).to_contain_text("[CURRENT STATE: AUTHORITATIVE]")
        expect(page.locator(".given").first.get_by_role("link")).to_have_text(["src/cart.py::Cart.total"])
        expect(page.locator("pre").first).to_contain_text("And `Cart.total`?")

    def test_the_doctor(self, visit: Open) -> None:
        page = visit("#view=doctor")
        expect(page.locator("main")).to_contain_text("All is well.")
        expect(page.get_by_role("heading", name="parser")).to_be_visible()

    def test_an_empty_workspace_says_how_to_begin(self, visit: Open, gateway: Gateway) -> None:
        page = visit("#workspace=nothing-here")
        expect(page.locator("main")).to_contain_text("Nothing here yet")
        expect(page.locator("main")).to_contain_text(f"http://127.0.0.1:{gateway.port}/v1")


class TestLive:
    def test_what_happens_appears_without_reloading(self, visit: Open, gateway: Gateway, upstream: Upstream) -> None:
        headers = {"x-tslp-workspace": "live"}
        gateway.ask("chat", "openai", user("a.py\n```python\nx = 1\n```\n"), stream=False, headers=headers)
        page = visit("#workspace=live&entity=a.py")
        expect(page.get_by_role("region", name="Current text")).to_have_text("x = 1\n")
        page.evaluate("window.same = true")
        page.get_by_role("searchbox").focus()
        gateway.ask("chat", "openai", user("a.py\n```python\nx = 22\n```\n"), stream=False, headers=headers)
        expect(page.get_by_role("region", name="Current text")).to_have_text("x = 22\n")
        expect(page.get_by_role("searchbox")).to_be_focused()
        assert page.evaluate("window.same")

    def test_a_gateway_that_went_away_and_came_back(self, visit: Open, shop: str) -> None:
        page = visit("#workspace=shop&view=entities")
        expect(page.locator(".live")).to_have_text("Live")
        page.route("**/tslp/*", lambda route: route.abort())
        expect(page.locator(".live")).to_have_text("Offline")
        expect(page.get_by_role("status")).to_contain_text("The gateway does not answer")
        expect(page.get_by_role("link", name="src/cart.py", exact=True)).to_be_visible()
        page.unroute("**/tslp/*")
        expect(page.locator(".live")).to_have_text("Live")

    def test_a_gateway_that_says_when_to_come_again_is_asked_then(self, visit: Open, shop: str) -> None:
        page, refused = visit("#workspace=shop&view=entities"), list[str]()
        expect(page.locator(".live")).to_have_text("Live")

        def limited(route: Route) -> None:
            refused.append(route.request.url)
            route.fulfill(status=429, json={"detail": "They are asked too often."}, headers={"Retry-After": "1"})

        page.route("**/tslp/state*", limited)
        expect(page.get_by_role("status")).to_contain_text("asked too often")
        assert len(refused) >= 3  # twice as it was told, then it says so
        page.unroute("**/tslp/state*")
        expect(page.locator(".live")).to_have_text("Live")

    def test_a_hidden_page_asks_nothing(self, visit: Open, shop: str) -> None:
        page = visit("#workspace=shop&view=entities")
        expect(page.locator(".live")).to_have_text("Live")
        hide = "v => { Object.defineProperty(document, 'hidden', {value: v, configurable: true});"
        hide += " document.dispatchEvent(new Event('visibilitychange')); }"
        page.evaluate(hide, True)
        page.wait_for_timeout(100)
        asked: list[str] = []
        page.on("request", lambda sent: asked.append(sent.url))
        page.wait_for_timeout(4000)
        assert asked == []
        with page.expect_request("**/tslp/state*"):
            page.evaluate(hide, False)


class TestHostility:
    def test_names_and_texts_are_only_text(self, visit: Open, gateway: Gateway, upstream: Upstream, shop: str) -> None:
        upstream.say("Done.")
        told = user("Why <img src=x onerror=window.pwned=1>?")
        gateway.ask("chat", "openai", told, stream=False, headers={"x-tslp-workspace": shop})
        page = visit("#workspace=shop&view=entities")
        expect(page.get_by_role("link", name=HOSTILE, exact=True)).to_be_visible()
        page.get_by_role("link", name=HOSTILE, exact=True).click()
        expect(page.get_by_role("region", name="Current text")).to_have_text(HOSTILE_TEXT)
        for view in ("episodes", "prompt"):
            page.get_by_role("navigation").get_by_role("link", name=re.compile(view, re.I)).click()
            expect(page.locator("main")).to_contain_text("<img src=x onerror")
        page.goto(page.url.split("#")[0] + "#workspace=<img src=x onerror=window.pwned=1>&entity=<b>x</b>")
        expect(page.locator("#main")).to_contain_text("Nothing here yet")
        assert page.evaluate("window.pwned") is None
        assert page.locator("img").count() == 0


VIEWS = (
    "view=overview",
    "view=entities",
    "entity=src/cart.py::Cart.total",
    "view=episodes",
    "view=resume",
    "view=prompt",
    "view=doctor",
)


class TestAccessibility:
    @LOOKS
    def test_axe_finds_nothing(
        self, visit: Open, gateway: Gateway, upstream: Upstream, shop: str, scheme: str, size: dict[str, int]
    ) -> None:
        last_asks(gateway, upstream)
        page = visit("#workspace=shop", key=None, scheme=scheme, size=size)
        expect(page.locator("#key")).to_be_visible()
        found = {"key": violations(page)}
        page.fill("#key", KEY)
        page.keyboard.press("Enter")
        for view in (*VIEWS, "workspace=empty"):
            page.evaluate("at => { location.hash = at }", f"workspace=shop&{view}" if "workspace" not in view else view)
            expect(page.locator("main")).not_to_contain_text("Reading…")
            expect(page.locator("main")).to_contain_text(
                re.compile(
                    {
                        "view=episodes": "structural-parity",
                        "view=prompt": "Messages",
                        "view=doctor": "parser",
                        "view=resume": "Changed lately",
                        "view=overview": "By client",
                    }.get(view, "Nothing here yet" if "empty" in view else "Cart")
                )
            )
            found[view] = violations(page)
            wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 0, f"{view} is wider than the screen"
        assert not {view: what for view, what in found.items() if what}

    def test_a_few_keys(self, visit: Open, shop: str) -> None:
        page = visit("#workspace=shop")
        expect(page.locator(".tiles")).to_be_visible()
        page.keyboard.press("/")
        expect(page.get_by_role("searchbox")).to_be_focused()
        page.keyboard.type("jk?/")
        expect(page.get_by_role("searchbox")).to_have_value("jk?/")
        page.get_by_role("searchbox").fill("disc")
        expect(page).to_have_url(re.compile("q=disc"))
        page.get_by_role("button", name="Keys").focus()
        keys = (("j", "src/cart.py"), ("j", "discount"), ("j", "discount"), ("k", "src/cart.py"), ("j", "discount"))
        for key, name in keys:
            page.keyboard.press(key)
            expect(page.locator("#rows").get_by_role("link", name=name, exact=True)).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("region", name="Current text")).to_contain_text("def discount")
        page.keyboard.press("?")
        expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
        assert not violations(page)
        page.get_by_role("checkbox").uncheck()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.keyboard.press("?")
        page.wait_for_timeout(100)
        expect(page.get_by_role("dialog")).to_have_count(0)

    def test_a_workspace_is_found_by_its_name(
        self, visit: Open, gateway: Gateway, upstream: Upstream, shop: str
    ) -> None:
        upstream.say("ok")
        gateway.ask("chat", "openai", user("Hi."), stream=False, headers={"x-tslp-workspace": "blog"})
        gateway.settled("blog", 1)
        page = visit("#workspace=shop")
        expect(page.locator(".tiles")).to_be_visible()
        workspace = page.get_by_role("combobox", name="Workspace")
        expect(workspace).to_have_value("shop")
        workspace.fill("nobody")
        page.keyboard.press("Enter")
        expect(page.get_by_role("status")).to_have_text("There is no workspace nobody here.")
        workspace.fill("blog")
        expect(page).to_have_url(re.compile("workspace=blog"))

    def test_the_keyboard_alone_reaches_everything(self, visit: Open, shop: str) -> None:
        page = visit("#workspace=shop&view=entities")
        expect(page.get_by_role("link", name="discount", exact=True)).to_be_visible()
        expect(page.locator("main")).to_be_focused()
        page.reload()
        expect(page.get_by_role("link", name="discount", exact=True)).to_be_visible()
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
        names = []
        for _ in range(40):
            page.keyboard.press("Tab")
            seen = page.evaluate(
                "(() => { const e = document.activeElement, s = getComputedStyle(e);"
                " return [e.textContent.trim(), e === document.body || (s.outlineStyle !== 'none' && s.outlineWidth !== '0px')]; })()"
            )
            assert seen[1], f"the focus can't be seen on {seen[0]!r}"
            names.append(seen[0])
            if seen[0] == "discount":
                break
        assert {"Entities", "Episodes", "Last prompt", "Doctor", "Forget key", "src/cart.py"} <= set(names)
        page.keyboard.press("Enter")
        expect(page.get_by_role("region", name="Current text")).to_contain_text("def discount")
        expect(page.get_by_role("link", name="discount", exact=True)).to_be_focused()


def test_a_workspace_that_looks_like_an_older_one(visit: Open, gateway: Gateway, upstream: Upstream, shop: str) -> None:
    upstream.say("ok")
    gateway.ask("chat", "openai", user("Hi."), stream=False, headers={"x-tslp-workspace": "Sh0p"})
    gateway.settled("Sh0p", 1)
    expect(visit("#workspace=Sh0p").get_by_text("looks like shop")).to_be_visible()
    expect(visit("#workspace=shop&view=entities").get_by_text("looks like")).to_have_count(0)
