"""The fold: what each move does to the State Map."""

from tslp_litellm.state.events import GENESIS, Entry, Event, EventKind, Move, Op, chained
from tslp_litellm.state.fold import fold
from tslp_litellm.state.values import Freshness, Source

ONE, TWO = "1" * 64, "2" * 64


def entries(*events: Event) -> list[Entry]:
    out, digest = [], GENESIS
    for seq, event in enumerate(events, 1):
        out.append(chained(event, workspace_id=1, seq=seq, episode_id=None, at=f"t{seq}", prev_hash=digest))
        digest = out[-1].hash
    return out


def judged(*moves: Move) -> Event:
    return Event(EventKind.EVIDENCE, moves)


def promote(entity: str, artifact: str = ONE, source: str = "AST") -> Move:
    return Move(Op.PROMOTE, entity, artifact, "CONFIRMED", "x", source)


def test_a_promotion_makes_the_truth_and_the_last_one_wins() -> None:
    state = fold(entries(judged(promote("a.py")), judged(promote("a.py", TWO, "edit"))))
    held = state.entities["a.py"]
    assert (held.artifact, held.freshness, held.source, held.updated_at) == (TWO, Freshness.CLEAN, Source.EDIT, "t2")


def test_a_tombstone_keeps_the_last_artifact_and_the_episode() -> None:
    state = fold(entries(judged(promote("a.py")), Event(EventKind.EPISODE), judged(Move(Op.TOMBSTONE, "a.py", ONE))))
    assert not state.entities
    grave = state.tombstones["a.py"]
    assert (grave.artifact, grave.since, grave.episode) == (ONE, "t3", 1)


def test_what_comes_back_is_no_tombstone_any_more() -> None:
    state = fold(
        entries(judged(promote("a.py")), judged(Move(Op.TOMBSTONE, "a.py", ONE)), judged(promote("a.py", TWO)))
    )
    assert state.entities["a.py"].artifact == TWO
    assert not state.tombstones


def test_expired_tombstones_leave() -> None:
    state = fold(
        entries(judged(promote("a.py")), judged(Move(Op.TOMBSTONE, "a.py", ONE)), judged(Move(Op.EXPIRE, "a.py")))
    )
    assert not state.tombstones


def test_dirt_keeps_the_artifact_and_a_promotion_cleans() -> None:
    state = fold(entries(judged(promote("a.py")), judged(Move(Op.DIRTY, "a.py"))))
    assert state.entities["a.py"].freshness is Freshness.DIRTY
    assert state.entities["a.py"].artifact == ONE
    state = fold(entries(judged(promote("a.py")), judged(Move(Op.DIRTY, "a.py")), judged(promote("a.py"))))
    assert state.entities["a.py"].freshness is Freshness.CLEAN


def test_proposals_rejections_and_logs_change_nothing() -> None:
    moves = [Move(op, "a.py", ONE, reason="x") for op in (Op.PROPOSE, Op.REJECT, Op.LOG)] + [Move(Op.LOG, None, ONE)]
    state = fold(entries(judged(*moves), judged(Move(Op.DIRTY, "never.py")), judged(Move(Op.TOMBSTONE, "never.py"))))
    assert not state.entities
    assert not state.tombstones
