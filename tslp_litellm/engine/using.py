"""What a prompt is told of what the entities that it mentions use (SEMANTICS 10, In the prompt)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from tslp_litellm.engine.projecting import known_files
from tslp_litellm.hydration import notices
from tslp_litellm.hydration.blocks import Block
from tslp_litellm.hydration.budget import lines_fitting
from tslp_litellm.state.markers import holds_marker
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Held, KeptUse, Tracked
from tslp_litellm.store import uses
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.uses.following import Route, is_within
from tslp_litellm.uses.known import KnownFile
from tslp_litellm.uses.standing import Need, Standing, by_holder, needs
from tslp_litellm.uses.unknown import AskedFor, never_shown

STALE_RANK = -1
"""What has changed is told before what has not."""
GONE_MAX = 10
"""Of how many removed entities a prompt is told who still uses them."""
Stands = Callable[[str, str], bool]
"""Whether an entity's text stands in the request already."""


@dataclass(slots=True)
class _Facts:
    """What is known about the uses of some entities, and what they use."""

    kept: Mapping[str, list[KeptUse]]  # by who uses, and by what holds that
    gone: list[KeptUse]  # uses of what is no entity any more
    held: Mapping[str, Held]
    known: Mapping[str, KnownFile]
    shown: Collection[str]  # those files that are known, of all that the mentioned ones may import
    told: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Using:
    """What is told by the settings. `full`: whole artifacts instead of signatures; `tokens_max`: how much."""

    off: bool
    full: bool
    tokens_max: int
    count: Callable[[str], int]

    def tell(
        self, store: WorkspaceReader, meant: Sequence[Tracked], blocks: Sequence[Block], rest: int, stands: Stands
    ) -> tuple[list[Block], list[str]]:
        """More blocks and notices, by what a prompt means, the blocks that it has, and the tokens that are left."""
        if self.off or not meant or store.workspace_id is None:
            return [], []
        facts = _facts(store, store.workspace_id, [Entity.parse(row.entity) for row in meant])
        left, more, said = min(rest, self.tokens_max), list[Block](), list[str]()
        for row in meant:
            name = Entity.parse(row.entity)
            found = needs(name, facts.kept.get(row.entity, ()), facts.held, facts.known)
            shown = [Entity.parse(block.entity) for block in (*blocks, *more)]
            fresh = self._fresh(store, found, shown, facts, stands) if left > 0 else {}
            if self.full:
                brought, left = self._whole(fresh, left)
                more += brought
            lines, left = self._lines(found, {} if self.full else fresh, left)
            facts.told |= fresh.keys()
            pending = [need.use.used for need in found if need.standing is Standing.PENDING]
            file = facts.known.get(name.path)
            missing = never_shown(name, file, facts.shown) if file is not None else []
            if lines or pending or missing:
                said.append(notices.used(row.entity, lines, pending, missing))
        return more, [*said, *_still_used(facts, {row.path for row in meant})]

    def _fresh(
        self,
        store: WorkspaceReader,
        found: Sequence[Need],
        shown: Sequence[Entity],
        facts: _Facts,
        stands: Stands,
    ) -> dict[str, tuple[Need, Block]]:
        """What is used, CLEAN, and stands neither in the request nor in a block."""
        wanted = {
            need.use.used: need
            for need in found
            if need.standing is Standing.OK
            and need.use.used not in facts.told
            and not any(is_within(one, Entity.parse(need.use.used)) for one in shown)
        }
        texts = store.texts(facts.held[entity].artifact for entity in wanted)
        fresh = {}
        for entity, need in wanted.items():
            row = facts.held[entity]
            text = texts.get(row.artifact)
            if text is not None and not holds_marker(entity, text) and not stands(entity, text):
                fresh[entity] = need, Block(entity, row.artifact, row.source, text)
        return fresh

    def _whole(self, fresh: Mapping[str, tuple[Need, Block]], left: int) -> tuple[list[Block], int]:
        """Whole artifacts, the fewest tokens first. What stands inside of one needs none of its own."""
        taken = list[Block]()
        for cost, _, block in sorted((self.count(b.render()), b.entity, b) for _, b in fresh.values()):
            if cost <= left:
                taken.append(block)
                left -= cost
        return taken, left

    def _lines(
        self, found: Sequence[Need], fresh: Mapping[str, tuple[Need, Block]], left: int
    ) -> tuple[list[str], int]:
        lines = [
            (STALE_RANK, notices.changed_use(need.use.used, need.use.signature, need.now))
            for need in found
            if need.standing is Standing.STALE
        ]
        lines += [
            (list(Route).index(Route(need.use.route)), f"{need.use.used}: {need.now}") for need, _ in fresh.values()
        ]
        return lines_fitting(sorted(lines), left, self.count)


def _facts(store: WorkspaceReader, workspace_id: int, meant: Sequence[Entity]) -> _Facts:
    connection, paths = store.connection, {name.path for name in meant}
    kept, gone = uses.of_paths(connection, workspace_id, paths), uses.of_gone(connection, workspace_id, paths)
    held = uses.held(connection, workspace_id, {use.used for use in kept})
    known = known_files(store, paths | {Entity.parse(use.used).path for use in kept})
    asked = AskedFor()
    for name in meant:
        if name.path in known:
            never_shown(name, known[name.path], asked)
    shown = uses.among(connection, workspace_id, asked.paths)
    return _Facts(by_holder(kept), gone, held, known, shown)


def _still_used(facts: _Facts, paths: set[str]) -> list[str]:
    """Who still uses what was removed from the files that a prompt is about."""
    gone: dict[str, set[str]] = {}
    for use in facts.gone:
        if Entity.parse(use.entity).path not in paths:
            gone.setdefault(use.used, set()).add(use.entity)
    return [notices.still_used(entity, sorted(users)) for entity, users in sorted(gone.items())[:GONE_MAX]]
