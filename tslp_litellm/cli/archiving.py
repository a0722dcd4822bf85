"""What leaves the database, and comes back: `archive`, `restore`, `erase` (SEMANTICS 12); all need the database."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from tslp_litellm.cli.care import opened, url_option
from tslp_litellm.cli.configured import config_option, json_option, settings_of, tenant_option
from tslp_litellm.cli.terminal import Negative, as_json, listed, note, safe, say, working
from tslp_litellm.engine import projecting
from tslp_litellm.gateway.runtime import now
from tslp_litellm.history import points
from tslp_litellm.history.segments import Segment
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.store import archive as archives
from tslp_litellm.store.database import Database
from tslp_litellm.store.erasure import Scope
from tslp_litellm.store.erasure import erase as erase_from
from tslp_litellm.store.folders import folder
from tslp_litellm.store.maintenance import workspace_names
from tslp_litellm.store.outbox import identity

UNPROVEN = (
    "The chain still proves what was decided, in which order, and by which hashes. What can't be proven any more: that "
    "the erased texts had these hashes, and what the erased words were. --at shows their entities without a text."
)


def _before(_ctx: click.Context, _parameter: click.Parameter, said: str | None) -> points.Point | None:
    try:
        return points.before(said) if said is not None else None
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


only_option = click.option("--workspace", "-w", metavar="NAME", help="Only this workspace.")


def _key(database: Database, tenant: str, workspace: str | None) -> WorkspaceKey | None:
    if workspace is None:
        return None
    with database.reading() as connection:
        if (tenant, workspace) not in workspace_names(connection):
            raise Negative(f"There is no workspace {safe(workspace)} of tenant {safe(tenant)}.")
    return WorkspaceKey(tenant, workspace)


@click.command()
@click.argument("to", metavar="FOLDER|URL")
@click.option(
    "--before",
    metavar="SEQ|TIME",
    callback=_before,
    help="Only what is older. If not given: all but the newest 2,000 events of each workspace.",
)
@only_option
@tenant_option
@config_option
@url_option
@json_option
def archive(
    to: str, before: points.Point | None, workspace: str | None, tenant: str, config: Path, **options: Any
) -> None:
    """Move old events, and the texts that only they name, to compressed segments in FOLDER, or at a URL of fsspec's.

    Each segment is read back and compared before a row goes. State Map, tombstones, what these name, and the last
    checkpoint before the rest stay: later points are answered without the archive. The gateway may run meanwhile.
    """
    with opened(config) as database:
        only = _key(database, tenant, workspace)
        with working("reading"), database.reading() as connection:
            known = [WorkspaceKey(*names) for names in workspace_names(connection)]
        for key in known if only is None else [only]:
            while projecting.bring_up(database, key, now(), again=0):
                pass
        webhooks = settings_of(config).webhooks

        def hooks(key: WorkspaceKey) -> list[str] | None:
            if not (webhooks or config.is_file()):  # who only names the database has not said which there still are
                return None
            return [identity(hook.url) for hook in webhooks if hook.wants(key.workspace)]

        _tell(archives.archive(database, folder(to), now(), before, only, hooks), "left", options["as_json"])


@click.command()
@click.argument("source", metavar="FOLDER|URL")
@only_option
@tenant_option
@config_option
@url_option
@json_option
def restore(source: str, workspace: str | None, tenant: str, config: Path, **options: Any) -> None:
    """Bring back the events and texts of the segments that are in FOLDER, byte for byte.

    All segments are checked before the first comes back. Twice is as good as once.
    """
    with opened(config) as database:
        only = _key(database, tenant, workspace)
        _tell(archives.restore(database, folder(source), only), "came back", options["as_json"])


def _tell(done: Iterable[tuple[WorkspaceKey, Segment]], what: str, in_json: bool) -> None:
    rows = list[dict[str, Any]]()
    for key, one in done:
        rows.append({"tenant": key.tenant, "workspace": key.workspace, "first": one.first, "last": one.last})
        rows[-1] |= {"texts": one.texts, "file": one.file, "bytes": one.bytes}
        if not in_json:
            where = f"{safe(key.workspace)}: events {one.first:,} to {one.last:,} and {one.texts:,} texts"
            say(f"{where} {what}: {one.file}, {one.bytes:,} bytes")
    if in_json:
        as_json({"segments": rows})
    elif rows:
        say(
            f"{len(rows)} segment{'' if len(rows) == 1 else 's'}, {sum(row['bytes'] for row in rows):,} bytes.", "green"
        )
    else:
        none = "no event is old enough that the uses, a webhook or a conversation does not need any more"
        say(f"Nothing to do: {'no segment that is out is there' if what == 'came back' else none}.")


@click.command()
@only_option
@tenant_option
@click.option("--user", metavar="NAME", help="All that this user's requests brought, in every workspace.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@config_option
@url_option
@json_option
def erase(workspace: str | None, tenant: str, user: str | None, yes: bool, config: Path, **options: Any) -> None:
    """Remove the texts, prompts and words of a workspace or of a user for good. The chain and its hashes stay.

    What somebody else's events name as well stays. An entity that stood by an erased text alone is not known any more.
    """
    if workspace is None and user is None:
        raise click.UsageError("Whose? Name a --workspace, a --user, or both.")
    with opened(config) as database:
        scope = Scope(_key(database, tenant, workspace), user)
        if not yes:
            click.confirm("This can't be undone. Erase?", abort=True, err=True)
        with working("erasing"):
            done = erase_from(database, scope, now(), projecting.refold)
    if options["as_json"]:
        as_json({"texts": done.texts, "words": done.words, "entities": done.entities, "files": done.files})
        return
    say(
        f"{done.texts:,} texts and the words of {done.words:,} events erased; {done.entities:,} entities ended.",
        "green",
    )
    say(UNPROVEN)
    note("Backups hold the texts still, and so do clients, which may send them anew.")
    if done.files:
        note(f"So do these segments, which you may delete: {listed(map(safe, done.files), 20)}.")
