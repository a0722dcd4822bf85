"""Added time to the first chunk and to the last one, beside bare LiteLLM in the same run."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import Progress

from benchmarks import load, seed, workloads
from benchmarks.load import Sample
from benchmarks.servers import Proxy, headroom, upstream
from benchmarks.upstream import model

QUICK, PACED = model(5, 0, 6, 40), model(20, 100, 20, 40)
"""For one stream alone, and for several: answers of two seconds, so that 8 streams leave bare LiteLLM time to spare."""
STREAMS = (1, 8, 32)
GOAL = ("chat", "agentic", 8)
RESAMPLES = 400
ANSWER_S = 2.0
"""How long a paced answer takes: streams begin spread over that, so that they don't all ask at once."""
FIRST = 3
"""The first request that counts asks about what is seeded: a cell may be as small as that."""


@dataclass(frozen=True)
class Plan:
    """How much is measured: calls a cell, by size, and of the goal's own cell."""

    calls: dict[str, int]
    goal_calls: int
    rounds: int
    apis: tuple[str, ...] = workloads.APIS
    streams: tuple[int, ...] = STREAMS
    entities: tuple[int, ...] = (1_000, 10_000, 100_000)
    beside: bool = True


@contextlib.contextmanager
def running(folder: Path, databases: dict[str, Path], beside: bool) -> Iterator[list[Proxy]]:
    """Bare LiteLLM and what is measured against it, all up at once. `databases`: one TSLP for each."""
    with contextlib.ExitStack() as stack:
        process, base = upstream(folder)
        stack.enter_context(process)
        made = [("bare", "bare", None, "")]
        if beside:
            made.append(("no-op guardrail", "noop", None, ""))
            if sidecar := stack.enter_context(headroom(folder)):
                made.append(("headroom-ai", "headroom", None, sidecar))
        made += [(name, "tslp", database, "") for name, database in databases.items()]  # type: ignore[misc]
        yield [
            stack.enter_context(Proxy(n, face, base, [QUICK, PACED], folder, database=d, sidecar=s))  # type: ignore[misc]
            for n, face, d, s in made
        ]


def added(bare: np.ndarray, other: np.ndarray, share: float) -> tuple[float, float, float]:
    """By how much a percentile grew, and the 95 % interval of that by resampling."""
    rng = np.random.default_rng(1)
    resampled = [
        np.percentile(rng.choice(other, len(other)), share) - np.percentile(rng.choice(bare, len(bare)), share)
        for _ in range(RESAMPLES)
    ]
    low, high = np.percentile(resampled, [2.5, 97.5])
    return float(np.percentile(other, share) - np.percentile(bare, share)), float(low), float(high)


def cell(
    proxies: list[Proxy], api: str, size: str, streams: int, calls: int, rounds: int, files: int, tag: str = ""
) -> list[dict[str, Any]]:
    """One cell of the table: the same work for every proxy, in turns."""
    name = QUICK if streams == 1 else PACED
    tag = f"{tag}{api}_{size}_{streams}"
    makers = [load.asks(api, size, 100 + streams * 7 + n, name, tag, files) for n in range(streams)]
    rounds = min(rounds, max(1, calls // streams))
    a_round = max(1 if size == "long" else 2, calls // (streams * rounds))
    found: dict[str, list[Sample]] = defaultdict(list)
    cpu = dict.fromkeys((proxy.name for proxy in proxies), 0.0)
    able = [proxy for proxy in proxies if _manages(proxy, makers)]
    for number in range(rounds):
        for proxy in able[number % len(able) :] + able[: number % len(able)]:
            before, start = proxy.cpu(), FIRST + number * a_round
            try:
                found[proxy.name] += load.run(proxy, makers, range(start, start + a_round), ANSWER_S)
            except RuntimeError as error:
                _leave_out(proxy, error)
                found.pop(proxy.name, None)
                able = [other for other in able if other is not proxy]
            cpu[proxy.name] += proxy.cpu() - before
    rows = []
    bare = found[proxies[0].name]
    for proxy in (proxy for proxy in proxies if proxy.name in found):
        named = {"api": api, "size": size, "streams": streams, "with": proxy.name}
        rows.append({**named, **_row(bare, found[proxy.name]), "cpu": cpu[proxy.name] * 1000 / len(found[proxy.name])})
    return rows


def _manages(proxy: Proxy, makers: list[Callable[[int], load.Ask]]) -> bool:
    """Whether it answers at all, with the first prompt of each stream."""
    try:
        load.run(proxy, makers, range(1))
    except RuntimeError as error:
        _leave_out(proxy, error)
        return False
    return True


def _leave_out(proxy: Proxy, error: RuntimeError) -> None:
    """What stands beside us may fail in a cell; bare LiteLLM and TSLP may not."""
    if proxy.face in ("bare", "tslp"):
        raise error
    print(f"{proxy.name} is left out of a cell: {error}"[:300])


def _row(bare: list[Sample], samples: list[Sample]) -> dict[str, Any]:
    row: dict[str, Any] = {"calls": sum(s.kind == "known" for s in samples)}
    for what in ("first", "total"):
        base = np.array([getattr(s, what) for s in bare if s.kind == "known"])
        values = np.array([getattr(s, what) for s in samples if s.kind == "known"])
        for share in (50, 99):
            row[f"{what}_p{share}"] = float(np.percentile(values, share))
            row[f"{what}_p{share}_added"] = added(base, values, share)
        news, base = ([getattr(s, what) for s in side if s.kind == "update"] for side in (samples, bare))  # type: ignore[assignment]
        row[f"{what}_update_p50_added"] = float(np.median(news) - np.median(base)) if news else None
    return row


def measure(
    folder: Path, plan: Plan, progress: Progress, before: Iterable[dict[str, Any]] = ()
) -> Iterator[dict[str, Any]]:
    """Items 1 and 2, what matters most first: the results so far, after every cell. `before`: rows of an earlier run;
    those of sizes that the plan does not name are kept."""
    sizes = [s for s in workloads.SIZES if plan.calls.get(s)]
    databases: dict[str, Path] = {}
    bar = progress.add_task("seeding", total=sum(plan.entities))
    for entities in plan.entities:
        databases[f"tslp, {entities:,} entities"] = folder / f"seeded-{entities}.db"
        seed.seed(folder / f"seeded-{entities}.db", load.WORKSPACE, entities)
        progress.advance(bar, entities)
    files = plan.entities[0] // (workloads.FUNCTIONS_A_FILE + 1)
    prompts = [row for row in before if row["size"] not in sizes]
    with running(folder, databases, plan.beside) as proxies:
        largest = [p for p in proxies if p.face != "tslp"] + [p for p in proxies if p.face == "tslp"][-1:]
        cells = [(a, s, n) for s in sizes for n in plan.streams for a in plan.apis]
        cells.sort(key=lambda c: c != GOAL)
        bar = progress.add_task("prompts × APIs × streams", total=len(cells) + 1)
        some = [p for p in proxies if p.face in ("bare", "tslp")]
        if GOAL[1] in sizes:
            yield {"entities": cell(some, *GOAL, plan.goal_calls, plan.rounds, files, tag="grown")}
        progress.advance(bar)
        for api, size, streams in cells:
            calls = plan.goal_calls if (api, size, streams) == GOAL else plan.calls[size]
            prompts += cell(largest, api, size, streams, calls, plan.rounds, files)
            progress.advance(bar)
            yield {"prompts": prompts}
