"""What the answer before brought, and the user does not keep (SEMANTICS 2, Going back and Told)."""

from __future__ import annotations

from tslp_litellm.dialects.values import Carrier
from tslp_litellm.engine.meaning import by_model, goes_on_from
from tslp_litellm.engine.values import Episode
from tslp_litellm.resolution.files import dirty, with_holders
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Op
from tslp_litellm.state.names import Entity
from tslp_litellm.state.values import Origin
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.words.sentences import asks_only_to_go_back, speaks_of_going_back


def told_undone(store: WorkspaceReader, sentence: str, episode: Episode) -> list[Entity]:
    """What a user who names nothing says that he undid: what the answer before made true (`I reverted that.`)."""
    return _made_by_answer(store, episode) if speaks_of_going_back(sentence) else []


def doubt_undone(store: WorkspaceReader, unit: UnitOfWork, episode: Episode) -> None:
    """What the answer before made true, where the user asks to go back and this answer shows nothing: he does it
    himself."""
    if not asks_only_to_go_back(episode.context.intent.prompt):
        return
    made = _made_by_answer(store, episode)
    paths = sorted({entity.path for entity in made})
    unit.files |= store.files(paths)
    for path in paths:
        state, names = unit.file(path), [e.symbol for e in made if e.path == path and e.symbol is not None]
        unit.change(dirty(state, "not-undone", with_holders(state, names)), origin=Origin.MODEL, carrier=Carrier.TOLD)


def _made_by_answer(store: WorkspaceReader, episode: Episode) -> list[Entity]:
    """What the answer that a request goes on from alone made true, and is so still; of what stands in another, that."""
    last = episode.conversation.last_episode
    entries = store.entries_of(last) if last is not None else ()
    if not goes_on_from(episode, entries):
        return []
    made = {m.entity: m.artifact for m in by_model(entries) if m.op is Op.PROMOTE and m.entity is not None}
    rows = store.tracked({Entity.parse(entity).path for entity in made})
    found = [Entity(one.path, one.symbol) for one in rows if one.clean and made.get(one.entity) == one.artifact]
    return [one for one in found if not any(_stands_in(other, one) for other in found)]


def _stands_in(entity: Entity, other: Entity) -> bool:
    within = f"{other.symbol}." if other.symbol is not None else ""
    return entity != other and entity.path == other.path and (entity.symbol or "").startswith(within)
