"""The table, the goals and the chart of what a model sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from benchmarks.sight.playing import UNBOUNDED

EXPLAINED = (
    "Whole requests of the acceptance suite's replays, of long histories made from them and of recorded sessions, bare "
    "and with TSLP, behind a server that cuts like ollama: it keeps the system prompt, the tools and the newest "
    "messages that fit. `fit`: requests of which it cuts nothing; `if possible`: of those that can be made to fit. "
    "`task`: the user's latest own words are all there, of "
    "the requests in which they fit beside what is never left out; `cut`: how often they are not, and in brackets how "
    "often where they would fit beside the system prompt and the tools alone. `present` and `one copy`: mentioned "
    "entities whose current text stands there, and stands there exactly once, of those whose text fits into the budget "
    "of hydration and beside what is never left out (and, for one copy, stands in that once at most: some clients' "
    "last results repeat what a call wrote); `fitted`: of these, where something was left out. `redundant`: "
    "injected tokens of texts that stood there already. `prefill`: tokens behind the common prefix with the "
    "conversation's request before, relative to bare, of clients that chat and of those that work in tool loops."
)
HEADS = (
    "workload", "window", "with", "requests", "fit", "if possible", "task", "cut", "present", "one copy", "fitted",
    "redundant", "prefill, chat", "prefill, loops",
)  # fmt: skip
NOTHING = "–"
"""What stands where there was nothing to measure."""


def window_of(row: dict[str, Any]) -> str:
    """A window as it is read."""
    return "unbounded" if row["window"] == UNBOUNDED else f"{row['window'] // 1024}k"


def lines(rows: Iterable[dict[str, Any]]) -> list[list[Any]]:
    """Rows of `tallies.rows` as the table has them."""
    return [
        [
            r["kind"], window_of(r), r["with"], r["requests"], percent(r["fit"]), percent(r["fit_possible"]),
            percent(r["task"]),
            f"{r['task_cut']} ({r['task_cut_alone']})", percent(r["present"]), percent(r["one"]),
            percent(r["one_fitted"]), percent(r["redundant"]), times(r["prefill_chat"]), times(r["prefill_loop"]),
        ]
        for r in rows
    ]  # fmt: skip


def percent(value: float | None) -> str:
    """A share."""
    return NOTHING if value is None else f"{value:.1%}".replace("%", " %")


def times(value: float | None) -> str:
    """A ratio."""
    return NOTHING if value is None else f"{value:.2f}"


def goals(rows: list[dict[str, Any]]) -> list[tuple[str, str, str, bool]]:
    """The goals: what, wanted, measured, reached. One of which there was nothing to measure is not reached."""
    ours = [r for r in rows if r["with"] != "bare"]
    start = [r for r in ours if "tail" not in r["with"]]
    keep, current = ([r for r in start if r["with"].endswith(name)] for name in ("keep", "current"))
    replays = [r for r in start if r["kind"] == "replay"]
    out = [
        _least(f"requests that fit, replays at {size // 1024}k", [r for r in replays if r["window"] == size], "fit", at)
        for size, at in ((8192, 0.95), (16384, 0.99))
    ]
    cut = sum(r["task_cut"] for r in ours)
    out.append(("the task is cut where it can fit", "never", f"{cut} of {sum(r['requests'] for r in ours)}", cut == 0))
    out.append(_least("mentioned entities present, where they fit", start, "present", 0.99))
    out.append(_least("exactly one current copy, `history: current`", current, "one", 0.95))
    out.append(_least("exactly one current copy, where it had to be fitted", keep, "one_fitted", 0.95))
    out.append(_beside(rows))
    out.append(_most("injected tokens that are redundant", ours, "redundant", 0.05, percent))
    for name, key, at in (("chat", "prefill_chat", 1.1), ("tool loops", "prefill_loop", 1.3)):
        out += _better(name, key, at, ours)
    differing = sum(r["states_differing"] for r in ours)
    out.append(("State Maps that differ with the window", "none", str(differing), differing == 0))
    return out


def _better(name: str, key: str, at: float, rows: list[dict[str, Any]]) -> list[tuple[str, str, str, bool]]:
    """The goal of what is prefilled again, with the better placement, in the windows that both were tried in."""
    kept = [r for r in rows if "history keep" in r["with"] and r[key] is not None]
    tails = [r for r in kept if "tail" in r["with"]]
    windows = {r["window"] for r in tails} or {r["window"] for r in kept}
    starts = [r for r in kept if "tail" not in r["with"] and r["window"] in windows]
    placed = [(where, chosen) for where, chosen in (("auto", starts), ("tail", tails)) if chosen]
    if not placed:
        return [_most(f"prefill, {name}", [], key, at, times)]
    where, chosen = min(placed, key=lambda one: max(r[key] for r in one[1]))
    return [_most(f"prefill, {name}, placement {where}", chosen, key, at, times)]


def _least(what: str, rows: list[dict[str, Any]], key: str, at: float) -> tuple[str, str, str, bool]:
    """The smallest of some shares, and where it is."""
    return _extreme(what, f"≥ {at:.0%}".replace("%", " %"), rows, key, min, lambda value: value >= at, percent)


def _most(
    what: str, rows: list[dict[str, Any]], key: str, at: float, say: Callable[[Any], str]
) -> tuple[str, str, str, bool]:
    return _extreme(what, f"≤ {say(at)}", rows, key, max, lambda value: value <= at, say)


def _extreme(
    what: str, wanted: str, rows: list[dict[str, Any]], key: str, pick: Any, met: Callable[[float], bool],
    say: Callable[[Any], str],
) -> tuple[str, str, str, bool]:  # fmt: skip
    found = [r for r in rows if r[key] is not None]
    if not found:
        return what, wanted, NOTHING, False
    one = pick(found, key=lambda r: r[key])
    return what, wanted, f"{say(one[key])} ({one['kind']}, {window_of(one)}, {one['with']})", met(one[key])


def _beside(rows: list[dict[str, Any]]) -> tuple[str, str, str, bool]:
    """One current copy where nothing had to be fitted, beside bare."""
    what, wanted = "exactly one current copy, nothing fitted, over bare's", "≥ 0"
    bare = {(r["kind"], r["window"]): r["one_others"] for r in rows if r["with"] == "bare"}
    kept = [r for r in rows if r["with"] == "tslp, history keep" and r["one_others"] is not None]
    over = [(r["one_others"] - (bare[r["kind"], r["window"]] or 0), r) for r in kept]
    if not over:
        return what, wanted, NOTHING, False
    least, one = min(over, key=lambda pair: pair[0])
    return what, wanted, f"{least * 100:+.1f} points ({one['kind']}, {window_of(one)})", least >= 0


def chart(rows: list[dict[str, Any]], axes: Any) -> None:
    """Requests that fit, one current copy, and the task: a panel each of the replays and of the long histories."""
    titles = {"fit": "requests that fit", "task": "the task is all there", "one": "exactly one current copy"}
    chosen = [
        r for r in rows if r["kind"] in ("replay", "long") and r["window"] != UNBOUNDED and "tail" not in r["with"]
    ]
    windows = sorted({r["window"] for r in chosen})
    names = list(dict.fromkeys(r["with"] for r in chosen))
    for kind, line in zip(("replay", "long"), axes, strict=True):
        for (key, title), ax in zip(titles.items(), line, strict=True):
            for n, name in enumerate(names):
                mine = {r["window"]: r[key] or 0 for r in chosen if r["with"] == name and r["kind"] == kind}
                at = [windows.index(w) + (n - len(names) / 2) * 0.8 / len(names) for w in mine]
                ax.bar(at, [100 * v for v in mine.values()], 0.8 / len(names), align="edge", label=name)
            ax.set_xticks(range(len(windows)), [f"{w // 1024}k" for w in windows], fontsize=7)
            ax.set(title=f"{kind}: {title}", ylim=(0, 100))
            ax.title.set_fontsize(8)
        line[0].set(ylabel="%")
