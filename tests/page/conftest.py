"""A real gateway with LiteLLM's own `prometheus` and `otel` beside ours, and a real browser in front of it."""

from __future__ import annotations

import json
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
import yaml
from axe_playwright_python.sync_playwright import Axe
from fastapi import FastAPI
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from tests.e2e.gateway import KEY, Gateway
from tests.e2e.nursery import Nursery, NurseryGateway
from tests.e2e.upstream import Upstream
from tslp_litellm.diagnostics.page import make_page_router
from tslp_litellm.diagnostics.router import View, make_router
from tslp_litellm.store.database import Database

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 780}
LOOKS = pytest.mark.parametrize(
    ("scheme", "size"),
    [
        ("light", DESKTOP),
        ("dark", PHONE),
        pytest.param("dark", DESKTOP, marks=pytest.mark.slow),
        pytest.param("light", PHONE, marks=pytest.mark.slow),
    ],
)
Open = Callable[..., Page]
CART = """import math


class Cart:
    def __init__(self):
        self.items = []

    def total(self):
        return sum(price for _, price in self.items)


def discount(total, percent):
    return math.floor(total * (100 - percent)) / 100
"""
HOSTILE = "src/<img src=x onerror=window.pwned=1>.py"
HOSTILE_TEXT = "def f():\n    return '</script><script>window.pwned=1</script><img src=x onerror=window.pwned=1>'\n"
LAZY = "src/cart.py\n```python\nimport math\n\n# ... rest of the code unchanged ...\n```\n"
expect.set_options(timeout=20_000)  # how long a busy machine may take


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if CHROMIUM is None:
        terminalreporter.write_line("status page: not tested, there is no chromium here (apt-get install chromium)")


class Observed(NurseryGateway):
    """A gateway whose configuration is changed before it starts."""

    def __init__(self, folder: Path, upstream_port: int, *, litellm_settings: dict[str, Any], **rest: Any) -> None:
        general = rest.pop("general_settings", {})
        super().__init__(folder, upstream_port, **rest)
        config = yaml.safe_load(self.config.read_text())
        config["litellm_settings"] |= litellm_settings
        config["general_settings"] |= general
        self.config.write_text(yaml.safe_dump(config))


@pytest.fixture(scope="package")
def upstream() -> Iterator[Upstream]:
    with Upstream() as running:
        yield running


@pytest.fixture(scope="package")
def gateway(upstream: Upstream, nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    callbacks = ["prometheus", "otel", "tslp_litellm.proxy_handler_instance"]
    with Observed(
        tmp_path_factory.mktemp("observed"),
        upstream.port,
        nursery=nursery,
        litellm_settings={"callbacks": callbacks},
        environment={"OTEL_EXPORTER": "console", "OTEL_BSP_SCHEDULE_DELAY": "200"},
    ) as running:
        yield running


@pytest.fixture(autouse=True)
def _no_leftovers(upstream: Upstream) -> Iterator[None]:
    yield
    upstream.replies.clear()


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium here (apt-get install chromium)")
    running = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield running
    running.close()


def _is_fault(kind: str, text: str) -> bool:
    """Whether a page said something to its console that it should not. What a request was answered is the browser's own
    word: the tests of gateways that are away or refuse mean it."""
    return "Content Security Policy" in text or (kind in ("error", "warning") and "Failed to load resource" not in text)


@pytest.fixture
def open_at(browser: Browser) -> Iterator[Open]:
    """Opens the page of an origin: with a key given or not, at a hash. Whatever a page does wrong fails the test."""
    contexts, wrong = [], []

    def opened(
        origin: str, at: str = "", *, key: str | None, scheme: str = "light", size: dict[str, int] | None = None
    ) -> Page:
        context = browser.new_context(color_scheme=scheme, viewport=size or DESKTOP)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on("console", lambda said: wrong.append(said.text) if _is_fault(said.type, said.text) else None)
        page.on(
            "request", lambda sent: None if sent.url.startswith((f"{origin}/", "data:")) else wrong.append(sent.url)
        )
        page.goto(f"{origin}/tslp/{at}")
        if key is not None:
            page.fill("#key", key)
            page.keyboard.press("Enter")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not wrong


@pytest.fixture
def visit(open_at: Open, gateway: Gateway) -> Open:
    """Opens the page of the gateway."""

    def opened(at: str = "", *, base: str | None = None, key: str | None = KEY, **how: Any) -> Page:
        return open_at(base or f"http://127.0.0.1:{gateway.port}", at, key=key, **how)

    return opened


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    made = Database("sqlite://")
    made.migrate()
    yield made
    made.close()


@pytest.fixture(scope="module")
def origin(database: Database) -> Iterator[str]:
    """The diagnostics of `database` and the page, without LiteLLM and without a key."""
    app = FastAPI()
    view = View(database, debug=True, faults={}, last_prompts={}, endpoints=list)
    diagnostics = make_router(view, lambda: None, lambda _: "local", lambda _: True)
    app.include_router(diagnostics, prefix="/tslp")
    app.include_router(make_page_router(lambda: False), prefix="/tslp")
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join()


def violations(page: Page) -> list[str]:
    """What axe finds wrong."""
    found = Axe().run(page).response["violations"]
    return [f"{v['id']}: {[n['html'][:150] for n in v['nodes']][:4]}" for v in found]


def user(text: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": text}]


def called(name: str, result: str, **arguments: str) -> list[dict[str, Any]]:
    """A conversation in which a tool was called."""
    call = {"id": "c1", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
    return [
        *user("Do it"),
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": result},
    ]


def written(path: str, text: str) -> list[dict[str, Any]]:
    """A conversation in which a write tool has put a file on the disk."""
    return called("Write", "Wrote file successfully.", file_path=path, content=text)


@pytest.fixture(scope="package")
def shop(gateway: Gateway, upstream: Upstream) -> str:
    """A workspace with a file, a new version of one definition, a refused answer and a hostile file."""
    headers = {"x-tslp-workspace": "shop"}

    def talk(answer: str, messages: list[dict[str, Any]]) -> None:
        upstream.say(answer)
        assert gateway.ask("chat", "openai", messages, stream=False, headers=headers)[0] == 200

    talk("Fine.", user(f"src/cart.py\n```python\n{CART}```\nHere it is."))
    better = CART.replace("sum(price for _, price in self.items)", "round(sum(p for _, p in self.items), 2)")
    talk(f"src/cart.py\n```python\n{better}```\n", user("Round `Cart.total` to cents in src/cart.py"))
    talk(LAZY, user("Tidy src/cart.py"))
    talk("Done.", written(HOSTILE, HOSTILE_TEXT))
    gateway.settled("shop", 4)
    return "shop"
