"""One entity's texts: `show` the current one, `diff` between those it had."""

from __future__ import annotations

import difflib
import sys
from typing import Any

import click
from rich.syntax import Syntax
from rich.text import Text

from tslp_litellm.cli.completion import complete_entity
from tslp_litellm.cli.configured import json_option
from tslp_litellm.cli.reads import HASH_SHOWN, happenings_in_short, unknown
from tslp_litellm.cli.source import Source, at_option, reads
from tslp_litellm.cli.terminal import Negative, as_json, cell, console, day_and_time, note, safe, say
from tslp_litellm.state.names import Entity

NO_TEXTS = "The gateway shows no texts: its setting `debug` is off."
HASH_MIN = 4
LIMIT_MAX = 200
COLOURS = {"+++": "bold", "---": "bold", "@@ ": "cyan", "+": "green", "-": "red"}


@click.command()
@click.argument("entity", shell_complete=complete_entity)
@click.option("--text", "only_text", is_flag=True, help="Only the text, byte for byte where it goes to a file or pipe.")
@click.option(
    "--history", "-n", type=click.IntRange(0, LIMIT_MAX), default=5, show_default=True, help="So many events."
)
@at_option
@json_option
@reads
def show(source: Source, entity: str, only_text: bool, history: int, at: str | None, **options: Any) -> None:
    """An entity's text, where it came from, and its history."""
    found = source.entity(entity, limit=max(history, 1), at=at)
    if found is None:
        raise unknown(source, entity, at)
    if options["as_json"]:
        as_json(found)
        return
    text = (found["current"] or {}).get("text")
    if only_text:
        _only(entity, found["current"], text)
        return
    _head(found)
    if text is not None:
        _code(entity, text)
    elif found["current"] is not None:
        say(_textless(found["current"]), "dim")
    say()
    say(found["why"])
    if history:
        say()
        happenings_in_short(found["history"][:history])
    if found.get("missing") and len(found["history"]) < history:
        note(found["missing"])


def _textless(current: dict[str, Any]) -> str:
    return "Its text was erased." if current.get("erased") else NO_TEXTS


def _only(entity: str, current: dict[str, Any] | None, text: str | None) -> None:
    if current is None:
        raise Negative(f"{safe(entity)} has no current text.")
    if text is None:
        raise Negative(_textless(current))
    if sys.stdout.isatty():
        say(text)
    else:
        click.echo(text.encode(), nl=False)
    if current["freshness"] == "DIRTY":
        raise Negative(f"{safe(entity)} is DIRTY: this is only its last known text.")


def _head(found: dict[str, Any]) -> None:
    current, grave = found["current"], found.get("tombstone")
    line = Text(safe(found["entity"]), style="bold")
    if current is not None:
        line.append("  ").append_text(cell(current["freshness"])).append(
            f"  {current['artifact'][:HASH_SHOWN]}", "cyan"
        )
        line.append(f"  confirmed via {safe(current['source'])}, {day_and_time(current['updated_at'])}", style="dim")
    elif grave is not None:
        line.append("  ").append_text(cell("TOMBSTONED")).append(f"  {grave['artifact'][:HASH_SHOWN]}", "cyan")
        line.append(f"  since {day_and_time(grave['since'])}", style="dim")
    console().print(line, soft_wrap=not sys.stdout.isatty())


def _code(entity: str, text: str) -> None:
    """The text as code: coloured on a terminal, plain elsewhere."""
    say()
    shown = safe(text).rstrip("\n")
    if sys.stdout.isatty():
        lexer = Syntax.guess_lexer(Entity.parse(entity).path, shown)
        console().print(Syntax(shown, lexer, theme="ansi_dark", background_color="default", word_wrap=True))
    else:
        click.echo(shown)


@click.command()
@click.argument("entity", shell_complete=complete_entity)
@click.option("--from", "old", default="previous", show_default=True, metavar="VERSION")
@click.option("--to", "new", default="current", show_default=True, metavar="VERSION")
@at_option
@json_option
@reads
def diff(source: Source, entity: str, old: str, new: str, at: str | None, **options: Any) -> None:
    """What changed between two versions of an entity.

    VERSION is `current`, `previous` (the truth before), `@SEQ`, `@TIME` or `@EPISODE` (the truth then), or the
    beginning of an artifact's hash in its history, refused ones included: `tslp why ENTITY` lists them. With --at,
    `current` and `previous` are what they were then.
    """
    found = source.entity(entity, limit=LIMIT_MAX, at=at)
    if found is None:
        raise unknown(source, entity, at)
    ends = [_version(source, found, name) for name in (old, new)]
    texts = [source.text(artifact, entity) for artifact in ends]
    if None in texts:
        raise Negative("The text can't be had: the gateway shows texts only with its setting `debug`.")
    lines = _unified(entity, ends, [safe(text or "") for text in texts])
    if options["as_json"]:
        as_json({"entity": entity, "from": ends[0], "to": ends[1], "diff": "\n".join(lines)})
        return
    if not lines:
        say("No difference.", "dim")
    for line in lines:
        style = next((style for start, style in COLOURS.items() if line.startswith(start)), "")
        say(line, style)


def _unified(entity: str, ends: list[str], texts: list[str]) -> list[str]:
    old, new = (f"{safe(entity)}  {artifact[:HASH_SHOWN]}" for artifact in ends)
    before, after = (text.split("\n") for text in texts)
    return list(difflib.unified_diff(before, after, old, new, lineterm=""))


def _version(source: Source, found: dict[str, Any], name: str) -> str:
    """The artifact that a version's name means."""
    if name in {"current", "previous"}:
        return _by_word(found, _truths(source, found), name)
    if name.startswith("@"):
        return _as_of(source, found["entity"], name)
    if len(name) < HASH_MIN or not set(name) <= set("0123456789abcdef"):
        raise click.UsageError(
            f"{safe(name)} is no version: current, previous, @SEQ, @TIME, @EPISODE or the beginning of a hash."
        )
    known = {row[key] for row in _pages(source, found) for key in ("artifact", "replaces") if row[key]}
    fitting: list[str] = sorted(artifact for artifact in known if artifact.startswith(name))
    if len(fitting) != 1:
        if not fitting:
            raise _not_there(found, f": no version of it begins with {name}.")
        raise Negative(f"{safe(found['entity'])}: several versions begin with {name}.")
    return fitting[0]


def _not_there(found: dict[str, Any], said: str) -> Negative:
    """What an entity's history does not hold, or may hold in an archive that can't be read."""
    entity, missing = safe(found["entity"]), found.get("missing")
    return Negative(f"{entity}: not all of its history is at hand. {safe(missing)}" if missing else f"{entity}{said}")


def _as_of(source: Source, entity: str, name: str) -> str:
    try:
        then = source.entity(entity, 1, at=name[1:])
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if then is None or then["current"] is None:
        raise Negative(f"{safe(entity)} had no text at {safe(name)}.")
    return str(then["current"]["artifact"])


def _by_word(found: dict[str, Any], truths: list[str], name: str) -> str:
    current = (found["current"] or found.get("tombstone") or {}).get("artifact")
    if name == "current":
        if current is None:
            raise Negative(f"{safe(found['entity'])} has no current text.")
        return str(current)
    before = next((artifact for artifact in truths if artifact != current), None)
    if before is None:
        raise _not_there(found, " has had only one text.")
    return str(before)


def _truths(source: Source, found: dict[str, Any]) -> list[str]:
    """Every text that was the truth, newest first."""
    return [row["artifact"] for row in _pages(source, found) if row["event"] == "promote"]


def _pages(source: Source, found: dict[str, Any]) -> list[dict[str, Any]]:
    """The whole history, page by page."""
    rows, page = list(found["history"]), found["history"]
    while len(page) >= LIMIT_MAX:
        more = source.entity(found["entity"], LIMIT_MAX, page[-1]["seq"]) or {"history": []}
        found["missing"] = more.get("missing")
        page = more["history"]
        rows += page
    return rows
