"""`demo`: a few turns with the built-in model, against the running gateway or one of its own."""

from __future__ import annotations

import contextlib
import json
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import httpx
from rich.syntax import Syntax
from rich.table import Table

from tslp_litellm.cli.configured import kept_key
from tslp_litellm.cli.gateway import CONFIG, DEMO_MODEL, FIRST, base_option, master_key, out, start, wait_until_ready
from tslp_litellm.cli.reads import open_decision, verdicts
from tslp_litellm.cli.source import refusal
from tslp_litellm.cli.terminal import Unreachable

MINE = '''"""Greetings, for the demo."""


def greet(name, language="en"):
    """A greeting in one of the languages that we know."""
    words = {"en": "Hello", "de": "Hallo", "fr": "Bonjour", "es": "Hola"}
    if language not in words:
        known = ", ".join(sorted(words))
        raise ValueError(f"no greeting in {language}; known are {known}")
    return f"{words[language]}, {name}."


def farewell(name):
    return f"Goodbye, {name}."
'''
SED = {"name": "bash", "arguments": json.dumps({"command": "sed -i s/Hello/Hi/ demo/greeter.py"})}
RECORDED_WITHIN_S = 30.0
KEY = "LITELLM_MASTER_KEY"


def _user(text: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": text}]


TURNS: tuple[tuple[str, list[dict[str, Any]]], ...] = (
    ("a new file", _user(FIRST)),
    ("an answer without a file name: it is placed by its structure", _user("Let `greet` shout.")),
    ("a rename that nobody asked for: refused, and a question for you", _user("Tidy demo/greeter.py.")),
    (
        "your own word counts at once",
        _user(f"I made `greet` longer by hand:\n\ndemo/greeter.py\n```python\n{MINE}```"),
    ),
    ("an answer that forgets most of it: refused", _user("Let `greet` shout.")),
    (
        "an agent's `sed -i`: what the file holds now, nobody showed",
        [
            *_user("Say hi instead of hello."),
            {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": SED}]},
            {"role": "tool", "tool_call_id": "c1", "content": ""},
        ],
    ),
    ("what is DIRTY is shown to no model", _user("What does `greet` do?")),
    (
        "shown once, it is known again",
        _user(f"This is the file:\n\ndemo/greeter.py\n```python\n{MINE.replace('Hello', 'Hi')}```"),
    ),
)
"""What each shows, and its messages: each is a conversation of its own."""


@click.command()
@base_option
@click.option("--config", type=CONFIG, help="For a gateway of its own.  [default: config.yaml]")
@click.option("--key", envvar=KEY, help="Its key; read from .tslp/master.key if not given.")
@click.option("--model", default=DEMO_MODEL, show_default=True)
@click.option("--workspace", help="Where to play; a new workspace if not given.")
def demo(base: str, config: Path | None, key: str | None, model: str, workspace: str | None) -> None:
    """Play eight turns, each a conversation of its own: the model forgets, TSLP does not.

    Where no gateway answers on this machine, one is started for it. On a terminal it goes on until Ctrl-C.
    """
    config, base = config or Path("config.yaml"), base.rstrip("/").removesuffix("/v1")
    running = answers(base)
    if not running and (httpx.URL(base).host not in ("localhost", "127.0.0.1") or not config.is_file()):
        raise Unreachable(f"No gateway answers at {base}. Start one with `tslp run`.")
    key, shown = (key, f"that of {KEY}") if key else _key(config, running)
    workspace = workspace or f"demo-{secrets.token_hex(3)}"
    headers = {"Authorization": f"Bearer {key}", "x-tslp-workspace": workspace}
    with (
        contextlib.nullcontext() if running else own_gateway(base, config, key) as own,
        httpx.Client(base_url=base, headers=headers, timeout=120, trust_env=False) as http,
    ):
        try:
            before = newest(http)
            for number, (title, messages) in enumerate(TURNS, 1):
                before = play(http, model, f"{number}: {title}", messages, before)
            show_state(http)
        except httpx.HTTPStatusError as error:
            if "/tslp/" in error.request.url.path:
                raise Unreachable(f"{base} {refusal(error.response)}") from None
            raise click.ClickException(
                f"{error.request.url}: {error.response.status_code} {error.response.text[:300]}"
            ) from None
        except httpx.TransportError as error:
            raise Unreachable(f"The gateway at {base} went away ({type(error).__name__}).") from None
        out.print(f"\n[bold]Why[/]  {base}/tslp/#workspace={workspace}   (asks for the key: {shown})", soft_wrap=True)
        if own is not None and sys.stdout.isatty():
            out.print("The gateway goes on. Ctrl-C ends it.")
            with contextlib.suppress(KeyboardInterrupt):
                own.wait()


def _key(config: Path, running: bool) -> tuple[str, str]:
    """The key that is kept here, and a word on it; one is made only for a gateway of our own."""
    if running and kept_key(config) is None:
        return "none", "the gateway's own"
    key, file = master_key(config)
    return key, f"it is in {file}"


def answers(base: str) -> bool:
    """Whether anything listens there; what it has to say is heard later."""
    try:
        httpx.get(f"{base}/health/liveliness", timeout=5, trust_env=False)
    except httpx.TransportError as error:
        return not isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout))
    return True


@contextlib.contextmanager
def own_gateway(base: str, config: Path, key: str) -> Iterator[subprocess.Popen[bytes]]:
    """A gateway that ends with the demo; its output goes to `.tslp/gateway.log`."""
    log = config.absolute().parent / ".tslp" / "gateway.log"
    log.parent.mkdir(exist_ok=True)
    out.print(f"No gateway answers at {base}: starting one, for this demo …", style="dim")
    gateway = start(config, "127.0.0.1", httpx.URL(base).port or 80, key, log)
    try:
        if not wait_until_ready(base, gateway):
            raise Unreachable(f"The gateway did not come up; {log} says why.")
        yield gateway
    finally:
        gateway.terminate()
        gateway.wait()


def play(
    http: httpx.Client, model: str, title: str, messages: list[dict[str, Any]], before: dict[str, Any] | None
) -> dict[str, Any] | None:
    """One turn: what was asked, what the model was sent, what it said, and what came of it. `before`: the last episode;
    the new one is given back."""
    out.print()
    out.rule(f"[bold]{title}[/]", align="left")
    for message in messages:
        if message["role"] == "user":
            out.print("[bold cyan]you[/]    ", end="")
            out.print(message["content"], markup=False)
        for call in message.get("tool_calls", ()):
            out.print(f"[bold cyan]agent[/]  runs {json.loads(call['function']['arguments'])['command']}")
    answer = http.post("/v1/chat/completions", json={"model": model, "messages": messages}).raise_for_status().json()
    seen = http.get("/tslp/debug/last-prompt")
    if seen.status_code == httpx.codes.OK:
        _show_front(seen.json()["messages"], messages)
    out.print("[bold green]model[/]")
    out.print(answer["choices"][0]["message"]["content"].strip(), markup=False)
    deadline = time.monotonic() + RECORDED_WITHIN_S
    while (episode := newest(http)) == before and time.monotonic() < deadline:
        time.sleep(0.1)
    if episode is not None:
        out.print("[bold yellow]so[/]")
        verdicts(episode)
    for one in http.get("/tslp/recent", params={"limit": 1}).raise_for_status().json()["decisions"]:
        if one["state"] == "open":
            open_decision(one)
    return episode


def _show_front(sent: list[dict[str, Any]], messages: list[dict[str, Any]]) -> None:
    """What stood in front of the user's words."""
    told = next(m["content"] for m in reversed(sent) if m["role"] == "user")
    own = next(m["content"] for m in reversed(messages) if m["role"] == "user")
    injected = told.removesuffix(own).strip()
    if injected:
        out.print("[bold magenta]TSLP[/]   puts this in front of your words:")
        out.print(Syntax(injected, "text", theme="ansi_dark", background_color="default", word_wrap=True))
    else:
        out.print("[bold magenta]TSLP[/]   puts nothing in front of your words")


def newest(http: httpx.Client) -> dict[str, Any] | None:
    """The last episode."""
    episodes = http.get("/tslp/recent", params={"limit": 1}).raise_for_status().json()["episodes"]
    return episodes[0] if episodes else None


def show_state(http: httpx.Client) -> None:
    """The State Map after the demo."""
    found = http.get("/tslp/state").raise_for_status().json()
    table = Table("entity", "artifact", "freshness", "updated", title=f"State Map of workspace {found['workspace']}")
    for row in found["entities"]:
        table.add_row(row["entity"], row["artifact"][:12], row["freshness"], row["updated_at"])
    out.print(table)
