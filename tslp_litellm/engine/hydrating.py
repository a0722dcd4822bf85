"""What a prompt gets: blocks and notices for the user's latest own words (SEMANTICS 4)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial

from tslp_litellm.engine import deciding
from tslp_litellm.engine.gathering import root_in
from tslp_litellm.engine.meaning import counts_as_type, meant, play_of, selected
from tslp_litellm.engine.moved import followed, once
from tslp_litellm.engine.sight import stated
from tslp_litellm.engine.talk import ReadingCache, Talk
from tslp_litellm.engine.using import Using
from tslp_litellm.engine.values import Episode
from tslp_litellm.hydration import notices
from tslp_litellm.hydration.blocks import Block, preface
from tslp_litellm.hydration.budget import fitting, is_file, lines_fitting, tokens_max
from tslp_litellm.hydration.select import Selection, select_removed, wanted
from tslp_litellm.hydration.signatures import signatures
from tslp_litellm.hydration.standing import Stated, stands
from tslp_litellm.hydration.window import Kept
from tslp_litellm.parser import outline
from tslp_litellm.placing.rules import only_introduced
from tslp_litellm.placing.values import Play
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.state.markers import holds_marker
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Tracked
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.syntax.languages import language_of_path
from tslp_litellm.wire.turn import Turn


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as the model will see it. `kept`: what the window keeps of it; `room`: the tokens that it leaves free
    for blocks and notices, None where room is made for them; `said`: notices of ours about it; `fronts`: what of ours
    stands in front of messages before, by their index on the wire."""

    talk: Talk
    turn: Turn
    kept: Kept
    room: int | None = None
    said: Sequence[str] = ()
    fronts: Mapping[int, str] = field(default_factory=dict)

    def stated(self, readings: ReadingCache, hydration: int) -> list[Stated]:
        """What stands in it, beside so many tokens in front of the prompt."""
        return stated(self.talk, self.turn, readings, self.kept, hydration, self.fronts)


class Hydrator:
    """Blocks and notices for prompts. `tokens_max`: the setting; `using`: what they are told of what is used."""

    def __init__(self, readings: ReadingCache, tokens_max: int | None, using: Using) -> None:
        self._readings, self._tokens_max, self._using = readings, tokens_max, using

    def hydrate(self, store: WorkspaceReader, talk: Talk, episode: Episode, seen: Seen) -> None:
        """Put blocks and notices into the episode. Done once more, it is done anew."""
        turn = talk.turn_key()
        if turn is None:
            return
        begins = not talk.answered()  # what happened is told on the first call of a turn
        episode.conversation = deciding.in_turn(episode.conversation, turn, begins=begins)
        root = root_in(store, episode.context)
        asks = Intent(talk.prose if episode.context.forms is None else "")  # who edits in pieces needs no file for it
        chosen = meant(store, talk.said, root, removed=partial(_asked_to_go, asks))
        gone, older = _removed(store, chosen, root)
        lives = followed(store, [*gone, *older])
        chosen.narrow({row.path for row in lives.values() if row.symbol is not None})
        mentioned = [*chosen.entities, *(row for rows in chosen.covered.values() for row in rows)]
        why = dict.fromkeys((row.entity for row in mentioned), "mentioned")
        for reason, rows in (("moved", lives.values()), ("decided", deciding.chosen_in(store, episode.conversation))):
            more = [row for row in rows if row.entity not in why]
            why |= dict.fromkeys((row.entity for row in more), reason)
            chosen.entities += more
        names, decided = deciding.meant(store, chosen, episode.conversation)
        asked_for = frozenset(entity for question in names for entity in question.about)
        also = Play(entities=asked_for, selected=selected(talk, self._readings, root))
        episode.context = replace(episode.context, play=play_of(chosen) | also)
        said = notices.from_flags(episode.conversation.turn_flags) if begins else []
        said += [notices.unknown(chosen.unknown)] if chosen.unknown else []
        said += [notices.followed((old, row.entity) for old, row in lives.items())] if lives else []
        said += [notices.removed(dead)] if (dead := [entity for entity in gone if entity not in lives]) else []
        said += notices.from_flags(decided)
        said += notices.ambiguous(chosen.ambiguous)
        episode.conversation, asked = deciding.open_questions(store, episode.conversation, names)
        said += asked
        said += seen.said
        introduced = cache(lambda: only_introduced(talk.prose, chosen.paths))
        rank = partial(_rank, chosen, introduced)
        blocks, left, marked, rest = self._blocks(store, episode, chosen, root, preface([], said), seen, rank)
        if chosen.uncover([block.entity for block in (*left, *marked)]):
            blocks, left, marked, rest = self._blocks(store, episode, chosen, root, preface([], said), seen, rank)
        said += _too_large(left, rest, seen.kept.tokens)
        said += [notices.unframeable([b.entity for b in marked])] if marked else []
        blocks, said = self._using.add(
            store,
            episode,
            chosen.entities,
            (blocks, said),
            limit=lambda: 0 if left else self._limit(episode, seen, preface([], said)),
            items=partial(seen.stated, self._readings),
            root=root,
        )
        episode.prompt_message, episode.preface = talk.message, preface(blocks, said)
        episode.hydrated, episode.notices = tuple(b.entity for b in blocks), tuple(said)
        tokens = seen.kept.tokens
        episode.front = tuple((b.entity, tokens(b.render()), why.get(b.entity, "used")) for b in blocks)
        episode.injected = sum(cost for _, cost, _ in episode.front) + sum(map(tokens, said))

    def _blocks(
        self,
        store: WorkspaceReader,
        episode: Episode,
        chosen: Selection,
        root: str,
        said: str,
        seen: Seen,
        rank: Callable[[str], int],
    ) -> tuple[list[Block], list[Block], list[Block], int]:
        """Blocks to inject, those that don't fit, those that can't be framed, and the tokens that are left. `said`: the
        notices before them; `rank`: of an entity, by which it gets room.

        What is injected takes the room of old messages: what stands is asked again beside it, until no more is missing.
        """
        texts, tokens = store.texts(row.artifact for row in chosen.entities), seen.kept.tokens
        rows = [row for row in chosen.entities if row.artifact in texts]
        meant = [Block(row.entity, row.artifact, row.source, texts[row.artifact]) for row in rows]
        standing, cost, once = meant, tokens(said) if meant else 0, cache(store.was_current)
        while True:
            items = seen.stated(self._readings, cost)
            standing = [block for block in standing if stands(block.entity, block.text, items, root, once)]
            missing = [block for block in meant if block not in standing]
            marked = [block for block in missing if holds_marker(block.entity, block.text)]
            limit = self._limit(episode, seen, said) if missing else 0
            fit, left = fitting([b for b in missing if b not in marked], limit, tokens, rank)
            beside = cost
            cost = tokens(said) + sum(tokens(block.render()) for block in fit) if standing else 0
            if cost <= beside:
                return fit, left, marked, limit - sum(tokens(block.render()) for block in fit) if left else 0

    def _limit(self, episode: Episode, seen: Seen, said: str) -> int:
        """The tokens that blocks may take beside the notices."""
        limit = tokens_max(self._tokens_max, episode.request.window, seen.kept.free)
        return limit if seen.room is None else max(0, min(limit, seen.room - seen.kept.tokens(said)))


def _rank(chosen: Selection, introduced: Callable[[], Collection[str]], entity: str) -> int:
    """In which order what is meant gets room: symbols; files, and the symbols that stand for them; what stands outside
    of a type that is shown; at last files that are only introduced, as what is asked for is another."""
    name, of_file = Entity.parse(entity), is_file(entity) or entity in chosen.parts
    if of_file and name.path in introduced():
        return 3
    holder = f"{name.path}::{(name.symbol or '').rpartition('.')[0]}"
    of_type = entity in chosen.parts and any(row.entity == holder for row in chosen.entities)
    return 2 if of_type else int(of_file)


def _asked_to_go(intent: Intent, row: Tracked) -> bool:
    return row.symbol is not None and intent.at(row.path).asks_to_remove(row.symbol)


def _too_large(left: Sequence[Block], rest: int, count: Callable[[str], int]) -> list[str]:
    """What did not fit: files with the signatures of what they define, as many as fit beside what frames them; all else
    by name."""
    said, named = list[str](), list[str]()
    for block in left:
        lines = signatures(block.entity, block.text)
        frame = count(notices.too_large(block.entity, [], len(lines))) if lines else 0
        kept, beside = lines_fitting(lines, rest - frame, count)
        if kept:
            rest = beside
            said.append(notices.too_large(block.entity, kept, len(lines) - len(kept)))
        else:
            named.append(block.entity)
    return [*said, notices.skipped(named)] if named else said


def _removed(store: WorkspaceReader, chosen: Selection, root: str | None) -> tuple[list[str], list[str]]:
    """The tombstones that the prompt means; and what it means of what was removed before these, and may live on."""
    if not store.has_removed:
        return [], []
    want, was_type = wanted(chosen.unmet, root), partial(_was_type, store)
    graves = store.buried(paths=want.paths, basenames=want.basenames, leaves=want.leaves)
    listed = select_removed(chosen, graves, root, was_type) if graves else Selection(unmet=chosen.unmet)
    want, known = wanted(listed.unmet, root), {row.entity for row in graves}
    older = [row for row in once(store, want, chosen.paths) if row.entity not in known] if listed.unmet else []
    found = select_removed(replace(chosen, unmet=listed.unmet), older, root, was_type) if older else Selection()
    living = {row.entity for row in store.tracked({row.path for row in found.entities})}
    return [row.entity for row in listed.entities], [r.entity for r in found.entities if r.entity not in living]


def _was_type(store: WorkspaceReader, row: Tracked) -> bool:
    text, leaf = store.texts([row.artifact]).get(row.artifact, ""), Entity.parse(row.entity).leaf
    symbols = outline(language_of_path(row.path), text).symbols
    return any(s.leaf == leaf and counts_as_type(row.path, s) for s in symbols)
