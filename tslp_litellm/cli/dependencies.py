"""What an entity uses, and what uses it (SEMANTICS 10): `uses`, `used-by`. Read from the CLEAN texts when asked."""

from __future__ import annotations

import hashlib
from typing import Any

import click

from tslp_litellm import parser
from tslp_litellm.cli.reads import unknown
from tslp_litellm.cli.source import Source, complete_entity, json_option, reads
from tslp_litellm.cli.terminal import Negative, as_json, note, safe, say, table
from tslp_litellm.state.names import Entity
from tslp_litellm.syntax.languages import language_of_path
from tslp_litellm.uses.following import Use
from tslp_litellm.uses.following import uses as uses_in
from tslp_litellm.uses.known import KnownFile, known_file
from tslp_litellm.uses.modules import FILES

_READ_IN = "Uses are read in: " + ", ".join(FILES) + "."


@click.command(name="uses")
@click.argument("entity", shell_complete=complete_entity)
@json_option
@reads
def uses(source: Source, entity: str, **options: Any) -> None:
    """What an entity uses, by binding and never by name alone, with the signatures as they are now."""
    _told(source, entity, options["as_json"], backwards=False)


@click.command(name="used-by")
@click.argument("entity", shell_complete=complete_entity)
@json_option
@reads
def used_by(source: Source, entity: str, **options: Any) -> None:
    """Which entities use an entity, by binding and never by name alone."""
    _told(source, entity, options["as_json"], backwards=True)


def _told(source: Source, entity: str, json: bool, *, backwards: bool) -> None:
    rows = source.state()["entities"]
    if entity not in {row["entity"] for row in rows}:
        raise unknown(source, entity)
    known = _known(source, rows)
    path = Entity.parse(entity).path
    if path not in known:
        raise Negative(
            f"The uses of {safe(entity)} are not known: its file is DIRTY or in no such language. {_READ_IN}"
        )
    found = [use for one in (known if backwards else [path]) for use in uses_in(one, known)]
    found = [use for use in found if str(use.used if backwards else use.user) == entity]
    if json:
        as_json({"entity": entity, "used_by" if backwards else "uses": [_row(use, known, backwards) for use in found]})
    elif found:
        shown = [_row(use, known, backwards) for use in found]
        table(("entity", "route", "signature"), ((row["entity"], row["route"], row["signature"]) for row in shown))
        note(_READ_IN)
    else:
        say("Nothing known uses it." if backwards else "It uses nothing known.")


def _known(source: Source, rows: list[dict[str, Any]]) -> dict[str, KnownFile]:
    """The files whose text is known, and whose language's uses are read."""
    files = [row for row in rows if "::" not in row["entity"] and row["freshness"] == "CLEAN"]
    files = [row for row in files if (found := language_of_path(row["entity"])) is not None and found.name in FILES]
    texts = source.exact_texts(files)
    if files and not texts:
        raise Negative("The gateway gives no texts: its setting `debug` is off. Ask where the database is.")
    known = {}
    for row in files:
        text = texts.get(row["artifact"])
        if text is not None and hashlib.sha256(text.encode()).hexdigest() == row["artifact"]:
            language = language_of_path(row["entity"])
            known[row["entity"]] = known_file(parser.outline(language, text), parser.bindings(language, text))
    return known


def _row(use: Use, known: dict[str, KnownFile], backwards: bool) -> dict[str, str]:
    named = use.user if backwards else use.used
    signature = known[named.path].definitions[named.symbol].signature if named.symbol else ""
    return {"entity": str(named), "route": str(use.route), "signature": signature}
