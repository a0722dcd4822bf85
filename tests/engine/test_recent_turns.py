"""What the last events of a workspace say of turns, read once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tslp_litellm.engine import recent_turns
from tslp_litellm.engine.recent_turns import RecentTurns, TurnsRead
from tslp_litellm.resolution.going_back import Left
from tslp_litellm.store.database import Database
from tslp_litellm.store.reading import WorkspaceReader

from .helpers import Session, make_engine

TEXT = "util.py\n```python\ndef slug(s):\n    return s.{}()\n```\n"


@pytest.fixture
def read() -> TurnsRead:
    return TurnsRead()


def turns_of(session: Session, read: TurnsRead) -> RecentTurns:
    assert session.episode is not None
    with session.database.reading() as connection:
        store = WorkspaceReader(connection, "local", session.workspace)
        return read.of(store, session.episode.conversation.id)


def test_turns_and_what_hangs_on_them(session: Session, read: TurnsRead) -> None:
    assert session.ask("Hello.").episode is not None
    assert turns_of(session, read).told == ()
    session.ask("Write util.py.", TEXT.format("lower"))
    session.ask("I changed it:\n\n" + TEXT.format("upper"))
    found = turns_of(session, read)
    assert len(found.places) == 3
    every = frozenset(place.episode for place in found.places)
    assert found.paths(Left(every)) == {"util.py"}
    assert found.paths(Left(frozenset(), every)) == set(), "what a user shows hangs on no answer"


def test_an_event_is_read_once(session: Session, read: TurnsRead, monkeypatch: pytest.MonkeyPatch) -> None:
    session.ask("Write util.py.", TEXT.format("lower"))
    first = turns_of(session, read)
    seen: list[int] = []
    real = recent_turns._read
    monkeypatch.setattr(recent_turns, "_read", lambda entry: seen.append(entry.seq) or real(entry))
    assert turns_of(session, read) == first
    assert seen == []
    session.ask("Go on.")
    assert len(turns_of(session, read).places) == len(first.places) + 1
    assert len(seen) == 1


def test_a_snapshot_knows_nothing_of_what_came_after_it(session: Session, read: TurnsRead) -> None:
    session.ask("Write util.py.", TEXT.format("lower"))
    assert session.episode is not None
    with session.database.reading() as connection:
        before = WorkspaceReader(connection, "local", "w")
    session.ask("Go on.")
    assert len(turns_of(session, read).places) == 2
    assert len(read.of(before, session.episode.conversation.id).places) == 1


def test_another_database_in_its_place_is_read_anew(
    session: Session, sessions: Callable[..., Session], read: TurnsRead
) -> None:
    session.ask("Write util.py.", TEXT.format("lower")).ask("Go on.")
    assert len(turns_of(session, read).places) == 2
    database = Database("sqlite://")
    database.migrate()
    other = Session(make_engine(database), database)
    other.ask("Write a.py.", TEXT.format("upper"))
    assert len(turns_of(other, read).places) == 1
    database.close()


def test_only_recent_events_are_kept(session: Session, read: TurnsRead, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recent_turns, "EVENTS_BACK", 5)
    for n in range(9):
        session.ask(f"Write util.py, {n}.", TEXT.format(f"lower{n}"))
        turns_of(session, read)
    found = turns_of(session, read)
    assert 1 <= len(found.places) <= 5
    assert len(found.told) <= 5
