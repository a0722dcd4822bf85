"""What TSLP did in a workspace lately, in figures: all of them counted from what its Ledger and State Map hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from tslp_litellm.diagnostics import dependencies, explain
from tslp_litellm.state.events import Entry, EventKind
from tslp_litellm.store import queries, segments
from tslp_litellm.store.history import happened

if TYPE_CHECKING:
    from sqlalchemy import Connection

DAYS = 30
EPISODES_MAX = 2_000
"""So many of the newest episodes, and as many refusals and reports, are counted at most: a sixth of a second here."""
CLIENTS_MAX = 20
COLLAPSES, LOSSES = ("collapse", "left-out-code"), ("lost-symbols", "lost-decoration", "rename-unconfirmed")
"""Refusals of texts in which code was only hinted at, or too little was left; and of those that lack definitions."""


def overview(connection: Connection, tenant: str, name: str, now: datetime) -> dict[str, Any]:
    """The figures of a workspace, in the shape of `models.Overview`; `now`: UTC."""
    found = queries.workspace_id(connection, tenant, name)
    episodes, after, cut = _newest(connection, found, since_of(now))
    refused = [
        {"at": row["at"], "reason": (row["reason"] or "").rpartition(":")[2]}
        for entry in queries.proposals(connection, found, EPISODES_MAX, after)
        for row in happened(entry)
        if row["state"] is not None and explain.verdict(row) == "refused"
    ]
    tests = [
        {"at": entry.at, "verdict": entry.content()["verdict"]}
        for entry in queries.newest(connection, found, EventKind.REPORTED, EPISODES_MAX, after)
        if entry.content().get("tests")
    ]
    held, removed = queries.counts(connection, found)
    return {
        "tenant": tenant,
        "workspace": name,
        "workspaces": queries.totals(connection, tenant),
        **({"alike": older} if (older := queries.alike(connection, tenant, name)) else {}),
        "since": episodes[-1]["at"] if episodes else None,
        "cut": cut,
        **_sums(episodes),
        "share": _share(episodes),
        **_refusals(refused),
        "tests": _verdicts(tests),
        "clean": held.get("CLEAN", 0),
        "dirty": held.get("DIRTY", 0),
        "removed": removed,
        "stale": len(dependencies.stale(connection, tenant, name)),
        "days": _days(episodes, refused, tests),
        "clients": _clients(episodes),
    }


def since_of(now: datetime) -> str:
    """The first day that is counted, as the Ledger writes times."""
    return (now - timedelta(days=DAYS - 1)).strftime("%Y-%m-%d")


def _newest(connection: Connection, workspace: int | None, since: str) -> tuple[list[dict[str, Any]], int, bool]:
    """The newest episodes, newest first; the place of the Ledger behind which what else is counted stands; and whether
    there are more in the time that is counted, or may be in an archive."""
    entries = queries.newest(connection, workspace, EventKind.EPISODE, EPISODES_MAX + 1)
    inside = [entry for entry in entries[:EPISODES_MAX] if entry.at >= since]
    beyond = entries[len(inside)] if len(entries) > len(inside) else None
    more = beyond.at >= since if beyond else bool(segments.out(connection, workspace))
    return [_figures(entry) for entry in inside], beyond.seq if beyond else 0, more


def _figures(entry: Entry) -> dict[str, Any]:
    about = entry.content()
    fitted, _, left_out = (about.get("fit") or "").partition("removed=")
    return {
        "at": entry.at,
        "injected": about.get("injected", 0),
        "window": about.get("window", 0),
        "given": bool(about.get("hydrated")),
        "left_out": int(left_out) if left_out else 0,
        "too_long": bool(fitted) and explain.fit(about["fit"]) is not None and not left_out,
        "client": (about.get("by") or {}).get("client"),
    }


def _sums(episodes: list[dict[str, Any]]) -> dict[str, int]:
    keys = ("injected", "given", "left_out", "too_long")
    return {"episodes": len(episodes), **{key: sum(one[key] for one in episodes) for key in keys}}


def _share(episodes: list[dict[str, Any]]) -> float | None:
    """What was put in front of prompts, as a part of the windows that it went into; None where no window was known."""
    inside = [one for one in episodes if one["window"]]
    return sum(one["injected"] for one in inside) / sum(one["window"] for one in inside) if inside else None


def _refusals(refused: list[dict[str, Any]]) -> dict[str, Any]:
    """By reason, the most frequent first; and how many of them kept code from being lost."""
    counts = Counter(row["reason"] for row in refused)
    return {
        "refused": [{"reason": code, "says": explain.sentence(code), "count": n} for code, n in counts.most_common()],
        "collapses": sum(counts[code] for code in COLLAPSES),
        "losses": sum(counts[code] for code in LOSSES),
    }


def _verdicts(tests: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    counts = Counter(row["verdict"] for row in tests)
    return {"green": counts["green"], "red": counts["red"]}


def _days(
    episodes: list[dict[str, Any]], refused: list[dict[str, Any]], tests: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """A row a day (UTC) on which something was counted, in order."""
    days: dict[str, Counter[str]] = {}
    for one in episodes:
        days.setdefault(one["at"][:10], Counter()).update(episodes=1, injected=one["injected"])
    for row in refused:
        days.setdefault(row["at"][:10], Counter()).update(refused=1)
    for row in tests:
        days.setdefault(row["at"][:10], Counter()).update({row["verdict"]: 1})
    names = ("episodes", "injected", "refused", "green", "red")
    return [{"day": day, **{name: days[day][name] for name in names}} for day in sorted(days)]


def _clients(episodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """By client, the most frequent first."""
    calls: Counter[str | None] = Counter(one["client"] for one in episodes)
    tokens: Counter[str | None] = Counter()
    for one in episodes:
        tokens[one["client"]] += one["injected"]
    return [{"client": name, "episodes": n, "injected": tokens[name]} for name, n in calls.most_common(CLIENTS_MAX)]
