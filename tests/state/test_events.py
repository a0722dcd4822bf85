"""Events have one canonical form, and a hash that covers every column."""

import dataclasses

import pytest

from tslp_litellm.state.events import GENESIS, Event, EventKind, Move, Op, chain_hash, chained

EVENT = Event(
    EventKind.EVIDENCE,
    (Move(Op.PROMOTE, "a.py::f", "0" * 64, "CONFIRMED", "user-write-head", "AST", "1" * 64), Move(Op.DIRTY, "ä.py")),
    (("origin", "user"), ("carrier", "fence")),
)


def test_the_canonical_form_is_pinned() -> None:
    """A change here would break the chain of every existing Ledger."""
    assert EVENT.body() == (
        '{"carrier":"fence","moves":[{"artifact":"'
        + "0" * 64
        + '","confidence":"CONFIRMED","entity":"a.py::f","op":"promote",'
        '"reason":"user-write-head","replaces":"'
        + "1" * 64
        + '","source":"AST"},{"entity":"ä.py","op":"dirty"}],"origin":"user"}'
    )
    entry = chained(EVENT, workspace_id=1, seq=1, episode_id="e", at="2026-01-01T00:00:00.000Z", prev_hash=GENESIS)
    assert entry.hash == "cf6f1b303e05564932b68b1f39e9df12b1f87c470522d310d18c9bd58072e734"


def test_moves_survive_the_ledger() -> None:
    entry = chained(EVENT, workspace_id=1, seq=1, episode_id=None, at="t", prev_hash=GENESIS)
    assert tuple(entry.moves()) == EVENT.moves
    assert entry.content()["origin"] == "user"


@pytest.mark.parametrize("column", ["workspace_id", "seq", "episode_id", "at", "kind", "body", "prev_hash"])
def test_every_column_is_in_the_hash(column: str) -> None:
    entry = chained(EVENT, workspace_id=1, seq=1, episode_id="e", at="t", prev_hash=GENESIS)
    row = {f.name: getattr(entry, f.name) for f in dataclasses.fields(entry) if f.name != "hash"}
    row[column] = row[column] + 1 if isinstance(row[column], int) else row[column] + "x"
    assert chain_hash(**row) != entry.hash


def test_what_an_event_made_true_is_what_it_promoted() -> None:
    moves = (Move(Op.PROMOTE, "a.py", "h1"), Move(Op.DIRTY, "b.py"), Move(Op.PROPOSE, "a.py::f", "h2"))
    entry = chained(
        Event(EventKind.EVIDENCE, moves), workspace_id=1, seq=2, episode_id="e", at="now", prev_hash=GENESIS
    )
    assert entry.made_true() == [("a.py", "h1")]
