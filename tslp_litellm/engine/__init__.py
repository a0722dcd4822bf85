"""The two visits of a turn: before the model is called, and after its last chunk has gone out; and the audit's.

Each reads what it needs in a snapshot, lets pure functions decide, and writes what they decided in one transaction.
Synchronous, and without LiteLLM: it runs in a worker thread, and it is handed the clock and the ids.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

from tslp_litellm.engine import projecting
from tslp_litellm.engine.audit import Auditing
from tslp_litellm.engine.fitting import Fitting
from tslp_litellm.engine.hydrating import Hydrator
from tslp_litellm.engine.preflight import Preflight
from tslp_litellm.engine.record import VISIT_CHARS_MAX, Draft, Recorder
from tslp_litellm.engine.talk import ReadingCache
from tslp_litellm.engine.using import Using
from tslp_litellm.engine.values import Episode, Question, Request
from tslp_litellm.hydration.counting import TokenCounts
from tslp_litellm.parser.budget import OverBudgetError, budget
from tslp_litellm.resolution.gates import Limits
from tslp_litellm.secrets import holds_secret
from tslp_litellm.settings import Settings
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.store.database import Database
from tslp_litellm.wire.turn import Answer

__all__ = ["Draft", "Engine", "Episode", "Question", "Request"]


class Engine:
    """Visits to one database."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        *,
        now: Callable[[], str],
        new_id: Callable[[], str],
        count_tokens: Callable[[str], int],
    ) -> None:
        self._database, self._now = database, now
        limits = Limits(
            settings.parity_nodes_min_ratio,
            settings.parity_tokens_min_ratio,
            holds_secret if settings.refuse_secrets else None,
        )
        readings, counts = ReadingCache(), TokenCounts(count_tokens)
        hydrator = Hydrator(readings, settings.hydration_tokens_max, Using(settings, counts.of))
        fitting = Fitting(readings, counts, hydrator, settings.history == "current", settings.placement)
        self._preflight = Preflight(database, limits, readings, now, new_id, fitting)
        self._seconds = settings.visit_seconds
        self._recorder = Recorder(
            database, limits, readings, now, settings.tombstone_episodes, settings.audit, self._seconds
        )
        self.auditing = Auditing(database, limits, now)

    def preflight(self, request: Request) -> Episode:
        """The first visit: the user's and tools' new evidence is judged, and the prompt gets its blocks and notices."""
        return self._visited(request, hydrated=True)

    def late(self, request: Request) -> Episode:
        """The first visit of a request that has gone out already: judged, not hydrated."""
        return self._visited(request, hydrated=False)

    def _visited(self, request: Request, hydrated: bool) -> Episode:
        """Within the budget of a visit; beyond it nothing is read, and what that may show is DIRTY (SEMANTICS 9)."""
        readable = sum(len(item.text) for item in request.turn.items) <= VISIT_CHARS_MAX
        if readable:
            with contextlib.suppress(OverBudgetError), budget(self._seconds):
                return self._preflight.visit(request, hydrated)
        return self._preflight.give_up(request, readable)

    def draft(self, episode: Episode, answer: Answer) -> Draft:
        """Read and judge an answer; nothing is written."""
        return self._recorder.draft(episode, answer)

    def record_all(
        self, said: Sequence[tuple[Episode, Answer] | Draft], *, again: bool = False
    ) -> list[list[Question] | Exception]:
        """Second visits, in that order and in one transaction; for each what to ask the audit, or what went wrong.

        `again`: they were tried before, and may have been recorded without our being told.
        """
        drafts = self._recorder.drafts(said)
        good = [draft for draft in drafts if isinstance(draft, Draft)]
        done = iter(self._recorder.visit_all(good, again=again) if good else ())
        return [next(done) if isinstance(draft, Draft) else draft for draft in drafts]

    def doubt(self, tenant: str, workspace: str) -> None:
        """A turn could not be judged, by a fault of ours: nothing of its workspace counts as current any more."""
        self._recorder.doubt(tenant, workspace)

    def record(self, episode: Episode, answer: Answer) -> list[Question]:
        """The second visit: the model's evidence is judged, and the episode is recorded; what to ask the audit."""
        questions = self._recorder.visit(episode, answer)
        while self.bring_up(episode.request.key):
            pass
        return questions

    def bring_up(self, key: WorkspaceKey) -> bool:
        """Read what a workspace's Ledger has grown by for what its entities use (SEMANTICS 10); True where more is
        left of that."""
        return projecting.bring_up(self._database, key, self._now())
