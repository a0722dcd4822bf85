"""Heads and older heads: the key that signs the notes, and what was rewritten since some."""

from __future__ import annotations

import os
from pathlib import Path

import click

from tslp_litellm.cli.terminal import Unreachable, note, safe
from tslp_litellm.history.notes import Key, NoteError, heads
from tslp_litellm.store import heads as stored
from tslp_litellm.store.database import Database
from tslp_litellm.store.maintenance import Problem


def key_of(config: Path, key_file: Path | None) -> Path:
    """Where the signing key is kept."""
    return key_file or config.absolute().parent / ".tslp" / "head.key"


def rewritten(database: Database, notes: Path, verifier: str | None, file: Path) -> list[Problem]:
    """What was rewritten since older notes. `verifier`: the key that they were signed by, else the kept one's."""
    try:
        said = notes.read_text("utf-8")
        known = heads(said, verifier or _kept(file).verifier)
    except (OSError, UnicodeDecodeError) as error:
        raise Unreachable(f"{safe(str(notes))} can't be read: {error}") from None
    except NoteError as error:
        raise click.UsageError(f"{safe(str(notes))}: {safe(str(error))}") from None
    with database.reading() as connection:
        return list(stored.rewritten(connection, [(h.tenant, h.workspace, h.size, h.hash) for h in known]))


def key(file: Path) -> Key:
    """The signing key; made where there is none yet."""
    return _kept(file) if file.is_file() else _made(file)


def _kept(file: Path) -> Key:
    try:
        return Key.of(file.read_text("utf-8"))
    except FileNotFoundError:
        raise click.UsageError(f"There is no key at {safe(str(file))}: name one, or a --verifier.") from None
    except (OSError, ValueError) as error:
        raise Unreachable(f"{safe(str(file))} can't be used: {error}") from None


def _made(file: Path) -> Key:
    """A new key, which only its owner may read."""
    made = Key.new()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as to:
            to.write(made.secret + "\n")
    except OSError as error:
        raise Unreachable(f"{safe(str(file))} can't be written: {error.strerror or error}") from None
    note(f"A key was made: {safe(str(file))}. Notes that it signs are checked by {made.verifier}")
    return made
