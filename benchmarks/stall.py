"""How long the event loop stands still while long requests and answers go through, seen by a task in the proxy.

Beside bare LiteLLM in turns, with the same texts: what LiteLLM itself does with a megabyte is no stall of ours.
"""

from __future__ import annotations

import contextlib
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from rich.progress import Progress

from benchmarks import load, workloads
from benchmarks.latency import PACED
from benchmarks.servers import Proxy, upstream
from benchmarks.upstream import model

SIZES = {"10 kB": 10_000, "100 kB": 100_000, "1 MB": 1_000_000}
CHUNKS = {"10 kB": (20, 512), "100 kB": (50, 2048), "1 MB": (128, 8192)}
"""How an answer of a size comes: so many chunks of so many characters."""
SHORT = model(10, 10, 8, 40)
"""What answers long requests."""
STREAMS = 4
ROUNDS = 3
WARM_UP = range(10_000, 10_001)
"""One call of each kind first: what is loaded on first use is no stall that comes again."""
AFTERWARDS_S = 1.0
"""What is recorded after the last byte counts too."""

Asks = Callable[[int, int], load.Ask]


def measure(folder: Path, calls: int, progress: Progress) -> list[dict[str, Any]]:
    """Latenesses of the event loop for each direction and size, bare and with TSLP."""
    answers = {label: model(10, 10, chunks, size) for label, (chunks, size) in CHUNKS.items()}
    works: dict[tuple[str, str], Asks] = {("request", label): partial(_request, size) for label, size in SIZES.items()}
    works |= {("answer", label): partial(_answer, name) for label, name in answers.items()}
    bar = progress.add_task("event loop", total=len(works) * ROUNDS * 2)
    rows: list[dict[str, Any]] = []
    with contextlib.ExitStack() as stack:
        process, base = upstream(folder)
        stack.enter_context(process)
        proxies = [
            stack.enter_context(Proxy(n, face, base, [*answers.values(), SHORT, PACED], folder, probe=True))
            for n, face in (("bare-probed", "bare"), ("tslp-probed", "tslp"))
        ]
        for proxy in proxies:
            for ask in works.values():
                _played(proxy, ask, WARM_UP)  # type: ignore[arg-type]
        for (what, label), ask in works.items():
            late: dict[str, list[tuple[float, float]]] = defaultdict(list)
            cpu: dict[str, float] = defaultdict(float)
            for number in range(ROUNDS):
                for proxy in proxies[:: 1 if number % 2 else -1]:
                    found, used = _played(proxy, ask, range(number * calls, (number + 1) * calls))  # type: ignore[arg-type]
                    late[proxy.face] += found  # type: ignore[attr-defined]
                    cpu[proxy.face] += used  # type: ignore[attr-defined]
                    progress.advance(bar)
            for face in ("bare", "tslp"):
                made = calls * STREAMS * ROUNDS
                more = {"late": sum(ms for ms, _ in late[face] if ms > 5) / made, "cpu": cpu[face] * 1000 / made}
                more |= _held(late[face])
                rows.append({"what": what, "size": label, "with": face, **row([ms for ms, _ in late[face]]), **more})
    return rows


def row(late: list[float]) -> dict[str, Any]:
    """Latenesses in ms, summed up."""
    p50, p99 = np.percentile(late, [50, 99])
    return {
        "p50": float(p50),
        "p99": float(p99),
        "max": max(late),
        "over_5": sum(ms > 5 for ms in late),
        "ticks": len(late),
    }


def _held(late: list[tuple[float, float]]) -> dict[str, float]:
    """Latenesses less the time in which the loop's thread had no CPU: what the process itself makes of them."""
    held = [max(0.0, ms - waited) for ms, waited in late]
    return {"held_p99": float(np.percentile(held, 99)), "held_max": max(held)}


def above_bare(rows: list[dict[str, Any]], share: str) -> dict[str, float]:
    """By how much a figure of `row` is above bare LiteLLM's, for each direction and size."""
    bare = {(r["what"], r["size"]): r[share] for r in rows if r["with"] == "bare"}
    return {f"{r['what']} {r['size']}": r[share] - bare[r["what"], r["size"]] for r in rows if r["with"] == "tslp"}


def _played(proxy: Proxy, ask: Asks, numbers: range) -> tuple[list[tuple[float, float]], float]:
    """Latenesses while all streams send their requests of those numbers, and the CPU time of all processes."""
    proxy.stalls()
    before = proxy.cpu()
    load.run(proxy, [partial(ask, stream) for stream in range(STREAMS)], numbers)
    time.sleep(AFTERWARDS_S)
    return proxy.stalls(), proxy.cpu() - before


def _answer(name: str, stream: int, n: int) -> load.Ask:
    body = workloads.request("chat", "small", stream, f"Write it, {name} {stream} {n}.", name)
    return load.Ask(orjson.dumps(body), workloads.ENDPOINTS["chat"], "known", "none")


def _request(size: int, stream: int, n: int) -> load.Ask:
    """A file of that size, new each time, shown by the user."""
    body = workloads.request("chat", "small", stream, shown(size, stream, n), SHORT)
    return load.Ask(orjson.dumps(body), workloads.ENDPOINTS["chat"], "update", "none")


def shown(size: int, stream: int, n: int) -> str:
    """What a user says who shows a file of that size, each size by a path of its own.

    Always as many functions: one that a paste lacks stays ours, and a short paste would be a part of a long file.
    """
    one = len(workloads.function("shown_1000", 1000))
    code = "\n\n".join(workloads.function(f"shown_{i}", i + n) for i in range(max(1, size // one)))
    shown = f"long/shown_{size}_{stream}.py\n```python\n{code}\n```"
    return f"This is the file now:\n\n{shown}\n\nKeep it in mind, {stream} {n}."
