"""Who still uses what was removed or renamed in a conversation (SEMANTICS 10, Rename and removal)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from tslp_litellm import parser
from tslp_litellm.engine.moved import followed
from tslp_litellm.engine.projecting import all_known
from tslp_litellm.hydration import notices
from tslp_litellm.state.events import Event, Op
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Conversation, Flag, Freshness, Held, KeptUse
from tslp_litellm.store import uses
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.syntax.languages import language_of_path
from tslp_litellm.uses.following import all_uses, direct_uses, is_within
from tslp_litellm.uses.gone import Follow, askers, importers, is_named, left_behind
from tslp_litellm.uses.known import World
from tslp_litellm.uses.standing import Targets

GONE = "gone"
"""The kind of flag that a conversation carries while others still use what was removed or renamed in it."""
GONE_MAX = 10
"""Of how many removed entities a prompt is told who still uses them."""
CARRIED_MAX = 40
"""How many removed entities a conversation remembers."""
PLACES_MAX = 100
"""Of how many places that use one."""

_STRING = re.compile(
    r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:\\.|[^"\\\n])*+"|\'(?:\\.|[^\'\\\n])*+\'|`(?:\\.|[^`\\])*+`'
)
_FILLED_IN = re.compile(r"\{[^{}]*\}")


@dataclass(slots=True)
class Facts:
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


def gone_in(flags: Iterable[Flag]) -> dict[str, set[str]]:
    """What was removed in a conversation, the latest, and may still be used; with the places that were listed for it
    so far."""
    found: dict[str, set[str]] = {}
    for flag in (flag for flag in flags if flag.kind == GONE):
        for entity in flag.entities:
            found.setdefault(entity, set()).update(flag.detail.splitlines())
    return dict([*found.items()][-CARRIED_MAX:])


def still_gone(flags: Iterable[Flag], gone: Mapping[str, Collection[str]]) -> tuple[Flag, ...]:
    """A conversation's flags, without what nobody uses any more, and with the places that still do."""
    flags = tuple(flags)
    kept = (
        Flag(GONE, (entity,), "\n".join(sorted(gone[entity])[:PLACES_MAX]))
        for entity in gone_in(flags)
        if entity in gone
    )
    return (*(flag for flag in flags if flag.kind != GONE), *kept)


def with_places(flags: Iterable[Flag], told: Iterable[Flag]) -> tuple[Flag, ...]:
    """Flags with the places that were told of, too."""
    both = (*flags, *(flag for flag in told if flag.kind == GONE and flag.detail))
    return still_gone(both, gone_in(both))


def still_used(
    store: WorkspaceReader, workspace_id: int, facts: Facts, listed: Mapping[str, set[str]], *, unsure: bool
) -> tuple[dict[str, set[str]], list[str]]:
    """What is gone and still used, with the places, and notices of those who are known to, but for what was told of
    their uses. `listed`: what was removed in the conversation, with the places so far; if not `unsure`, it is told of
    these for the last time who may use them, where nobody is known to."""
    sought, held = _sought(store, workspace_id, facts, listed)
    clean = {user: row.artifact for user, row in held.items() if row.freshness is Freshness.CLEAN}
    sure = {user: artifact for user, artifact in clean.items() if Entity.parse(user).path not in facts.unread}
    known = cache(lambda: all_known(store))
    left = {
        entity: users - sure.keys() | _left(store, entity, {u: sure[u] for u in users & sure.keys()}, known)
        for entity, users in sought.items()
    }
    still = {entity: users for entity, users in left.items() if users}
    told = {entity: _told(store, entity, users, facts, clean) for entity, users in left.items()}
    some = sorted((entity, sorted(users)) for entity, users in told.items() if users)[:GONE_MAX]
    last = set() if unsure else listed.keys() - still.keys()
    by_hand = _by_hand(facts.perhaps, sure, last.union(entity for entity, _ in some), known)
    some = [*some, *((entity, []) for entity in sorted(last & by_hand.keys()))][:GONE_MAX]
    more = followed(store, (entity for entity, _ in some if entity not in facts.lives))
    now = {**facts.lives, **{entity: row.entity for entity, row in more.items()}}
    kept = {entity: still.get(entity, set()) | places for entity, places in listed.items()} if unsure else {}
    return {**still, **kept}, [
        notices.still_used(entity, now.get(entity), users, by_hand.get(entity, {})) for entity, users in some
    ]


def _told(store: WorkspaceReader, gone: str, left: Collection[str], facts: Facts, clean: Mapping[str, str]) -> set[str]:
    """Those of some places that are told of: not where it is told with the user's own uses. Of a file that is not read
    yet only those that name what is gone."""
    using = {use.entity for use in facts.gone if use.used == gone}
    once = {place for place in using if any(is_within(one, Entity.parse(place)) for one in facts.covered)}
    open_ = {place: clean[place] for place in left if place in clean and place not in once}
    unread = {place: artifact for place, artifact in open_.items() if Entity.parse(place).path in facts.unread}
    return open_.keys() - unread.keys() | _naming(store, gone, unread)


def _sought(
    store: WorkspaceReader, workspace_id: int, facts: Facts, listed: Mapping[str, set[str]]
) -> tuple[dict[str, set[str]], dict[str, Held]]:
    """Who used what is gone when that was last confirmed, or was listed for it; and how they, their files, and who may
    use it stand."""
    sought: dict[str, set[str]] = {}
    for use in facts.gone:
        sought.setdefault(use.used, set()).add(use.entity)
    places = {place for users in (*sought.values(), *listed.values()) for place in users}
    names = {*places, *(Entity.parse(place).path for place in places), *(use.entity for use in facts.perhaps)}
    held = uses.held(store.connection, workspace_id, names.union(listed))
    perhaps = {(use.used, use.entity) for use in facts.perhaps}
    for entity in listed.keys() - held.keys():
        once = {place for place in listed[entity] & held.keys() if (entity, place) not in perhaps}
        sought[entity] = sought.get(entity, set()) | once
    return sought, held


def _left(store: WorkspaceReader, gone: str, users: Mapping[str, str], known: Callable[[], World]) -> set[str]:
    """Those of some users, each with its artifact, whose texts still name what is gone; and of their files, where
    nothing in one does, those that still import it."""
    if not users:
        return set()
    name, places = Entity.parse(gone), {Entity.parse(user) for user in users}
    found = askers(name, places, known())
    others = {str(place) for place in places - found}
    naming = _naming(store, gone, {user: users[user] for user in others})
    found |= left_behind(name, [Entity.parse(user) for user in naming], known())
    found |= importers(name, {place.path for place in places} - {place.path for place in found}, known())
    return {str(place) for place in found}


def _naming(store: WorkspaceReader, gone: str, users: Mapping[str, str]) -> set[str]:
    """Those of some users, each with its artifact, whose texts hold the name of what is gone."""
    name, texts = Entity.parse(gone), store.texts(users.values()) if users else {}
    return {
        user for user, artifact in users.items() if is_named(name, _code(Entity.parse(user), texts.get(artifact, "")))
    }


def _code(place: Entity, text: str) -> str:
    """A text without its comments, and of its strings only what is filled in."""
    seen, at, parts = parser.outline(language_of_path(place.path), text), 0, list[bytes]()
    for start, end in seen.comments_in(0, len(seen.text)):
        parts.append(seen.text[at:start])
        at = max(at, end)
    bare = b" ".join((*parts, seen.text[at:])).decode()
    return _STRING.sub(lambda string: " ".join(_FILLED_IN.findall(string.group())), bare)


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
