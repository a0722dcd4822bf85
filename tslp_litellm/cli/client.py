"""`client`: a coding client's configuration for this gateway, printed or written (docs/clients)."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import httpx
import yaml

from tslp_litellm.cli.configured import config_of, config_option, kept_key
from tslp_litellm.cli.gateway import DEMO_MODEL, base_option
from tslp_litellm.cli.terminal import note, safe
from tslp_litellm.reach.calls import RELAY

HEADER = "x-tslp-workspace"
KEY = "LITELLM_MASTER_KEY"


@dataclass(frozen=True, slots=True)
class Gateway:
    """What a client is told. `key`: for files that can name no variable; `workspace`: None for the client's own."""

    base: str
    model: str
    key: str
    workspace: str | None

    @property
    def headers(self) -> dict[str, str]:
        """The request headers that the client is to send."""
        return {HEADER: self.workspace} if self.workspace else {}


@dataclass(frozen=True, slots=True)
class SetUp:
    """What to put where. `file`: below `~` or in the project; `text`: all of it; `shell`: what to run; `then`: what is
    left to do by hand in the client."""

    shell: str
    file: str | None = None
    text: str = ""
    then: str = ""


def _shell(*lines: str, **variables: str) -> str:
    quoted = {name: value if value.startswith("$") else shlex.quote(value) for name, value in variables.items()}
    exports = (f"export {name}={value}" for name, value in quoted.items())
    return "\n".join([*exports, *lines]) + "\n"


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"


def _yaml(value: object) -> str:
    return str(yaml.safe_dump(value, sort_keys=False))


def _aider(to: Gateway) -> SetUp:
    model = f"openai/{to.model}"
    shell = _shell(
        f"aider --model {model} --weak-model {model} --no-show-model-warnings",
        OPENAI_API_BASE=f"{to.base}/v1",
        OPENAI_API_KEY=f"${KEY}",
    )
    if not to.headers:
        return SetUp(shell)
    entry = {"name": model, "edit_format": "diff", "extra_params": {"extra_headers": to.headers}}
    return SetUp(shell, ".aider.model.settings.yml", _yaml([entry]))


def _opencode(to: Gateway) -> SetUp:
    options: dict[str, Any] = {"baseURL": f"{to.base}/v1", "apiKey": f"{{env:{KEY}}}"}
    models = {to.model: {"name": to.model, "tool_call": True, "limit": {"context": 32768, "output": 8192}}}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "TSLP",
        "options": {**options, **({"headers": to.headers} if to.headers else {})},
        "models": models,
    }
    model = f"tslp/{to.model}"
    made = {
        "$schema": "https://opencode.ai/config.json",
        "provider": {"tslp": provider},
        "model": model,
        "small_model": model,
    }
    return SetUp("opencode\n", "opencode.json", _json(made))


def _claude(to: Gateway) -> SetUp:
    models = (
        "ANTHROPIC_MODEL",
        "ANTHROPIC_SMALL_FAST_MODEL",
        "ANTHROPIC_DEFAULT_HAIKU_MODEL",
        "ANTHROPIC_DEFAULT_SONNET_MODEL",
        "ANTHROPIC_DEFAULT_OPUS_MODEL",
    )
    named = {"ANTHROPIC_CUSTOM_HEADERS": f"{HEADER}: {to.workspace}"} if to.workspace else {}
    return SetUp(
        _shell(
            "claude",
            ANTHROPIC_BASE_URL=to.base,
            ANTHROPIC_AUTH_TOKEN=f"${KEY}",
            **dict.fromkeys(models, to.model),
            **named,
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
        )
    )


def _cline(to: Gateway) -> SetUp:
    settings: dict[str, Any] = {
        "provider": "openai-compatible",
        "apiKey": to.key,
        "model": to.model,
        "baseUrl": f"{to.base}/v1",
        **({"headers": to.headers} if to.headers else {}),
    }
    entry = {"settings": settings, "updatedAt": "2025-01-01T00:00:00.000Z", "tokenSource": "manual"}
    made = {
        "version": 1,
        "lastUsedProvider": "openai-compatible",
        "modes": {},
        "providers": {"openai-compatible": entry},
    }
    shell = f"cline -P openai-compatible -m {to.model}\n"
    return SetUp(shell, "~/.cline/data/settings/providers.json", _json(made))


def _codex(to: Gateway) -> SetUp:
    named = f"http_headers = {{ {json.dumps(HEADER)} = {json.dumps(to.workspace)} }}\n" if to.workspace else ""
    text = (
        f'model = {json.dumps(to.model)}\nmodel_provider = "tslp"\n\n[model_providers.tslp]\nname = "TSLP"\n'
        f'base_url = "{to.base}/v1"\nenv_key = "{KEY}"\nwire_api = "responses"\n{named}'
    )
    return SetUp("codex\n", "~/.codex/config.toml", text)


def _qwen(to: Gateway) -> SetUp:
    model: dict[str, Any] = {"name": to.model}
    if to.headers:
        model["generationConfig"] = {"customHeaders": to.headers}
    made = {"security": {"auth": {"selectedType": "openai"}}, "model": model}
    shell = _shell(
        "qwen --auth-type openai",
        OPENAI_BASE_URL=f"{to.base}/v1",
        OPENAI_API_KEY=f"${KEY}",
        OPENAI_MODEL=to.model,
    )
    return SetUp(shell, "~/.qwen/settings.json", _json(made))


def _continue(to: Gateway) -> SetUp:
    model: dict[str, Any] = {
        "name": to.model,
        "provider": "openai",
        "model": to.model,
        "apiBase": f"{to.base}/v1",
        "apiKey": to.key,
        "roles": ["chat", "edit", "apply"],
        "capabilities": ["tool_use"],
        **({"requestOptions": {"headers": to.headers}} if to.headers else {}),
    }
    made = {"name": "tslp", "version": "1.0.0", "schema": "v1", "models": [model]}
    return SetUp("cn\n", "~/.continue/config.yaml", _yaml(made))


def _roo(to: Gateway) -> SetUp:
    """What Roo Code's import of settings takes; it merges profiles with those that are there."""
    profile: dict[str, Any] = {
        "apiProvider": "openai",
        "openAiBaseUrl": f"{to.base}/v1",
        "openAiApiKey": to.key,
        "openAiModelId": to.model,
        **({"openAiHeaders": to.headers} if to.headers else {}),
    }
    made = {"providerProfiles": {"currentApiConfigName": "tslp", "apiConfigs": {"tslp": profile}}}
    then = "Import the file in Roo Code's settings. It holds the key: delete it afterwards."
    return SetUp("code .\n", "~/roo-code-settings.json", _json(made), then)


def _zed(to: Gateway) -> SetUp:
    """Zed finds the key of a provider `tslp` in `TSLP_API_KEY`."""
    provider: dict[str, Any] = {
        "api_url": f"{to.base}/v1",
        "available_models": [{"name": to.model, "max_tokens": 32768}],
        **({"custom_headers": to.headers} if to.headers else {}),
    }
    made = {
        "language_models": {"openai_compatible": {"tslp": provider}},
        "agent": {"default_model": {"provider": "tslp", "model": to.model}},
    }
    return SetUp(_shell("zed .", TSLP_API_KEY=f"${KEY}"), "~/.config/zed/settings.json", _json(made))


CLIENTS: dict[str, Callable[[Gateway], SetUp]] = {
    "aider": _aider,
    "opencode": _opencode,
    "claude-code": _claude,
    "cline": _cline,
    "codex": _codex,
    "qwen-code": _qwen,
    "continue": _continue,
    "roo-code": _roo,
    "zed": _zed,
}


@click.command()
@click.argument("name", type=click.Choice(list(CLIENTS)))
@click.option("--workspace", "-w", help="The workspace; if not given, that of the client's working directory.")
@click.option("--model", help="Of LiteLLM's config; if not given, the first one that the gateway offers.")
@base_option
@click.option("--key", envvar=KEY, help=f"Its key; if not given, the one that `tslp run` keeps.  [{KEY}]")
@click.option("--write", is_flag=True, help="Write the file, which must not be there yet.")
@config_option
def client(
    name: str, workspace: str | None, model: str | None, base: str, key: str | None, write: bool, config: Path
) -> None:
    """Print what to put where, so that a coding client uses this gateway; or write it."""
    key = key or kept_key(config)
    if key is None:
        note(f"No key is kept in {_kept(config)}: set {KEY} to the gateway's.")
    base = base.rstrip("/").removesuffix("/v1")
    to = Gateway(base, model or first_model(base, key, config), key or "KEY", workspace)
    made = CLIENTS[name](to)
    if made.file is not None:
        place = Path(made.file).expanduser()
        if write:
            _write(place, made.text)
        else:
            note(f"{made.file} (all of it, or added to what is there):")
            click.echo(made.text)
    if f"${KEY}" in made.shell or KEY in made.text:
        made_known = f"export {KEY}=$(cat {_kept(config)})\n" if kept_key(config) else ""
        made = replace(made, shell=made_known + made.shell)
    note("In the project's folder:")
    click.echo(made.shell, nl=False)
    if made.then:
        note(made.then)


def _kept(config: Path) -> Path:
    return config.absolute().parent / ".tslp" / "master.key"


def _write(place: Path, text: str) -> None:
    """A new file, for its owner's eyes, as a key may be in it."""
    if place.exists():
        raise click.UsageError(f"{safe(str(place))} is there already: without --write it is shown what to add to it.")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.touch(mode=0o600)
    place.write_text(text)
    note(f"{place} is written.")


def first_model(base: str, key: str | None, config: Path) -> str:
    """The first model that the gateway offers; where none answers, the first that the config names in full."""
    try:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        found = httpx.get(f"{base.rstrip('/')}/v1/models", headers=headers, timeout=3, trust_env=False).json()["data"]
        names = [str(one["id"]) for one in found]
    except (httpx.HTTPError, ValueError, KeyError, TypeError):
        names = [str((one or {}).get("model_name")) for one in config_of(config).get("model_list") or ()]
    return next((name for name in names if "*" not in name and name != RELAY), DEMO_MODEL)
