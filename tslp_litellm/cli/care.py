"""The care of the database, which all need itself: `verify`, `head`, `maintain`, `rebuild`, `backup`, …"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from tslp_litellm.cli import heads
from tslp_litellm.cli.configured import config_option, existing_database, json_option, settings_of
from tslp_litellm.cli.terminal import Negative, Unreachable, as_json, note, safe, say, working
from tslp_litellm.engine import projecting
from tslp_litellm.gateway.runtime import now
from tslp_litellm.history.notes import Head
from tslp_litellm.store.backup import back_up
from tslp_litellm.store.database import Database
from tslp_litellm.store.heads import heads as ends
from tslp_litellm.store.maintenance import Problem
from tslp_litellm.store.maintenance import rebuild as rebuild_state
from tslp_litellm.store.maintenance import verify as verify_database
from tslp_litellm.store.upkeep import checkpoint_all
from tslp_litellm.store.upkeep import maintain as maintain_database

key_option = click.option(
    "--key-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The signing key; .tslp/head.key beside the config if not given.",
)
url_option = click.option("--url", hidden=True, expose_value=False, callback=lambda c, p, v: _not_by_url(v))
"""Refused with a sentence: who reads by --url may well try it here."""


def _not_by_url(url: str | None) -> None:
    if url is not None:
        raise click.UsageError(
            "This needs the database itself, and a gateway's endpoints only read: run it where the database is, and "
            "name that by --config or TSLP_DATABASE_URL."
        )


@contextlib.contextmanager
def opened(config: Path) -> Iterator[Database]:
    """The database that the settings name, which must be there."""
    database = existing_database(settings_of(config))
    try:
        yield database
    finally:
        database.close()


@click.command()
@click.option("--against", type=click.Path(path_type=Path, dir_okay=False), help="Older notes of `tslp head`.")
@click.option("--verifier", metavar="KEY", help="By what they are checked; the key of --key-file if not given.")
@key_option
@config_option
@url_option
@json_option
def verify(config: Path, against: Path | None, verifier: str | None, key_file: Path | None, **options: Any) -> None:
    """Check every hash, the chain, what is made of the Ledger, and coherence. Exit status 1 on any problem.

    With --against: also whether anything up to those heads was rewritten, though the chain was made to fit.
    """
    with opened(config) as database, working("checking"):
        problems = verify_database(database, projecting.problems)
        if against is not None:
            problems += heads.rewritten(database, against, verifier, heads.key_of(config, key_file))
    if options["as_json"]:
        as_json({"problems": [{"where": p.where, "detail": p.detail} for p in problems]})
    _tell(problems, quiet=options["as_json"])
    if not options["as_json"]:
        say("All is as it was written.", "green")


def _tell(problems: list[Problem], *, quiet: bool = False) -> None:
    """Say the problems, and end with them."""
    for problem in problems if not quiet else ():
        say(f"{problem.where}: {problem.detail}", "red")
    if problems:
        raise Negative(f"{len(problems)} problem{'' if len(problems) == 1 else 's'}.")


@click.command()
@click.option("--verifier", is_flag=True, help="Print the key by which notes are checked instead.")
@key_option
@config_option
@url_option
def head(verifier: bool, key_file: Path | None, config: Path) -> None:
    """Print a signed note (C2SP, Ed25519) of each workspace: origin, size and head of its chain.

    Keep it where whoever may write to the database may not: `tslp verify --against` it finds any rewriting since. The
    first call makes the key; keep what --verifier prints with the notes.
    """
    file = heads.key_of(config, key_file)
    if verifier:
        click.echo(heads.key(file).verifier)
        return
    with opened(config) as database, database.reading() as connection:
        key = heads.key(file)
        click.echo("\n".join(key.note(Head(*one)) for one in ends(connection)), nl=False)


@click.command()
@config_option
@url_option
@json_option
def maintain(config: Path, **options: Any) -> None:
    """For cron: check what came since the last time, checkpoint the WAL, optimise. Exit status 1 on any problem.

    What is checked is the chain, the texts that it names, and the State Map. `tslp verify` checks all there is.
    """
    with opened(config) as database:
        done = maintain_database(database)
    if options["as_json"]:
        problems = [{"where": p.where, "detail": p.detail} for p in done.problems]
        as_json({"events": done.events, "problems": problems})
    _tell(list(done.problems), quiet=options["as_json"])
    if not options["as_json"]:
        say(f"{done.events} new events, all as they were written.", "green")


@click.command()
@config_option
@url_option
def checkpoint(config: Path) -> None:
    """A checkpoint for each workspace that has grown since its last one. The gateway makes them by itself."""
    with opened(config) as database:
        done = checkpoint_all(database, now())
    say(f"{done} checkpoint{'' if done == 1 else 's'} made.", "green")


@click.command()
@config_option
@url_option
def rebuild(config: Path) -> None:
    """Drop the State Map and what entities use, and fold them anew from the Ledger."""
    with opened(config) as database, working("folding"):
        done = rebuild_state(database, projecting.refold)
    say(f"{done} events folded.", "green")


@click.command()
@click.argument("to", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--force", is_flag=True, help="Replace FILE if it is there.")
@config_option
@url_option
def backup(to: Path, force: bool, config: Path) -> None:
    """Copy the database to FILE while the gateway runs, and verify the copy.

    SQLite: a database file of one instant. PostgreSQL: an archive of pg_dump, for pg_restore. Texts are in it as they
    are: keep it like the database. Restore: stop the gateway and put FILE in the database's place.
    """
    if to.exists() and not force:
        raise click.UsageError(f"{safe(str(to))} is there already: name another file, or give --force.")
    with opened(config) as database:
        if to.resolve() == database.file:
            raise click.UsageError("That is the database itself.")
        try:
            with working("copying and checking"):
                problems = back_up(database, to)
        except OSError as error:
            raise Unreachable(f"{safe(str(to))} can't be written: {error.strerror or error}") from None
    if problems:
        note("The copy was not kept; `tslp verify` says whether the database itself is sound.")
    _tell(problems)
    say(f"{safe(str(to))}: {to.stat().st_size:,} bytes, verified.", "green")


@click.group()
def db() -> None:
    """The database's schema."""


@db.command()
@config_option
@url_option
def upgrade(config: Path) -> None:
    """Bring the database to this version's schema; make it if there is none. The gateway does so itself at start."""
    database = Database(settings_of(config).database_url)
    try:
        with database.writing() as connection:
            before, newest = database.revision(connection)
        database.migrate()
    finally:
        database.close()
    if before == newest:
        say(f"{database.shown_url} is at revision {newest}, the newest.", "green")
    else:
        say(
            f"{database.shown_url}: from {f'revision {before}' if before else 'nothing'} to revision {newest}.", "green"
        )
