"""What is remembered of conversations: found by what was said in them, forgotten by number and age (SEMANTICS 1, 2).

They are no truth: a conversation that was forgotten is read like one that a proxy joins late.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, delete, func, insert, select

from tslp_litellm.state.values import Conversation, Flag
from tslp_litellm.store.schema import conversation_items, conversations
from tslp_litellm.store.statements import Rows, Statement, bounded, upsert

CONVERSATIONS_MAX = 10_000
"""How many are remembered in a workspace, those used last."""
DAYS_MAX = 90
"""How long one is remembered that is not used."""
FORGOTTEN_AT_ONCE = 4
"""How many go at most when a new one begins: what is too many goes in time, and no turn waits for it."""
NEWEST = 16
"""Of an item that very many conversations hold, such as a common beginning: how many of them are looked at."""
COMMON_MAX = 4
"""And for how many such items of a request, the last ones."""
TIED_MAX = 64

_W: BindParameter[Any] = bindparam("w")
_VALUES: BindParameter[Any] = bindparam("values", expanding=True)
_C, _I = conversations.c, conversation_items.c
_SAID = Statement(select(_I.ordinal).where(_I.workspace_id == _W, _I.digest == bindparam("digest")).limit(1))
_HOLDERS = Statement(
    select(_I.conversation_id).where(_I.workspace_id == _W, _I.digest.in_(_VALUES)).limit(bindparam("most"))
)
_NEWEST = Statement(
    select(_I.conversation_id)
    .where(_I.workspace_id == _W, _I.digest == bindparam("digest"))
    .order_by(_I.said.desc())
    .limit(NEWEST)
)
_USED = Statement(select(_C.id, _C.used).where(_C.workspace_id == _W, _C.id.in_(_VALUES)))
_MEMORY = Statement(
    select(_I.digest, _I.ordinal)
    .where(_I.workspace_id == _W, _I.conversation_id == bindparam("id"), _I.digest.in_(_VALUES))
    .order_by(_I.ordinal)
)
_CONVERSATION = Statement(
    select(_C.id, _C["items"], _C.last_episode, _C.turn_digest, _C.turn_flags, _C.next_flags, _C.left_out).where(
        _C.workspace_id == _W, _C.id == bindparam("id")
    )
)
_LAST_USED = Statement(select(func.max(_C.used)).where(_C.workspace_id == _W))
_CONVERSE, _RECALL = upsert(conversations, ("workspace_id", "id")), Statement(insert(conversation_items))
_OLDEST_KEPT = Statement(
    select(_C.used).where(_C.workspace_id == _W).order_by(_C.used.desc()).offset(CONVERSATIONS_MAX - 1).limit(1)
)
_LONGEST_UNUSED = Statement(
    select(_C.id, _C.used, _C.used_at).where(_C.workspace_id == _W).order_by(_C.used).limit(FORGOTTEN_AT_ONCE)
)
_FORGET = (
    Statement(delete(conversation_items).where(_I.workspace_id == _W, _I.conversation_id.in_(_VALUES))),
    Statement(delete(conversations).where(_C.workspace_id == _W, _C.id.in_(_VALUES))),
)


def was_said(connection: Connection, workspace_id: int, digest: bytes) -> bool:
    """Whether an item of that identity stands in any conversation of the workspace."""
    return _SAID.one(connection, {"w": workspace_id, "digest": digest}) is not None


def related(connection: Connection, workspace_id: int, digests: Iterable[bytes], limit: int) -> list[str]:
    """The conversations that hold most of those items; of those that hold as many, the ones used last.

    An item that very many hold tells less than any other: it decides between those that hold as many of the others,
    and only its newest holders are looked at, so that a common beginning costs what any item does.
    """

    def holders(some: Sequence[bytes], most: int) -> Rows:
        return _HOLDERS.of(connection, some, {"w": workspace_id, "most": most})

    rows, common = bounded(holders, dict.fromkeys(digests), lambda number: 4 * number + 64)
    newest: Rows = []
    for digest in common[-COMMON_MAX:]:
        newest += _NEWEST.all(connection, {"w": workspace_id, "digest": digest})
    rare, shared = (Counter(name for (name,) in found) for found in (rows, newest))

    def rank(name: str) -> tuple[int, int]:
        return rare[name], shared[name]

    best = sorted({**rare, **shared}, key=rank, reverse=True)[:TIED_MAX]
    if len({rank(name) for name in best}) < len(best):
        used: dict[str, int] = dict(_USED.of(connection, best, {"w": workspace_id}))
        best.sort(key=lambda name: (*rank(name), used.get(name, -1)), reverse=True)
    return best[:limit]


def memory(
    connection: Connection, workspace_id: int, conversation: str, digests: Collection[bytes]
) -> dict[bytes, list[int]]:
    """Where in a conversation those items were said."""
    found: dict[bytes, list[int]] = defaultdict(list)
    for digest, ordinal in _MEMORY.of(connection, set(digests), {"w": workspace_id, "id": conversation}):
        found[bytes(digest)].append(ordinal)
    return dict(found)


def conversation(connection: Connection, workspace_id: int | None, conversation_id: str) -> Conversation | None:
    """A conversation by its id."""
    row = _CONVERSATION.one(connection, {"w": workspace_id, "id": conversation_id})
    if row is None:
        return None
    found, items, last, turn, turn_flags, next_flags, left_out = row
    turn = bytes(turn) if turn is not None else None
    return Conversation(found, items, last, turn, _flags(turn_flags), _flags(next_flags), left_out)


def with_flags(connection: Connection, workspace_id: int | None, kind: str, limit: int) -> list[tuple[str, list[Flag]]]:
    """The conversations used last that carry flags of a kind, with those."""
    query = select(_C.id, _C.next_flags).where(_C.workspace_id == workspace_id)
    query = query.where(_C.next_flags.contains(f'"kind": "{kind}"', autoescape=True))
    rows = connection.execute(query.order_by(_C.used.desc()).limit(limit))
    return [(name, [flag for flag in _flags(body) if flag.kind == kind]) for name, body in rows]


def remember(
    connection: Connection, workspace_id: int, conversation: Conversation, digests: Sequence[bytes], at: str
) -> None:
    """A conversation, and the items that are new in it; where it is a new one, some old ones go."""
    about = {"workspace_id": workspace_id, "conversation_id": conversation.id}
    last = _LAST_USED.one(connection, {"w": workspace_id})
    used = (last[0] or 0) + 1 if last is not None else 1
    row = {
        "workspace_id": workspace_id,
        "id": conversation.id,
        "items": conversation.items + len(digests),
        "last_episode": conversation.last_episode,
        "turn_digest": conversation.turn_digest,
        "turn_flags": _body(conversation.turn_flags),
        "next_flags": _body(conversation.next_flags),
        "left_out": conversation.left_out,
        "used": used,
        "used_at": at,
    }
    _CONVERSE.run(connection, row)
    _RECALL.run(
        connection,
        *({**about, "ordinal": conversation.items + n, "digest": d, "said": used} for n, d in enumerate(digests)),
    )
    if conversation.items == 0:
        forget(connection, workspace_id, at)


def forget(connection: Connection, workspace_id: int, at: str) -> None:
    """A few of the conversations that are too many, or were not used for too long at the time `at`."""
    kept = _OLDEST_KEPT.one(connection, {"w": workspace_id})
    oldest, since = kept[0] if kept is not None else 0, _days_before(at)
    unused = _LONGEST_UNUSED.all(connection, {"w": workspace_id})
    gone = [name for name, used, used_at in unused if used < oldest or used_at < since]
    for statement in _FORGET if gone else ():
        statement.of(connection, gone, {"w": workspace_id})


def _days_before(at: str) -> str:
    moment = datetime.fromisoformat(at) - timedelta(days=DAYS_MAX)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _flags(text: str) -> tuple[Flag, ...]:
    if text == "[]":
        return ()
    return tuple(Flag(f["kind"], tuple(f["entities"]), f["detail"]) for f in json.loads(text))


def _body(flags: Sequence[Flag]) -> str:
    if not flags:
        return "[]"
    return json.dumps(
        [{"kind": f.kind, "entities": list(f.entities), "detail": f.detail} for f in flags], ensure_ascii=False
    )
