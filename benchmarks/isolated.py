"""The runtime alone on an event loop, no proxy around it: stalls that are ours and nobody else's."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

from benchmarks.stall import SIZES, row, shown
from benchmarks.workloads import function
from tslp_litellm.engine import Request
from tslp_litellm.gateway.delivered import Delivered
from tslp_litellm.gateway.interpreter import Collections, share
from tslp_litellm.gateway.runtime import Runtime
from tslp_litellm.gateway.weight import LARGE_CHARS
from tslp_litellm.settings import Settings
from tslp_litellm.wire.openai_chat import OpenAIChat
from tslp_litellm.wire.turn import Answer, Turn

CHAT = OpenAIChat()
PROBE_S = 0.002


def answer(size: int, number: int) -> Answer:
    """An answer of whole definitions in a labelled fence, new with each number."""
    code = "\n\n".join(function(f"answer_{n}", n + number) for n in range(max(1, size // 240)))
    said = {"content": f"scratch/answer_{size}.py\n```python\n{code}\n```\n"}
    return CHAT.whole({"choices": [{"message": said, "finish_reason": "stop"}]})


def measure(folder: Path, times: int) -> list[dict[str, Any]]:
    """Latenesses of the loop: idle, and while requests and answers of each size are read, one after the other."""
    runtime = Runtime(Settings(database_url=f"sqlite:///{folder / 'isolated.db'}"), lambda text: len(text) // 4)
    runtime.rehearse()
    return asyncio.run(_measure(runtime, times))


async def _measure(runtime: Runtime, times: int) -> list[dict[str, Any]]:
    share()
    Collections().take_over(lambda: False)
    rows = [{"what": "idle", "size": "", **row(await _probed(asyncio.sleep(1.0)))}]
    for label, size in SIZES.items():
        turns = [CHAT.parse({"messages": [{"role": "user", "content": shown(size, 0, n)}]}) for n in range(times)]
        rows.append({"what": "request", "size": label, **row(await _probed(_receive(runtime, turns)))})
        made = [answer(size, n) for n in range(times)]
        rows.append({"what": "answer", "size": label, **row(await _probed(_record(runtime, made)))})
    return rows


async def _receive(runtime: Runtime, turns: list[Turn]) -> None:
    for turn in turns:
        await runtime.preflight(Request("local", "w", "acompletion", "m", turn))


async def _record(runtime: Runtime, answers: list[Answer]) -> None:
    for n, said in enumerate(answers):
        turn = CHAT.parse({"messages": [{"role": "user", "content": f"Write {n} of {id(answers)}."}]})
        episode = await runtime.preflight(Request("local", "w", "acompletion", "m", turn))
        large = sum(len(item.text) for item in said.items) >= LARGE_CHARS
        await runtime.deliver(Delivered(episode, lambda said=said: said, large))
    await runtime.drain()


async def _probed(work: Any) -> list[float]:
    late: list[float] = []
    task = asyncio.ensure_future(work)
    while not task.done():
        before = time.perf_counter()
        await asyncio.sleep(PROBE_S)
        late.append((time.perf_counter() - before - PROBE_S) * 1000)
    await task
    return late
