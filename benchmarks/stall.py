"""How long the event loop stands still while long answers are recorded, seen by a task in the proxy."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import Progress

from benchmarks import load, workloads
from benchmarks.latency import PACED
from benchmarks.servers import Proxy, upstream
from benchmarks.upstream import model

SIZES = {"1 kB": (8, 128), "16 kB": (32, 512), "128 kB": (64, 2048), "1 MB": (128, 8192)}
STREAMS = 4


def measure(folder: Path, calls: int, progress: Progress) -> list[dict[str, Any]]:
    """Item 3: latenesses beside those of bare LiteLLM at the same work."""
    models = {label: model(10, 10, chunks, size) for label, (chunks, size) in SIZES.items()}
    rows = []
    bar = progress.add_task("event loop", total=len(SIZES) * 2)
    with contextlib.ExitStack() as stack:
        process, base = upstream(folder)
        stack.enter_context(process)
        proxies = [
            stack.enter_context(Proxy(n, face, base, [*models.values(), PACED], folder, probe=True))
            for n, face in (("bare-probed", "bare"), ("tslp-probed", "tslp"))
        ]
        for label, name in models.items():
            for proxy in proxies:
                rows.append({"answer": label, "with": proxy.face, **_row(proxy, label, name, calls)})  # type: ignore[arg-type]
                progress.advance(bar)
    return rows


def _row(proxy: Proxy, label: str, name: str, calls: int) -> dict[str, Any]:
    """One size, one proxy."""
    proxy.stalls()
    tag = f"stall {label}".replace(" ", "")
    makers = [lambda n, s=s: _ask(tag, s, n, name) for s in range(STREAMS)]  # type: ignore[misc]
    before = proxy.cpu()
    load.run(proxy, makers, range(calls))
    time.sleep(1.0)  # what is recorded after the last byte counts too
    late = np.array(proxy.stalls())
    return {
        "p50": float(np.percentile(late, 50)),
        "p99": float(np.percentile(late, 99)),
        "max": float(late.max()),
        "over_5": int((late > 5).sum()),
        "ticks": len(late),
        "cpu": (proxy.cpu() - before) * 1000 / (calls * STREAMS),
    }


def _ask(tag: str, stream: int, n: int, name: str) -> load.Ask:
    import orjson  # noqa: PLC0415

    body = workloads.request("chat", "small", stream, f"Write it, {tag} {stream} {n}.", name)
    return load.Ask(orjson.dumps(body), workloads.ENDPOINTS["chat"], "known", "none")
