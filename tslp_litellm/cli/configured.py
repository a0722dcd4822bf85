"""What a command works on here: LiteLLM's config, the database that it names, a workspace in that, and the options
that say which.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import yaml
from click.core import ParameterSource

from tslp_litellm.cli.terminal import Negative, Unreachable, listed, safe
from tslp_litellm.settings import Settings, load
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.store import queries
from tslp_litellm.store.database import Database, StoreError

GUARDRAIL = "tslp_litellm.TSLPGuardrail"
LOCAL_TENANT = "local"


def _must_be_there(ctx: click.Context, parameter: click.Parameter, config: Path) -> Path:
    """A config that is named by hand is meant; without one the settings are all at their defaults."""
    by_hand = ctx.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE
    if by_hand and not config.is_file():
        raise Unreachable(f"There is no {safe(str(config))}: name the LiteLLM config by --config.")
    return config


def gateway_url(_ctx: click.Context, _parameter: click.Parameter, url: str | None) -> str | None:
    """A gateway's URL, with its scheme."""
    if url is not None and not url.startswith(("http://", "https://")):
        raise click.BadParameter(f"{safe(url)} has no scheme: write http://{safe(url)} (or https://).")
    return url


config_option = click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    callback=_must_be_there,
    default="config.yaml",
    show_default=True,
    help="LiteLLM config whose `tslp` block names the database; TSLP_DATABASE_URL wins.",
)
workspace_option = click.option(
    "--workspace", "-w", envvar="TSLP_WORKSPACE", help="The current folder's, if there is one, else the settings'."
)
tenant_option = click.option("--tenant", default=LOCAL_TENANT, show_default=True, help="Its tenant.")
json_option = click.option("--json", "as_json", is_flag=True, help="JSON, in the shape of the endpoints.")


def config_of(file: Path) -> dict[str, Any]:
    """LiteLLM's config; empty where there is no such file."""
    if not file.is_file():
        return {}
    try:
        found = yaml.safe_load(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise click.UsageError(f"{file} can't be read as YAML: {' '.join(str(error).split())}") from None
    if found is not None and not isinstance(found, dict):
        raise click.UsageError(f"{file} is no LiteLLM config: it must be a mapping.")
    return found or {}


def settings_of(file: Path, environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings: from the `tslp` block, or a guardrail's parameters; `TSLP_*` in the environment wins."""
    config = config_of(file)
    return load(config.get("tslp") or guardrail_settings(config), environment)


def guardrail_settings(config: dict[str, Any]) -> dict[str, Any] | None:
    """Our settings among a guardrail's parameters; None where there is no such guardrail."""
    for entry in config.get("guardrails") or ():
        given = entry.get("litellm_params") if isinstance(entry, dict) else None
        if isinstance(given, dict) and given.get("guardrail") == GUARDRAIL:
            return {name: value for name, value in given.items() if name in Settings.model_fields}
    return None


def existing_database(settings: Settings) -> Database:
    """The database, which must be there and of this version; nothing is made and nothing is migrated."""
    try:
        database = Database(settings.database_url, settings.reader_database_url, create=False)
    except Exception as error:  # noqa: BLE001 - a malformed URL, a driver that is not installed
        raise Unreachable(f"The database can't be opened: {error}") from None
    _must_exist(database)
    with database.reading() as connection:
        now, newest = database.revision(connection)
    if now is None:
        raise StoreError(f"{database.shown_url} is no database of TSLP.")
    if now != newest:
        known = database.knows(now)
        raise StoreError(
            f"The database {database.shown_url} is of an older version ({now}, newest is {newest}): `tslp db upgrade`."
            if known
            else f"The database {database.shown_url} was written by a newer TSLP ({now}): upgrade tslp-litellm."
        )
    return database


def _must_exist(database: Database) -> None:
    file = database.file
    if database.memory or (file is not None and not file.is_file()):
        raise Unreachable(
            f"There is no database at {file or database.shown_url}. Start the gateway once, name another config by "
            "--config or a database by TSLP_DATABASE_URL, or ask a running gateway by --url."
        )


def kept_key(config: Path) -> str | None:
    """The master key that `tslp run` keeps beside the config."""
    file = config.absolute().parent / ".tslp" / "master.key"
    return file.read_text().strip() if file.is_file() else None


def endpoints_of(config: Path) -> list[str]:
    """Base URLs of the model servers that the config names."""
    found = set()
    for model in config_of(config).get("model_list") or ():
        base = str(((model or {}).get("litellm_params") or {}).get("api_base") or "")
        name = base.removeprefix("os.environ/")
        found.add(os.environ.get(name, "") if base != name else base)
    return sorted(found - {""})


def workspace_in(database: Database, tenant: str, name: str | None, by_settings: str | None = None) -> WorkspaceKey:
    """A workspace of a database, or one's own; Negative where nothing is known in it."""
    with database.reading() as connection:
        known = queries.workspaces_of(connection, tenant)
    name = own_workspace(known, by_settings) if name is None else name
    if name not in known:
        raise Negative(hint_of({"workspace": name, "tenant": tenant, "workspaces": known}))
    return WorkspaceKey(tenant, name)


def hint_of(found: dict[str, Any]) -> str:
    """What to say of an empty workspace."""
    others = [name for name in found["workspaces"] if name != found["workspace"]]
    known = f" There are: {listed(others)} (--workspace)." if others else ""
    return safe(f"Nothing is known in workspace {found['workspace']} of tenant {found['tenant']}.{known}")


def own_workspace(known: list[str], by_settings: str | None = None) -> str:
    """The workspace that nobody named: that of the current folder, if there is one, else the settings', `default`."""
    here = str(Path.cwd())
    return here if here in known else by_settings or "default"
