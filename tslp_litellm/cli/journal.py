"""The journal of a workspace (SEMANTICS 12): `journal`."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from tslp_litellm.cli.care import opened, url_option
from tslp_litellm.cli.configured import (
    config_option,
    json_option,
    settings_of,
    tenant_option,
    workspace_in,
    workspace_option,
)
from tslp_litellm.cli.terminal import Negative, Unreachable, as_json, listed, note, safe, say
from tslp_litellm.gateway.runtime import now
from tslp_litellm.journal.files import Journal, JournalError, newest_first
from tslp_litellm.journal.pulses import Pulse, Type
from tslp_litellm.journal.resuming import resumed
from tslp_litellm.journal.telling import Teller
from tslp_litellm.state.events import Entry
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.store import segments, vault
from tslp_litellm.store.database import Database
from tslp_litellm.store.reading import WorkspaceReader

AT_ONCE = 500
"""So many of the Ledger's events are held, and their pulses appended together."""
EVERY_S = 600
"""LedgerPulse 8: a pulse at least every ten minutes of wall-clock time."""
LOOK_S = 2.0


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--follow", is_flag=True, help="Go on as the workspace does, until Ctrl-C.")
@click.option("--resume", is_flag=True, help="Say where to go on, by a journal that is there; writes nothing.")
@click.option("--tangents", is_flag=True, help="With --resume: turns that changed nothing, too.")
@workspace_option
@tenant_option
@config_option
@url_option
@json_option
def journal(
    folder: Path, follow: bool, resume: bool, tangents: bool, workspace: str | None, tenant: str, config: Path, **o: Any
) -> None:
    """Write a workspace's history as pulses (LedgerPulse v1.3) into DIR/stream/pulses.log.md, or go on from there.

    A pulse says in Markdown what a turn changed, what is next, and what is not known. It is made of the Ledger and of
    nothing else: a journal that is lost is written anew.
    """
    try:
        if resume:
            _say(resumed(newest_first(folder), tangents=tangents), o["as_json"])
            return
        with opened(config) as database, Journal(folder) as to:
            key = workspace_in(database, tenant, workspace, settings_of(config).workspace)
            _written(_Workspace(database, key), to, follow)
    except JournalError as error:
        raise Negative(safe(str(error))) from None
    except OSError as error:
        raise Unreachable(f"{safe(str(folder))}: {error.strerror or error}") from None


class _Workspace:
    """A workspace's Ledger, read on from where it was left."""

    def __init__(self, database: Database, key: WorkspaceKey) -> None:
        self._database, self.key, self._heard = database, key, 0

    def entries(self) -> Iterator[Entry]:
        """What came since the last time."""
        while found := self._next():
            yield from found

    def _next(self) -> list[Entry]:
        with self._database.reading() as connection:
            store = WorkspaceReader(connection, *self.key)
            until = min(store.head[0] if store.head is not None else 0, self._heard + AT_ONCE)
            found = [*segments.entries(connection, store.workspace_id, self._heard, until)]
        self._heard = max(self._heard, until)
        return found

    def text(self, artifact: str) -> str | None:
        """A text of the Vault, unless it is gone."""
        with suppress(vault.AlteredError), self._database.reading() as connection:
            return segments.texts(connection, [artifact]).get(artifact)
        return None


def _written(workspace: _Workspace, to: Journal, follow: bool) -> None:
    """Append what the journal does not hold yet."""
    name = workspace.key.workspace
    teller, wrote, last = Teller(name, workspace.text), 0, time.monotonic()
    done = to.held(name)
    while True:
        heard = (teller.hear(entry) for entry in workspace.entries())
        told = (pulse for pulse in heard if pulse is not None and pulse.seq > done)
        while pulses := [*itertools.islice(told, AT_ONCE)]:
            _append(to, teller, pulses)
            wrote, last = wrote + len(pulses), time.monotonic()
        if not follow:
            note(f"{wrote} new pulses of workspace {safe(name)} in {safe(str(to.log))}")
            return
        if time.monotonic() - last >= EVERY_S:
            _append(to, teller, [teller.stands(now())])
            last = time.monotonic()
        time.sleep(LOOK_S)


def _append(to: Journal, teller: Teller, pulses: list[Pulse]) -> None:
    to.append(pulses)
    if to.is_full:
        to.rotate(teller.stands(to.last, Type.COMPACTION))


def _say(found: dict[str, Any], as_json_: bool) -> None:
    if as_json_:
        as_json(found)
        return
    if found["intent"] is None:
        say("No pulse says what is meant.")
        return
    status = found["status"]
    say(f"Last: {safe(found['intent'])}")
    say(f"In: {listed(safe(one['topic']) for one in found['focus'])}. Confidence {status['confidence']}.")
    for name, lines in (("Next", found["next"]), ("What happened, newest first", found["facts"])):
        for line in [f"{name}:", *(f"  {safe(line)}" for line in lines)] if lines else ():
            say(line)
    for shift in found["model_shifts"]:
        say(f"No longer so: {safe(shift['before'])} {safe(shift['after'])}", "yellow")
    note(f"{found['read']} pulses read.")
