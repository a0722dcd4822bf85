"""What is known, and why: `doctor`, `state`, `recent`, `log`, `why`."""

from __future__ import annotations

import difflib
import itertools
import re
import sys
import textwrap
import time
from collections.abc import Iterable, Iterator
from typing import Any

import click
from rich.text import Text

from tslp_litellm.cli.completion import complete_entity
from tslp_litellm.cli.configured import hint_of, json_option
from tslp_litellm.cli.source import Source, at_option, reads, state_of
from tslp_litellm.cli.terminal import (
    STYLES,
    Negative,
    Unreachable,
    as_json,
    cell,
    console,
    day_and_time,
    listed,
    note,
    safe,
    say,
    table,
)

LIMIT_MAX = 200
HASH_SHOWN = 12


@click.command()
@json_option
@reads
def doctor(source: Source, **options: Any) -> None:
    """Look at database, migrations, disk, parser and model servers. Exit status 1 if anything fails.

    With --url the running gateway also tells its faults and how the shadow audit stands.
    """
    found = source.doctor()
    if options["as_json"]:
        as_json(found)
    else:
        table(("check", "status", "detail"), ((c["name"], c["status"], c["detail"]) for c in found["checks"]))
        say(found["status"], STYLES[found["status"]])
    if found["status"] == "failed":
        sys.exit(Negative.exit_code)


@click.command()
@click.argument("prefix", required=False, shell_complete=complete_entity)
@click.option("--dirty", is_flag=True, help="Only what is DIRTY.")
@click.option("--stale", is_flag=True, help="Only what uses something that has changed since, or may have.")
@click.option("--limit", "-n", type=click.IntRange(1), help="So many entities at most.")
@at_option
@json_option
@reads
def state(
    source: Source, prefix: str | None, dirty: bool, stale: bool, limit: int | None, at: str | None, **options: Any
) -> None:
    """The State Map: every entity (of those that begin with PREFIX) with its artifact, freshness and time."""
    if stale and at is not None:
        raise click.UsageError("--stale goes without --at: what uses what is only known of now.")
    found = state_of(source, at, dependencies=stale)
    begins = prefix or ""
    found["entities"] = [
        row
        for row in found["entities"]
        if row["entity"].startswith(begins)
        and (not dirty or row["freshness"] == "DIRTY")
        and (not stale or row["dependencies"] != "ok")
    ]
    narrowed = dirty or stale
    total, found["entities"] = len(found["entities"]), found["entities"][:limit]
    found["tombstones"] = [row for row in found["tombstones"] if row["entity"].startswith(begins) and not narrowed]
    if options["as_json"]:
        as_json(found)
        return
    if not found["entities"] and not found["tombstones"]:
        say("Nothing matches." if prefix or narrowed or at else hint_of(found))
        return
    rows = [_state_row(row, _standing(row), row["updated_at"]) for row in found["entities"]]
    rows += [_state_row(row, "TOMBSTONED", row["since"]) for row in found["tombstones"]]
    table(("entity", "state", "artifact", "source", "since"), rows)
    files = sum("::" not in row["entity"] for row in found["entities"])
    counted = f"entities: {len(found['entities'])}, of which files: {files}"
    counted += f"; {total - len(found['entities'])} more" if total > len(found["entities"]) else ""
    note(f"{counted}; workspace {found['workspace']}; times are UTC.")


def _standing(row: dict[str, Any]) -> str:
    return f"{row['freshness']} {row['dependencies']}" if "dependencies" in row else str(row["freshness"])


def _state_row(row: dict[str, Any], now: str, at: str) -> tuple[object, ...]:
    return row["entity"], now, row["artifact"][:HASH_SHOWN], row.get("source", ""), day_and_time(at)


@click.command()
@click.option("--limit", "-n", type=click.IntRange(1, LIMIT_MAX), default=20, show_default=True)
@click.option("--after", type=click.IntRange(0), help="The first episodes after this sequence number.")
@json_option
@reads
def recent(source: Source, limit: int, after: int | None, **options: Any) -> None:
    """The last episodes, newest first: what became the truth, what didn't, and for which reason."""
    found = source.recent(limit, after)
    if options["as_json"]:
        as_json(found)
        return
    if found.get("missing"):
        note(found["missing"])
    if not found["episodes"]:
        say(hint_of(source.state()) if after is None else "Nothing since.")
        return
    for episode in found["episodes"]:
        episode_in_short(episode)
    for one in found.get("decisions") or () if after is None else ():
        if one["state"] == "open":
            open_decision(one)
    note(f"workspace {found['workspace']}; times are UTC; `tslp why EPISODE` says more.")


def open_decision(one: dict[str, Any]) -> None:
    """A question that only the user can settle, and how."""
    say(f"  DECISION  {one['says']}", "yellow")
    for number, option in enumerate(one["options"], 1):
        say(f"    {number}: {option}")
    say(f"    answered by the line: decision {one['id']}: 1", "dim")


def by_whom(row: dict[str, Any]) -> str:
    """Who made an episode, in words; empty where nobody knows, or a gateway of an older release does not say."""
    by = row.get("by") or {}
    key = by.get("key")
    named = [by.get("user"), f"team {by['team']}" if by.get("team") else None, f"key {key}" if key else None]
    return ", ".join(str(one) for one in (*named, by.get("client"), by.get("model")) if one)


def episode_in_short(episode: dict[str, Any]) -> None:
    """An episode in a line, and what it did below."""
    line = Text(f"{day_and_time(episode['at'])}  ", style="bold")
    line.append(safe(episode["episode_id"]), style="cyan").append(f"  {safe(episode['model'])}", style="dim")
    if by := by_whom(episode):
        line.append(f"  by {safe(by)}", style="dim")
    console().print(line, soft_wrap=not sys.stdout.isatty())
    if episode.get("words"):
        say(f"  you: {episode['words']}")
    if episode.get("front"):
        say(
            f"  in front of it: {listed(one['entity'] for one in episode['front'])} ({episode['injected']} tokens)",
            "dim",
        )
    verdicts(episode)


def verdicts(episode: dict[str, Any]) -> None:
    """What became of each text of an episode, and why in a sentence. An older gateway gives codes only."""
    rows = [(_became(row), row["entity"], row.get("says", row["reason"])) for row in episode["artifact_states"]]
    rows += [("DIRTY", row["path"], row.get("says", row["reason"])) for row in episode.get("dirtied", ())]
    rows = [row for row in rows if row[0] not in ("REPLACED", "SUPERSEDED")]
    if not rows:
        say("  no code was changed", "dim")
    for (verdict, says), alike in itertools.groupby(rows, lambda row: (row[0], row[2])):
        names = listed(safe(entity or "code of no known file") for _, entity, _ in alike)
        what = Text("  ").append_text(cell(verdict)).append(f"  {names}")
        console().print(what, soft_wrap=not sys.stdout.isatty())
        say(f"    {says or ''}", "dim")


@click.command()
@click.option("--last", "-n", type=click.IntRange(0, LIMIT_MAX), default=5, show_default=True, help="Begin with these.")
@click.option("--interval", type=click.FloatRange(0.1, 3600), default=1.0, show_default=True, help="Seconds.")
@click.option("--count", type=click.IntRange(1), help="Stop after so many episodes.")
@json_option
@reads
def log(source: Source, last: int, interval: float, count: int | None, **options: Any) -> None:
    """Follow the episodes as they are recorded, oldest first. Ends with Ctrl-C. --json: one episode a line."""
    for number, (episode, asked) in enumerate(_followed(source, last, interval), 1):
        if options["as_json"]:
            as_json(episode, lines=True)
        else:
            episode_in_short(episode)
            for one in asked:
                open_decision(one)
        sys.stdout.flush()
        if number == count:
            return


def _followed(source: Source, last: int, interval: float) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """The last episodes, and then each as it comes, with what is newly to be decided behind it. A gateway that is away
    for a while is waited for."""
    told = set[str]()
    found = source.recent(max(last, 1))
    newest = found["episodes"]
    if not newest:
        note(f"{hint_of(source.state())} Waiting.")
    yield from _with_decisions(newest[:last], found, told)
    after = newest[0]["seq"] if newest else 0
    away = False
    while True:
        try:
            found = source.recent(LIMIT_MAX, after)
            came, away = found["episodes"], False
        except Unreachable as error:
            if not away:
                note(f"{error.message} Waiting.")
            came, away = [], True
        yield from _with_decisions(came, found, told)
        after = came[0]["seq"] if came else after
        if len(came) < LIMIT_MAX:
            time.sleep(interval)


def _with_decisions(
    episodes: list[dict[str, Any]], found: dict[str, Any], told: set[str]
) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Episodes, oldest first, the last one with the open decisions that were not told yet."""
    for left, episode in zip(reversed(range(len(episodes))), reversed(episodes), strict=True):
        opened = [one for one in found.get("decisions") or () if one["state"] == "open" and one["id"] not in told]
        yield episode, [] if left else opened
        told |= set() if left else {one["id"] for one in opened}


@click.command()
@click.argument("what", metavar="ENTITY|EPISODE", shell_complete=complete_entity)
@json_option
@reads
def why(source: Source, what: str, **options: Any) -> None:
    """Why an entity's text is, or isn't, the truth; or what an episode did and why. In words, with the figures."""
    entity = source.entity(what)
    episode = source.episode(what) if entity is None else None
    if entity is None and episode is None:
        raise unknown(source, what)
    if options["as_json"]:
        as_json(entity or episode)
    elif entity is not None:
        say(entity["why"])
        say()
        happenings(entity["history"])
        if entity.get("missing"):
            note(entity["missing"])
    elif episode is not None:
        _why_episode(episode)


def _why_episode(episode: dict[str, Any]) -> None:
    ended = "its answer came whole" if episode["complete"] else "its answer was cut short, and is no evidence"
    if episode["seq"] is None:
        ended = "its answer is under way"
    side = " A side request of the client's: no evidence but for diffs that it carries." if episode["side"] else ""
    began = day_and_time(episode["started_at"])
    say(f"Episode {episode['episode_id']} of {began}, model {episode['model']}: {ended}.{side}")
    if by := by_whom(episode):
        say(f"By {by}.")
    if episode.get("words"):
        say(f"\nYou said:\n{textwrap.indent(episode['words'], '  ')}")
    _why_front(episode)
    say()
    if not episode["events"]:
        say("No code was changed.")
    happenings(episode["events"], named=True)


def _why_front(episode: dict[str, Any]) -> None:
    """What was put in front of the prompt, and what was not."""
    if episode["injected"]:
        say(f"\nIn front of it stood, in {episode['injected']} tokens:")
    for one in episode.get("front", ()):
        tokens = "" if one["tokens"] is None else f"{one['tokens']} tokens: "
        say(f"  {one['entity']}  {tokens}{one['says']}")
    for notice in episode.get("said") or ():
        say(textwrap.indent(notice, "  "), "dim")
    if episode["in_view"]:
        say(f"\nNot once more, as the request showed it already: {listed(episode['in_view'])}.")
    if episode.get("fit"):
        say(f"\n{episode['fit']}")


def _became(row: dict[str, Any]) -> str:
    return str(row.get("verdict") or row.get("state") or row["event"]).upper()


def happenings_in_short(rows: Iterable[dict[str, Any]]) -> None:
    """Events of one entity, a line each."""
    table(
        ("at", "event", "artifact", "reason", "episode"),
        (
            (
                day_and_time(row["at"]),
                _became(row),
                (row["artifact"] or "")[:HASH_SHOWN],
                row["reason"],
                row["episode_id"],
            )
            for row in rows
        ),
    )


def happenings(rows: Iterable[dict[str, Any]], *, named: bool = False) -> None:
    """Events in words, newest first. `named`: of several entities."""
    for row in rows:
        head = Text(f"{day_and_time(row['at'])}  ", style="bold").append_text(cell(_became(row)))
        if named:
            head.append(f"  {safe(row['entity'] or '(no entity)')}")
        if row["artifact"]:
            head.append(f"  {row['artifact'][:HASH_SHOWN]}", style="cyan")
        if row["reason"]:
            head.append(f"  {safe(row['reason'])}", style="dim")
        console().print(head, soft_wrap=not sys.stdout.isatty())
        say(f"  {row['says']}")
        if not named and row["episode_id"]:
            by = by_whom(row)
            say(f"  episode {row['episode_id']}{f', by {by}' if by else ''}", "dim")


def unknown(source: Source, name: str, at: str | None = None) -> Negative:
    """There is no such entity, or no such point; what is called alike is named."""
    if at is not None and source.entity(name, 1) is not None:
        return Negative(f"There is no such point in the history of workspace {safe(source.workspace)}: {safe(at)}.")
    found = source.state()
    names = [row["entity"] for row in (*found["entities"], *found["tombstones"])]
    if not names:
        return Negative(hint_of(found))
    alike = [known for known in names if known.endswith((f"/{name}", f"::{name}", f".{name}"))] or _near(name, names)
    said = f" Did you mean {' or '.join(map(safe, alike[:3]))}?" if alike else " `tslp state` lists what is known."
    return Negative(f"{safe(name)} is unknown in workspace {safe(found['workspace'])}.{said}")


def _near(name: str, names: Iterable[str]) -> list[str]:
    """Those of the names that are spelt much like it, the nearest first; behind their path, where it has none."""
    spelt: dict[str, list[str]] = {}
    for known in names:
        spelt.setdefault(known if "/" in name or "::" in name else re.split("::|/", known)[-1], []).append(known)
    return [known for near in difflib.get_close_matches(name, spelt) for known in spelt[near]]
