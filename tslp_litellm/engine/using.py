"""What a prompt is told of what the entities that it mentions use (SEMANTICS 10, In the prompt)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from posixpath import basename

from tslp_litellm.engine.gone import CARRIED_MAX, Facts, gone_in, still_gone, still_used
from tslp_litellm.engine.moved import followed
from tslp_litellm.engine.projecting import known_files, lags, unread
from tslp_litellm.engine.values import Episode
from tslp_litellm.hydration import notices
from tslp_litellm.hydration.blocks import Block, preface
from tslp_litellm.hydration.budget import lines_fitting
from tslp_litellm.hydration.standing import Stated, stands
from tslp_litellm.settings import Settings
from tslp_litellm.state.markers import holds_marker
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import KeptUse, Tracked
from tslp_litellm.store import uses
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.syntax.languages import language_of_path
from tslp_litellm.uses.following import Route, is_within
from tslp_litellm.uses.standing import Need, Standing, Targets, by_holder, needs
from tslp_litellm.uses.unknown import AskedFor, never_shown

HOMES_MAX = 4
"""Of so many mentioned files it is asked whether what is in them lived elsewhere before."""
WHOLE_MAX = 20
"""Of so many whole artifacts those that fit are taken."""
READ_AT_ONCE = 20
"""So many texts of what is used are read at once."""
STALE_RANK = -1
"""What has changed is told before what has not."""


@dataclass(frozen=True, slots=True)
class Told:
    """More blocks and notices for a prompt; and what is gone and still used, with the places."""

    blocks: Sequence[Block] = ()
    notices: Sequence[str] = ()
    gone: Mapping[str, set[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a prompt has already. `rest`: the tokens that are left of its budget; `stands`: whether an entity's text
    stands in the request; `gone`: what was removed in its conversation, with the places listed for it so far."""

    meant: Sequence[Tracked]
    blocks: Sequence[Block]
    rest: Callable[[], int]
    stands: Callable[[str, str], bool]
    gone: Mapping[str, set[str]] = field(default_factory=dict)


class Using:
    """What is told by the settings, in the tokens that they allow."""

    def __init__(self, settings: Settings, count: Callable[[str], int]) -> None:
        self._how, self._tokens_max, self._count = settings.dependencies, settings.dependencies_tokens_max, count

    def add(
        self,
        store: WorkspaceReader,
        episode: Episode,
        meant: Sequence[Tracked],
        before: tuple[list[Block], list[str]],
        *,
        limit: Callable[[], int],
        items: Callable[[int], list[Stated]],
        root: str | None,
    ) -> tuple[list[Block], list[str]]:
        """The blocks and notices of a prompt, with what is told of what is used.

        `limit`: the tokens that blocks may take; `items`: what stands in the request beside so many tokens.
        """
        (blocks, said), known, tokens = before, episode.conversation, episode.kept.tokens
        seen = cache(lambda: items(tokens(preface(blocks, said))))
        once = cache(store.was_current)
        prompt = Prompt(
            meant,
            blocks,
            lambda: limit() - sum(tokens(block.render()) for block in blocks),
            lambda entity, text: stands(entity, text, seen(), root, once),
            gone_in(known.next_flags),
        )
        told = self.tell(store, prompt)
        episode.conversation = replace(known, next_flags=still_gone(known.next_flags, told.gone))
        return [*blocks, *told.blocks], [*said, *told.notices]

    def tell(self, store: WorkspaceReader, prompt: Prompt) -> Told:
        """What goes with a prompt."""
        if self._how == "off" or store.workspace_id is None or not (prompt.meant or prompt.gone):
            return Told()
        facts = _facts(store, store.workspace_id, prompt)
        said, more = list[str](), list[Block]()
        left = min(prompt.rest(), self._tokens_max) if facts.kept else 0
        for row in prompt.meant:
            left = self._of_entity(store, prompt, facts, row.entity, left, said, more)
        if not (facts.gone or facts.perhaps or prompt.gone):
            return Told(more, said)
        unsure = lags(store) or facts.cut
        gone, told = still_used(store, store.workspace_id, facts, prompt.gone, unsure=unsure)
        return Told(more, [*said, *told], gone)

    def _of_entity(
        self,
        store: WorkspaceReader,
        prompt: Prompt,
        facts: Facts,
        entity: str,
        left: int,
        said: list[str],
        more: list[Block],
    ) -> int:
        """Add what is told of one entity; the tokens that are left then."""
        name = Entity.parse(entity)
        found = needs(name, facts.kept.get(entity, ()), facts.targets)
        lines = list[str]()
        if found:
            lines, left = self._of_needs(store, prompt, facts, name, found, left, more)
        pending = [need.use.used for need in found if need.pending]
        file = facts.targets.known.get(name.path)
        missing = never_shown(name, file, facts.shown) if file is not None and name.path not in facts.unread else []
        if lines or pending or missing:
            said.append(notices.used(entity, lines, pending, missing))
        return left

    def _of_needs(
        self,
        store: WorkspaceReader,
        prompt: Prompt,
        facts: Facts,
        name: Entity,
        found: Sequence[Need],
        left: int,
        more: list[Block],
    ) -> tuple[list[str], int]:
        """The lines of what one entity uses, more blocks added to `more`, and the tokens that are left then."""
        shown = [Entity.parse(block.entity) for block in (*prompt.blocks, *more)]
        enough, full = self._enough(left), self._how == "full"
        fresh = _fresh(store, found, shown, facts, prompt.stands, enough, stale=full) if left > 0 else {}
        facts.told |= fresh.keys()
        changed = [_changed(need, facts.lives) for need in found if need.standing is Standing.STALE]
        lines, left = self._lines(changed, {} if full else fresh, left)
        if set(changed) <= set(lines):
            facts.covered.append(name)
        if full:
            brought, left = self._whole(fresh, left)
            more += brought
        return lines, left

    def _enough(self, left: int) -> Callable[[Need], bool]:
        """Whether no more is to be looked for behind a need that can be told, as each is asked for in its turn."""
        told, cost = 0, 0

        def enough(need: Need) -> bool:
            nonlocal told, cost
            told, cost = told + 1, cost + self._count(_line(need))
            return told >= WHOLE_MAX if self._how == "full" else cost >= left

        return enough

    def _whole(self, fresh: Mapping[str, tuple[Need, Block]], left: int) -> tuple[list[Block], int]:
        """Whole artifacts, the fewest tokens first."""
        taken = list[Block]()
        for cost, _, block in sorted((self._count(b.render()), b.entity, b) for _, b in fresh.values()):
            if cost <= left:
                taken.append(block)
                left -= cost
        return taken, left

    def _lines(
        self, changed: Sequence[str], fresh: Mapping[str, tuple[Need, Block]], left: int
    ) -> tuple[list[str], int]:
        """A line each: what is stale, before and now; then signatures, the nearest first."""
        lines = [(STALE_RANK, line) for line in changed]
        lines += [(_rank(need), _line(need)) for need, _ in fresh.values()]
        return lines_fitting(sorted(lines), left, self._count)


def _facts(store: WorkspaceReader, workspace_id: int, prompt: Prompt) -> Facts:
    meant = [Entity.parse(row.entity) for row in prompt.meant]
    connection, paths = store.connection, {name.path for name in meant}
    kept = uses.of_paths(connection, workspace_id, paths)
    held = uses.held(connection, workspace_id, {use.used for use in kept})
    lost = _lost(meant, kept, held)
    gone, cut, lives = list[KeptUse](), False, dict[str, str]()
    if store.has_removed:
        gone, cut, lives = _gone(store, workspace_id, paths, {*prompt.gone, *lost}, lost)
    away = {*prompt.gone, *(use.used for use in gone)}
    perhaps = uses.perhaps_of_gone(connection, workspace_id, {Entity.parse(entity).path for entity in away})
    perhaps = [use for use in perhaps if use.used in away]
    known = known_files(store, paths | {Entity.parse(use.used).path for use in kept})
    asked = AskedFor()
    for name in meant:
        if name.path in known:
            never_shown(name, known[name.path], asked)
    places = {Entity.parse(place).path for places in prompt.gone.values() for place in places}
    users = {Entity.parse(use.entity).path for use in (*gone, *perhaps)}
    late = unread(store, paths | users | places | asked.paths)
    shown = late | uses.among(connection, workspace_id, asked.paths).keys()
    if asked.paths - shown and any(never_shown(name, known[name.path], shown) for name in meant if name.path in known):
        shown |= store.once_there(asked.paths - shown) | _headers(store, asked.paths - shown)
    targets = Targets(held, known, uses.parts(connection, workspace_id, held))
    sure = by_holder(use for use in kept if Entity.parse(use.entity).path not in late)
    return Facts(sure, gone, perhaps, cut, targets, shown, late, lives)


def _headers(store: WorkspaceReader, asked: Collection[str]) -> set[str]:
    """Those of some headers that may be known ones elsewhere: a compiler looks in folders that nobody tells."""
    headers = {path for path in asked if (found := language_of_path(path)) and found.name in ("c", "cpp")}
    known = {basename(path) for path in store.with_tails({basename(path) for path in headers})} if headers else ()
    return {path for path in headers if basename(path) in known}


def _lost(meant: Sequence[Entity], kept: Iterable[KeptUse], held: Collection[str]) -> list[str]:
    """What mentioned entities use, and is no entity any more."""
    gone = [use for use in kept if use.used not in held]
    return sorted({u.used for u in gone if any(is_within(one, Entity.parse(u.entity)) for one in meant)})[:CARRIED_MAX]


def _gone(
    store: WorkspaceReader, workspace_id: int, paths: set[str], names: set[str], lost: Iterable[str]
) -> tuple[list[KeptUse], bool, dict[str, str]]:
    """The uses of what is gone: of some names, of what was in some files, and of what lives in these now; whether there
    are more; and where that, and what is `lost`, lives now."""
    away = {entity for path in sorted(paths)[:HOMES_MAX] for entity in store.removed_with(path)} - names
    alike = {basename(path) for path in paths}  # a whole folder may have moved: what is called the same goes first
    before = sorted(
        {Entity.parse(entity).path for entity in away}, key=lambda path: (basename(path) not in alike, path)
    )
    asked = {*paths, *(Entity.parse(entity).path for entity in names), *before[:CARRIED_MAX]}
    rows = uses.of_gone(store.connection, workspace_id, asked)
    here = {use.used for use in rows if use.used in names or Entity.parse(use.used).path in paths}
    came = sorted({use.used for use in rows if use.used in away} - here)[:CARRIED_MAX]
    lives = {old: row.entity for old, row in followed(store, dict.fromkeys([*came, *lost])).items()}
    here |= {old for old in came if old in lives and Entity.parse(lives[old]).path in paths}
    return [use for use in rows if use.used in here], len(rows) >= uses.GONE_MAX, lives


def _fresh(
    store: WorkspaceReader,
    found: Sequence[Need],
    shown: Sequence[Entity],
    facts: Facts,
    stands: Callable[[str, str], bool],
    enough: Callable[[Need], bool],
    *,
    stale: bool,
) -> dict[str, tuple[Need, Block]]:
    """What is used, CLEAN, and stands neither in the request nor in a block: the nearest first, until it is enough.
    `stale`: so is what has changed since, of which else a line tells all."""
    wanted = [
        need
        for need in sorted(found, key=lambda need: (_rank(need), need.use.used))
        if (need.standing is Standing.OK or stale)
        and need.now is not None
        and need.use.used not in facts.told
        and not any(is_within(one, Entity.parse(need.use.used)) for one in shown)
    ]
    fresh, texts = dict[str, tuple[Need, Block]](), dict[str, str]()
    for n, need in enumerate(wanted):
        if n % READ_AT_ONCE == 0:
            texts = store.texts(facts.targets.held[one.use.used].artifact for one in wanted[n : n + READ_AT_ONCE])
        entity, row = need.use.used, facts.targets.held[need.use.used]
        text = texts.get(row.artifact)
        if text is not None and not holds_marker(entity, text) and not stands(entity, text):
            fresh[entity] = need, Block(entity, row.artifact, row.source, text)
            if enough(need):
                break
    return fresh


def _rank(need: Need) -> int:
    return list(Route).index(Route(need.use.route))


def _line(need: Need) -> str:
    return f"{need.use.used}: {need.now}"


def _changed(need: Need, lives: Mapping[str, str]) -> str:
    use = need.use
    return notices.changed_use(use.used, use.signature, need.now, gone=need.gone, became=lives.get(use.used))
