"""`demo`: a few turns with the built-in model, against the running gateway or one of its own."""

from __future__ import annotations

import contextlib
import secrets
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import httpx
from rich.syntax import Syntax
from rich.table import Table

from tslp_litellm.cli.gateway import CONFIG, DEMO_MODEL, FIRST, LOCAL, master_key, out, start, wait_until_ready
from tslp_litellm.cli.terminal import Unreachable

TURNS = (
    FIRST,
    "Let `greet` shout.",
    "What is in demo/greeter.py now?",
)


@click.command()
@click.option("--base", default=LOCAL, show_default=True, help="The gateway.")
@click.option("--config", type=CONFIG, help="For a gateway of its own.  [default: config.yaml]")
@click.option("--key", envvar="LITELLM_MASTER_KEY", help="Its key; read from .tslp/master.key if not given.")
@click.option("--model", default=DEMO_MODEL, show_default=True)
@click.option("--workspace", help="Where to play; a new workspace if not given.")
def demo(base: str, config: Path | None, key: str | None, model: str, workspace: str | None) -> None:
    """Play three turns, each a conversation of its own: the model forgets, TSLP does not.

    Where no gateway answers on this machine, one is started for it. On a terminal it goes on until Ctrl-C.
    """
    config = config or Path("config.yaml")
    file = None
    if key is None:
        key, file = master_key(config)
    shown = f"it is in {file}" if file else "that of LITELLM_MASTER_KEY"
    workspace = workspace or f"demo-{secrets.token_hex(3)}"
    headers = {"Authorization": f"Bearer {key}", "x-tslp-workspace": workspace}
    with (
        contextlib.nullcontext() if answers(base) else own_gateway(base, config, key) as own,
        httpx.Client(base_url=base, headers=headers, timeout=120, trust_env=False) as http,
    ):
        try:
            for number, prompt in enumerate(TURNS, 1):
                play(http, model, number, prompt)
            show_state(http)
        except httpx.HTTPStatusError as error:
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
    url = httpx.URL(base)
    if url.host not in ("localhost", "127.0.0.1") or not config.is_file():
        raise Unreachable(f"No gateway answers at {base}. Start one with `tslp run`.")
    log = config.absolute().parent / ".tslp" / "gateway.log"
    log.parent.mkdir(exist_ok=True)
    out.print(f"No gateway answers at {base}: starting one, for this demo …", style="dim")
    gateway = start(config, "127.0.0.1", url.port or 80, key, log)
    try:
        if not wait_until_ready(base, gateway):
            raise Unreachable(f"The gateway did not come up; {log} says why.")
        yield gateway
    finally:
        gateway.terminate()
        gateway.wait()


def play(http: httpx.Client, model: str, number: int, prompt: str) -> None:
    """One turn: what was asked, what the model was sent, what it said."""
    out.rule(f"[bold]turn {number}[/], a new conversation")
    out.print(f"[bold cyan]you[/]    {prompt}")
    body = {"model": model, "messages": [{"role": "user", "content": prompt}]}
    answer = http.post("/v1/chat/completions", json=body).raise_for_status().json()
    seen = http.get("/tslp/debug/last-prompt")
    if seen.status_code == httpx.codes.OK:
        sent = seen.json()["messages"][-1]["content"]
        injected = sent.removesuffix(prompt)
        if injected:
            out.print("[bold magenta]TSLP[/]   puts this in front of your words:")
            out.print(Syntax(injected.strip(), "text", theme="ansi_dark", background_color="default", word_wrap=True))
        else:
            out.print("[bold magenta]TSLP[/]   knows nothing that you mention; your words go out as they are")
    out.print("[bold green]model[/]")
    out.print(answer["choices"][0]["message"]["content"], markup=False)


def show_state(http: httpx.Client) -> None:
    """The State Map after the demo."""
    found = http.get("/tslp/state").raise_for_status().json()
    table = Table("entity", "artifact", "freshness", "updated", title=f"State Map of workspace {found['workspace']}")
    for row in found["entities"]:
        table.add_row(row["entity"], row["artifact"][:12], row["freshness"], row["updated_at"])
    out.print(table)
