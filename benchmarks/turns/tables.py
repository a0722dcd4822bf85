"""Tables and charts of what was played. Pure functions."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

Row = dict[str, Any]
"""An arm of a seed: what `playing.Played` holds, as JSON holds it."""
HEADS = (
    "window", "arm", "right at once", "of", "95 %", "lines lost, per 100 turns", "95 %", "on an outdated base",
    "shown stale", "missing", "twice", "files right", "State Map: right / wrong / DIRTY / missing", "tokens", "ms",
)  # fmt: skip
ARMS = {"bare": "#9a3b3b", "headroom": "#b08a2e", "tslp": "#1f6f4a", "oracle": "#4a5a8a"}


def wilson(k: int, n: int, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval of a share, by Wilson."""
    if not n:
        return 0.0, 1.0
    share = k / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def bootstrap(values: Sequence[float], times: int = 400) -> tuple[float, float]:
    """The 95 % interval of a mean, by resampling from a seed."""
    rng = random.Random(1)
    means = sorted(sum(rng.choices(values, k=len(values))) / len(values) for _ in range(times))
    return means[int(0.025 * times)], means[int(0.975 * times)]


def grouped(rows: Sequence[Row]) -> dict[tuple[int, str], list[Row]]:
    """All seeds of an arm at a window."""
    out = defaultdict[tuple[int, str], list[Row]](list)
    for row in rows:
        out[row["window"], row["arm"]].append(row)
    return dict(sorted(out.items(), key=lambda one: (one[0][0], list(ARMS).index(one[0][1]))))


def lines(rows: Sequence[Row]) -> list[list[str]]:
    """A row of the table for each window and arm."""
    out = []
    for (window, arm), some in grouped(rows).items():
        turns = [turn for row in some for turn in row["turns"]]
        right, lost = sum(t["right"] for t in turns), [float(t["lost"]) for t in turns]
        low, high = wilson(right, len(turns))
        least, most = bootstrap(lost)
        sight = {name: sum(t["sight"][name] for t in turns) for name in ("stale", "missing")}
        shown = sum(len(t["shown_stale"]) for t in turns)
        tokens, seconds = (sum(t[name] for t in turns) / len(turns) for name in ("tokens", "seconds"))
        state = [sum(row["state"].get(name, 0) for row in some) for name in ("right", "wrong", "dirty", "missing")]
        out.append([
            str(window), arm, str(right), str(len(turns)), f"{low:.1%} … {high:.1%}",
            f"{100 * sum(lost) / len(lost):.1f}", f"{100 * least:.1f} … {100 * most:.1f}", str(sight["stale"]),
            str(shown), str(sight["missing"]), str(sum(t["twice"] for t in turns)),
            f"{sum(row['files_right'] for row in some)} of {sum(row['files'] for row in some)}",
            " / ".join(map(str, state)) if any(state) else "–",
            f"{tokens:.0f}", f"{1000 * seconds:.0f}",
        ])  # fmt: skip
    return out


def of_oracle(rows: Sequence[Row]) -> list[list[str]]:
    """For each window what TSLP has of the oracle's right turns, overall and in its worst seed."""
    out, found = [], grouped(rows)
    for window in sorted({row["window"] for row in rows}):
        pair = [found.get((window, arm), []) for arm in ("tslp", "oracle")]
        if not all(pair):
            continue
        by_seed = [{row["seed"]: sum(t["right"] for t in row["turns"]) for row in some} for some in pair]
        shares = [by_seed[0][seed] / max(1, by_seed[1][seed]) for seed in by_seed[0].keys() & by_seed[1].keys()]
        whole = sum(by_seed[0].values()) / max(1, sum(by_seed[1].values()))
        out.append([str(window), f"{whole:.1%}", f"{min(shares):.1%}", "yes" if min(shares) >= 0.95 else "**no**"])
    return out


def markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    bar = "|" + "|".join("---" for _ in heads) + "|"
    return "\n".join(["| " + " | ".join(heads) + " |", bar, *("| " + " | ".join(row) + " |" for row in rows)])


def chart(rows: Sequence[Row], what: str, said: str, value: Callable[[Row], float]) -> str:
    """An SVG: what has come together over the turns, one line an arm, one picture a window; the mean of seeds."""
    windows = sorted({row["window"] for row in rows})
    wide, high, left, top = 250, 190, 48, 44
    total = left + len(windows) * (wide + 34)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="{high + top + 40}" '
        f'viewBox="0 0 {total} {high + top + 40}" font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="{left}" y="16" font-size="13">{said}</text>',
    ]
    sums = {key: _together(some, value) for key, some in grouped(rows).items()}
    most = max((max(one, default=0) for one in sums.values()), default=1) or 1
    for n, window in enumerate(windows):
        x0 = left + n * (wide + 34)
        parts.append(f'<text x="{x0}" y="{top - 8}">window {window:,} tokens</text>')
        parts.append(f'<path d="M{x0} {top}V{top + high}H{x0 + wide}" fill="none" stroke="#888888"/>')
        parts.append(f'<text x="{x0 - 4}" y="{top + 9}" text-anchor="end">{most:,.0f}</text>')
        for (at, arm), one in sums.items():
            if at == window and one:
                step = max(1, len(one) // 120)
                shown = [*range(0, len(one), step), len(one) - 1]
                points = " ".join(
                    f"{x0 + wide * (i + 1) / len(one):.1f},{top + high * (1 - one[i] / most):.1f}" for i in shown
                )
                parts.append(f'<polyline points="{points}" fill="none" stroke="{ARMS[arm]}" stroke-width="2"/>')
        count = max((len(one) for (at, _), one in sums.items() if at == window), default=0)
        parts.append(f'<text x="{x0 + wide}" y="{top + high + 14}" text-anchor="end">{count:,} turns</text>')
    for n, arm in enumerate(sorted({arm for _, arm in sums}, key=list(ARMS).index)):
        x = left + n * 90
        parts.append(f'<rect x="{x}" y="{top + high + 22}" width="14" height="4" fill="{ARMS[arm]}"/>')
        parts.append(f'<text x="{x + 20}" y="{top + high + 29}">{arm}</text>')
    return "\n".join([*parts, f"<title>{what}</title>", "</svg>"]) + "\n"


def _together(rows: Sequence[Row], value: Callable[[Row], float]) -> list[float]:
    """The running sum over the turns, the mean of the seeds."""
    length = min(len(row["turns"]) for row in rows)
    out, total = list[float](), 0.0
    for n in range(length):
        total += sum(value(row["turns"][n]) for row in rows) / len(rows)
        out.append(total)
    return out
