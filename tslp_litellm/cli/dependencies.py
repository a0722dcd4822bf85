"""What an entity uses, and what uses it (SEMANTICS 10): `uses`, `used-by`."""

from __future__ import annotations

from typing import Any

import click

from tslp_litellm.cli.completion import complete_entity
from tslp_litellm.cli.configured import json_option
from tslp_litellm.cli.reads import unknown
from tslp_litellm.cli.source import Source, reads
from tslp_litellm.cli.terminal import Unreachable, as_json, say, table


@click.command(name="uses")
@click.argument("entity", shell_complete=complete_entity)
@json_option
@reads
def uses(source: Source, entity: str, **options: Any) -> None:
    """What an entity uses, by binding and never by name alone: how each stands, and its signature now."""
    found = _report(source, entity)
    if options["as_json"]:
        as_json({key: found[key] for key in ("entity", "dependencies", "uses")})
    elif found["uses"]:
        table(("entity", "route", "stands", "signature"), (_row(use) for use in found["uses"]))
    else:
        say("It uses nothing known.")


@click.command(name="used-by")
@click.argument("entity", shell_complete=complete_entity)
@json_option
@reads
def used_by(source: Source, entity: str, **options: Any) -> None:
    """Which entities use an entity, or a part of it, by binding and never by name alone."""
    found = _report(source, entity)
    if options["as_json"]:
        as_json({key: found[key] for key in ("entity", "used_by")})
    else:
        say("\n".join(found["used_by"]) or "Nothing known uses it.")


def _report(source: Source, entity: str) -> dict[str, Any]:
    found = source.entity(entity, 1)
    if found is None or found["current"] is None:
        raise unknown(source, entity)
    if "uses" not in found:
        raise Unreachable("The gateway does not say what an entity uses: an older TSLP runs there.")
    return found


def _row(use: dict[str, Any]) -> tuple[object, ...]:
    before = f" (was: {use['before']})" if use.get("before") else ""
    return use["entity"], use["route"], use["standing"], f"{use['signature'] or '?'}{before}"
