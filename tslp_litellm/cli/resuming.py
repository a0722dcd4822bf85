"""Where a workspace stands (SEMANTICS 12): `resume`."""

from __future__ import annotations

from typing import Any

import click

from tslp_litellm.cli.configured import hint_of, json_option
from tslp_litellm.cli.source import Source, reads
from tslp_litellm.cli.terminal import STYLES, as_json, day_and_time, listed, note, say

_DONE = {"promote": "changed", "tombstone": "removed", "dirty": "DIRTY"}


@click.command()
@json_option
@reads
def resume(source: Source, **options: Any) -> None:
    """Where a workspace stands: what changed, what waits, what is to be decided, what tests said last."""
    found = source.resume()
    if options["as_json"]:
        as_json(found)
        return
    if not found["head"]["seq"]:
        say(hint_of(source.state()))
        return
    made = found["checkpoint"]
    since = f"since the checkpoint of {day_and_time(made['at'])}" if made is not None else "lately"
    say(f"Last event: {found['head']['seq']}, {day_and_time(found['head']['at'])}.")
    _tests(found)
    done = [f"{row['path']} ({_DONE.get(row['event'], row['event'])})" for row in found["changed"]]
    _names(f"Changed {since}", done)
    _names("Waits for authority", found["waiting"])
    _names("DIRTY, its text unknown", found["dirty"], "yellow")
    _names("Stale or pending, by what it uses", found["stale"], "yellow")
    for row in found["decisions"]:
        say(f"To be decided: {row['says']} (decision {row['id']})", "yellow")
    for row in found["stated"]:
        say(f"Decided {day_and_time(row['at'])}: {row['says']}")
    for row in found["errors"]:
        say(f"Failed {day_and_time(row['at'])}: {row['tool']} {listed(row['paths'], 3)}: {row['says'] or ''}", "dim")
    if found.get("missing"):
        note(found["missing"])
    note(f"workspace {found['workspace']}; times are UTC.")


def _names(what: str, names: list[str], style: str = "") -> None:
    if names:
        say(f"{what}: {listed(names)}.", style)


def _tests(found: dict[str, Any]) -> None:
    """What each tool said last, and when tests were green."""
    for row in found["reported"]:
        counted = ", ".join(f"{number} {name}" for name, number in row["counts"].items())
        style = STYLES["ok"] if row["verdict"] == "green" else STYLES["fail"]
        say(f"{row['tool']}: {row['verdict']}{f' ({counted})' if counted else ''}, {day_and_time(row['at'])}", style)
    if (green := found["green"]) is not None:
        say(f"Tests were last green at {day_and_time(green['at'])}: `--at {green['seq']}` or `--at green`.")
