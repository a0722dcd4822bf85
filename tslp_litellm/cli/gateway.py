"""`run`: the gateway with one word."""

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
from pathlib import Path
from typing import NamedTuple

import click
import httpx
from rich.console import Console

from tslp_litellm.cli.config_check import failing
from tslp_litellm.cli.configured import config_of, gateway_url
from tslp_litellm.cli.terminal import Unreachable, Wrong, listed

DEMO_MODEL = "tslp-demo"
FIRST = "Write demo/greeter.py with the functions greet and farewell."
LOCAL = "http://localhost:4000"
OLLAMA = "http://localhost:11434"
OLLAMA_NAMES = "ollama/*"
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

CONFIG = click.Path(path_type=Path, dir_okay=False)
base_option = click.option(
    "--base", default=LOCAL, envvar="TSLP_URL", show_default=True, callback=gateway_url, help="The gateway.  [TSLP_URL]"
)

out = Console(highlight=False)


@click.command()
@click.option("--config", type=CONFIG, default="config.yaml", show_default=True)
@click.option("--port", type=int, default=4000, show_default=True)
@click.option("--host", default="127.0.0.1", show_default=True)
def run(config: Path, port: int, host: str) -> None:
    """Start `litellm --config CONFIG`, and say how to use it. The config is checked first, and the port."""
    if not config.is_file():
        raise Unreachable(f"There is no {config}: name the LiteLLM config by --config.")
    if wrong := failing(config, os.environ):
        raise Wrong("\n".join(f"{config}: {one}" for one in wrong))
    base = f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0') else host}:{port}"  # noqa: S104
    must_be_free(host, port, base)
    key, key_file = master_key(config)
    models = ollama_models(os.environ.get("OLLAMA_API_BASE", OLLAMA))
    first = offer([str((one or {}).get("model_name")) for one in config_of(config).get("model_list") or ()], models)
    with start(config, host, port, key) as gateway:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda got, _frame: gateway.send_signal(got))
        if wait_until_ready(base, gateway):
            greet(base, key, key_file, first)
        status = gateway.wait()
        sys.exit(status if status >= 0 else 128 - status)


def must_be_free(host: str, port: int, base: str) -> None:
    """Unreachable where nothing can listen there: LiteLLM would take another port in silence."""
    try:
        socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET).close()
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise Unreachable(f"Nothing can listen at {host}, port {port}: {error.strerror}.") from None
        raise Unreachable(f"Port {port} is taken by {holder(base)}. End that, or name another by --port.") from None


def holder(base: str) -> str:
    """What answers at an address, as far as it says."""
    for path, mark, what in (
        ("/tslp/", "<title>TSLP</title>", f"a gateway with TSLP, whose page is {base}/tslp/"),
        ("/health/liveliness", "alive", "a LiteLLM proxy without TSLP"),
    ):
        with contextlib.suppress(httpx.HTTPError):
            answer = httpx.get(f"{base}{path}", timeout=2, trust_env=False)
            if answer.status_code == httpx.codes.OK and mark in answer.text:
                return what
    return "another program"


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


class Offer(NamedTuple):
    """A model to begin with; what is said of it; whether the config has the demo model."""

    model: str
    says: str
    demo: bool


def offer(names: list[str], models: list[str] | None) -> Offer:
    """Of the models that the config names: ollama's, else the demo model in their place, else whatever is named.
    `models`: what ollama has, None where it does not answer."""
    named, demo = [name for name in names if "*" not in name], DEMO_MODEL in names
    if OLLAMA_NAMES not in names:
        says = f"The config offers {listed(named)}." if named else "The config names no model in full."
        return Offer(named[0] if named else "NAME", says, demo)
    if models:
        says = f"ollama answers here: its models are offered as ollama/<name> ({', '.join(models[:5])})."
        return Offer(f"ollama/{models[0]}", says, demo)
    why = "ollama does not answer here" if models is None else "ollama answers here, but has no model yet"
    if demo:
        says = f"{why}, so the built-in offline demo model `{DEMO_MODEL}` stands in (a script, not an LLM)."
        return Offer(DEMO_MODEL, says, demo)
    if named:
        return Offer(named[0], f"{why}; the config offers {listed(named)}.", demo)
    return Offer("ollama/NAME", f"{why}, and the config names no other model: start it, and `ollama pull` one.", demo)


def greet(base: str, key: str, key_file: Path | None, first: Offer) -> None:
    """What to do next."""
    at = "" if base == LOCAL else f" --base {base}"
    demo = f"`{own_command()} demo{at}` in another terminal, or by hand:" if first.demo else "by hand:"
    body = f'{{"model": "{first.model}", "messages": [{{"role": "user", "content": "{FIRST}"}}]}}'
    shown = f"$(cat {key_file})" if key_file else "$LITELLM_MASTER_KEY"
    lines = [
        "",
        f"[bold green]TSLP is running.[/] {first.says}",
        "",
        f"[bold]Base URL[/]      {base}/v1   (Anthropic clients: {base})",
        f"[bold]Key[/]           {f'{key}   (kept in {key_file})' if key_file else 'that of LITELLM_MASTER_KEY'}",
        f"[bold]Model[/]         {first.model}",
        f"[bold]Status page[/]   {base}/tslp/   (asks for the key)",
        f"[bold]Command line[/]  {command_line()}",
        f"[bold]Try it[/]        {demo}",
        "",
        f"curl -s {base}/v1/chat/completions \\",
        f"  -H \"Authorization: Bearer {shown}\" -H 'Content-Type: application/json' \\",
        f"  -d '{body}'",
        "",
    ]
    out.print("\n".join(lines), soft_wrap=True)


def own_command() -> str:
    """How this `tslp` is called from the current folder: by its name, if that finds it, else by its path."""
    own = Path(sys.argv[0]).absolute()
    found = shutil.which("tslp")
    if (found is not None and Path(found).resolve() == own.resolve()) or not own.is_file():
        return "tslp"
    return os.path.relpath(own)


def command_line() -> str:
    """How to call `tslp`, and, where its name does not find it, how to make it so."""
    called = own_command()
    if called == "tslp":
        return "tslp --help"
    return f'{called} --help   (for plain `tslp`: export PATH="{Path(called).absolute().parent}:$PATH")'
