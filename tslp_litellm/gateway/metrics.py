"""Prometheus metrics of TSLP, in prometheus_client's default registry, served beside LiteLLM's (`/metrics`).

Counters in memory; nothing is counted that names a tenant, a workspace or an entity. Without prometheus_client, which
LiteLLM's `prometheus` callback needs too, all of this does nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds of the histograms' buckets."""


class Metrics:
    """What is counted, in `registry` (None: prometheus_client's default). `off`: why nothing is, None where it is."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.off: str | None = None
        try:
            self._make({} if registry is None else {"registry": registry})
        except ImportError:
            self.off = "prometheus_client is not installed"
        except ValueError as error:  # a metric of one of these names is registered already
            self.off = str(error)

    def _make(self, where: dict[str, Any]) -> None:
        from prometheus_client import Counter, Gauge, Histogram  # noqa: PLC0415 - LiteLLM's proxy does without it

        def counter(name: str, about: str, labels: Sequence[str] = ()) -> Any:
            return Counter(f"tslp_{name}", about, labels, **where)

        self._episodes = counter("episodes", "Completion calls attended to, by outcome.", ["outcome"])
        self._artifacts = counter("artifacts", "Artifacts by the state and reason they got.", ["state", "reason"])
        self._blocks = counter("hydrated_blocks", "Blocks of current code put in front of prompts.")
        self._tokens = counter("hydrated_tokens", "Tokens put in front of prompts, blocks and notices.")
        self._notices = counter("notices", "Notices put in front of prompts.")
        self._faults = counter("faults", "Faults of TSLP's own, by what failed.", ["where"])
        self._limited = counter("diagnostics_limited", "Questions to the diagnostics that were put off.")
        self._audits = counter("audits", "Questions of the shadow audit, by what became of them.", ["conclusion"])
        self._waiting = Gauge(
            "tslp_audit_queue", "Questions that wait for the audit.", multiprocess_mode="livesum", **where
        )
        self._recordings = Gauge("tslp_recordings", "Answers not recorded yet.", multiprocess_mode="livesum", **where)
        self._size = Gauge("tslp_database_bytes", "What the database holds.", multiprocess_mode="mostrecent", **where)
        self._preflight = Histogram(
            "tslp_preflight_seconds", "What a request waited for TSLP.", buckets=SECONDS, **where
        )
        self._recording = Histogram(
            "tslp_recording_seconds", "From an answer's end to its record.", buckets=SECONDS, **where
        )

    def episode(self, outcome: str) -> None:
        """An episode ended: `recorded`, `cut-short`, `side` (a client's errand) or `bypassed`."""
        if self.off is None:
            self._episodes.labels(outcome).inc()

    def artifact(self, state: str, reason: str | None) -> None:
        """An artifact got a state. Reasons are codes of a closed list."""
        if self.off is None:
            self._artifacts.labels(state, reason or "").inc()

    def preflight(self, seconds: float, blocks: int, notices: int) -> None:
        """A request went on, after so long, with so much in front of its prompt."""
        if self.off is None:
            self._preflight.observe(seconds)
            self._blocks.inc(blocks)
            self._notices.inc(notices)

    def tokens(self, count: int) -> None:
        """So many tokens were put in front of a prompt."""
        if self.off is None:
            self._tokens.inc(count)

    def recorded(self, seconds: float) -> None:
        """An answer was recorded, so long after its end."""
        if self.off is None:
            self._recording.observe(seconds)

    def waiting(self, recordings: int) -> None:
        """How many answers are not recorded yet."""
        if self.off is None:
            self._recordings.set(recordings)

    def size(self, held: int) -> None:
        """The database holds so many bytes."""
        if self.off is None:
            self._size.set(held)

    def fault(self, where: str) -> None:
        """A fault of ours. `where`: one of a few fixed phrases."""
        if self.off is None:
            self._faults.labels(where).inc()

    def limited(self) -> None:
        """Somebody asks the diagnostics too often."""
        if self.off is None:
            self._limited.inc()

    def audit(self, conclusion: str | None, waiting: int) -> None:
        """The audit's queue changed: a question came (None), or something became of one."""
        if self.off is None:
            self._waiting.set(waiting)
            if conclusion is not None:
                self._audits.labels(conclusion).inc()
