"""The two visits of a turn: before the model is called, and after its last chunk has gone out.

Each reads what it needs in a snapshot, lets pure functions decide, and writes what they decided in one transaction.
Synchronous, and without LiteLLM: it runs in a worker thread, and it is handed the clock and the ids.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

from tslp_litellm.evidence import conversation
from tslp_litellm.evidence.clients import after_examples, is_side_request, working_directory
from tslp_litellm.evidence.conversation import Age
from tslp_litellm.evidence.framing import holds_marker
from tslp_litellm.evidence.model import Attempt, Drift, Evidence, Outcome, Shown, Snippet
from tslp_litellm.evidence.model_text import read_answer
from tslp_litellm.evidence.outcomes import outcome
from tslp_litellm.evidence.reads import read
from tslp_litellm.evidence.tools import attempt, edits_files
from tslp_litellm.evidence.user_text import Reading as TextReading
from tslp_litellm.evidence.user_text import read_user_text
from tslp_litellm.hydration import budget, notices
from tslp_litellm.hydration.blocks import Block, preface
from tslp_litellm.hydration.mentions import mentions
from tslp_litellm.hydration.select import select, wanted
from tslp_litellm.hydration.standing import Stated, stands
from tslp_litellm.resolution.bench import Bench, Flag
from tslp_litellm.resolution.files import FileState
from tslp_litellm.resolution.gates import Limits
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.resolution.judge import Context, judge_attempt, judge_model, judge_outcome, judge_user
from tslp_litellm.settings import Settings
from tslp_litellm.state.events import Event, EventKind, Move, Op
from tslp_litellm.state.model import Confidence, Origin, Tracked, artifact_hash
from tslp_litellm.state.names import Entity, normalise_path
from tslp_litellm.store.database import Database
from tslp_litellm.store.reading import Conversation, Reading
from tslp_litellm.store.writing import Writing
from tslp_litellm.syntax.languages import Language, Nature, language_named, language_of_path
from tslp_litellm.syntax.outline import Kind, outline
from tslp_litellm.wire.turn import Answer, Item, ItemKind, Role, Turn

TalkPiece = tuple[Item, Item | None]
"""An item, and for a tool's result the call that it answers."""


@dataclass(frozen=True, slots=True)
class Request:
    """A completion call as the engine sees it. `window`: tokens of the model's context, None if unknown."""

    tenant: str
    workspace: str
    call_type: str
    model: str
    turn: Turn
    window: int | None = None


@dataclass(slots=True)
class Episode:
    """One call between its two visits."""

    id: str
    started_at: str
    request: Request
    side: bool
    conversation: Conversation
    digests: tuple[bytes, ...] = ()  # what is new in the conversation and not remembered yet
    context: Context = field(default_factory=Context)
    prompt_message: int | None = None
    preface: str = ""
    hydrated: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    judged: int = 0


@dataclass(frozen=True, slots=True)
class Talk:
    """A request's own items, read."""

    items: tuple[Item, ...]
    digests: tuple[bytes, ...]
    calls: tuple[Item | None, ...]
    prompt: int | None  # the index of the item with which the user's latest own words begin
    prose: str
    message: int | None


class Engine:
    """Visits to one database."""

    def __init__(self, database: Database, settings: Settings, *, now: Callable[[], str], new_id: Callable[[], str],
                 count_tokens: Callable[[str], int]) -> None:
        self.database, self.settings = database, settings
        self._now, self._new_id, self._count = now, new_id, count_tokens
        self._limits = Limits(settings.parity_nodes_min_ratio, settings.parity_tokens_min_ratio)
        self._readings = ReadingCache()

    # -- before the model

    def preflight(self, request: Request) -> Episode:
        """The first visit: the user's and tools' new evidence is judged, and the prompt gets its blocks and notices."""
        side = is_side_request(request.turn)
        episode = Episode(self._new_id(), self._now(), request, side, Conversation(self._new_id()))
        if side:
            return episode
        talk = self._talk(request.turn)
        root = working_directory(request.turn)
        episode.context = Context(root, Intent(talk.prose), edits_files(request.turn.tools))
        with self.database.reading() as connection:
            store = Reading(connection, request.tenant, request.workspace)
            evidence = self._evidence(store, talk, episode)
            if not evidence:
                self._hydrate(store, talk, episode)
        if evidence:
            with self.database.writing() as connection:
                writing = Writing(connection, request.tenant, request.workspace, episode.started_at)
                evidence = self._evidence(writing, talk, episode)
                self._judge_request(writing, evidence, episode)
                self._hydrate(writing, talk, episode)
                self._remember(writing, episode)
        return episode

    def _talk(self, turn: Turn) -> Talk:
        items = after_examples(turn.items)
        digests = tuple(conversation.digest(item) for item in items)
        known: dict[str, Item] = {}
        calls: list[Item | None] = []
        for item in items:
            if item.kind is ItemKind.CALL:
                known[item.call_id] = item
            calls.append(known.get(item.call_id) if item.kind is ItemKind.RESULT else None)
        own = [(n, prose) for n, item in enumerate(items) if item.role is Role.USER and item.kind is ItemKind.TEXT
               and (prose := self._readings.get(item, digests[n]).prose)]
        if not own:
            return Talk(items, digests, tuple(calls), None, "", None)
        message = items[own[-1][0]].message
        parts = [(n, prose) for n, prose in own if items[n].message == message]
        return Talk(items, digests, tuple(calls), parts[-1][0], "\n\n".join(prose for _, prose in parts), message)

    def _evidence(self, store: Reading, talk: Talk, episode: Episode) -> list[tuple[Age, Item, list[Evidence | Outcome]]]:
        """What is new in the request, in the order of the wire; also finds the conversation."""
        found, alignment = self._find_conversation(store, talk)
        episode.conversation = found or Conversation(episode.conversation.id)
        episode.digests = tuple(d for d, age in zip(talk.digests, alignment.ages, strict=True) if age is not Age.SEEN)
        out = []
        for n, item in enumerate(talk.items):
            if alignment.ages[n] is not Age.SEEN and item.role in (Role.USER, Role.TOOL):
                pieces = self._read_item(item, talk.calls[n], talk.digests[n])
                if pieces:
                    out.append((alignment.ages[n], item, pieces))
        return out

    def _find_conversation(self, store: Reading, talk: Talk) -> tuple[Conversation | None, conversation.Alignment]:
        best, best_id = conversation.align(talk.items, talk.digests, {}), None
        if any(item.role is Role.ASSISTANT for item in talk.items):
            for candidate in store.related(talk.digests):
                aligned = conversation.align(talk.items, talk.digests, store.memory(candidate, talk.digests))
                if aligned.weight > best.weight:
                    best, best_id = aligned, candidate
        return (store.conversation(best_id) if best_id else None), best

    def _read_item(self, item: Item, call: Item | None, digest: bytes) -> list[Evidence | Outcome]:
        if not item.exact:
            return []
        if item.kind is ItemKind.TEXT:
            return list(self._readings.get(item, digest).evidence)
        if call is None:
            return []
        attempted = attempt(call)
        return [outcome(attempted, item)] if attempted else list(read(call, item))

    def _judge_request(self, store: Writing, found: list[tuple[Age, Item, list[Evidence | Outcome]]], episode: Episode) -> None:
        bench = self._bench(store, (piece for _, _, pieces in found for piece in pieces), episode.context)
        for age, item, pieces in found:
            old = age is Age.OLD
            for piece in pieces:
                if isinstance(piece, Outcome):
                    if not old:
                        judge_outcome(bench, piece, episode.context)
                else:
                    origin = Origin.USER if item.role is Role.USER else Origin.TOOL
                    judge_user(bench, [piece], episode.context, origin, untracked_only=old)
        self._write(store, bench, episode)
        episode.conversation = replace(episode.conversation, next_flags=(*episode.conversation.next_flags, *bench.flags))

    def _bench(self, store: Reading, pieces: Iterable[Evidence | Outcome | Attempt], context: Context) -> Bench:
        """A bench with all that the pieces may touch."""
        paths: set[str] = set()
        names: set[str] = set()
        for piece in pieces:
            for change in _changes(piece):
                if isinstance(change, Snippet):
                    names |= {s.name for s in outline(_language(change.language), change.text).symbols}
                else:
                    raw = change.paths if isinstance(change, Drift) else (change.path, getattr(change, "to", None) or change.path)
                    paths |= {p for r in raw if (p := normalise_path(r, context.root)) is not None}
        return Bench(store.files(paths), store.holders(names) if names else {}, self._limits)

    # -- hydration

    def _hydrate(self, store: Reading, talk: Talk, episode: Episode) -> None:
        """Blocks and notices for the user's latest own words."""
        if talk.prompt is None:
            return
        turn = _turn_key(talk.digests, talk.prompt)
        if episode.conversation.turn_digest != turn:
            episode.conversation = replace(episode.conversation, turn_digest=turn, turn_flags=episode.conversation.next_flags, next_flags=())
        said = notices.from_flags(episode.conversation.turn_flags)
        root = episode.context.root
        found = mentions(talk.prose)
        want = wanted(found, root)
        rows = store.tracked(paths=want.paths, basenames=want.basenames, leaves=want.leaves)
        chosen = select(found, rows, root, lambda row: self._is_type(store, row))
        texts = store.texts(row.artifact for row in chosen.entities)
        blocks = [Block(row.entity, row.artifact, row.source, texts[row.artifact]) for row in chosen.entities if row.artifact in texts]
        stated = [Stated(item.text, lambda n=n: self._shown(talk, n)) for n, item in enumerate(talk.items)]  # type: ignore[misc]
        blocks = [b for b in blocks if not stands(b.entity, b.text, stated, talk.prompt or 0, root)]
        marked = [b.entity for b in blocks if holds_marker(b.text)]
        limit = budget.tokens_max(self.settings.hydration_tokens_max, episode.request.window)
        blocks, left = budget.fitting([b for b in blocks if b.entity not in marked], limit, self._count)
        said += [notices.unknown(chosen.unknown)] if chosen.unknown else []
        said += [notices.ambiguous(name, candidates) for name, candidates in chosen.ambiguous]
        said += [notices.skipped([b.entity for b in left])] if left else []
        said += [notices.unframeable(marked)] if marked else []
        episode.prompt_message, episode.preface = talk.message, preface(blocks, said)
        episode.hydrated, episode.notices = tuple(b.entity for b in blocks), tuple(said)

    def _shown(self, talk: Talk, n: int) -> list[Evidence]:
        """The files that an item shows, for the question what stands in a request."""
        item = talk.items[n]
        if item.kind is ItemKind.CALL:
            attempted = attempt(item)
            return list(attempted.changes) if attempted else []
        return [piece for piece in self._read_item(item, talk.calls[n], talk.digests[n]) if not isinstance(piece, Outcome)]

    @staticmethod
    def _is_type(store: Reading, row: Tracked) -> bool:
        state = store.files([row.path]).get(row.path)
        seen = state.outline() if state is not None else None
        symbol = seen.by_name.get(row.symbol or "") if seen is not None else None
        return symbol is not None and symbol.kind is Kind.TYPE

    # -- after the last chunk

    def record(self, episode: Episode, answer: Answer) -> None:
        """The second visit: the model's evidence is judged, and the episode is recorded."""
        request = episode.request
        with self.database.reading() as connection:  # parsing happens here, outside the write lock
            self._judge_answer(Reading(connection, request.tenant, request.workspace), episode, answer)
        with self.database.writing() as connection:
            store = Writing(connection, request.tenant, request.workspace, self._now())
            bench = self._judge_answer(store, episode, answer)
            if expired := store.expired(self.settings.tombstone_episodes):
                bench.events.append(Event(EventKind.EXPIRY, tuple(Move(Op.EXPIRE, entity) for entity in expired)))
            bench.events.append(self._recorded(episode, answer, bench))
            self._write(store, bench, episode)
            if not episode.side:
                known = store.conversation(episode.conversation.id) or episode.conversation
                said = tuple(conversation.digest(item) for item in answer.items)
                if answer.response_id:
                    said += (conversation.digest(Item(Role.ASSISTANT, ItemKind.RESPONSE, answer.response_id)),)
                episode.conversation = replace(
                    episode.conversation, items=known.items, last_episode=episode.id,
                    next_flags=(*episode.conversation.next_flags, *_once(bench.flags, _unlinked(bench))))
                episode.digests = (*episode.digests, *said) if answer.complete else episode.digests
                self._remember(store, episode)

    def _judge_answer(self, store: Reading, episode: Episode, answer: Answer) -> Bench:
        if episode.side or not answer.complete:
            return Bench(limits=self._limits)
        evidence = [piece for item in answer.items if item.kind is ItemKind.TEXT and item.exact for piece in read_answer(item.text)]
        attempts = [a for item in answer.items if item.kind is ItemKind.CALL and (a := attempt(item))]
        bench = self._bench(store, (*evidence, *attempts), episode.context)
        judge_model(bench, evidence, episode.context)
        for attempted in attempts:
            judge_attempt(bench, attempted, episode.context)
        return bench

    def _recorded(self, episode: Episode, answer: Answer, bench: Bench) -> Event:
        """The episode as the Ledger keeps it (§3.2)."""
        prompt = episode.context.intent.prompt
        said = "".join(item.text for item in answer.items if item.kind is ItemKind.TEXT)
        about: dict[str, Any] = {
            "started_at": episode.started_at, "model": episode.request.model, "call_type": episode.request.call_type,
            "side": episode.side, "complete": answer.complete, "finish": answer.finish or None,
            "conversation": None if episode.side else episode.conversation.id, "prompt": bench.put(prompt) if prompt else None,
            "answer": artifact_hash(said) if said else None, "hydrated": list(episode.hydrated), "notices": len(episode.notices)}
        return Event(EventKind.EPISODE, (), tuple((key, value) for key, value in about.items() if value is not None))

    # -- writing

    def _write(self, store: Writing, bench: Bench, episode: Episode) -> None:
        store.put(bench.contents)
        store.append(bench.events, episode.id, self._now())

    def _remember(self, store: Writing, episode: Episode) -> None:
        store.remember(episode.conversation, episode.digests)
        episode.conversation = replace(episode.conversation, items=episode.conversation.items + len(episode.digests))
        episode.digests = ()


def _turn_key(digests: Sequence[bytes], prompt: int) -> bytes:
    """What tells a turn from the one before, also where the user says the same words again."""
    return digests[prompt] + digests[: prompt + 1].count(digests[prompt]).to_bytes(2, "big")


def _changes(piece: Evidence | Outcome | Attempt) -> Sequence[Evidence]:
    if isinstance(piece, Outcome):
        return (*piece.attempt.changes, *piece.stated)
    return piece.changes if isinstance(piece, Attempt) else (piece,)


def _language(name: str) -> Language | None:
    return language_named(name) if name else None


def _unlinked(bench: Bench) -> list[Flag]:
    """The safety notice of §8.3, if source code of the answer ended INFERRED or UNRESOLVED."""
    return [notices.UNLINKED] if any(_is_unlinked(move) for event in bench.events for move in event.moves) else []


def _is_unlinked(move: Move) -> bool:
    if move.confidence not in (Confidence.INFERRED, Confidence.UNRESOLVED):
        return False
    language = language_of_path(Entity.parse(move.entity).path) if move.entity else None
    return language is None or language.nature is Nature.CODE


def _once(*groups: Iterable[Flag]) -> tuple[Flag, ...]:
    return tuple(dict.fromkeys(flag for group in groups for flag in group))


class ReadingCache:
    """The last readings of user texts, by their digest: a resent history costs its hashing only."""

    def __init__(self, size: int = 4096) -> None:
        self._size, self._kept, self._lock = size, OrderedDict[bytes, TextReading](), Lock()

    def get(self, item: Item, digest: bytes) -> TextReading:
        """The reading of a text; the model's own words show files too, but hold no prose of the user's."""
        with self._lock:
            if digest in self._kept:
                self._kept.move_to_end(digest)
                return self._kept[digest]
        made = read_user_text(item.text) if item.role is Role.USER else TextReading(tuple(read_answer(item.text)))
        with self._lock:
            self._kept[digest] = made
            if len(self._kept) > self._size:
                self._kept.popitem(last=False)
        return made
