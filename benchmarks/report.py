"""Tables, plots and the note: docs/performance.md, docs/performance/*.png."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import matplotlib as mpl
from tabulate import tabulate

mpl.use("Agg")
from matplotlib import pyplot as plt

from benchmarks.latency import GOAL
from benchmarks.servers import ROOT
from benchmarks.sight import tables
from benchmarks.stall import above_bare
from benchmarks.workloads import SIZES
from tslp_litellm.engine import rehearsal

OUT = ROOT / "docs" / "performance"
NOTE, REASONS = ROOT / "docs" / "performance.md", OUT / "reasons.md"
RECORDED_A_SECOND = 2 * 809
"""Twice what it was before recording was looked at as a whole."""

SIGHT = ("<!-- what the model sees: written by `python -m benchmarks.sight` -->", "<!-- what the model sees: end -->")


def write(results: dict[str, Any]) -> None:
    """All of it, from the results."""
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    plots(results)
    goals = table(["goal", "wanted", "measured", "reached"], goal_rows(results))
    reasons = REASONS.read_text() if REASONS.is_file() else ""
    parts = [head(results), "## Goals", goals, reasons.strip(), *sections(results)]
    NOTE.write_text("\n\n".join(filter(None, parts)) + "\n")
    print(goals)


def amend(results: dict[str, Any]) -> None:
    """What the model sees, alone: the note's other parts stay as they are, and may be of an older run."""
    (OUT / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    sight_chart(results["sight"])
    made, note = sight(results["sight"]), NOTE.read_text()
    if SIGHT[0] in note:
        pattern = re.escape(SIGHT[0]) + ".*?" + re.escape(SIGHT[1])
        NOTE.write_text(re.sub(pattern, lambda _: made, note, flags=re.S))
    else:
        NOTE.write_text(note.rstrip("\n") + "\n\n" + made + "\n")
    print(made)


def sight(rows: list[dict[str, Any]]) -> str:
    """The section of what the model sees."""
    goals = [[*goal, "yes" if met else "**no**"] for *goal, met in tables.goals(rows)]
    found = table(["goal", "wanted", "measured, at worst", "reached"], goals)
    all_rows = table(list(tables.HEADS), tables.lines(rows))
    chart = "![What the model sees](performance/sight.png)"
    parts = [SIGHT[0] + "\n## What the model sees", tables.EXPLAINED, found, all_rows, chart, SIGHT[1]]
    return "\n\n".join(parts)


def sight_chart(rows: list[dict[str, Any]]) -> None:
    """Its chart."""
    figure, all_axes = plt.subplots(2, 3, figsize=(11, 6), layout="constrained")
    tables.chart(rows, all_axes)
    _save(figure, all_axes[0][0], "sight.png")


def table(headers: list[str], rows: list[list[Any]]) -> str:
    """A Markdown table."""
    return tabulate(rows, headers, tablefmt="github", floatfmt=".1f", missingval="–")


def head(results: dict[str, Any]) -> str:
    """What was measured, where and when."""
    about = results["about"]
    rows = [[key, value] for key, value in about.items()]
    taken = [[part, *how.values()] for part, how in results.get("taken", {}).items()]
    runs = table(["measured", "when", "commit", "run", "load average"], taken)
    return (
        "# Performance\n\nWritten by `make bench`; do not edit. Every figure is paired with bare LiteLLM in the same "
        "run, in turns, at the same work.\n`benchmarks/` says how; "
        "[results.json](performance/results.json) has all figures.\n\n" + table(["", ""], rows) + "\n\n" + runs
    )


def goal_rows(results: dict[str, Any]) -> list[list[str]]:
    """Each goal of the issue, with what was measured."""
    rows: list[list[str]] = []

    def row(goal: str, wanted: str, measured: str, met: bool) -> None:
        rows.append([goal, wanted, measured, "yes" if met else "**no**"])

    found = _beside_noop(results.get("prompts", []))
    if found is not None:
        least = f"{found:+.1f} ms"
        row("first chunk, agentic, 8 streams, p50 over a no-op guardrail's", "≤ 1 ms", least, found <= 1)
    if grown := [r for r in results.get("entities", []) if r["with"] != "bare"]:
        flat = grown[-1]["first_p50"] / grown[0]["first_p50"]
        row("most entities over fewest (first chunk, p50)", "≤ 1.2", f"{flat:.2f}", flat <= 1.2)
    if late := results.get("stalls"):
        for share, limit in (("p99", 5), ("max", 10)):
            where, worst = max(above_bare(late, share).items(), key=lambda pair: pair[1])
            said = f"{worst:+.1f} ms ({where})"
            goal = f"stall of the event loop over bare's, requests and answers of 10 kB to 1 MB, {share}"
            row(goal, f"≤ {limit} ms", said, worst <= limit)
    if alone := results.get("isolated"):
        worst = max(alone, key=lambda r: r["max"])
        said = f"{worst['max']:.1f} ms ({worst['what']} {worst['size']})"
        row("stall of the event loop, the runtime alone, at most", "≤ 10 ms", said, worst["max"] <= 10)
    if memory := results.get("memory"):
        over = {
            kind: max(memory[w]["seeded"][kind] - memory[w]["bare"][kind] for w in ("idle", "after"))
            for kind in ("pss", "rss")
        }
        done = f"{memory['entities']:,} entities, {memory['requests']:,} requests"
        said = f"{over['pss']:.0f} MB ({over['rss']:.0f} MB with shared pages counted in each)"
        row(f"memory of all processes over bare LiteLLM ({done})", "≤ 64 MB", said, over["pss"] <= 64)
        slope = memory["soak"]["mb_per_1000"]
        said = "too short a soak" if slope is None else f"{slope:+.2f} MB in 1,000 requests"
        row("growth over the soak, beside bare", "flat", said, slope is not None and slope < 1)
    if recording := results.get("recording"):
        rate = recording["code"]["per_s"]
        row("answers with code recorded", f"≥ {RECORDED_A_SECOND}/s", f"{rate:.0f}/s", rate >= RECORDED_A_SECOND)
    if made := results.get("maintenance"):
        scaled = made["rebuild_s"] * 100_000 / made["episodes"]
        note = "" if made["episodes"] == 100_000 else f", scaled from {made['episodes']:,}"
        row("rebuild of 100,000 episodes", "≤ 30 s", f"{scaled:.1f} s{note}", scaled <= 30)
    return rows


def _beside_noop(rows: list[dict[str, Any]]) -> float | None:
    """By how much TSLP's median first chunk is above a no-op guardrail's, in the goal's own cell."""
    cell = {row["with"]: row["first_p50"] for row in rows if (row["api"], row["size"], row["streams"]) == GOAL}
    ours = [ms for name, ms in cell.items() if name.startswith("tslp")]
    noop = cell.get("no-op guardrail")
    return ours[0] - noop if ours and noop is not None else None


def sections(results: dict[str, Any]) -> list[str]:
    """The tables of the note."""
    out = []
    if rows := results.get("prompts"):
        absent = sorted(set(SIZES) - {row["size"] for row in rows})
        explained = EXPLAINED + (f" Not measured yet: {', '.join(absent)} prompts." if absent else "")
        out += ["## Added time, in ms", explained, latency(rows), "![First chunk](performance/first-chunk.png)"]
    if rows := results.get("entities"):
        out += ["## Entities in the workspace", latency(rows), "![Entities](performance/entities.png)"]
    if rows := results.get("stalls"):
        out += ["## Lateness of the event loop, in ms", "In the proxy, under load, beside bare LiteLLM:", stalls(rows)]
    if rows := results.get("isolated"):
        out += ["The runtime alone, so that every stall is ours (or the machine's, see `idle`):", stalls(rows)]
        out += ["![Stalls](performance/stalls.png)"]
    if memory := results.get("memory"):
        faces = ("bare", "tslp", "seeded")
        lines = [
            [w, kind, *(memory[w][face][kind] for face in faces)]
            for w in ("idle", "after")
            for kind in ("pss", "rss", "processes")
        ]
        heads = ["MB", "", "bare", "tslp", f"tslp, {memory['entities']:,} entities"]
        explained = f"Of all processes together. `after`: {memory['requests']:,} agentic requests. "
        explained += "`pss`: pages that processes share count once."
        out += ["## Memory", explained, table(heads, lines)]
        out += ["![Soak](performance/soak.png)"]
    if recording := results.get("recording"):
        out += ["## Recording", storage(recording)]
    if where := results.get("profiles"):
        out += ["## Where the time goes", *profiled(where)]
    if made := results.get("maintenance"):
        pairs = [[key.replace("_", " "), value] for key, value in made.items()]
        out += ["## Rebuild and verify", table(["", ""], pairs)]
    if results.get("sight"):
        out.append(sight(results["sight"]))
    return out


EXPLAINED = (
    "`+`: by how much the percentile is above bare LiteLLM's, with its 95 % interval by resampling. `update`: median "
    "of what requests that bring a new file text add to the first chunk. At 1 stream the model answers at once; at "
    "8 and 32 it streams for two seconds, and streams begin spread over that; 32 streams are measured once, not in "
    "turns. Every prompt that TSLP served was checked to hold the current text."
)


def profiled(where: dict[str, Any]) -> list[str]:
    """Profiles of `profiles.measure`."""
    found = {(size, visit): shares for size, visits in where["visits"].items() for visit, shares in visits.items()}
    total: Counter[str] = Counter()
    for shares in found.values():
        total.update(shares)
    lines = [[part, *(shares.get(part) for shares in found.values())] for part, _ in total.most_common()]
    when = "with the first text; at start where the database knows such files"
    once = [[name, took, "at start" if name in rehearsal.USUAL else when] for name, took in where["queries"].items()]
    return [
        f"Milliseconds of the visit's thread, {where['calls']} calls each, {where['entities']:,} entities; parts by "
        "cProfile, scaled to what the calls take without it:",
        table(["ms", *(f"{size}, {visit}" for size, visit in found)], lines),
        "To compile a language's tags query (one call, once in a parser's process):",
        table(["language", "ms", "when"], once),
    ]


def latency(rows: list[dict[str, Any]]) -> str:
    """Rows of `latency.cell`."""

    def plus(row: dict[str, Any], what: str) -> str:
        if row["with"] == "bare":
            return ""
        value, low, high = row[what + "_added"]
        return f"{value:+.1f} ({low:+.1f} … {high:+.1f})"

    whats = ("first_p50", "first_p99", "total_p50", "total_p99")
    heads = ["API", "prompt", "streams", "with", "calls", "first p50", "first p99"]
    heads += ["+ first p50", "+ first p99", "+ total p50", "+ total p99", "+ update", "CPU a call"]
    lines = []
    for r in rows:
        update = r["first_update_p50_added"] if r["with"] != "bare" else None
        named = [r["api"], r["size"], r["streams"], r["with"], r["calls"], r["first_p50"], r["first_p99"]]
        lines.append([*named, *(plus(r, w) for w in whats), update, r.get("cpu")])
    return table(heads, lines)


def stalls(rows: list[dict[str, Any]]) -> str:
    """Rows of `stall` and `isolated`."""
    keys = [k for k in ("what", "size", "with", "p50", "p99", "max", "over_5", "late", "ticks", "cpu") if k in rows[0]]
    names = {"over_5": "above 5 ms", "late": "ms of those a call", "cpu": "CPU a call"}
    return table([names.get(k, k) for k in keys], [[r.get(k) for k in keys] for r in rows])


def storage(recording: dict[str, Any]) -> str:
    """The two kinds of episode, and SQLite alone."""
    keys = list(dict.fromkeys([*recording["prose"], *recording["code"]]))
    lines = [[k.replace("_", " "), recording["prose"].get(k), recording["code"].get(k)] for k in keys]
    rates = f"SQLite alone, the same rows: {recording['sqlite']:.0f} commits/s (`synchronous=NORMAL`, as ours), "
    rates += f"{recording['sqlite_full']:.0f}/s with `FULL`.\n\n"
    return rates + table(["", "prose", "with code"], lines)


def plots(results: dict[str, Any]) -> None:
    """The plots."""
    if rows := results.get("prompts"):
        _bars(
            [r for r in rows if r["with"] != "bare"],
            "first-chunk.png",
            lambda r: f"{r['api']}\n{r['size']}\n{r['streams']}",
        )
    if rows := results.get("entities"):
        _bars([r for r in rows if r["with"] != "bare"], "entities.png", lambda r: f"{r['streams']} streams")
    if rows := results.get("isolated"):
        figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
        for what in ("p50", "p99", "max"):
            axes.plot([f"{r['what']}\n{r['size']}" for r in rows], [r[what] for r in rows], marker="o", label=what)
        axes.axhline(10, color="grey", linestyle=":")
        axes.set(yscale="log", ylabel="lateness, ms", title="Event loop, the runtime alone")
        _save(figure, axes, "stalls.png")
    if results.get("sight"):
        sight_chart(results["sight"])
    if soak := results.get("memory", {}).get("soak", {}).get("rows"):
        figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
        for n, name in ((1, "bare"), (2, "tslp")):
            axes.plot([r[0] for r in soak], [r[n] for r in soak], label=name)
        axes.set(xlabel="requests", ylabel="MB (PSS)", title="Soak", ylim=(0, None))
        _save(figure, axes, "soak.png")


def _bars(rows: list[dict[str, Any]], file: str, label: Any) -> None:
    figure, all_axes = plt.subplots(2, 1, figsize=(max(6, len(rows) * 0.3), 6), sharex=True, layout="constrained")
    groups, names = list(dict.fromkeys(map(label, rows))), list(dict.fromkeys(r["with"] for r in rows))
    for axes, share in zip(all_axes, ("p50", "p99"), strict=True):
        for n, name in enumerate(names):
            mine = {label(r): r for r in rows if r["with"] == name}
            at = [groups.index(g) + (n - len(names) / 2) * 0.8 / len(names) for g in mine]
            axes.bar(
                at, [r[f"first_{share}_added"][0] for r in mine.values()], 0.8 / len(names), align="edge", label=name
            )
        axes.set(ylabel=f"{share}: ms above bare", yscale="symlog")
        axes.set_xticks(range(len(groups)), groups, fontsize=6)
    all_axes[0].set_title("Added time to the first chunk")
    _save(figure, all_axes[0], file)


def _save(figure: Any, axes: Any, file: str) -> None:
    axes.legend(fontsize=7)
    figure.savefig(OUT / file, dpi=120, metadata={"Software": None})
    plt.close(figure)
