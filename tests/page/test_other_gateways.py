"""The status page in front of gateways of other kinds: behind a path, without keys or debug, and with a lot in it."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from tests.e2e.gateway import Gateway
from tests.e2e.upstream import Upstream

from .conftest import CART, Observed, Open, user

pytestmark = pytest.mark.slow


def test_behind_a_path_without_keys_and_without_debug(visit: Open, upstream: Upstream, tmp_path: Path) -> None:
    gateway = Observed(
        tmp_path,
        upstream.port,
        settings={"debug": False},
        litellm_settings={},
        general_settings={"master_key": None},
        environment={
            "SERVER_ROOT_PATH": "/gate/way",
            "LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY": "true",
        },
    )
    with gateway:
        base = f"http://127.0.0.1:{gateway.port}/gate/way"
        upstream.say("Fine.")
        body = {"model": "openai", "messages": user(f"src/cart.py\n```python\n{CART}```\nHere it is.")}
        assert httpx.post(f"{base}/v1/chat/completions", json=body, timeout=60, trust_env=False).status_code == 200
        bare = httpx.get(f"{base}/tslp", trust_env=False, follow_redirects=True)
        assert (bare.status_code, bare.url.path) == (200, "/gate/way/tslp/")
        page = visit("#entity=src/cart.py", base=base, key=None)
        expect(page.locator("#detail")).to_contain_text("Texts are shown only where")
        assert "class Cart" not in page.content()
        expect(page.get_by_role("button", name="Forget key")).to_have_count(0)
        page.get_by_role("link", name="Last prompt").click()
        expect(page.locator("main")).to_contain_text("debug: true")


def test_ten_thousand_entities(visit: Open, gateway: Gateway, upstream: Upstream) -> None:
    headers = {"x-tslp-workspace": "large"}
    for package in range(20):
        files = []
        for module in range(25):
            functions = "\n\n".join(f"def f_{module}_{n}():\n    return {n}\n" for n in range(19))
            files.append(f"src/package_{package}/module_{module}.py\n```python\n{functions}```\n")
        upstream.say("Fine.")
        gateway.ask("chat", "openai", user("\n".join(files)), stream=False, headers=headers)
    assert len(gateway.settled("large", 20)) == 10_000
    page = visit("#workspace=large&view=entities")
    expect(page.locator("#found")).to_have_text("10,000 entities in 500 files")
    drawn = page.locator("#rows .row")
    assert drawn.count() <= 200, "only what can be looked at is drawn"
    page.get_by_role("button", name="Show more").click()
    expect(drawn).to_have_count(450)
    page.get_by_role("searchbox").fill("package_19/module_24 f_24_18")
    expect(page.locator("#found")).to_have_text("1 entity in 1 file found")
    page.get_by_role("link", name="f_24_18", exact=True).click()
    expect(page.get_by_role("region", name="Current text")).to_have_text("def f_24_18():\n    return 18")
    page.get_by_label("Definitions in src/package_19/module_24.py").click()
    expect(page.get_by_role("link", name="f_24_18", exact=True)).to_have_count(0)
