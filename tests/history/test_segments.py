"""What a segment's file says, and that nothing in it can be altered (SEMANTICS 12)."""

from __future__ import annotations

import hashlib
import lzma
from dataclasses import replace

import pytest

from tslp_litellm.history.segments import TESTS, Contents, Segment, SegmentError, digest, listed, packed, unpacked
from tslp_litellm.state.events import GENESIS, Entry, Event, EventKind, Move, Op, chained
from tslp_litellm.state.values import Slice, artifact_hash

WHOLE = "def f():\n    return 'é\u2028'\n\n\ndef g():\n    return 1\n"
PART = "def f():\n    return 'é\u2028'\n"
ODD = "one \ue0000\ue000 two \ue000"
AT = "2026-01-01T00:00:00.000Z"


def chain(*events: Event, first: int = 5) -> tuple[Entry, ...]:
    found: list[Entry] = []
    for seq, event in enumerate(events, first):
        prev = found[-1].hash if found else GENESIS
        found.append(chained(event, workspace_id=3, seq=seq, episode_id="e", at=AT, prev_hash=prev))
    return tuple(found)


def contents() -> Contents:
    move = Move(Op.PROMOTE, "a.py", artifact_hash(WHOLE), replaces="f" * 64)
    entries = chain(
        Event(EventKind.EVIDENCE, (move,), (("says", f"{artifact_hash(ODD)} and {artifact_hash(PART)}"),)),
        Event(EventKind.STATED, (), (("says", ODD + artifact_hash(WHOLE)),)),
        Event(EventKind.ERROR, (), (("says", "gone"),)),
        Event(EventKind.EPISODE, (), (("prompt", artifact_hash(ODD)),)),
    )
    entries = (*entries[:2], replace(entries[2], body=""), entries[3])
    part = Slice(artifact_hash(WHOLE), 0, len(PART.encode()))
    return Contents(entries, {artifact_hash(ODD): ODD, artifact_hash(WHOLE): WHOLE, artifact_hash(PART): part})


def of(made: Contents, data: bytes) -> Segment:
    entries, sha256 = made.entries, hashlib.sha256(data).hexdigest()
    first, last = entries[0], entries[-1]
    about = (first.seq, last.seq, first.prev_hash, last.hash, "x.jsonl.xz", "/a", sha256, len(data), 1, len(made.texts))
    return Segment(*about, digest([*made.texts]))


def test_it_gives_back_what_was_put_in() -> None:
    """Also what looks like a place, parts of texts, and an event whose words were erased."""
    made = contents()
    data = packed(made)
    found = unpacked(data, of(made, data))
    assert found == made
    assert (found.text(artifact_hash(PART)), found.text("0" * 64)) == (PART, None)


def test_the_ledger_s_event_says_all_of_it() -> None:
    made = contents()
    segment = of(made, packed(made))
    (entry,) = chain(segment.event())
    assert Segment.of(entry) == segment


def test_any_flipped_byte_is_found() -> None:
    made = contents()
    data = packed(made)
    for place in range(len(data)):
        with pytest.raises(SegmentError):
            unpacked(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :], of(made, data))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return 1", "return 2"),  # a text
        ("promote", "propose"),  # an event
        ("2026-01-01", "2026-01-02"),
        ('"error.seen",[""]', '"evidence.judged",[""]'),  # an event whose words were not erased
    ],
)
def test_nothing_can_be_altered_behind_a_new_sha256(old: str, new: str) -> None:
    made = contents()
    text = lzma.decompress(packed(made)).decode()
    assert old in text
    data = lzma.compress(text.replace(old, new, 1).encode())
    with pytest.raises(SegmentError):
        unpacked(data, replace(of(made, data), sha256=hashlib.sha256(data).hexdigest()))


def test_what_is_no_segment_is_said_so() -> None:
    made = contents()
    for data in (b"", b"x", lzma.compress(b""), lzma.compress(b"[]\n{}\n")):
        with pytest.raises(SegmentError):
            unpacked(data, of(made, data))


def test_it_says_how_many_of_a_kind_it_holds() -> None:
    reports = [Event(EventKind.REPORTED, (), (("tool", "x"), ("tests", tests))) for tests in (True, True, False)]
    said = listed(chain(*reports, Event(EventKind.STATED, (), (("says", "x"),)), Event(EventKind.EPISODE)))
    segment = replace(of(contents(), b""), holds=said)
    assert [segment.number(what) for what in (EventKind.REPORTED, TESTS, EventKind.STATED)] == [3, 2, 1]
    assert (segment.number(EventKind.ERROR), segment.number(EventKind.EPISODE)) == (0, None)


@pytest.mark.parametrize(("holds", "number"), [("?", None), ("tests tool.reported", None), ("decision.stated", 0)])
def test_one_that_an_older_release_wrote_does_not_count(holds: str, number: int | None) -> None:
    assert replace(of(contents(), b""), holds=holds).number(EventKind.REPORTED) == number
