"""Memory over bare LiteLLM, all processes together: idle, after requests, with many entities; and over a long soak."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from rich.progress import Progress

from benchmarks import load, seed, workloads
from benchmarks.latency import PACED, QUICK
from benchmarks.servers import Proxy, upstream

STREAMS = 4
A_STEP = 24
FILL, FILL_FILES = 50, 30
"""Prompts that fill the caches of what was read and parsed, before the soak: a cache that fills is no leak."""


def measure(folder: Path, requests: int, entities: int, soak_s: float, progress: Progress) -> dict[str, Any]:
    """Item 4: the same requests to all; the soak is agentic requests with ever new conversations."""
    database = folder / "memory.db"
    seed.seed(database, load.WORKSPACE, entities)
    files = entities // (workloads.FUNCTIONS_A_FILE + 1)
    bar = progress.add_task("memory", total=requests * 3 + soak_s)
    out: dict[str, Any] = {"requests": requests, "entities": entities}
    with contextlib.ExitStack() as stack:
        process, base = upstream(folder)
        stack.enter_context(process)
        faces = (("bare", "bare", None), ("tslp", "tslp", folder / "memory-empty.db"), ("seeded", "tslp", database))
        seed.seed(folder / "memory-empty.db", load.WORKSPACE, workloads.FUNCTIONS_A_FILE + 1)
        proxies = [
            stack.enter_context(Proxy(f"memory-{name}", face, base, [QUICK, PACED], folder, database=db))
            for name, face, db in faces
        ]
        time.sleep(3)
        out["idle"] = {p.name.removeprefix("memory-"): p.memory() for p in proxies}  # type: ignore[attr-defined]
        for proxy in proxies:
            known = files if "seeded" in proxy.name else 1
            makers = [load.asks("chat", "agentic", 300 + s, QUICK, "memory", known) for s in range(STREAMS)]
            for start in range(0, requests // STREAMS, A_STEP):
                load.run(proxy, makers, range(start, start + A_STEP))
                progress.advance(bar, A_STEP * STREAMS)
        time.sleep(2)
        out["after"] = {p.name.removeprefix("memory-"): p.memory() for p in proxies}  # type: ignore[attr-defined]
        out["soak"] = _soak(proxies[0], proxies[2], files, soak_s, progress, bar)  # type: ignore[arg-type]
    return out


def _files(number: int) -> load.Ask:
    shown = (number * FILL_FILES + n for n in range(FILL_FILES))
    texts = (f"fill/module_{n}.py\n```python\n{workloads.module(n)}```" for n in shown)
    text = f"These are the files {number}:\n\n" + "\n\n".join(texts)
    body = orjson.dumps(workloads.request("chat", "small", 900 + number, text, QUICK))
    return load.Ask(body, workloads.ENDPOINTS["chat"], "update", "none")


def _soak(bare: Proxy, tslp: Proxy, files: int, seconds: float, progress: Progress, bar: Any) -> dict[str, Any]:
    rows: list[tuple[int, float, float]] = []
    for proxy in (bare, tslp):
        load.run(proxy, [_files], range(FILL))
    began, step = time.monotonic(), 0
    while time.monotonic() - began < seconds:
        for proxy in (bare, tslp):
            makers = [
                load.asks("chat", "agentic", 400 + step * STREAMS + s, QUICK, "soak", files) for s in range(STREAMS)
            ]
            load.run(proxy, makers, range(A_STEP))
        step += 1
        rows.append((step * A_STEP * STREAMS, bare.memory()["pss"], tslp.memory()["pss"]))
        progress.update(bar, advance=0)
    progress.advance(bar, seconds)
    half = rows[len(rows) // 2 :]
    calls, base, ours = (np.array(column, dtype=float) for column in zip(*half, strict=True))
    slope = float(np.polyfit(calls, ours - base, 1)[0] * 1000) if len(half) > 2 else None
    return {"rows": rows, "mb_per_1000": slope}
