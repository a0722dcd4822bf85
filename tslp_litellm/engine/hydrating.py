"""What a prompt gets: blocks and notices for the user's latest own words (SEMANTICS 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tslp_litellm.engine.gathering import root_in
from tslp_litellm.engine.meaning import meant, play_of
from tslp_litellm.engine.sight import stated
from tslp_litellm.engine.talk import ReadingCache, Talk
from tslp_litellm.engine.using import Using
from tslp_litellm.engine.values import Episode
from tslp_litellm.hydration import notices
from tslp_litellm.hydration.blocks import Block, preface
from tslp_litellm.hydration.budget import fitting, tokens_max
from tslp_litellm.hydration.select import Selection, select_removed, wanted
from tslp_litellm.hydration.standing import stands
from tslp_litellm.hydration.window import Kept
from tslp_litellm.parser import outline
from tslp_litellm.state.markers import holds_marker
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Tracked
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.syntax.languages import language_of_path
from tslp_litellm.syntax.outline import Kind
from tslp_litellm.wire.turn import Turn


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as the model will see it. `kept`: what the window keeps of it; `room`: the tokens that it leaves free
    for blocks and notices, None where room is made for them; `said`: notices of ours about it."""

    talk: Talk
    turn: Turn
    kept: Kept
    room: int | None = None
    said: Sequence[str] = ()


class Hydrator:
    """Blocks and notices for prompts. `tokens_max`: the setting; `using`: what they are told of what is used."""

    def __init__(self, readings: ReadingCache, tokens_max: int | None, using: Using) -> None:
        self._readings, self._tokens_max, self._using = readings, tokens_max, using

    def hydrate(self, store: WorkspaceReader, talk: Talk, episode: Episode, seen: Seen) -> None:
        """Put blocks and notices into the episode. Done once more, it is done anew."""
        turn = talk.turn_key()
        if turn is None:
            return
        if episode.conversation.turn_digest != turn:
            episode.conversation = replace(
                episode.conversation, turn_digest=turn, turn_flags=episode.conversation.next_flags, next_flags=()
            )
        root = root_in(store, episode.context)
        chosen = meant(store, talk.prose, root)
        episode.context = replace(episode.context, play=play_of(chosen))
        said = notices.from_flags(episode.conversation.turn_flags)
        said += [notices.unknown(chosen.unknown)] if chosen.unknown else []
        said += [notices.removed(gone)] if (gone := _removed(store, chosen, root)) else []
        said += notices.ambiguous(chosen.ambiguous)
        said += seen.said
        blocks, left, marked = self._blocks(store, episode, chosen, root, preface([], said), seen)
        said += [notices.skipped([b.entity for b in left])] if left else []
        said += [notices.unframeable([b.entity for b in marked])] if marked else []
        blocks, said = self._using.add(
            store,
            episode,
            chosen.entities,
            (blocks, said),
            limit=lambda: 0 if left else self._limit(episode, seen, preface([], said)),
            items=lambda tokens: stated(seen.talk, seen.turn, self._readings, seen.kept, tokens),
            root=root,
        )
        episode.prompt_message, episode.preface = talk.message, preface(blocks, said)
        episode.hydrated, episode.notices = tuple(b.entity for b in blocks), tuple(said)
        episode.injected = sum(map(seen.kept.tokens, (*(block.render() for block in blocks), *said)))

    def _blocks(
        self,
        store: WorkspaceReader,
        episode: Episode,
        chosen: Selection,
        root: str,
        said: str,
        seen: Seen,
    ) -> tuple[list[Block], list[Block], list[Block]]:
        """Blocks to inject, blocks that don't fit, and blocks that can't be framed. `said`: the notices before them.

        What is injected takes the room of old messages: what stands is asked again beside it, until no more is missing.
        """
        texts, tokens = store.texts(row.artifact for row in chosen.entities), seen.kept.tokens
        rows = [row for row in chosen.entities if row.artifact in texts]
        meant = [Block(row.entity, row.artifact, row.source, texts[row.artifact]) for row in rows]
        standing, cost = meant, tokens(said) if meant else 0
        while True:
            items = stated(seen.talk, seen.turn, self._readings, seen.kept, cost)
            standing = [block for block in standing if stands(block.entity, block.text, items, root)]
            missing = [block for block in meant if block not in standing]
            marked = [block for block in missing if holds_marker(block.entity, block.text)]
            limit = self._limit(episode, seen, said) if missing else 0
            fit, left = fitting([block for block in missing if block not in marked], limit, tokens)
            beside = cost
            cost = tokens(said) + sum(tokens(block.render()) for block in fit) if standing else 0
            if cost <= beside:
                return fit, left, marked

    def _limit(self, episode: Episode, seen: Seen, said: str) -> int:
        """The tokens that blocks may take beside the notices."""
        limit = tokens_max(self._tokens_max, episode.request.window, seen.kept.free)
        return limit if seen.room is None else max(0, min(limit, seen.room - seen.kept.tokens(said)))


def _removed(store: WorkspaceReader, chosen: Selection, root: str | None) -> list[str]:
    """The tombstones that the prompt means."""
    want = wanted(chosen.unmet, root)
    graves = store.buried(paths=want.paths, basenames=want.basenames, leaves=want.leaves)
    return select_removed(chosen, graves, root, lambda row: _was_type(store, row)) if graves else []


def _was_type(store: WorkspaceReader, row: Tracked) -> bool:
    text, leaf = store.texts([row.artifact]).get(row.artifact, ""), Entity.parse(row.entity).leaf
    symbols = outline(language_of_path(row.path), text).symbols
    return any(s.leaf == leaf and s.kind is Kind.TYPE for s in symbols)
