"""`config check`: whether a LiteLLM config will start TSLP as its writer means it."""

from __future__ import annotations

import difflib
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from tslp_litellm.cli.configured import GUARDRAIL, config_of, config_option, guardrail_settings, json_option, kept_key
from tslp_litellm.cli.terminal import STYLES, Negative, Unreachable, as_json, listed, say, table
from tslp_litellm.diagnostics import reports
from tslp_litellm.diagnostics.checks import Check, Status
from tslp_litellm.reach.webhooks import receivers
from tslp_litellm.secrets import detector
from tslp_litellm.settings import Settings, SettingsError, load, modes_lacking
from tslp_litellm.store.database import Database
from tslp_litellm.store.presence import unopened

CALLBACK = "tslp_litellm.proxy_handler_instance"
ELSEWHERE = ("litellm_settings", "general_settings", "router_settings")


@click.group()
def config() -> None:
    """The LiteLLM config."""


@config.command()
@config_option
@json_option
def check(config: Path, **options: Any) -> None:
    """Check a LiteLLM config: our settings, how TSLP is registered, database, symbols file, keys.

    Nothing is made, changed or asked of a model. Exit status 1 if the gateway would not start with it, or start
    without TSLP.
    """
    if not config.is_file():
        raise Unreachable(f"There is no {config}: name the LiteLLM config by --config.")
    kept = kept_key(config)
    environment = {**({"LITELLM_MASTER_KEY": kept} if kept else {}), **os.environ}
    found = list(checked(config_of(config), environment))
    if options["as_json"]:
        as_json(reports.doctor(found))
    else:
        table(("check", "status", "detail"), ((c.name, c.status, c.detail) for c in found))
        verdict = reports.doctor(found)["status"]
        say(
            {"ok": "Fine.", "degraded": "It starts; see the warnings."}.get(verdict, "See what fails."), STYLES[verdict]
        )
    if any(c.status == "fail" for c in found):
        raise Negative("The config is not right.")


def checked(given: dict[str, Any], environment: Mapping[str, str]) -> Iterator[Check]:
    """All findings."""
    yield from _faces(given)
    yield from _misplaced(given)
    settings = None
    try:
        settings = load(_ours(given), environment)
        yield Check("settings", "ok", _said(given, environment))
    except SettingsError as error:
        yield Check("settings", "fail", str(error))
    if settings is not None:
        yield _database(settings)
        yield _symbols(settings)
        if settings.refuse_secrets and detector().version is None:
            yield Check("refuse_secrets", "fail", "it needs the extra `secrets`: pip install 'tslp-litellm[secrets]'")
        yield from _audit_model(given, settings)
        yield from _windows(given, settings)
        yield from _webhooks(settings, environment)
    yield from _keys(given, environment)
    yield from _keys_database(given.get("general_settings") or {}, environment)


def failing(config: Path, environment: Mapping[str, str]) -> list[str]:
    """What keeps a gateway from starting with this config, or from starting with TSLP: a sentence each."""
    return [f"{c.name}: {c.detail}" for c in checked(config_of(config), environment) if c.status == "fail"]


def _ours(given: dict[str, Any]) -> Any:
    return given.get("tslp") if given.get("tslp") is not None else _guardrail_parameters(given)


def _guardrail_parameters(given: dict[str, Any]) -> dict[str, Any] | None:
    """Our settings in a guardrail, unknown ones included: what neither LiteLLM nor TSLP knows, TSLP is handed."""
    known = guardrail_settings(given)
    if known is None:
        return None
    from litellm.types.guardrails import LitellmParams  # noqa: PLC0415 - slow to import, and only for this form

    theirs = set(LitellmParams.model_fields) | {"guardrail_name", "event_hook", "default_on"}
    return {
        name: value
        for entry in _guardrails(given)
        for name, value in entry.items()
        if name in Settings.model_fields or name not in theirs
    }


def _guardrails(given: dict[str, Any]) -> list[dict[str, Any]]:
    found = (entry.get("litellm_params") for entry in given.get("guardrails") or () if isinstance(entry, dict))
    return [p for p in found if isinstance(p, dict) and p.get("guardrail") == GUARDRAIL]


def _faces(given: dict[str, Any]) -> Iterator[Check]:
    """How TSLP is registered."""
    litellm = given.get("litellm_settings") or {}
    callbacks = litellm.get("callbacks") or []
    named = [callbacks] if isinstance(callbacks, str) else list(callbacks)
    wrong = [n for n in named if isinstance(n, str) and "tslp" in n.lower() and n != CALLBACK]
    if wrong:
        yield Check("callback", "fail", f"{listed(wrong)} does not exist: it is called {CALLBACK}")
    for key in ("success_callback", "failure_callback"):
        if CALLBACK in (litellm.get(key) or []):
            yield Check("callback", "fail", f"it stands under `{key}`: there it sees nothing; move it to `callbacks`")
    guardrails = _guardrails(given)
    for parameters in guardrails:
        yield _guardrail(parameters)
    misplaced = any(CALLBACK in (litellm.get(key) or []) for key in ("success_callback", "failure_callback"))
    registered = CALLBACK in named
    if registered:
        both = "; a guardrail too: each request is attended to once" if guardrails else ""
        yield Check("callback", "ok", f"litellm_settings.callbacks: {CALLBACK}{both}")
    elif not guardrails and not wrong and not misplaced:
        yield Check(
            "callback",
            "fail",
            f'TSLP is not registered: add `litellm_settings: callbacks: ["{CALLBACK}"]`, or a guardrail',
        )


def _guardrail(parameters: dict[str, Any]) -> Check:
    if missing := modes_lacking(parameters.get("mode") or []):
        return Check("guardrail", "fail", f"its mode lacks {listed(missing)}: `mode: [pre_call, post_call]`")
    if not parameters.get("default_on"):
        return Check("guardrail", "warn", "not `default_on`: only requests, keys or teams that name it are attended to")
    return Check("guardrail", "ok", f"{GUARDRAIL}, on for all")


def _misplaced(given: dict[str, Any]) -> Iterator[Check]:
    """Our block at a place where nobody reads it."""
    for place in ELSEWHERE:
        if isinstance(given.get(place), dict) and "tslp" in given[place]:
            yield Check(
                "tslp block", "fail", f"it stands under `{place}`, where nobody reads it: move it to the top level"
            )
    for key in given:
        if key != "tslp" and ("tslp" in str(key).lower() or difflib.get_close_matches(str(key), ["tslp"], cutoff=0.75)):
            yield Check("tslp block", "fail", f"`{key}` is read by nobody: the block is called `tslp`")
    block, parameters = given.get("tslp"), guardrail_settings(given)
    if isinstance(block, dict) and parameters is not None:
        differing = [n for n in Settings.model_fields if n in parameters and parameters[n] != block.get(n)]
        if differing and CALLBACK in ((given.get("litellm_settings") or {}).get("callbacks") or ()):
            yield Check(
                "tslp block", "fail", f"block and guardrail differ in {listed(differing)}: the start is refused"
            )


def _said(given: dict[str, Any], environment: Mapping[str, str]) -> str:
    block = _ours(given)
    here = list(block) if isinstance(block, dict) else []
    outside = [name for name in Settings.model_fields if f"TSLP_{name.upper()}" in environment]
    parts = [
        listed(here, 12) or "all at their defaults",
        f"from the environment: {listed(outside, 12)}" if outside else "",
    ]
    return "; ".join(part for part in parts if part)


def _webhooks(settings: Settings, environment: Mapping[str, str]) -> Iterator[Check]:
    try:
        found = receivers(settings.webhooks, environment)
    except SettingsError as error:
        yield Check("webhooks", "fail", str(error))
    else:
        if found:
            yield Check("webhooks", "ok", listed([one.name.removeprefix("webhook ") for one in found]))


def _database(settings: Settings) -> Check:
    """Whether the database can be opened, or made at start."""
    try:
        database = Database(settings.database_url, settings.reader_database_url, create=False)
    except Exception as error:  # noqa: BLE001 - whatever a driver raises is a finding
        named = "" if "database_url`" in str(error) else "`database_url`: "
        return Check("database", "fail", f"{named}{error}"[:300])
    file = database.file
    if database.memory:
        return Check("database", "warn", "in memory: everything is forgotten when the gateway ends")
    if file is not None and not file.exists():
        folder = next(parent for parent in file.parents if parent.exists())
        try:
            with tempfile.TemporaryFile(dir=folder):
                return Check("database", "ok", f"{file} is made at start")
        except OSError as error:
            return Check("database", "fail", f"{file} can not be made: {folder}: {error.strerror}")
    if file is not None and not (file.is_file() and os.access(file, os.W_OK)):
        return Check("database", "fail", f"{file} is {'not writable' if file.is_file() else 'no file'}")
    try:
        return Check("database", *_revision(database))
    except Exception as error:  # noqa: BLE001 - whatever a driver raises is a finding
        return Check("database", "fail", unopened(settings.database_url, error))


def _revision(database: Database) -> tuple[Status, str]:
    with database.reading() as connection:
        now, newest = database.revision(connection)
    if now is not None and not database.knows(now):
        return "fail", f"{database.shown_url} was written by a newer TSLP ({now})"
    later = "" if now == newest else f", brought to {newest} at start"
    return "ok", f"{database.shown_url}: {f'revision {now}' if now else 'empty'}{later}"


def _symbols(settings: Settings) -> Check:
    from tslp_litellm.gateway.runtime import use_patterns  # noqa: PLC0415 - brings the engine with it

    def read() -> tuple[Status, str]:
        use_patterns(settings.symbols_file)
        return "ok", str(settings.symbols_file) if settings.symbols_file else "the built-in symbols.json"

    return _guarded("symbols_file", read)


def _guarded(name: str, work: Callable[[], tuple[Status, str]]) -> Check:
    try:
        return Check(name, *work())
    except Exception as error:  # noqa: BLE001 - what goes wrong is the finding
        return Check(name, "fail", f"{type(error).__name__}: {' '.join(str(error).split())}"[:300])


def _audit_model(given: dict[str, Any], settings: Settings) -> Iterator[Check]:
    names = [str(m.get("model_name")) for m in given.get("model_list") or () if isinstance(m, dict)]
    wanted = settings.audit_model
    if wanted is not None and not any(n == wanted or ("*" in n and wanted.startswith(n.split("*")[0])) for n in names):
        yield Check("audit_model", "warn", f"`model_list` has no {wanted}: the shadow audit will have nobody to ask")


def _windows(given: dict[str, Any], settings: Settings) -> Iterator[Check]:
    """Each model's window as far as the config tells it; no server is asked."""
    from tslp_litellm.gateway import ollama, windows  # noqa: PLC0415 - only for this command

    found: dict[str, list[windows.Deployment]] = {}
    for entry in (m for m in given.get("model_list") or () if isinstance(m, dict)):
        name, params, info = str(entry.get("model_name")), entry.get("litellm_params"), entry.get("model_info")
        found.setdefault(name, []).append(windows.deployment(params or {}, info or {}, name))
    known = windows.Windows(settings.window_tokens, lambda name: found.get(name, ()), lambda *_: ollama.Told())
    for name, is_known, words in windows.said(known, found):
        yield Check(f"window {name}", "ok" if is_known else "warn", words)
    aliases = (given.get("router_settings") or {}).get("model_group_alias") or {}
    elsewhere = (given.get("general_settings") or {}).get("store_model_in_db")
    strangers = known.fits_none([*found, *aliases]) if found and not elsewhere else []
    if strangers:
        yield Check("window_tokens", "warn", f"{windows.NO_MODEL}: {listed(strangers)}")


def _keys_database(general: Mapping[str, Any], environment: Mapping[str, str]) -> Iterator[Check]:
    """Settings about LiteLLM's own database, where none is named."""
    about = [name for name in general if name.startswith(("database_", "proxy_batch_")) or name == "store_model_in_db"]
    named = str(general.get("database_url") or "os.environ/DATABASE_URL")
    if about and named.startswith("os.environ/") and not environment.get(variable := named.removeprefix("os.environ/")):
        yield Check(
            "LiteLLM's database", "warn", f"{listed(about)} is set, but {variable} is not: keys and teams can't be made"
        )


def _keys(given: dict[str, Any], environment: Mapping[str, str]) -> Iterator[Check]:
    key = (given.get("general_settings") or {}).get("master_key") or environment.get("LITELLM_MASTER_KEY")
    if not key:
        yield Check("master key", "warn", "none: whoever reaches the gateway reads the diagnostics of tenant `local`")
    elif str(key).startswith("os.environ/") and str(key).removeprefix("os.environ/") not in environment:
        name = str(key).removeprefix("os.environ/")
        yield Check(
            "master key", "warn", f"{name} is not set here; `tslp run` makes one and keeps it in .tslp/master.key"
        )
