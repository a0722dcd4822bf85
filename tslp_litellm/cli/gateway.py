"""`run` starts the gateway with one word, `demo` plays three turns against it, or against one of its own."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import httpx
from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table

from tslp_litellm.cli.source import settings_of
from tslp_litellm.cli.terminal import Unreachable

DEMO_MODEL = "tslp-demo"
TURNS = (
    "Write demo/greeter.py with the functions greet and farewell.",
    "Let `greet` shout.",
    "What is in demo/greeter.py now?",
)
OLLAMA = "http://localhost:11434"
READY_WITHIN_S = 120.0
OFFLINE = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    "LITELLM_LOCAL_BLOG_POSTS": "True",
    "LITELLM_LOCAL_POLICY_TEMPLATES": "True",
    "LITELLM_LOCAL_AUTOROUTER_PRESETS": "True",
    "LITELLM_TELEMETRY": "False",
}
"""What LiteLLM would otherwise fetch at start."""

CONFIG = click.Path(path_type=Path, exists=True, dir_okay=False)

out = Console(highlight=False)


# -- the gateway -------------------------------------------------------------------------------------------------------


@click.command()
@click.option("--config", type=CONFIG, default="config.yaml", show_default=True)
@click.option("--port", type=int, default=4000, show_default=True)
@click.option("--host", default="127.0.0.1", show_default=True)
def run(config: Path, port: int, host: str) -> None:
    """Start `litellm --config CONFIG`, and say how to use it."""
    settings_of(config)  # LiteLLM says what is wrong with them in the midst of hundreds of lines
    check_port(host, port)
    key, key_file = master_key(config)
    models = ollama_models(os.environ.get("OLLAMA_API_BASE", OLLAMA))
    with start(config, host, port, key) as gateway:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda got, _frame: gateway.send_signal(got))
        base = address(host, port)
        if wait_until_ready(base, gateway):
            greet(base, key, key_file, models)
        sys.exit(gateway.wait())


def check_port(host: str, port: int) -> None:
    """Raises Unreachable where the port is not free: LiteLLM would take another one, without a word."""
    try:
        with socket.create_server((host, port)):
            return
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise Unreachable(f"Nothing can listen at {host}:{port}: {error.strerror}.") from None
    who = "a LiteLLM gateway" if is_litellm(address(host, port)) else "another program"
    raise Unreachable(f"Port {port} is taken by {who}. End it, or choose another one: `tslp run --port {port + 1}`.")


def is_litellm(base: str) -> bool:
    """Whether a LiteLLM proxy answers there."""
    try:
        return "alive" in httpx.get(f"{base}/health/liveliness", timeout=2, trust_env=False).text
    except httpx.HTTPError:
        return False


def address(host: str, port: int) -> str:
    """Where this machine's programs find it."""
    return f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0') else host}:{port}"  # noqa: S104


def start(config: Path, host: str, port: int, key: str, log: Path | None = None) -> subprocess.Popen[bytes]:
    """A process of LiteLLM. `log`: where it writes to; None for the terminal."""
    command = [litellm_command(), "--config", str(config), "--port", str(port), "--host", host]
    environment = {**OFFLINE, **os.environ, "LITELLM_MASTER_KEY": key}
    with contextlib.ExitStack() as stack:
        output = stack.enter_context(log.open("wb")) if log is not None else None
        return subprocess.Popen(command, env=environment, stdout=output, stderr=output)  # noqa: S603 - our own


def litellm_command() -> str:
    """LiteLLM's command, that of this environment first."""
    beside = Path(sys.executable).with_name("litellm")
    return str(beside) if beside.exists() else shutil.which("litellm") or "litellm"


def master_key(config: Path) -> tuple[str, Path | None]:
    """The proxy's master key: from the environment, or a random one that is kept beside the config (with its file)."""
    given = os.environ.get("LITELLM_MASTER_KEY")
    if given:
        return given, None
    file = config.absolute().parent / ".tslp" / "master.key"
    if not file.is_file():
        file.parent.mkdir(exist_ok=True)
        file.touch(mode=0o600)
        file.write_text("sk-" + secrets.token_urlsafe(32) + "\n")
    return file.read_text().strip(), file


def ollama_models(base: str) -> list[str] | None:
    """The models that ollama has; None where it does not answer."""
    try:
        found = httpx.get(f"{base.rstrip('/')}/api/tags", timeout=1.5, trust_env=False).json()["models"]
        return [str(model["name"]) for model in found]
    except (httpx.HTTPError, ValueError, KeyError, TypeError):
        return None


def wait_until_ready(base: str, gateway: subprocess.Popen[bytes]) -> bool:
    """Whether the gateway came up."""
    deadline = time.monotonic() + READY_WITHIN_S
    while gateway.poll() is None and time.monotonic() < deadline:
        try:
            if httpx.get(f"{base}/health/liveliness", timeout=2, trust_env=False).status_code == httpx.codes.OK:
                return True
        except httpx.HTTPError:
            time.sleep(0.2)
    return False


def greet(base: str, key: str, key_file: Path | None, models: list[str] | None) -> None:
    """What to do next."""
    if models:
        model = f"ollama/{models[0]}"
        offered = f"ollama answers here: its models are offered as ollama/<name> ({', '.join(models[:5])})."
    else:
        model = DEMO_MODEL
        why = "ollama does not answer here" if models is None else "ollama answers here, but has no model yet"
        offered = f"{why}, so the built-in offline demo model `{DEMO_MODEL}` stands in (a script, not an LLM)."
    body = f'{{"model": "{model}", "messages": [{{"role": "user", "content": "{TURNS[0]}"}}]}}'
    lines = [
        "",
        f"[bold green]TSLP is running.[/] {offered}",
        "",
        f"[bold]Base URL[/]     {base}/v1   (Anthropic clients: {base})",
        f"[bold]Key[/]          {key}{f'   (kept in {key_file})' if key_file else ''}",
        f"[bold]Model[/]        {model}",
        f"[bold]Status page[/]  {base}/tslp/   (asks for the key)",
        f"[bold]Diagnostics[/]  {base}/tslp/state   also /tslp/recent, /tslp/doctor, /tslp/debug/last-prompt",
        "[bold]Try it[/]       `make demo` in another terminal, or by hand:",
        "",
        f"curl -s {base}/v1/chat/completions \\",
        f"  -H 'Authorization: Bearer {key}' -H 'Content-Type: application/json' \\",
        f"  -d '{body}'",
        "",
        f"curl -s {base}/tslp/state -H 'Authorization: Bearer {key}'",
        "",
    ]
    out.print("\n".join(lines), soft_wrap=True)


# -- the demo ----------------------------------------------------------------------------------------------------------


@click.command()
@click.option("--base", default="http://localhost:4000", show_default=True, help="The gateway.")
@click.option("--config", type=CONFIG, help="For a gateway of its own.  [default: config.yaml]")
@click.option("--key", envvar="LITELLM_MASTER_KEY", help="Its key; read from .tslp/master.key if not given.")
@click.option("--model", default=DEMO_MODEL, show_default=True)
@click.option("--workspace", help="Where to play; a new workspace if not given.")
def demo(base: str, config: Path | None, key: str | None, model: str, workspace: str | None) -> None:
    """Play three turns, each a conversation of its own: the model forgets, TSLP does not.

    Where no gateway answers on this machine, one is started for it. On a terminal it goes on until Ctrl-C.
    """
    config = config or Path("config.yaml")
    key = key or master_key(config)[0]
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
        out.print(f"\n[bold]Why[/]  {base}/tslp/#workspace={workspace}   key {key}", soft_wrap=True)
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
