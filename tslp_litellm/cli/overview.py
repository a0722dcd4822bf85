"""`status`, `workspaces` and `open`: where one stands, in a few lines."""

from __future__ import annotations

from collections import Counter
from typing import Any
from urllib.parse import urlencode

import click

from tslp_litellm.cli.completion import complete_entity
from tslp_litellm.cli.configured import hint_of, json_option
from tslp_litellm.cli.gateway import base_option, holder
from tslp_litellm.cli.reads import episode_in_short
from tslp_litellm.cli.source import Source, reads
from tslp_litellm.cli.terminal import STYLES, Negative, as_json, day_and_time, note, say, table


@click.command()
@json_option
@reads
def status(source: Source, **options: Any) -> None:
    """Whether all is well, what the workspace holds, what waits for you, and the last episode.

    Exit status 1 if anything of TSLP fails.
    """
    state, recent, doctor = source.state(dependencies=True), source.recent(1), source.doctor()
    found = {
        "status": doctor["status"],
        "amiss": [check for check in doctor["checks"] if check["status"] != "ok"],
        "workspace": state["workspace"],
        "entities": dict(Counter(row["freshness"] for row in state["entities"])),
        "dependencies": dict(Counter(row["dependencies"] for row in state["entities"])),
        "removed": len(state["tombstones"]),
        "decisions": sum(one["state"] == "open" for one in recent.get("decisions", ())),
        "last": next(iter(recent["episodes"]), None),
    }
    if options["as_json"]:
        as_json(found)
    else:
        _say_status(found)
        if state["workspace"] not in state["workspaces"]:
            note(hint_of(state))
    if found["status"] == "failed":
        raise Negative("Something fails: `tslp doctor` says all.")


def _say_status(found: dict[str, Any]) -> None:
    say(f"TSLP: {found['status']}", STYLES[found["status"]])
    for check in found["amiss"]:
        say(f"  {check['name']}: {check['detail']}", STYLES[check["status"]])
    clean, dirty = (found["entities"].get(word, 0) for word in ("CLEAN", "DIRTY"))
    uses = found["dependencies"].get("stale", 0)
    say(f"Workspace {found['workspace']}: {clean} entities CLEAN, {dirty} DIRTY, {found['removed']} removed lately.")
    if uses:
        say(f"{uses} use something that has changed since: `tslp state --stale`.")
    if found["decisions"]:
        say(f"{found['decisions']} open decision{'s' * (found['decisions'] > 1)}: `tslp decisions`.", "yellow")
    if found["last"] is not None:
        say("The last episode:")
        episode_in_short(found["last"])


@click.command()
@json_option
@reads
def workspaces(source: Source, **options: Any) -> None:
    """The workspaces, each with its last episode; the one that commands here use is marked."""
    rows = []
    for name in source.state()["workspaces"]:
        last = next(iter(source.within(name).recent(1)["episodes"]), None)
        rows.append({"workspace": name, "last": last and last["at"], "model": last and last["model"]})
    rows.sort(key=lambda row: row["last"] or "", reverse=True)
    if options["as_json"]:
        as_json({"workspaces": rows, "used": source.workspace})
        return
    if not rows:
        say("No workspace has heard anything yet.")
        return
    mark = {source.workspace: "*"}
    table(
        ("", "workspace", "last episode", "model"),
        ((mark.get(r["workspace"], ""), r["workspace"], day_and_time(r["last"]), r["model"]) for r in rows),
    )
    note("Times are UTC. Choose one by --workspace or TSLP_WORKSPACE.")


@click.command("open")
@click.argument("entity", required=False, shell_complete=complete_entity)
@base_option
@reads
def open_(source: Source, entity: str | None, base: str) -> None:
    """Open the status page in a browser, at this workspace, or at an entity."""
    base = base.rstrip("/").removesuffix("/v1")
    place = {"workspace": source.workspace, **({"entity": entity} if entity else {})}
    address = f"{base}/tslp/#{urlencode(place)}"
    click.echo(address)
    if not holder(base).startswith("a gateway with TSLP"):
        raise Negative(f"No gateway with TSLP answers at {base}: `tslp run` starts one.")
    click.launch(address)
