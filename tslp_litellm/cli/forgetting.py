"""An operator's word that a text is no longer known: `forget`."""

from __future__ import annotations

from pathlib import Path

import click

from tslp_litellm.cli.care import opened, url_option
from tslp_litellm.cli.completion import complete_entity
from tslp_litellm.cli.configured import config_option, settings_of, tenant_option, workspace_in, workspace_option
from tslp_litellm.cli.terminal import Negative, listed, safe, say
from tslp_litellm.engine import forgetting
from tslp_litellm.gateway.runtime import now
from tslp_litellm.state.names import Entity


@click.command()
@click.argument("entities", metavar="ENTITY...", nargs=-1, required=True, shell_complete=complete_entity)
@workspace_option
@tenant_option
@config_option
@url_option
def forget(entities: tuple[str, ...], workspace: str | None, tenant: str, config: Path) -> None:
    """Say that what is kept of ENTITY (a path, or path::symbol) is not what the file holds: it becomes DIRTY.

    It stands in no prompt then, until somebody shows its text. Nothing is removed. Exit status 1 where a name is
    unknown; the others are forgotten all the same.
    """
    unknown = []
    with opened(config) as database:
        key = workspace_in(database, tenant, workspace, settings_of(config).workspace)
        for entity in entities:
            done = forgetting.forget(database, key, Entity.parse(entity), now())
            if done is None:
                unknown.append(safe(entity))
            else:
                say(f"{listed(map(safe, done))} {'is' if len(done) == 1 else 'are'} DIRTY now." if done else
                    f"{safe(entity)} was DIRTY before.")  # fmt: skip
    if unknown:
        raise Negative(f"Workspace {safe(key.workspace)} does not know {listed(unknown)}.")
