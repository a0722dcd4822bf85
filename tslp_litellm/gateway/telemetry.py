"""What is measured of an episode, from its request to its record: for Prometheus, and as OpenTelemetry spans.

Fed by the hooks and by committed transactions, so that nothing counts that was rolled back. The spans hang below
LiteLLM's own, and only where its `otel` callback made one. Attributes are counts and codes, never names or texts.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tslp_litellm.engine import Episode
from tslp_litellm.gateway.metrics import Metrics
from tslp_litellm.state.events import Event, EventKind
from tslp_litellm.store.queries import artifact_states

MINUTE_S = 60.0
OPEN_MAX = 10_000
"""Episodes that are followed at most: a request that LiteLLM never ends is let go of when so many came after it."""


@dataclass(slots=True)
class _Open:
    """An episode between its request and its record. `ended_ns`: when its answer had gone out, by the wall clock."""

    parent: Any
    injected: int
    ended: float | None = None
    ended_ns: int = 0


class Telemetry:
    """Follows episodes. Its own faults reach nobody: what can't be measured isn't."""

    def __init__(self, metrics: Metrics, size: Callable[[], int] | None = None) -> None:
        """`size`: how many bytes the database holds; asked once a minute at most, while something is recorded."""
        self.metrics, self._size, self._sized = metrics, size, -MINUTE_S
        self._open: dict[str, _Open] = {}
        self._ended = 0
        self._lock = threading.Lock()

    def attended(self, episode: Episode, parent: Any, seconds: float) -> None:
        """The first visit is over. `parent`: LiteLLM's span of the request, None without OpenTelemetry."""
        with contextlib.suppress(Exception), self._lock:
            self.metrics.preflight(seconds, len(episode.hydrated), len(episode.notices))
            if len(self._open) >= OPEN_MAX:
                self._drop(next(iter(self._open)))
            self._open[episode.id] = _Open(parent, episode.injected)
            if parent is not None:
                counts = {"hydrated": len(episode.hydrated), "notices": len(episode.notices), "side": episode.side}
                counts["injected"] = episode.injected
                end = time.time_ns()
                _span(parent, "tslp.preflight", end - int(seconds * 1e9), end, counts)

    def ended(self, episode: Episode) -> None:
        """The answer has gone out, and is about to be recorded."""
        with contextlib.suppress(Exception), self._lock:
            found = self._open.get(episode.id)
            if found is not None and found.ended is None:
                found.ended, found.ended_ns = time.monotonic(), time.time_ns()
                self._ended += 1
                self.metrics.waiting(self._ended)

    def committed(self, appended: Iterable[tuple[str | None, Event]]) -> None:
        """A transaction has been committed; called in the thread that did it, with episode ids and events."""
        states: dict[str | None, list[str]] = {}
        with contextlib.suppress(Exception):
            self._measure()
        with contextlib.suppress(Exception):
            for episode_id, event in appended:
                for row in (state for move in event.moves for state in artifact_states(move)):
                    self.metrics.artifact(row["state"], row["reason"])
                    states.setdefault(episode_id, []).append(row["state"])
                if event.kind is EventKind.EPISODE:
                    self._recorded(episode_id, dict(event.about), states.get(episode_id, []))

    def _measure(self) -> None:
        now = time.monotonic()
        if self._size is not None and now - self._sized >= MINUTE_S:
            self._sized = now
            self.metrics.size(self._size())

    def _recorded(self, episode_id: str | None, about: Mapping[str, Any], states: list[str]) -> None:
        outcome = "side" if about.get("side") else "recorded" if about.get("complete") else "cut-short"
        self.metrics.episode(outcome)
        with self._lock:
            found = self._drop(episode_id or "")
        if found is None:
            return
        if found.injected:
            self.metrics.tokens(found.injected)
        if found.ended is not None:
            self.metrics.recorded(time.monotonic() - found.ended)
            if found.parent is not None:
                counts = {"outcome": outcome, "artifacts": len(states)}
                counts |= {state.lower(): states.count(state) for state in set(states)}
                _span(found.parent, "tslp.record", found.ended_ns, time.time_ns(), counts)

    def _drop(self, episode_id: str) -> _Open | None:
        found = self._open.pop(episode_id, None)
        if found is not None and found.ended is not None:
            self._ended -= 1
            self.metrics.waiting(self._ended)
        return found


def parent_span(key: Any, data: Mapping[str, Any]) -> Any:
    """LiteLLM's span of a request, where its OpenTelemetry integration made one; else None."""
    span = getattr(key, "parent_otel_span", None)
    for name in ("metadata", "litellm_metadata"):
        metadata = data.get(name)
        if span is None and isinstance(metadata, Mapping):
            span = metadata.get("litellm_parent_otel_span")
    return span if hasattr(span, "get_span_context") else None


def _span(parent: Any, name: str, start_ns: int, end_ns: int, counts: Mapping[str, Any]) -> None:
    """A finished span below LiteLLM's, through LiteLLM's own tracer: it goes where LiteLLM's spans go."""
    from litellm.proxy import proxy_server  # noqa: PLC0415 - rebound when the proxy has loaded its callbacks
    from opentelemetry import trace  # noqa: PLC0415 - only where LiteLLM uses it already

    theirs = getattr(getattr(proxy_server, "open_telemetry_logger", None), "tracer", None)
    tracer = theirs or trace.get_tracer("tslp_litellm")
    span = tracer.start_span(name, context=trace.set_span_in_context(parent), start_time=start_ns)
    span.set_attributes({f"tslp.{key}": value for key, value in counts.items()})
    span.end(end_ns)
