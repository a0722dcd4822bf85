"""A request made to fit into its model's window (SEMANTICS 4, The window), once its evidence has been judged.

Nothing is judged here: what is left out stands in `Episode.changes`, for whoever carries it out on the wire.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tslp_litellm.engine.demand import demand_of, least, without
from tslp_litellm.engine.gathering import root_in
from tslp_litellm.engine.showing import Showing
from tslp_litellm.engine.talk import ReadingCache, Talk
from tslp_litellm.engine.values import Episode
from tslp_litellm.hydration.blocks import notice
from tslp_litellm.hydration.counting import TokenCounts
from tslp_litellm.parser.budget import OverBudgetError
from tslp_litellm.plan import fitting
from tslp_litellm.plan.fitting import BATCH, View
from tslp_litellm.plan.telling import told
from tslp_litellm.plan.values import LeftOut
from tslp_litellm.resolution.common import Context
from tslp_litellm.store.database import Database
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.wire.extent import Extent

HEADER = "x-tslp-window"
ROUNDS_MAX = 6
"""How often a plan is made anew because what it left out comes back as a block."""

Hydrate = Callable[[Talk, "int | None", Sequence[str]], None]
"""Puts blocks and notices into the episode: given the request as the model will see it, the tokens that it leaves
free for blocks (None: it is made to leave enough), and notices of ours."""


@dataclass(frozen=True, slots=True)
class Fitting:
    """Makes requests fit. `current`: repetitions go from every request that they make a fifth longer."""

    readings: ReadingCache
    counts: TokenCounts
    current: bool = False

    def fit(self, store: WorkspaceReader, talk: Talk, episode: Episode, root: str | None, hydrate: Hydrate) -> None:
        """Hydrate, and leave out what is needed for it. Where that takes too long, nothing is left out."""
        hydrate(talk, None, [])
        if not self._has_to(episode):
            return
        as_sent = replace(episode, headers=dict(episode.headers))
        try:
            _Run(self, store, talk, episode, root, hydrate).run()
        except OverBudgetError:
            episode.preface, episode.hydrated, episode.notices = as_sent.preface, as_sent.hydrated, as_sent.notices
            episode.injected, episode.headers = as_sent.injected, as_sent.headers
            return
        if episode.changes:
            episode.meant = tuple(entity for entity in as_sent.hydrated if entity not in episode.hydrated)

    def fit_alone(self, database: Database, talk: Talk, episode: Episode) -> None:
        """A side request is put nothing in front of; where it would not fit, the server would cut its question."""
        if self._has_to(episode):
            with database.reading() as connection:
                store = WorkspaceReader(connection, episode.request.tenant, episode.request.workspace)
                self.fit(store, talk, episode, root_in(store, Context(episode.request.root)), lambda *_: None)

    def _has_to(self, episode: Episode) -> bool:
        """Whether the request has to be looked at: something was left out of its conversation before, or bytes alone,
        of which a token has at least one, do not prove that it fits."""
        extent, window = episode.request.extent, episode.request.limit
        if extent is None or window is None or extent.remote:
            return False
        if not episode.conversation.left_out and not self.current and _is_proven(episode, extent, window):
            episode.headers[HEADER] = "fits"
            return False
        return True


def _is_proven(episode: Episode, extent: Extent, window: int) -> bool:
    answer = fitting.reserve(window, extent.answer, 0)
    return extent.size + len(episode.preface.encode()) + answer <= window


class _Run:
    """One request's way to its plan."""

    def __init__(
        self,
        means: Fitting,
        store: WorkspaceReader,
        talk: Talk,
        episode: Episode,
        root: str | None,
        hydrate: Hydrate,
    ) -> None:
        self._means, self._talk, self._episode, self._hydrate = means, talk, episode, hydrate
        self._count, request = means.counts.of, episode.request
        assert request.extent is not None and request.limit is not None
        self._demand = demand_of(request, talk, means.counts)
        self._batch = request.limit // BATCH
        self._limit = request.limit - fitting.reserve(request.limit, request.extent.answer, least(self._demand))
        self._showing = Showing(store, means.readings, request.turn, talk, root)
        self._left = LeftOut.of(episode.conversation.left_out)

    def run(self) -> None:
        """Leave out what was left out before, and more until the request fits or nothing more can go."""
        if self._means.current:
            self._look()
            least_saved = fitting.size(self._demand) // BATCH
            self._left = fitting.tidied(self._demand, self._left, least_saved, self._count)
        seen = self._seen(None)
        for _ in range(ROUNDS_MAX):
            need = self._total(seen) - self._limit
            if need <= 0:
                break
            self._look()
            more = fitting.more(self._demand, self._left, need, self._batch, self._count)
            if more == self._left:
                break
            self._left = more
            seen = self._seen(None)
        if self._total(seen) > self._limit:
            seen = self._seen(max(0, self._limit - seen.size))
        self._settle(seen)

    def _look(self) -> None:
        """What the request shows, and what blocks bring: the plan needs to know."""
        brought = frozenset(self._episode.hydrated)
        self._demand = replace(self._demand, shown=self._showing.all(), brought=brought)

    def _seen(self, room: int | None) -> View:
        """The request without what is left out, hydrated as such."""
        seen = fitting.view(self._demand, self._left, self._count)
        if not seen.changes:
            self._hydrate(self._talk, room, [])
            return seen
        turn = without(self._episode.request.turn, seen.changes)
        said = notice(*told(self._demand, self._left, seen))
        self._hydrate(self._means.readings.talk(turn), room, [said])
        return seen

    def _total(self, seen: View) -> int:
        return seen.size + self._count(self._episode.preface)

    def _settle(self, seen: View) -> None:
        episode = self._episode
        episode.changes = seen.changes
        if episode.prompt_message is not None:
            episode.prompt_message = seen.changes.moved(episode.prompt_message)
        left = fitting.still(self._demand, self._left)
        episode.conversation = replace(episode.conversation, left_out=left.body())
        fitted = f"fitted; removed={seen.removed}" if seen.changes else "fits"
        episode.sent = self._total(seen)
        episode.headers[HEADER] = "over" if self._total(seen) > self._limit else fitted
