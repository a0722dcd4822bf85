"""What is remembered of texts of the model's that clients put into user messages (SEMANTICS 2, Positive proof).

No truth, and no text: the keys of lines (`dialects/line_keys.py`), of a tenant's newest texts, because clients' agents
work in folders of their own. An answer's code is found in its own workspace only: in others, copies of the same project
among them, users show what a model wrote there. What was forgotten is taken for the user's word again.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any
from zlib import crc32

from sqlalchemy import BindParameter, Connection, bindparam, delete, select

from tslp_litellm.state.values import Heard, Hearsay
from tslp_litellm.store.schema import heard_lines, heard_texts
from tslp_litellm.store.statements import DIALECTS, Statement, batches, inserting

TEXTS_MAX = 2_000
"""How many texts are kept of a tenant, the newest."""
TEXTS_FOUND_MAX = 24
"""So many of the texts that have lines in common with another one are looked at: those with the most."""
ROWS_EACH = 4
"""Lines that more texts hold on the average are asked for by halves, and of each such line the newest texts."""
QUESTIONS_MAX = 64
FORGOTTEN_AT_ONCE = 256
_RANDOM_BITS = 20

_T: BindParameter[Any] = bindparam("tenant")
_VALUES: BindParameter[Any] = bindparam("values", expanding=True)
_X, _L = heard_texts.c, heard_lines.c
_KEEP = Statement({d: inserting(d)(heard_texts).on_conflict_do_nothing() for d in DIALECTS}, heard_texts.c.keys())
_INDEX = Statement({d: inserting(d)(heard_lines).on_conflict_do_nothing() for d in DIALECTS}, heard_lines.c.keys())
_FIND = Statement(select(_L.text_id).where(_L.tenant == _T, _L.line.in_(_VALUES)).limit(bindparam("most")))
_NEWEST = Statement(
    select(_L.text_id)
    .where(_L.tenant == _T, _L.line == bindparam("line"))
    .order_by(_L.text_id.desc())
    .limit(TEXTS_FOUND_MAX)
)
_TEXTS = Statement(select(_X.id, _X.heard, _X.lines).where(_X.tenant == _T, _X.id.in_(_VALUES)))
_OLDEST_KEPT = Statement(select(_X.id).where(_X.tenant == _T).order_by(_X.id.desc()).offset(bindparam("kept")).limit(1))
_OLD = Statement(
    select(_X.id, _X.anchors)
    .where(_X.tenant == _T, _X.id < bindparam("oldest"))
    .order_by(_X.id)
    .limit(FORGOTTEN_AT_ONCE)
)
_FORGET_LINES = Statement(
    delete(heard_lines).where(_L.tenant == _T, _L.line.in_(_VALUES), _L.text_id == bindparam("text"))
)
_FORGET = Statement(delete(heard_texts).where(_X.tenant == _T, _X.id.in_(_VALUES)))


def remember(connection: Connection, tenant: str, workspace: str, said: Iterable[Hearsay], at: str) -> None:
    """Some more, said in a workspace at the time `at`."""
    for one in said:
        keys = sorted(_of(workspace, one.anchors) if one.heard is Heard.ANSWER else one.anchors)
        lines, anchors = array("I", sorted(one.lines)).tobytes(), array("I", keys).tobytes()
        text = _begun(at) + (crc32(lines) >> 32 - _RANDOM_BITS)
        row = {"tenant": tenant, "id": text, "heard": str(one.heard), "anchors": anchors, "lines": lines}
        _KEEP.run(connection, row)
        _INDEX.run(connection, *({"tenant": tenant, "line": key, "text_id": text} for key in keys))


def find(connection: Connection, tenant: str, keys: Collection[int], workspace: str | None) -> list[Hearsay]:
    """The texts that have most of those lines; of a workspace's answers, too, where one is named."""
    keys = keys if workspace is None else {*keys, *_of(workspace, keys)}
    rare, common, waiting, asked = Counter[int](), Counter[int](), batches(keys)[::-1], 0
    while waiting:
        some, asked = waiting.pop(), asked + 1
        most = ROWS_EACH * len(some) + 64
        found = _FIND.of(connection, some, {"tenant": tenant, "most": most})
        if len(found) < most or asked > QUESTIONS_MAX:
            rare.update(text for (text,) in found)
        elif len(some) == 1:
            common.update(text for (text,) in _NEWEST.all(connection, {"tenant": tenant, "line": some[0]}))
        else:
            waiting += [some[len(some) // 2 :], some[: len(some) // 2]]
    best = sorted(rare | common, key=lambda text: (-rare[text], -common[text], -text))[:TEXTS_FOUND_MAX]
    return [
        Hearsay(Heard(heard), frozenset(array("I", bytes(lines))), number=text)
        for text, heard, lines in _TEXTS.of(connection, best, {"tenant": tenant})
    ]


def forget(connection: Connection, tenant: str, before: str) -> None:
    """Some of what was said before the time `before`, and of the oldest that is too much."""
    kept = _OLDEST_KEPT.one(connection, {"tenant": tenant, "kept": TEXTS_MAX - 1})
    oldest = max(kept[0] if kept is not None else 0, _begun(before))
    old = _OLD.all(connection, {"tenant": tenant, "oldest": oldest})
    for text, anchors in old:
        _FORGET_LINES.of(connection, array("I", bytes(anchors)), {"tenant": tenant, "text": text})
    _FORGET.of(connection, [text for text, _ in old], {"tenant": tenant})


def _of(workspace: str, keys: Iterable[int]) -> set[int]:
    """The keys of lines as those of one workspace only."""
    own = crc32(workspace.encode("utf-8", "replace"), 1)
    return {key ^ own for key in keys}


def _begun(at: str) -> int:
    """The least number of a text that was said at a time: numbers are in the order of the times."""
    return int(datetime.fromisoformat(at).timestamp() * 1000) << _RANDOM_BITS
