"""What reaches the terminal: consoles, safe text, JSON, tables, and errors without tracebacks.

Texts, paths and reasons come from models and users. What could steer a terminal in them is made visible first.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence

import click
from rich.console import Console
from rich.status import Status
from rich.table import Table
from rich.text import Text

from tslp_litellm.settings import SettingsError
from tslp_litellm.store.database import StoreError
from tslp_litellm.store.queries import UNREADABLE

PIPE_WIDTH = 4000
"""Columns where the output is no terminal: nothing is folded, so that `grep` finds it whole."""
NARROW = 100
"""Below so many columns a table that does not fit is given up."""
PAGER_ROWS = 500
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
STYLES = {
    "CLEAN": "green",
    "ADOPTED": "green",
    "ok": "green",
    "DIRTY": "yellow",
    "WAITING": "yellow",
    "warn": "yellow",
    "degraded": "yellow",
    "REFUSED": "red",
    "REMOVED": "red",
    "TOMBSTONED": "red",
    "fail": "red",
    "failed": "red",
    "REPLACED": "dim",
}


class Unreachable(click.ClickException):
    """What is needed can't be reached or opened."""

    exit_code = 3


class Wrong(click.ClickException):
    """A wrong setting, said without a command's usage."""

    exit_code = 2


class Negative(click.ClickException):
    """A negative finding."""

    exit_code = 1


def in_a_sentence(error: Exception) -> Exception:
    """What a command can't read or set, as a sentence with an exit status; any other error as it is."""
    if isinstance(error, SettingsError):
        return click.UsageError(str(error))
    if isinstance(error, StoreError):
        return Unreachable(str(error))
    if isinstance(error, UNREADABLE):
        cause = str(getattr(error, "orig", None) or error).splitlines()[0]
        return Unreachable(f"The database can't be read: {safe(cause)}")
    return error


def safe(text: str) -> str:
    """A text whose control and direction characters are visible instead of in force; tabs and line ends stay."""
    return _CONTROL.sub(_visible, text.replace("\r\n", "\n"))


def _visible(found: re.Match[str]) -> str:
    code = ord(found[0])
    return chr(0x2400 + code) if code < 0x20 else "\u2421" if code == 0x7F else f"\\u{code:04x}"


def console(*, error: bool = False) -> Console:
    """Standard output or error, as wide as it is; made anew, because tests and pipes change it."""
    stream = sys.stderr if error else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH
    return Console(stderr=error, highlight=False, width=width, markup=False, emoji=False)


def say(text: str = "", style: str = "") -> None:
    """Words for the user, folded at the terminal's width only."""
    console().print(Text(safe(text), style=style), soft_wrap=not sys.stdout.isatty())


def note(text: str) -> None:
    """Words beside the output, on standard error."""
    console(error=True).print(Text(safe(text), style="dim"), soft_wrap=True)


def cell(value: object, style: str | None = None) -> Text:
    """A table's cell."""
    text = safe("" if value is None else str(value))
    return Text(text, style=STYLES.get(text, "") if style is None else style, overflow="fold")


def table(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> None:
    """A table without lines around it. On a narrow terminal each row is a paragraph; what is long goes to the pager.

    In a pipe it is plain lines: rich takes half a millisecond a row.
    """
    cells = [[value if isinstance(value, Text) else cell(value) for value in row] for row in rows]
    widths = [max(len(name), *(row[n].cell_len for row in cells), 0) for n, name in enumerate(columns)]
    to = console()
    if to.width == PIPE_WIDTH or len(cells) > PAGER_ROWS:
        lines = "\n".join(_plain([[Text(name) for name in columns], *cells], widths))
        click.echo_via_pager(lines) if sys.stdout.isatty() else click.echo(lines)
        return
    if sum(widths) + 2 * len(widths) > to.width and to.width < NARROW:
        for row in cells:
            _paragraph(to, columns, row)
        return
    made = Table(*columns, box=None, pad_edge=False, header_style="bold")
    for row in cells:
        made.add_row(*row)
    to.print(made)


def _plain(rows: Sequence[Sequence[Text]], widths: Sequence[int]) -> Iterator[str]:
    for row in rows:
        padded = (text.plain + " " * (width - text.cell_len) for text, width in zip(row, widths, strict=True))
        yield "  ".join(padded).rstrip()


def _paragraph(to: Console, columns: Sequence[str], row: Sequence[Text]) -> None:
    """A row below one another: the first cell, then the others with their names."""
    to.print(row[0])
    for name, value in zip(columns[1:], row[1:], strict=True):
        if value.plain:
            to.print(Text(f"  {name} ", style="dim", overflow="fold").append_text(value))


def as_json(value: object, *, lines: bool = False) -> None:
    """JSON in ASCII: nothing in it steers a terminal. `lines`: on one line."""
    click.echo(json.dumps(value, indent=None if lines else 2))


def working(what: str) -> Status:
    """A sign of life for what takes long on a large database, on standard error."""
    return console(error=True).status(f"{what} …")


def day_and_time(at: str | None) -> str:
    """`2026-01-01T00:00:00.000Z` as `2026-01-01 00:00:00` (UTC)."""
    return (at or "")[:19].replace("T", " ")


def listed(names: Iterable[str], at_most: int = 8) -> str:
    """Names in a sentence, not too many."""
    found = list(names)
    return ", ".join(found[:at_most]) + (f" and {len(found) - at_most} more" if len(found) > at_most else "")
