"""`export`: the State Map's files in a folder, a zip or as JSON lines, byte for byte, and never outside the folder."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import click

from tslp_litellm.cli.completion import complete_entity
from tslp_litellm.cli.configured import hint_of
from tslp_litellm.cli.safe_paths import unsafe
from tslp_litellm.cli.source import Source, at_option, reads, state_of
from tslp_litellm.cli.terminal import Negative, Unreachable, listed, note, safe, say

Form = Literal["folder", "zip", "jsonl"]
DIRTY_SUFFIX = ".DIRTY"


@dataclass(slots=True)
class Exported:
    """What was written, and what was left out: entity -> why."""

    written: int = 0
    left_out: dict[str, str] = field(default_factory=dict)


@click.command()
@click.argument("to", metavar="FOLDER|FILE", type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(["folder", "zip", "jsonl"]), help="Else by the name's ending.")
@click.option("--only", metavar="PREFIX", default="", shell_complete=complete_entity, help="Only what begins so.")
@click.option("--dirty", type=click.Choice(["leave-out", "mark"]), default="leave-out", show_default=True)
@click.option("--force", is_flag=True, help="Overwrite files that are there.")
@at_option
@reads
def export(source: Source, to: Path, form: Form | None, only: str, dirty: str, force: bool, at: str | None) -> None:
    """Write the State Map's files: into a folder, a .zip, or a .jsonl of all entities (`-`: standard output).

    A DIRTY file is left out, or with `--dirty mark` written as its last known text under NAME.DIRTY. Paths that are
    absolute or lead out of the folder, and hidden names that something may run (.git, .bashrc), are left out, and the
    exit status is then 1. What is there is only overwritten with --force, and nothing is ever deleted.
    """
    form = form or ("jsonl" if str(to) == "-" else {".zip": "zip", ".jsonl": "jsonl"}.get(to.suffix.lower(), "folder"))  # type: ignore[assignment]
    found = state_of(source, at)
    rows = [row for row in found["entities"] if row["entity"].startswith(only)]
    if not rows:
        raise Negative("Nothing begins so." if only and found["entities"] else "Nothing yet." if at else hint_of(found))
    done = Exported()
    texts = _texts(source, rows if form == "jsonl" else [row for row in rows if "::" not in row["entity"]], done)
    try:
        if form == "jsonl":
            _lines(to, texts, dirty, force, done)
        else:
            files = list(_files(texts, dirty, done))
            (_zip if form == "zip" else _folder)(to, files, force, done)
    except OSError as error:
        raise Unreachable(f"{safe(str(error.filename or to))} can't be written: {error.strerror or error}") from None
    _tell(to, done)


def _texts(source: Source, rows: list[dict[str, Any]], done: Exported) -> list[tuple[dict[str, Any], str]]:
    """Rows with their texts; a text that is not the one that its hash names is left out."""
    found, texts = [], source.exact_texts(rows)
    if rows and not texts:
        raise Negative(source.without_texts)
    for row in rows:
        text = texts.get(row["artifact"])
        if text is None:
            done.left_out[row["entity"]] = "its text can't be had"
        elif hashlib.sha256(text.encode()).hexdigest() != row["artifact"]:
            done.left_out[row["entity"]] = "it holds a secret, which a gateway does not show"
        else:
            found.append((row, text))
    return found


def _files(
    texts: list[tuple[dict[str, Any], str]], dirty: str, done: Exported
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Path, text and row of each file that may be written."""
    for row, text in texts:
        path = row["entity"]
        if (fault := unsafe(path)) is not None:
            done.left_out[path] = fault
        elif row["freshness"] == "CLEAN":
            yield path, text, row
        elif dirty == "mark":
            yield path + DIRTY_SUFFIX, text, row
        else:
            done.left_out[path] = "DIRTY"


def _folder(to: Path, files: list[tuple[str, str, dict[str, Any]]], force: bool, done: Exported) -> None:
    """All files below a folder; nothing is written where anything would be overwritten without --force."""
    there = [path for path, *_ in files if os.path.lexists(to / path)]
    if there and not force:
        raise click.UsageError(
            f"There are already {listed(map(safe, there), 3)} in {safe(str(to))}: --force overwrites."
        )
    to.mkdir(parents=True, exist_ok=True)
    root = to.resolve()
    for path, text, _ in files:
        target = root / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if (fault := _astray(target.parent.resolve(), root)) is not None:
                done.left_out[path] = fault
                continue
            _write(target, text.encode(), force)
        except OSError as error:
            done.left_out[path] = f"{error.strerror or error}"
            continue
        done.written += 1


def _astray(folder: Path, root: Path) -> str | None:
    """Why nothing may be written into a folder that links may have led to."""
    if not folder.is_relative_to(root):
        return "a link leads out of the folder"
    inside = folder.relative_to(root).as_posix()
    return None if inside == "." else unsafe(f"{inside}/file")


def _write(target: Path, content: bytes, force: bool) -> None:
    """A new file; one that is there is replaced, a link at its place is not followed."""
    if force and os.path.lexists(target):
        target.unlink()
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(target, flags, 0o666), "wb") as file:
        file.write(content)


def _zip(to: Path, files: list[tuple[str, str, dict[str, Any]]], force: bool, done: Exported) -> None:
    """All files in a zip, each with the time at which it became the truth: the same state makes the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text, row in files:
            at = row["updated_at"]
            moment = tuple(int(part) for part in re.split(r"[-T:.]", at[:19]))
            info = zipfile.ZipInfo(path, date_time=moment)  # type: ignore[arg-type]
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(info, text.encode())
            done.written += 1
    _whole(to, packed.getvalue(), force)


def _lines(to: Path, texts: list[tuple[dict[str, Any], str]], dirty: str, force: bool, done: Exported) -> None:
    """One entity a line, as in `/tslp/state`, with its text."""
    made = []
    for row, text in texts:
        if row["freshness"] == "CLEAN" or dirty == "mark":
            made.append(json.dumps({**row, "text": text}) + "\n")
        else:
            done.left_out[row["entity"]] = "DIRTY"
    done.written = len(made)
    if str(to) == "-":
        click.echo("".join(made), nl=False)
    else:
        _whole(to, "".join(made).encode(), force)


def _whole(to: Path, content: bytes, force: bool) -> None:
    """One file, whole or not at all."""
    if os.path.lexists(to) and not force:
        raise click.UsageError(f"{safe(str(to))} is there already: name another, or give --force.")
    to.parent.mkdir(parents=True, exist_ok=True)
    part = to.with_name(f".{to.name}.{os.getpid()}.part")
    try:
        _write(part, content, force=True)
        part.replace(to)
    finally:
        part.unlink(missing_ok=True)


def _tell(to: Path, done: Exported) -> None:
    by_cause: dict[str, list[str]] = {}
    for entity, cause in done.left_out.items():
        by_cause.setdefault(cause, []).append(safe(entity))
    for cause, names in by_cause.items():
        note(f"left out, {cause}: {listed(names)}")
    what: Callable[[str], None] = note if str(to) == "-" else say
    what(f"{safe(str(to))}: {done.written} written.")
    if set(by_cause) - {"DIRTY"}:
        raise Negative("Not everything could be exported.")
