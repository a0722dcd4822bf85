"""The first visit: new evidence from the user's side, then blocks and notices for the prompt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial

from tslp_litellm.clients.aider import chat_in
from tslp_litellm.clients.frames import edit_forms, is_editor, is_floating, patterns
from tslp_litellm.clients.side_requests import side_request, stated_diffs
from tslp_litellm.conversation import history
from tslp_litellm.conversation.history import Age, Alignment
from tslp_litellm.dialects.unified_diff import parse_diff
from tslp_litellm.dialects.values import Carrier, Drift, Outcome, Report, Shown, Snippet, Told
from tslp_litellm.engine import calls, confirming, deciding, errands, joining, rewinding, strayed, verification
from tslp_litellm.engine.fitting import Fitting
from tslp_litellm.engine.gathering import is_opening, located, named_paths, root_in, unit_for, unread
from tslp_litellm.engine.gone import gone_flags, with_lost
from tslp_litellm.engine.meaning import (
    brought,
    commented,
    doubt_told,
    going,
    meant,
    play_before,
    play_of,
    prose_before,
    shown_in_part,
    told_of,
)
from tslp_litellm.engine.overtaken import without_older_reads
from tslp_litellm.engine.talk import Piece, ReadingCache, Talk
from tslp_litellm.engine.undoing import told_undone
from tslp_litellm.engine.values import Episode, Request
from tslp_litellm.parser import budget
from tslp_litellm.placing.readings import unlabelled
from tslp_litellm.placing.values import Play
from tslp_litellm.resolution.by_client import judge_outcome
from tslp_litellm.resolution.by_report import Past, judge_report
from tslp_litellm.resolution.by_user import judge_user
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.gates import Limits
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.resolution.pairs import told_by_pairs
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.names import normalise_path
from tslp_litellm.state.values import Conversation, FileState, Origin
from tslp_litellm.store.database import Database
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.store.writing import WorkspaceWriter
from tslp_litellm.wire.turn import ItemKind, Role, Turn

Fresh = list[tuple[Age, int, list[Piece]]]
"""New items: their age, their index, and what they are evidence of."""


NAMING_S = 1.0
"""How long it may take to find which files an unread request is about."""


@dataclass(frozen=True, slots=True)
class _Draft:
    """New evidence, judged on the state at `head`."""

    head: tuple[int, str] | None
    conversation: Conversation
    fresh: Fresh
    unit: UnitOfWork

    def holds(self, head: tuple[int, str] | None, conversation: Conversation, fresh: Fresh) -> bool:
        """Whether it would be judged the same once more."""
        mine, theirs = ([(age, n) for age, n, _ in found] for found in (self.fresh, fresh))
        grown = self.head != head and not (self.head is None and is_opening(head))
        return not grown and (self.conversation, mine) == (conversation, theirs)


class Preflight:
    """Visits before the model is called."""

    def __init__(
        self,
        database: Database,
        limits: Limits,
        readings: ReadingCache,
        now: Callable[[], str],
        new_id: Callable[[], str],
        fitting: Fitting,
    ) -> None:
        self._database, self._limits, self._readings = database, limits, readings
        self._now, self._new_id, self._fitting = now, new_id, fitting
        self._past_read = rewinding.Past()

    def visit(self, request: Request, hydrated: bool = True) -> Episode:
        """Judge and hydrate. Without new evidence nothing is written, and nobody's write is waited for.

        `hydrated`: False for a request that has gone out already.
        """
        side = side_request(request.turn) is not None
        episode = Episode(self._new_id(), self._now(), request, side, Conversation(self._new_id()))
        talk = self._readings.talk(request.turn)
        if side:
            episode.context = Context(trust=request.trust)
            self._take_diffs(request, episode)
            self._take_results(request, talk, episode)
            self._fitting.fit_alone(self._database, talk, episode)
            return episode
        editor, forms = is_editor(request.turn), edit_forms(request.turn)
        intent = Intent() if editor else Intent(talk.prose, before=prose_before(talk, self._readings))
        episode.context = Context(
            request.root, intent, forms, chat_in(request.turn.items) if forms else None, trust=request.trust
        )
        with self._database.reading() as connection:
            store = WorkspaceReader(connection, request.tenant, request.workspace)
            fresh, alignment = self._fresh(store, talk, episode)
            due = bool(fresh) or verification.due(store, talk, episode.conversation)
            due = due or deciding.due(talk, episode.conversation)
            due = due or rewinding.due(
                store, episode.conversation, self._way(alignment, talk, fresh, episode), self._limits
            )
            # judged here, where a text that is slow to parse keeps nobody from writing
            unit = self._judged(store, talk, fresh, episode) if fresh else UnitOfWork(limits=self._limits)
            draft = _Draft(store.head, episode.conversation, fresh, unit)
            if not due and hydrated:
                self._fitting.fit(store, talk, episode)
        if due:
            with self._database.writing() as connection:
                writing = WorkspaceWriter(connection, request.tenant, request.workspace, episode.started_at)
                fresh, alignment = self._fresh(writing, talk, episode)
                rewinding.settle(writing, episode, self._way(alignment, talk, fresh, episode), self._limits, self._now)
                holds = draft.holds(writing.head, episode.conversation, fresh)
                self._write(writing, draft.unit if holds else self._judged(writing, talk, fresh, episode), episode)
                deciding.settle(writing, talk, episode, self._limits, self._now)
                verification.settle(writing, talk, self._readings, episode, self._limits, self._now)
                self._remember(writing, episode)
            if hydrated:  # when others may write again
                with self._database.reading() as connection:
                    store = WorkspaceReader(connection, request.tenant, request.workspace)
                    self._fitting.fit(store, talk, episode)
        return episode

    def give_up(self, request: Request, begun: bool) -> Episode:
        """The visit of a request that took too long: its conversation goes on, what it may have shown is DIRTY.

        Files that new evidence names by proven paths, as far as all of it has been read; else the whole workspace.
        `begun`: False where not even that was begun.
        """
        episode = Episode(self._new_id(), self._now(), request, False, Conversation(self._new_id()), over_budget=True)
        talk = self._readings.talk(request.turn, known_only=True)
        episode.context = Context(request.root, trust=request.trust)
        with self._database.reading() as connection:
            store = WorkspaceReader(connection, request.tenant, request.workspace)
            _, alignment = _conversation(store, talk, request.turn)
        new = [
            n
            for n, age in enumerate(alignment.ages)
            if age is not Age.SEEN and talk.items[n].role in (Role.USER, Role.TOOL)
        ]
        paths = self._named(talk, new, request.root) if begun else None
        with self._database.writing() as connection:
            store = WorkspaceWriter(connection, request.tenant, request.workspace, episode.started_at)
            known, alignment = _conversation(store, talk, request.turn)
            self._align(episode, talk, known, alignment)
            if new:
                root = root_in(store, episode.context)
                paths = frozenset(map(root.spelled, paths)) if paths is not None else None
                unit = unread(store, paths, self._limits, reason="over-budget", trust=request.trust)
                self._write(store, unit, episode)
            self._remember(store, episode)
        return episode

    def _named(self, talk: Talk, new: list[int], root: str | None) -> frozenset[str] | None:
        try:
            with budget.budget(NAMING_S):
                return named_paths(
                    [piece for n in new for piece in self._readings.evidence(talk, n, known_only=True)], root
                )
        except budget.OverBudgetError:
            return None

    # -- what is new

    def _fresh(self, store: WorkspaceReader, talk: Talk, episode: Episode) -> tuple[Fresh, Alignment]:
        """What is new in the request, in the order of the wire; also finds its conversation."""
        known, alignment = _conversation(store, talk, episode.request.turn)
        self._align(episode, talk, known, alignment)
        calls.recall(store, talk, alignment.ages, known)
        found, root = Fresh(), episode.context.root
        for n, item in enumerate(talk.items):
            if alignment.ages[n] is not Age.SEEN and item.role in (Role.USER, Role.TOOL):
                old = alignment.ages[n] is Age.OLD
                again = old and store.was_said(talk.digests[n])
                pieces = strayed.evidence(store, talk, n, root, self._readings) if not again else []
                pieces = joining.news(store, pieces, root) if n in talk.listings else pieces
                pieces = without_older_reads(store, talk, n, pieces, root)
                said = not old and self._readings.beside(talk, n, root)
                if (pieces or said) and not _is_hearsay(store, talk, n, episode.request):
                    found.append((alignment.ages[n], n, pieces))
        at = rewinding.reworded(alignment, talk, episode.request.turn)
        shown = self._readings.shown(talk, at) if at is not None else []
        if at is not None and rewinding.shows_other(store, episode.conversation, alignment.fitting, shown, root):
            found.insert(0, (Age.NEW, at, [*shown]))  # whoever wrote it anew stands on the user's side
        return found, alignment

    @staticmethod
    def _align(episode: Episode, talk: Talk, known: Conversation | None, alignment: Alignment) -> None:
        episode.conversation = known or Conversation(episode.conversation.id)
        episode.since, episode.parent = episode.conversation.items, alignment.last_said
        episode.digests = tuple(
            talk.digests[n] for n, age in enumerate(alignment.ages) if age is not Age.SEEN and n not in talk.listings
        )

    def _way(self, alignment: Alignment, talk: Talk, fresh: Fresh, episode: Episode) -> rewinding.Way:
        rewritten = any(talk.items[n].role is Role.ASSISTANT for _, n, _ in fresh)
        return rewinding.Way(alignment, talk, self._past_read, rewritten, episode.context.trust)

    def _judged(self, store: WorkspaceReader, talk: Talk, fresh: Fresh, episode: Episode) -> UnitOfWork:
        context = located(store, episode.context)
        new = [one for one in fresh if one[0] is Age.NEW]
        found = self._brought(store, talk, episode) if len(new) < len(fresh) else {}
        shown = self._shown_whole(talk, new, context.root)
        pasts = {
            n: self._past(store, talk, n, p, episode, shown) for _, n, ps in new for p in ps if isinstance(p, Report)
        }
        pieces = [piece for _, _, ps in new for piece in ps] + [e for past in pasts.values() for e in past.said]
        said_done = [piece for piece in pieces if isinstance(piece, Told)]
        told = {p: told_of(store, p, context.root) or told_undone(store, p.sentence, episode) for p in said_done}
        pieces += [said for said in told.values() if isinstance(said, Drift)]
        more = {p for past in pasts.values() for p in past.replaced} | found.keys()
        more |= {entity.path for said in told.values() if not isinstance(said, Drift) for entity in said}
        if any(map(unlabelled, pieces)):
            before = play_before(store, episode, self._readings, context.root)
            # what stood in the turn before is not in play for the user's own code, but decides between several files
            also = Play(earlier=before.before | before.earlier, loose=before.loose)
            play = play_of(meant(store, talk.said, context.root)) | also
            context = replace(context, play=play)
        shows = any(isinstance(piece, (Shown, Snippet)) for piece in pieces)
        if shows:
            made, alone = brought(store, episode.conversation.last_episode)
            put = cache(partial(commented, store, episode.conversation.last_episode))
            context = replace(context, brought=made, alone=alone, commented=put)
            context = replace(context, shown_in_part=cache(partial(shown_in_part, store)))
        unit = unit_for(store, pieces, context, self._limits, more)
        joining.adopted(unit, found)
        if shows:
            context = replace(context, going=going(store, unit.files.values()))
        beside = [(n, event) for _, n, _ in new for event in self._readings.beside(talk, n, context.root)]
        for n, piece in _in_order(talk, new):
            budget.spend()
            while beside and beside[0][0] < n:  # before what came after it
                at, event = beside.pop(0)
                unit.say(event, talk.items[at].text)
            role = talk.items[n].role
            if isinstance(piece, Told):
                said = told[piece]
                if isinstance(said, Drift):
                    judge_user(unit, [said], context)
                else:
                    shown_with = next(ps for _, m, ps in new if m == n)
                    doubt_told(unit, said or told_by_pairs(unit, shown_with, context), shown_with)
            elif isinstance(piece, Report):
                judge_report(unit, piece, pasts[n], context)
            elif isinstance(piece, Outcome):
                judge_outcome(unit, piece, context)
            else:
                judge_user(unit, [piece], context, Origin.TOOL if role is Role.TOOL else Origin.USER)
        for at, event in beside:
            unit.say(event, talk.items[at].text)
        confirming.confirm(store, unit)
        return unit

    def _shown_whole(self, talk: Talk, new: Fresh, root: str | None) -> frozenset[str]:
        """The files whose whole text a request shows anew, or once more in a listing."""
        pieces = [piece for _, _, found in new for piece in found]
        pieces += [p for n in talk.listings for p in self._readings.evidence(talk, n, root)]
        paths = (normalise_path(piece.path, root) for piece in pieces if isinstance(piece, Shown) and piece.whole)
        return frozenset(path for path in paths if path is not None)

    def _brought(self, store: WorkspaceReader, talk: Talk, episode: Episode) -> Mapping[str, FileState]:
        """The files that the request's history of unknown age brings."""
        ages = _conversation(store, talk, episode.request.turn)[1].ages
        old = [n for n, age in enumerate(ages) if age is not Age.NEW]
        earlier = [n for n in old if not _is_hearsay(store, talk, n, episode.request)]
        known = {n for n in earlier if ages[n] is Age.SEEN or store.was_said(talk.digests[n])}
        return joining.brought(talk, earlier, known, self._readings, located(store, episode.context), self._limits)

    def _write(self, store: WorkspaceWriter, unit: UnitOfWork, episode: Episode) -> None:
        store.put(unit.contents)
        store.append(unit.events, episode.id, self._now())
        flags = (*episode.conversation.next_flags, *with_lost(unit.flags, unit.events), *gone_flags(unit.events))
        episode.conversation = replace(episode.conversation, next_flags=tuple(dict.fromkeys(flags)))

    def _past(
        self, store: WorkspaceReader, talk: Talk, n: int, report: Report, episode: Episode, shown: frozenset[str]
    ) -> Past:
        """What a report is about: the answer before it, and what became of that."""
        known = episode.conversation
        if report.dropped and not _is_answer(talk, n - 1):
            return Past(None, (), {}, shown)
        about = store.last_change(known.id) if report.undone else known.last_episode
        said = next((s for m in _answers(talk, n) if (s := self._readings.shown(talk, m))), [])
        return Past(about, tuple(said), store.replaced(about) if about is not None else {}, shown)

    def _take_diffs(self, request: Request, episode: Episode) -> None:
        """The diffs in a client's errand are its word of what it did (SEMANTICS 2, Outcomes)."""
        text = stated_diffs(request.turn)
        changes = parse_diff(text, Carrier.REPORT, stated=True) if text else []
        if not changes:
            return
        with self._database.writing() as connection:
            writing = WorkspaceWriter(connection, request.tenant, request.workspace, episode.started_at)
            context = located(writing, episode.context)
            unit = unit_for(writing, changes, context, self._limits)
            rest = [change for change in changes if not errands.confirms(writing, unit, change, context)]
            judge_user(unit, rest, context, Origin.TOOL)
            self._write(writing, unit, episode)

    def _take_results(self, request: Request, talk: Talk, episode: Episode) -> None:
        """The results that a client's errand is the first to carry count like any other; they are remembered with the
        calls they answer, so that they count once."""
        if not any(item.kind is ItemKind.RESULT for item in talk.items):
            return
        episode.context = Context(request.root, trust=request.trust)
        with self._database.reading() as connection:
            store = WorkspaceReader(connection, request.tenant, request.workspace)
            if not _results(talk, self._fresh(store, talk, episode)[0]):
                return
        with self._database.writing() as connection:
            writing = WorkspaceWriter(connection, request.tenant, request.workspace, episode.started_at)
            fresh = _results(talk, self._fresh(writing, talk, episode)[0])
            self._write(writing, self._judged(writing, talk, fresh, episode), episode)
            told = [talk.digests[n] for _, n, _ in fresh]
            made = [history.digest(call) for _, n, _ in fresh if (call := talk.call(n)) is not None]
            episode.digests = tuple(digest for digest in (*made, *told) if digest in episode.digests)
            self._remember(writing, episode)

    @staticmethod
    def _remember(store: WorkspaceWriter, episode: Episode) -> None:
        store.remember(episode.conversation, episode.digests)
        items = episode.conversation.items + len(episode.digests)
        episode.conversation, episode.digests = replace(episode.conversation, items=items), ()


def _in_order(talk: Talk, new: Fresh) -> list[tuple[int, Piece]]:
    """New evidence in the order of the wire, but that a client shows files as they are when it sends: what a user tells
    of a change is older than what the same message shows, and than a listing, wherever it stands."""
    pieces = [(n, piece) for _, n, said in new for piece in said]
    first: dict[int, int] = {}
    for n, _ in pieces:
        first.setdefault(talk.items[n].message, n)

    def place(one: tuple[int, Piece]) -> tuple[bool, int, bool]:
        n, piece = one
        told = isinstance(piece, Told) or (isinstance(piece, Drift) and piece.carrier is Carrier.TOLD)
        item = talk.items[n]
        together = item.role is Role.USER and item.kind is ItemKind.TEXT and item.message >= 0
        return n in talk.listings, first[item.message] if together else n, not told

    return sorted(pieces, key=place)


def _results(talk: Talk, fresh: Fresh) -> Fresh:
    """What is new of the results of calls."""
    return [one for one in fresh if one[0] is Age.NEW and talk.items[one[1]].kind is ItemKind.RESULT]


def _answers(talk: Talk, end: int) -> Iterator[int]:
    """The model's words before an item, the last one first, back to the user's own: what a client lays in its mouth to
    acknowledge a listing or a commit is among them, and shows nothing."""
    for n in range(end - 1, -1, -1):
        if talk.items[n].role is Role.ASSISTANT:
            yield n
        elif n in talk.own:
            return


def _is_answer(talk: Talk, n: int) -> bool:
    """Whether an item is the model's own text, and no client's acknowledgement."""
    item = talk.items[n] if n >= 0 else None
    return item is not None and item.role is Role.ASSISTANT and item.text.strip() not in patterns().acknowledgements


def _is_hearsay(store: WorkspaceReader, talk: Talk, n: int, request: Request) -> bool:
    """Whether a user text is a model's answer, handed on to an editor: it is not the user's word.

    Known by the editor's prompt, or because the very text, with its prose, was a model's and stands here without any
    history. A user who pastes an answer's code back into the conversation means it.
    """
    item = talk.items[n]
    if item.role is not Role.USER or is_floating(item.text):
        return False
    if is_editor(request.turn):
        return True
    alone = all(item.role is not Role.ASSISTANT or talk.floats[m] for m, item in enumerate(talk.items))
    answer = replace(item, role=Role.ASSISTANT)
    return alone and n == talk.prompt and bool(talk.prose) and store.was_said(history.digest(answer))


def _conversation(store: WorkspaceReader, talk: Talk, turn: Turn) -> tuple[Conversation | None, Alignment]:
    """The remembered conversation that a request continues, and how it fits; None for a new one."""
    best, best_id = history.Alignment(()), None
    if any(item.role is Role.ASSISTANT for item in talk.items):
        for candidate in store.related(talk.digests):
            aligned = talk.align(store.memory(candidate, talk.digests))
            if aligned.weight > best.weight:
                best, best_id = aligned, candidate
    elif talk.prompt is not None:
        for candidate in store.related(talk.digests):
            known = store.conversation(candidate)
            if known is not None and rewinding.may_begin_anew(store, known, talk, turn):
                anew = history.begun_anew(talk.digests, store.memory(candidate, talk.digests))
                if anew is not None:
                    return known, anew
    return (store.conversation(best_id), best) if best_id else (None, talk.align({}))
