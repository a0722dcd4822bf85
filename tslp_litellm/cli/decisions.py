"""Questions that only the user can settle, and what was decided (SEMANTICS 11): `decisions`."""

from __future__ import annotations

from typing import Any

import click

from tslp_litellm.cli.configured import json_option
from tslp_litellm.cli.reads import LIMIT_MAX, open_decision
from tslp_litellm.cli.source import Source, reads
from tslp_litellm.cli.terminal import as_json, day_and_time, note, say


@click.command()
@click.option("--limit", "-n", type=click.IntRange(1, LIMIT_MAX), default=20, show_default=True)
@json_option
@reads
def decisions(source: Source, limit: int, **options: Any) -> None:
    """Open questions, which the user answers in their conversation by a line, and what was decided, newest first."""
    asked = source.recent(limit)
    found = asked.get("decisions") or []  # a gateway of an older release does not say
    if asked.get("missing"):
        note(asked["missing"])
    if options["as_json"]:
        as_json({"decisions": found})
    elif not found:
        say("Nothing is to be decided, and nothing was.")
    for one in found if not options["as_json"] else ():
        _tell(one)


def _tell(one: dict[str, Any]) -> None:
    if one["state"] == "open":
        open_decision(one)
    else:
        say(f"{day_and_time(one['at'])}  {one['id']}  {one['says']}")
        say(f"  {one['option']}: {one['chosen']}")
