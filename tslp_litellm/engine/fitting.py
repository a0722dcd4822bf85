"""A request made to fit into its model's window (SEMANTICS 4, The window), once its evidence has been judged.

Nothing is judged here: what is left out stands in `Episode.changes`, for whoever carries it out on the wire.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tslp_litellm.engine.demand import demand_of, least, prompt_keys
from tslp_litellm.engine.gathering import root_in
from tslp_litellm.engine.hydrating import Hydrator, Seen
from tslp_litellm.engine.showing import Showing
from tslp_litellm.engine.sight import kept, without, words_of
from tslp_litellm.engine.talk import ReadingCache, Talk
from tslp_litellm.engine.truths import Truths
from tslp_litellm.engine.values import Episode, Prefaced
from tslp_litellm.hydration.blocks import blocks_in, notice, preface
from tslp_litellm.hydration.counting import TokenCounts
from tslp_litellm.hydration.window import Kept, reserve
from tslp_litellm.parser.budget import OverBudgetError
from tslp_litellm.plan import fitting
from tslp_litellm.plan.fitting import BATCH, View
from tslp_litellm.plan.telling import HEAD, told
from tslp_litellm.plan.values import LeftOut
from tslp_litellm.resolution.context import Context
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import artifact_hash
from tslp_litellm.store.database import Database
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.wire.turn import Changes, ItemKind, Turn

FITS, OVER = "fits", "over"
ROUNDS_MAX = 6
"""How often a plan is made anew because what it left out comes back as a block."""


@dataclass(frozen=True, slots=True)
class Fitting:
    """Hydrates requests and makes them fit. `current`: repetitions go from every request that they make a fifth
    longer; `placement`: the setting."""

    readings: ReadingCache
    counts: TokenCounts
    hydrator: Hydrator
    current: bool = False
    placement: str = "start"
    truths: Truths = field(default_factory=Truths)

    def fit(self, store: WorkspaceReader, talk: Talk, episode: Episode) -> None:
        """Hydrate, and leave out what is needed for it. Where that takes too long, nothing is left out."""
        request = episode.request
        episode.kept, episode.left_out = kept(request, self.counts), _left_out(episode)
        episode.prompts = prompt_keys(request.turn.items) if self._stays(episode) else {}
        episode.fronts = self._fronts(store, talk, episode)
        self.hydrator.hydrate(store, talk, episode, Seen(talk, request.turn, episode.kept, fronts=episode.fronts))
        self._fit(store, talk, episode)

    def fit_alone(self, database: Database, talk: Talk, episode: Episode) -> None:
        """A side request is put nothing in front of; where it would not fit, the server would cut its question."""
        episode.left_out = _left_out(episode)
        if self._has_to(episode):
            with database.reading() as connection:
                store = WorkspaceReader(connection, episode.request.tenant, episode.request.workspace)
                self._fit(store, talk, episode)

    def _stays(self, episode: Episode) -> bool:
        """Whether what is put in front of a prompt stays there in the conversation's later requests."""
        if episode.request.window is None or episode.request.size is None:
            return False
        plain = not episode.request.tools and episode.context.forms is None
        return self.placement == "stay" or (self.placement == "auto" and plain)

    def _fronts(self, store: WorkspaceReader, talk: Talk, episode: Episode) -> dict[int, str]:
        """The blocks that were put in front of messages before and stay there, by their index on the wire.

        Notices leave, for they tell of one turn, and so does a block that a model would take for current though it is
        not: of what is DIRTY or gone, and an older text where what is new in the newer one does not stand behind it.
        With `history: current` no older text stays.
        """
        kept, keys = episode.left_out.fronts, episode.prompts
        fronts = {n: blocks_in(kept[key]) for n, key in keys.items() if key in kept and n != talk.message}
        if not fronts:
            return {}
        rows = store.tracked({Entity.parse(block.entity).path for blocks in fronts.values() for block in blocks})
        known = {row.entity: row.artifact for row in rows if row.clean}
        older = {b.entity for blocks in fronts.values() for b in blocks if known.get(b.entity) != artifact_hash(b.text)}
        newer = {} if self.current else store.texts({known[entity] for entity in older & known.keys()})
        left = {
            n: [
                block.whole
                for block in blocks
                if block.entity not in older
                or _stands_behind(newer.get(known.get(block.entity, ""), ""), block.text, n, talk)
            ]
            for n, blocks in fronts.items()
        }
        return {n: preface([], blocks) for n, blocks in left.items() if blocks}

    def _fit(self, store: WorkspaceReader, talk: Talk, episode: Episode) -> None:
        if not self._has_to(episode):
            return
        before = Prefaced(episode.preface, episode.hydrated)
        told = episode.notices, episode.injected, episode.front
        try:
            _Run(self, store, talk, episode).run()
        except OverBudgetError:
            episode.preface, episode.hydrated = before.preface, before.hydrated
            episode.notices, episode.injected, episode.front = told
            return
        episode.unfitted = before

    def _has_to(self, episode: Episode) -> bool:
        """Whether the request has to be looked at: something was left out of its conversation before, or bytes alone,
        of which a token has at least one, do not prove that it fits; else what stays is remembered at once."""
        request, window = episode.request, episode.request.window
        if request.size is None or window is None:
            return False
        front = sum(len(text.encode()) for text in (episode.preface, *episode.fronts.values()))
        proven = request.size + front + reserve(window, request.answer) <= window
        left = episode.left_out
        if proven and not left.cuts and not left.spans and not self.current:
            episode.fit = FITS
            self.keep(episode, Changes(), left)
            return False
        return True

    def keep(self, episode: Episode, changes: Changes, left: LeftOut) -> None:
        """Remember with the conversation what is left out of it, and what stands in front of its prompts and stays."""
        keys, front = episode.prompts, episode.prompt_message
        stays = {n: text for n, text in episode.fronts.items() if n not in changes.messages}
        episode.stays = {changes.moved(n): text for n, text in stays.items()}
        fronts = {keys[n]: text for n, text in stays.items()}
        if episode.preface and front is not None and front in keys:
            fronts[keys[front]] = episode.preface
        body = replace(left, fronts=fronts, window=episode.request.window or 0).body()
        episode.conversation = replace(episode.conversation, left_out=body)


def _stands_behind(new: str, old: str, message: int, talk: Talk) -> bool:
    """Whether a message behind one holds all lines that a newer text has and an older one lacks."""
    added = {line.strip() for line in new.split("\n")} - {line.strip() for line in old.split("\n")} - {""}
    later = (item.text for item in talk.items if item.message > message)
    return bool(added) and any(all(line in text for line in added) for text in later)


def _left_out(episode: Episode) -> LeftOut:
    return LeftOut.of(episode.conversation.left_out).within(episode.request.window or 0)


class _Run:
    """One request's way to its plan."""

    def __init__(self, means: Fitting, store: WorkspaceReader, talk: Talk, episode: Episode) -> None:
        self._means, self._store, self._talk, self._episode = means, store, talk, episode
        self._count, self._window = means.counts.of, episode.request.window or 0
        self._left = episode.left_out
        self._demand = demand_of(episode.request, talk, means.counts, episode.fronts)
        self._answer = reserve(self._window, episode.request.answer, fitting.size(self._demand), least(self._demand))
        self._limit = self._window - self._answer
        root = root_in(store, episode.context if not episode.side else Context(episode.request.root))
        self._showing = Showing(store, means.readings, means.truths, episode.request.turn, talk, root)

    def run(self) -> None:
        """Leave out what was left out before, and more until the request fits or nothing more can go."""
        if self._means.current:
            self._look()
            least_saved = fitting.view(self._demand, self._left, self._count).size // BATCH
            self._left = fitting.tidied(self._demand, self._left, least_saved, self._count)
        seen = self._seen(None)
        for _ in range(ROUNDS_MAX):
            need = self._total(seen) - self._limit
            if need <= 0:
                break
            self._look()
            more = fitting.more(self._demand, self._left, need, self._window // BATCH, self._count)
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
        """The request without what is left out, hydrated as such. `room`: for what is put in front of it."""
        seen, turn = fitting.view(self._demand, self._left, self._count), self._episode.request.turn
        if self._episode.side or (not seen.changes and room is None):
            return seen
        tools = self._episode.request.tools
        reads = bool(tools) or any(part.result for part in self._demand.parts)  # some clients' tools are words
        says = seen.changes and (not self._episode.prompts or self._news())
        said = [notice(*told(self._demand, self._left, seen, reads))] if says else []
        turn = without(turn, seen.changes)
        left = Kept(turn.items, self._window, self._answer, lambda: words_of(tools), self._means.counts)
        talk = self._read(turn) if seen.changes else self._talk
        fronts = {n: text for n, text in self._episode.fronts.items() if n not in seen.changes.messages}
        shown = Seen(talk, turn, left, room, said, fronts)
        self._means.hydrator.hydrate(self._store, self._talk, self._episode, shown)
        return seen

    def _news(self) -> bool:
        """Whether more is left out than before, or that was said in front of this prompt in a call before this one:
        what was said of it stays, as blocks do."""
        before, prompt = self._episode.left_out, self._talk.message
        said = before.fronts.get(self._episode.prompts.get(-1 if prompt is None else prompt, ""), "")
        return (self._left.cuts, self._left.spans) != (before.cuts, before.spans) or HEAD in said

    def _read(self, turn: Turn) -> Talk:
        """The shortened request: of its results it is known what was carried out, as it was of those in the whole."""
        talk = self._means.readings.talk(turn)
        made = {self._talk.items[n].call_id: call for n, call in self._talk.made.items()}
        results = ((n, item.call_id) for n, item in enumerate(talk.items) if item.kind is ItemKind.RESULT)
        talk.made.update({n: made[call_id] for n, call_id in results if call_id in made})
        return talk

    def _total(self, seen: View) -> int:
        return seen.size + self._episode.injected

    def _settle(self, seen: View) -> None:
        episode = self._episode
        episode.changes = seen.changes
        self._means.keep(episode, seen.changes, fitting.still(self._demand, self._left))
        if episode.prompt_message is not None:
            episode.prompt_message = seen.changes.moved(episode.prompt_message)
        fitted = f"fitted; removed={seen.removed}" if seen.changes else FITS
        episode.fit = OVER if self._total(seen) > self._limit else fitted
