"""What the benchmark puts into a proxy beside TSLP: a guardrail that does nothing, and a probe of the event loop.

Copied next to the proxy's config, from where LiteLLM loads it.
"""

from __future__ import annotations

import asyncio
import threading
import time
from io import FileIO
from pathlib import Path
from typing import Any

from litellm.integrations.custom_guardrail import CustomGuardrail
from litellm.integrations.custom_logger import CustomLogger

PROBE_S = 0.002


class NoOp(CustomGuardrail):
    """The cost of having any guardrail at all."""

    async def async_pre_call_hook(self, user_api_key_dict: Any, cache: Any, data: Any, call_type: str) -> None:
        return None

    async def async_post_call_success_hook(self, data: Any, user_api_key_dict: Any, response: Any) -> None:
        return None

    async def async_post_call_streaming_iterator_hook(
        self, user_api_key_dict: Any, response: Any, request_data: Any
    ) -> Any:
        async for chunk in response:
            yield chunk


class Probe(CustomLogger):
    """How late the event loop is, measured by a task in it; read at `/bench/stalls`."""

    def __init__(self) -> None:
        super().__init__()
        self._task: asyncio.Task[None] | None = None
        self._late: list[tuple[float, float]] = []
        from litellm.proxy.proxy_server import app  # noqa: PLC0415

        app.add_api_route("/bench/stalls", self.read)

    async def read(self) -> list[tuple[float, float]]:
        """Since the last reading: how late each tick was, and for how much of that the loop's thread could have run but
        had no CPU, in milliseconds. The first call starts the probe."""
        if self._task is None:
            self._task = asyncio.create_task(self._probe())
        taken, self._late = self._late, []
        return taken

    async def _probe(self) -> None:
        with _scheduled() as scheduled:
            while True:
                before, waited = time.perf_counter(), _waited_ns(scheduled)
                await asyncio.sleep(PROBE_S)
                late = (time.perf_counter() - before - PROBE_S) * 1000
                self._late.append((round(late, 3), round((_waited_ns(scheduled) - waited) / 1e6, 3)))


def _scheduled() -> FileIO:
    """The kernel's account of this thread: nanoseconds on a CPU, nanoseconds ready for one, and how often it had it."""
    return Path(f"/proc/self/task/{threading.get_native_id()}/schedstat").open("rb", buffering=0)


def _waited_ns(scheduled: FileIO) -> int:
    scheduled.seek(0)
    return int(scheduled.read().split()[1])


probe = Probe()
