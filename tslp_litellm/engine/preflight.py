"""The first visit: new evidence from the user's side, then blocks and notices for the prompt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tslp_litellm.engine import verification
from tslp_litellm.engine.bench import bench_for
from tslp_litellm.engine.model import Episode, Request
from tslp_litellm.engine.talk import ReadingCache, Talk
from tslp_litellm.evidence import conversation
from tslp_litellm.evidence.clients import is_side_request, working_directory
from tslp_litellm.evidence.conversation import Age, Alignment
from tslp_litellm.evidence.framing import holds_marker
from tslp_litellm.evidence.model import Evidence, Outcome
from tslp_litellm.evidence.tools import edits_files
from tslp_litellm.hydration import budget, notices
from tslp_litellm.hydration.blocks import Block, preface
from tslp_litellm.hydration.mentions import mentions
from tslp_litellm.hydration.select import Selection, select, wanted
from tslp_litellm.hydration.standing import Stated, stands
from tslp_litellm.resolution.by_client import judge_outcome
from tslp_litellm.resolution.by_user import judge_user
from tslp_litellm.resolution.common import Context
from tslp_litellm.resolution.gates import Limits
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.state.model import Origin, Tracked
from tslp_litellm.store.database import Database
from tslp_litellm.store.reading import Conversation, Reading
from tslp_litellm.store.writing import Writing
from tslp_litellm.syntax.outline import Kind
from tslp_litellm.wire.turn import Role

Fresh = list[tuple[Age, Role, list[Evidence | Outcome]]]
"""New items: their age, whose they are, and what they are evidence of."""


class Preflight:
    """Visits before the model is called."""

    def __init__(
        self,
        database: Database,
        limits: Limits,
        readings: ReadingCache,
        now: Callable[[], str],
        new_id: Callable[[], str],
        hydration_tokens_max: int | None,
        count_tokens: Callable[[str], int],
    ) -> None:
        self._database, self._limits, self._readings = database, limits, readings
        self._now, self._new_id = now, new_id
        self._tokens_max, self._count = hydration_tokens_max, count_tokens

    def visit(self, request: Request) -> Episode:
        """Judge and hydrate. Without new evidence nothing is written, and nobody's write is waited for."""
        side = is_side_request(request.turn)
        episode = Episode(self._new_id(), self._now(), request, side, Conversation(self._new_id()))
        if side:
            return episode
        talk = self._readings.talk(request.turn)
        root = working_directory(request.turn)
        episode.context = Context(root, Intent(talk.prose), edits_files(request.turn.tools))
        with self._database.reading() as connection:
            store = Reading(connection, request.tenant, request.workspace)
            fresh = self._fresh(store, talk, episode)
            due = bool(fresh) or verification.due(store, talk, episode.conversation)
            if not due:
                self._hydrate(store, talk, episode)
        if due:
            with self._database.writing() as connection:
                writing = Writing(connection, request.tenant, request.workspace, episode.started_at)
                self._judge(writing, self._fresh(writing, talk, episode), episode)
                verification.settle(writing, talk, self._readings, episode, self._limits, self._now)
                self._hydrate(writing, talk, episode)
                self._remember(writing, episode)
        return episode

    # -- what is new

    def _fresh(self, store: Reading, talk: Talk, episode: Episode) -> Fresh:
        """What is new in the request, in the order of the wire; also finds its conversation."""
        known, alignment = _conversation(store, talk)
        episode.conversation = known or Conversation(episode.conversation.id)
        episode.digests = tuple(
            digest for digest, age in zip(talk.digests, alignment.ages, strict=True) if age is not Age.SEEN
        )
        found: Fresh = []
        for n, item in enumerate(talk.items):
            if alignment.ages[n] is not Age.SEEN and item.role in (Role.USER, Role.TOOL):
                pieces = self._readings.evidence(talk, n)
                if pieces:
                    found.append((alignment.ages[n], item.role, pieces))
        return found

    def _judge(self, store: Writing, fresh: Fresh, episode: Episode) -> None:
        bench = bench_for(store, (p for _, _, pieces in fresh for p in pieces), episode.context, self._limits)
        for age, role, pieces in fresh:
            old = age is Age.OLD
            for piece in pieces:
                if isinstance(piece, Outcome):
                    if not old:
                        judge_outcome(bench, piece, episode.context)
                else:
                    origin = Origin.USER if role is Role.USER else Origin.TOOL
                    judge_user(bench, [piece], episode.context, origin, untracked_only=old)
        store.put(bench.contents)
        store.append(bench.events, episode.id, self._now())
        flags = (*episode.conversation.next_flags, *bench.flags)
        episode.conversation = replace(episode.conversation, next_flags=tuple(dict.fromkeys(flags)))

    @staticmethod
    def _remember(store: Writing, episode: Episode) -> None:
        store.remember(episode.conversation, episode.digests)
        items = episode.conversation.items + len(episode.digests)
        episode.conversation, episode.digests = replace(episode.conversation, items=items), ()

    # -- hydration

    def _hydrate(self, store: Reading, talk: Talk, episode: Episode) -> None:
        """Blocks and notices in front of the user's latest own words."""
        turn = talk.turn_key()
        if turn is None:
            return
        if episode.conversation.turn_digest != turn:
            episode.conversation = replace(
                episode.conversation, turn_digest=turn, turn_flags=episode.conversation.next_flags, next_flags=()
            )
        chosen = self._select(store, talk, episode)
        blocks, left, marked = self._blocks(store, talk, episode, chosen)
        said = notices.from_flags(episode.conversation.turn_flags)
        said += [notices.unknown(chosen.unknown)] if chosen.unknown else []
        said += [notices.ambiguous(name, candidates) for name, candidates in chosen.ambiguous]
        said += [notices.skipped([b.entity for b in left])] if left else []
        said += [notices.unframeable([b.entity for b in marked])] if marked else []
        episode.prompt_message, episode.preface = talk.message, preface(blocks, said)
        episode.hydrated, episode.notices = tuple(b.entity for b in blocks), tuple(said)

    def _select(self, store: Reading, talk: Talk, episode: Episode) -> Selection:
        root = episode.context.root
        found = mentions(talk.prose)
        want = wanted(found, root)
        rows = store.tracked(paths=want.paths, basenames=want.basenames, leaves=want.leaves)
        return select(found, rows, root, lambda row: _is_type(store, row))

    def _blocks(
        self, store: Reading, talk: Talk, episode: Episode, chosen: Selection
    ) -> tuple[list[Block], list[Block], list[Block]]:
        """Blocks to inject, blocks that don't fit, and blocks that can't be framed."""
        texts = store.texts(row.artifact for row in chosen.entities)
        items = [
            Stated(item.text, lambda n=n: self._readings.shown(talk, n))  # type: ignore[misc]
            for n, item in enumerate(talk.items)
        ]
        blocks = [
            Block(row.entity, row.artifact, row.source, texts[row.artifact])
            for row in chosen.entities
            if row.artifact in texts
            and not stands(row.entity, texts[row.artifact], items, talk.prompt or 0, episode.context.root)
        ]
        marked = [block for block in blocks if holds_marker(block.text)]
        limit = budget.tokens_max(self._tokens_max, episode.request.window)
        fit, left = budget.fitting([b for b in blocks if b not in marked], limit, self._count)
        return fit, left, marked


def _conversation(store: Reading, talk: Talk) -> tuple[Conversation | None, Alignment]:
    """The remembered conversation that a request continues, and how it fits; None for a new one."""
    best, best_id = conversation.align(talk.items, talk.digests, {}), None
    if any(item.role is Role.ASSISTANT for item in talk.items):
        for candidate in store.related(talk.digests):
            aligned = conversation.align(talk.items, talk.digests, store.memory(candidate, talk.digests))
            if aligned.weight > best.weight:
                best, best_id = aligned, candidate
    return (store.conversation(best_id) if best_id else None), best


def _is_type(store: Reading, row: Tracked) -> bool:
    state = store.files([row.path]).get(row.path)
    seen = state.outline() if state is not None else None
    symbol = seen.by_name.get(row.symbol or "") if seen is not None else None
    return symbol is not None and symbol.kind is Kind.TYPE
