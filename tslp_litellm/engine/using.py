"""What a prompt is told of what the entities that it mentions use (SEMANTICS 10, In the prompt)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from posixpath import basename

from tslp_litellm.engine.moved import followed
from tslp_litellm.engine.projecting import all_known, known_files, lags, unread
from tslp_litellm.engine.values import Episode
from tslp_litellm.hydration import notices
from tslp_litellm.hydration.blocks import Block, preface
from tslp_litellm.hydration.budget import lines_fitting
from tslp_litellm.hydration.standing import Stated, stands
from tslp_litellm.settings import Settings
from tslp_litellm.state.events import Event, Op
from tslp_litellm.state.markers import holds_marker
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Conversation, Flag, Freshness, KeptUse, Tracked
from tslp_litellm.store import uses
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.syntax.languages import language_of_path
from tslp_litellm.uses.following import Route, all_uses, direct_uses, is_within
from tslp_litellm.uses.gone import Follow, askers
from tslp_litellm.uses.known import World
from tslp_litellm.uses.standing import Need, Standing, Targets, by_holder, needs
from tslp_litellm.uses.unknown import AskedFor, never_shown

GONE = "gone"
"""The kind of flag that a conversation carries while others still use what was removed or renamed in it."""
GONE_MAX = 10
"""Of how many removed entities a prompt is told who still uses them."""
HOMES_MAX = 4
"""Of so many mentioned files it is asked whether what is in them lived elsewhere before."""
CARRIED_MAX = 40
"""How many removed entities a conversation remembers."""
WHOLE_MAX = 20
"""Of so many whole artifacts those that fit are taken."""
READ_AT_ONCE = 20
"""So many texts of what is used are read at once."""
STALE_RANK = -1
"""What has changed is told before what has not."""


@dataclass(frozen=True, slots=True)
class Told:
    """More blocks and notices for a prompt; and what is gone and still used, in all that was asked."""

    blocks: Sequence[Block] = ()
    notices: Sequence[str] = ()
    gone: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a prompt has already. `rest`: the tokens that are left of its budget; `stands`: whether an entity's text
    stands in the request; `gone`: what was removed in its conversation."""

    meant: Sequence[Tracked]
    blocks: Sequence[Block]
    rest: Callable[[], int]
    stands: Callable[[str, str], bool]
    gone: Collection[str] = ()


@dataclass(slots=True)
class _Facts:
    """What is known about the uses of some entities, and what they use."""

    kept: Mapping[str, list[KeptUse]]  # by who uses, and by what holds that
    gone: list[KeptUse]  # uses of what is no entity any more
    perhaps: list[KeptUse]  # what may be uses of that, or of what was removed in the conversation
    cut: bool  # whether there are more of them
    targets: Targets
    shown: Collection[str]  # those files that are known, of all that the mentioned ones may import
    unread: Collection[str]  # files of whose texts it is not known yet what they use
    lives: Mapping[str, str]  # of what they use, or what was in their place before: gone -> what it is now
    told: set[str] = field(default_factory=set)
    covered: list[Entity] = field(default_factory=list)  # of which all is told that has changed


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
        gone, told = _still_used(store, store.workspace_id, facts, () if unsure else prompt.gone)
        return Told(more, [*said, *told], gone | set(prompt.gone if unsure else ()))

    def _of_entity(
        self,
        store: WorkspaceReader,
        prompt: Prompt,
        facts: _Facts,
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
        facts: _Facts,
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


def gone_flags(events: Iterable[Event]) -> list[Flag]:
    """What a conversation remembers of what was removed in it."""
    gone = [m.entity for e in events for m in e.moves if m.op is Op.TOMBSTONE and m.entity is not None]
    return [Flag(GONE, tuple(gone[:CARRIED_MAX]))] if gone else []


def with_lost(flags: Iterable[Flag], events: Iterable[Event]) -> list[Flag]:
    """What judging asks to be told, of a confirmed change with the definitions that its file lost unasked by it."""
    lost: dict[str, dict[str, None]] = {}
    for about, moves in ((dict(event.about), event.moves) for event in events):
        names = (about.get("refused") or {}).get("lost") or ()
        unasked = {str(Entity(about["path"], name)) for name in names} if about.get("path") else set()
        gone = [m.entity for m in moves if m.op is Op.TOMBSTONE and m.entity in unasked]
        lost.setdefault(about.get("path", ""), {}).update(dict.fromkeys(entity for entity in gone if entity))
    return [
        replace(flag, entities=(*flag.entities, *lost.get(flag.entities[0], ()))) if flag.kind == "confirmed" else flag
        for flag in flags
    ]


def with_gone(known: Conversation, events: Iterable[Event]) -> Conversation:
    """A conversation that remembers what events removed, by whatever grant."""
    return replace(known, next_flags=tuple(dict.fromkeys((*known.next_flags, *gone_flags(events)))))


def gone_in(flags: Iterable[Flag]) -> list[str]:
    """What was removed in a conversation, the latest, and may still be used."""
    return [entity for flag in flags if flag.kind == GONE for entity in flag.entities][-CARRIED_MAX:]


def still_gone(flags: Iterable[Flag], gone: Collection[str]) -> tuple[Flag, ...]:
    """A conversation's flags, without what nobody uses any more."""
    kept = tuple(dict.fromkeys(entity for entity in gone_in(flags) if entity in gone))
    rest = tuple(flag for flag in flags if flag.kind != GONE)
    return (*rest, Flag(GONE, kept)) if kept else rest


def _facts(store: WorkspaceReader, workspace_id: int, prompt: Prompt) -> _Facts:
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
    late = unread(store, paths | {Entity.parse(use.entity).path for use in (*gone, *perhaps)} | asked.paths)
    shown = late | uses.among(connection, workspace_id, asked.paths).keys()
    if asked.paths - shown and any(never_shown(name, known[name.path], shown) for name in meant if name.path in known):
        shown |= store.once_there(asked.paths - shown) | _headers(store, asked.paths - shown)
    targets = Targets(held, known, uses.parts(connection, workspace_id, held))
    sure = by_holder(use for use in kept if Entity.parse(use.entity).path not in late)
    return _Facts(sure, gone, perhaps, cut, targets, shown, late, lives)


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
    facts: _Facts,
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


def _still_used(
    store: WorkspaceReader, workspace_id: int, facts: _Facts, ending: Collection[str]
) -> tuple[set[str], list[str]]:
    """What is gone and still used, and notices of who is known to use it, but for what was told of its uses. `ending`:
    of these it is told for the last time who may use them, where nobody is known to."""
    gone: dict[str, set[str]] = {}
    for use in facts.gone:
        gone.setdefault(use.used, set()).add(use.entity)
    held = uses.held(store.connection, workspace_id, {use.entity for use in (*facts.gone, *facts.perhaps)})
    clean = {user for user, row in held.items() if row.freshness is Freshness.CLEAN}
    sure = {user for user in clean if Entity.parse(user).path not in facts.unread}
    known = cache(lambda: all_known(store))
    left = {entity: users - sure | _askers(entity, users & sure, known) for entity, users in gone.items()}
    told = {
        entity: {user for user in users & sure if not any(is_within(one, Entity.parse(user)) for one in facts.covered)}
        for entity, users in left.items()
    }
    still = {entity for entity, users in left.items() if users}
    some = sorted((entity, sorted(users)) for entity, users in told.items() if users)[:GONE_MAX]
    last = set(ending) - still
    by_hand = _by_hand(facts.perhaps, sure, last.union(entity for entity, _ in some), known)
    some = [*some, *((entity, []) for entity in sorted(last & by_hand.keys()))][:GONE_MAX]
    more = followed(store, (entity for entity, _ in some if entity not in facts.lives))
    now = {**facts.lives, **{entity: row.entity for entity, row in more.items()}}
    return still, [
        notices.still_used(entity, now.get(entity), users, by_hand.get(entity, {})) for entity, users in some
    ]


def _by_hand(
    perhaps: Iterable[KeptUse], sure: Collection[str], gone: Collection[str], known: Callable[[], World]
) -> dict[str, dict[str, str]]:
    """Who may still use what is gone, each with the doubt, in order; of those users whose texts are known."""
    found: dict[str, dict[str, str]] = {}
    for use in sorted(perhaps, key=lambda use: use.entity):
        if use.used in gone and use.entity in sure:
            found.setdefault(use.used, {})[use.entity] = use.route
    asking = {entity: _askers(entity, users, known, all_uses) for entity, users in found.items()}
    left = {
        entity: {user: why for user, why in users.items() if user in asking[entity]} for entity, users in found.items()
    }
    return {entity: users for entity, users in left.items() if users}


def _askers(gone: str, users: Collection[str], known: Callable[[], World], follow: Follow = direct_uses) -> set[str]:
    """Those of some users whose texts still ask for what is gone."""
    found = askers(Entity.parse(gone), [Entity.parse(user) for user in users], known(), follow) if users else ()
    return {str(user) for user in found}
