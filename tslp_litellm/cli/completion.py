"""What the shell completes: entities and workspaces, soon, as somebody waits at every Tab.

A SQLite file is read by the standard library alone. A database on a server, or a gateway, is asked by way of `source`,
whose libraries take a second to import.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click

SQLITE = "sqlite:///"
DEFAULT_URL = SQLITE + "tslp.db"
"""That of the settings, which would have to be imported."""
TAKES_ENTITIES = {"state": 1, "open": 1, "show": 1, "diff": 1, "why": 1, "uses": 1, "used-by": 1, "forget": -1}
"""The commands whose arguments are entities, and how many of them (-1: any number)."""
_BLOCK = re.compile(r"^tslp:[ \t]*(?:#.*)?\n((?:[ \t]+.*\n|[ \t]*(?:#.*)?\n)*+)", re.MULTILINE)
_PLAIN_URL = re.compile(r"""^[ \t]+database_url:[ \t]*(["']?)(sqlite:///[\w./~-]+)\1[ \t]*(?:#.*)?$""", re.MULTILINE)
"""The settings and the URL in them, as nearly every config has them: read so, no YAML library has to be imported."""
_ENTITIES = """
SELECT entity FROM state_map WHERE workspace_id = ?1 AND entity >= ?2 AND entity < ?3
UNION SELECT entity FROM tombstones WHERE workspace_id = ?1 AND entity >= ?2 AND entity < ?3"""
_WORKSPACES = "SELECT name, id FROM workspaces WHERE tenant = ? ORDER BY name"


def complete_entity(ctx: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
    """The entities that begin so."""
    return _silently(lambda: _entities(ctx, typed))


def complete_workspace(ctx: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
    """The workspaces that begin so."""
    return _silently(lambda: [name for name in _workspaces(ctx) if name.startswith(typed)])


def stand_in(name: str, words: list[str]) -> click.Command | None:
    """What completes the entities of a command in its place; None where the words before need the command itself."""
    made = _StandIn(name)
    known = {option for parameter in made.params for option in parameter.opts}
    given = {word.partition("=")[0] for word in words if word.startswith("-")}
    return made if name in TAKES_ENTITIES and given <= known else None


class _StandIn(click.Command):
    """A command without what it does: its entities, and the options that say where they are."""

    def __init__(self, name: str) -> None:
        options = (["--config"], ["--url"], ["--key"], ["--tenant"])
        super().__init__(
            name,
            params=[
                click.Argument(["entity"], nargs=TAKES_ENTITIES.get(name, 1), shell_complete=complete_entity),
                click.Option(["--workspace", "-w"], envvar="TSLP_WORKSPACE", shell_complete=complete_workspace),
                *(click.Option(option) for option in options),
            ],
        )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """The command's own options."""
        from tslp_litellm.cli import load  # noqa: PLC0415 - which has imported this

        return load(str(self.name)).shell_complete(ctx, incomplete)


def _silently(find: Callable[[], list[str]]) -> list[str]:
    try:
        return find()
    except Exception:  # noqa: BLE001 - completion never disturbs the line that is being typed
        return []


def _entities(ctx: click.Context, typed: str) -> list[str]:
    with _opened(ctx) as file:
        if file is None:
            found = _asked(ctx)
            return sorted(n for r in (*found["entities"], *found["tombstones"]) if (n := r["entity"]).startswith(typed))
        known = dict(file.execute(_WORKSPACES, [_tenant(ctx)]))
        here = str(Path.cwd())
        workspace = known[ctx.params.get("workspace") or (here if here in known else "default")]
        return [entity for (entity,) in file.execute(_ENTITIES, [workspace, typed, typed + chr(0x10FFFF)])]


def _workspaces(ctx: click.Context) -> list[str]:
    with _opened(ctx) as file:
        return _asked(ctx)["workspaces"] if file is None else [n for n, _ in file.execute(_WORKSPACES, [_tenant(ctx)])]


@contextlib.contextmanager
def _opened(ctx: click.Context) -> Iterator[sqlite3.Connection | None]:
    """The database, which is only read; None where it is no SQLite file, or a gateway is to be asked."""
    url = _url(Path(ctx.params.get("config") or "config.yaml"))
    if _gateway(ctx) or not url.startswith(SQLITE) or "?" in url:
        yield None
        return
    file = Path(url.removeprefix(SQLITE)).expanduser().absolute()
    with contextlib.closing(sqlite3.connect(f"file:{quote(str(file))}?mode=ro", uri=True)) as connection:
        yield connection


def _url(config: Path) -> str:
    """The database's URL; empty where only the settings themselves know it."""
    if named := os.environ.get("TSLP_DATABASE_URL"):
        return named
    if not config.is_file():
        return DEFAULT_URL
    text = config.read_text("utf-8") + "\n"
    if (block := _BLOCK.search(text)) and (plain := _PLAIN_URL.search(block[1])):
        return plain[2]
    import yaml  # noqa: PLC0415 - see above

    found = yaml.safe_load(text) or {}
    if not found.get("tslp") and found.get("guardrails"):
        return ""
    return str((found.get("tslp") or {}).get("database_url", DEFAULT_URL))


def _gateway(ctx: click.Context) -> str | None:
    return ctx.params.get("url") or os.environ.get("TSLP_URL")


def _tenant(ctx: click.Context) -> str:
    return ctx.params.get("tenant") or "local"


def _asked(ctx: click.Context) -> dict[str, Any]:
    """The state as the commands have it."""
    from tslp_litellm.cli.source import Where  # noqa: PLC0415 - see above

    given = ctx.params
    key = given.get("key") or os.environ.get("LITELLM_MASTER_KEY")
    config = Path(given.get("config") or "config.yaml")
    return Where(config, _gateway(ctx), key, given.get("workspace"), given.get("tenant")).open().state()
