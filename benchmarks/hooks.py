"""What the benchmark puts into a proxy beside TSLP: a guardrail that does nothing, and a probe of the event loop.

Copied next to the proxy's config, from where LiteLLM loads it.
"""

from __future__ import annotations

import asyncio
import time
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
        self._late: list[float] = []
        from litellm.proxy.proxy_server import app  # noqa: PLC0415

        app.add_api_route("/bench/stalls", self.read)

    async def read(self) -> list[float]:
        """All latenesses in milliseconds since the last reading; the first call starts the probe."""
        if self._task is None:
            self._task = asyncio.create_task(self._probe())
        taken, self._late = self._late, []
        return taken

    async def _probe(self) -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(PROBE_S)
            self._late.append(round((time.perf_counter() - before - PROBE_S) * 1000, 3))


probe = Probe()
