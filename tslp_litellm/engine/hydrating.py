"""What a prompt gets: blocks and notices in front of the user's latest own words (SEMANTICS 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from tslp_litellm.engine import deciding
from tslp_litellm.engine.gathering import root_in
from tslp_litellm.engine.talk import ReadingCache, Talk
from tslp_litellm.engine.using import Stands, Using
from tslp_litellm.engine.values import Episode
from tslp_litellm.hydration import notices
from tslp_litellm.hydration.blocks import Block, preface
from tslp_litellm.hydration.budget import Fitted, fitting, lines_fitting, tokens_max
from tslp_litellm.hydration.counting import TokenCounts
from tslp_litellm.hydration.mentions import mentions
from tslp_litellm.hydration.select import Selection, select, select_removed, wanted
from tslp_litellm.hydration.standing import Stated, stands
from tslp_litellm.parser import outline
from tslp_litellm.resolution.files import outline_of
from tslp_litellm.resolution.trust import DECISION
from tslp_litellm.state.markers import holds_marker
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Tracked
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.syntax.languages import language_of_path
from tslp_litellm.syntax.outline import Kind

INJECTED_HEADER = "x-tslp-injected"
VALUES_RANK = 1_000
"""Deeper than definitions are nested."""


class Hydrator:
    """Blocks and notices for prompts. `tokens_max`: the setting."""

    def __init__(self, readings: ReadingCache, counts: TokenCounts, tokens_max: int | None, using: Using) -> None:
        self._readings, self._tokens_max, self._count = readings, tokens_max, counts.of
        self._using = using

    def hydrate(
        self,
        store: WorkspaceReader,
        talk: Talk,
        episode: Episode,
        seen: Talk | None = None,
        room: int | None = None,
        also: Sequence[str] = (),
    ) -> None:
        """Blocks and notices in front of the user's latest own words.

        `seen`: the request as the model sees it, if that is not as it was sent; `room`: the tokens that it leaves free
        in the model's window, None where that is not known; `also`: notices that go with them. Called anew, it does the
        same anew.
        """
        turn = talk.turn_key()
        if turn is None:
            self._inject(episode, [], [])
            return
        begins = not talk.answered()
        if episode.conversation.turn_digest != turn:
            flags = episode.conversation.next_flags
            told = tuple(flag for flag in flags if flag.kind != DECISION) if begins else ()
            kept = tuple(flag for flag in flags if flag not in told)
            episode.conversation = replace(episode.conversation, turn_digest=turn, turn_flags=told, next_flags=kept)
        root = root_in(store, episode.context)
        chosen = self._select(store, talk, root)
        names = deciding.meant(store, chosen)
        standing = self._standing(store, seen or talk, root)
        missing = _missing(store, chosen, standing)
        marked = [block for block in missing if holds_marker(block.entity, block.text)]
        limit = tokens_max(self._tokens_max, episode.request.window, room)
        fitted = fitting([block for block in missing if block not in marked], limit, self._count)
        said = notices.from_flags(episode.conversation.turn_flags) if begins else []
        said += [notices.unknown(chosen.unknown)] if chosen.unknown else []
        said += [notices.removed(gone)] if (gone := _removed(store, chosen, root)) else []
        said += notices.ambiguous(chosen.ambiguous)
        episode.conversation, asked = deciding.open_questions(store, episode.conversation, names)
        said += asked
        said += self._left_out(fitted)
        said += [notices.unframeable([b.entity for b in marked])] if marked else []
        rest = 0 if fitted.left_out else fitted.rest
        more, used = self._using.tell(store, chosen.entities, fitted.blocks, rest, standing)
        episode.prompt_message = talk.message
        self._inject(episode, [*fitted.blocks, *more], [*said, *used, *also])

    def _inject(self, episode: Episode, blocks: Sequence[Block], said: Sequence[str]) -> None:
        episode.preface = preface(blocks, said)
        episode.hydrated, episode.notices = tuple(b.entity for b in blocks), tuple(said)
        episode.injected = sum(map(self._count, (*(block.render() for block in blocks), *said)))
        episode.headers[INJECTED_HEADER] = str(episode.injected)

    def _select(self, store: WorkspaceReader, talk: Talk, root: str) -> Selection:
        found = mentions(talk.prose)
        want = wanted(found, root)
        rows = store.tracked(want.paths)
        rows += store.tracked(store.with_tails(want.paths - {row.path for row in rows}))
        named, crowded = store.named(want.names)
        return select(found, [*rows, *named], root, lambda row: _is_type(store, row), crowded=crowded)

    def _standing(self, store: WorkspaceReader, talk: Talk, root: str) -> Stands:
        """Tells whether an entity's text stands in the request."""
        items = [
            Stated(item.text, lambda n=n: self._readings.shown(talk, n), call.text if call else "")  # type: ignore[misc]
            for n, (item, call) in enumerate(zip(talk.items, talk.calls, strict=True))
        ]
        once = cache(store.was_current)
        return lambda entity, text: stands(entity, text, items, root, once)

    def _left_out(self, fitted: Fitted) -> list[str]:
        """What did not fit: files with the signatures of what they define, as far as these fit; the rest by name."""
        rest, named, said = fitted.rest, list[str](), list[str]()
        for block in fitted.left_out:
            signatures = _signatures(block)
            kept, rest = lines_fitting(signatures, rest, self._count)
            if kept:
                said.append(notices.too_large(block.entity, kept, len(signatures) - len(kept)))
            else:
                named.append(block.entity)
        return [*said, notices.skipped(named)] if named else said


def _missing(store: WorkspaceReader, chosen: Selection, standing: Stands) -> list[Block]:
    """Blocks for what is meant and does not stand in the request."""
    texts = store.texts(row.artifact for row in chosen.entities)
    return [
        Block(row.entity, row.artifact, row.source, texts[row.artifact])
        for row in chosen.entities
        if row.artifact in texts and not standing(row.entity, texts[row.artifact])
    ]


def _signatures(block: Block) -> list[tuple[int, str]]:
    """What a file defines, a line each, with its rank: what holds others before these, values last. Nothing for a
    symbol."""
    name = Entity.parse(block.entity)
    if name.symbol is not None:
        return []
    seen = outline(language_of_path(name.path), block.text)
    return [
        (
            VALUES_RANK if symbol.kind is Kind.VALUE else symbol.name.count("."),
            f"{Entity(name.path, symbol.name)}: {seen.signature(symbol)}",
        )
        for symbol in seen.symbols
    ]


def _is_type(store: WorkspaceReader, row: Tracked) -> bool:
    state = store.files([row.path]).get(row.path)
    seen = outline_of(state) if state is not None else None
    symbol = seen.by_name.get(row.symbol or "") if seen is not None else None
    return symbol is not None and symbol.kind is Kind.TYPE


def _removed(store: WorkspaceReader, chosen: Selection, root: str | None) -> list[str]:
    """The tombstones that the prompt means."""
    want = wanted(chosen.unmet, root)
    graves = store.buried(paths=want.paths, basenames=want.basenames, leaves=want.leaves)
    return select_removed(chosen, graves, root, lambda row: _was_type(store, row)) if graves else []


def _was_type(store: WorkspaceReader, row: Tracked) -> bool:
    text, leaf = store.texts([row.artifact]).get(row.artifact, ""), Entity.parse(row.entity).leaf
    symbols = outline(language_of_path(row.path), text).symbols
    return any(s.leaf == leaf and s.kind is Kind.TYPE for s in symbols)
