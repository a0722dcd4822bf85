"""What is asked for by kind and by episode is answered as before something was archived (SEMANTICS 12)."""

from __future__ import annotations

import random
import shutil
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from tslp_litellm.diagnostics import reports, resuming
from tslp_litellm.history import points, snapshots
from tslp_litellm.history.segments import LISTED, RESUMED
from tslp_litellm.resolution.files import adopt
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import Event, EventKind
from tslp_litellm.state.values import Conversation, Source, artifact_hash
from tslp_litellm.store import archive, as_of, segments
from tslp_litellm.store.database import Database
from tslp_litellm.store.folders import folder
from tslp_litellm.store.maintenance import verify
from tslp_litellm.store.writing import WorkspaceWriter

from .helpers import SPACE, TENANT, known
from .test_archive import read_for_uses

EPISODES = 40
MOVED = ("head", "checkpoint", "changed", "errors")


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checkpoints at each seventh place, in the midst of episodes; segments of fourteen events, which are read once;
    little stays."""
    monkeypatch.setattr(snapshots, "EVERY", 7)
    monkeypatch.setattr(archive, "EVENTS_MAX", 14)
    monkeypatch.setitem(RESUMED, EventKind.REPORTED, 6)
    monkeypatch.setitem(RESUMED, EventKind.STATED, 2)
    monkeypatch.setattr(segments, "loaded", lru_cache(100)(segments.loaded.__wrapped__))
    segments._listed.cache_clear()


def _at(n: int) -> str:
    return f"2026-01-01T00:{n:02}:00.000Z"


def _append(database: Database, n: int, unit: UnitOfWork, *more: Event, episode: int) -> None:
    with database.writing() as connection:
        store = WorkspaceWriter(connection, TENANT, SPACE, _at(n))
        store.put(unit.contents)
        store.append([*unit.events, *more], f"e{episode}", _at(n))


def live(database: Database, draw: random.Random) -> None:
    """Episodes that show files; some with verdicts, decisions, errors; some with an audit that reports later."""
    for n in range(EPISODES):
        path = f"f{draw.randrange(4)}.py"
        unit = UnitOfWork({path: known(database, path)})
        text = f"def f():\n    return {n}\n"
        unit.change(adopt(unit.file(path), text, Source.AST, "user-write-head"), origin="user")
        _append(database, n, unit, *_beside(draw, n), episode=n)
        about = {"started_at": _at(n), "model": "m", "by": {"user": f"u{n % 3}"}}
        _append(database, n, UnitOfWork(), Event(EventKind.EPISODE, (), tuple(about.items())), episode=n)
        if n and draw.random() < 0.3:
            said = {"entity": path, "artifact": artifact_hash(text), "status": "ok", "conclusion": "nothing"}
            _append(database, n, UnitOfWork(), Event(EventKind.AUDIT, (), tuple(said.items())), episode=n - 1)
    read_for_uses(database)


def _beside(draw: random.Random, n: int) -> list[Event]:
    found = list[Event]()
    for _ in range(draw.choice((0, 0, 1, 3))):
        said = {"tool": draw.choice(("pytest", "jest", "ruff")), "verdict": draw.choice(("green", "green", "red"))}
        tests = {} if said["tool"] == "ruff" else {"tests": True}
        found.append(Event(EventKind.REPORTED, (), tuple({**said, **tests}.items())))
    if draw.random() < 0.15:
        found.append(Event(EventKind.STATED, (), (("says", f"decided {n}"),)))
    if draw.random() < 0.15:
        found.append(Event(EventKind.ERROR, (), (("tool", "edit"), ("says", f"failed {n}"))))
    if draw.random() < 0.1:
        said = {"signature": f"{n:064}", "question": "word", "about": [f"f{n}.py"], "says": "?", "option": 1}
        found.append(Event(EventKind.DECISION, (), (*said.items(), ("chosen", "yes"))))
    return found


def answers(database: Database, step: int = 1) -> dict[str, Any]:
    """All that is asked for by kind, and of each `step`-th episode; without what an archive moves: the head, and the
    last checkpoint, which is never in a segment."""
    with database.reading() as connection:
        stands = resuming.resume(connection, TENANT, SPACE)
        found: dict[str, Any] = {"resume": {k: v for k, v in stands.items() if k not in MOVED}}
        found["green"] = as_of.seq_of(connection, 1, points.parse("green"))
        for kind in LISTED:
            found[kind] = [
                as_of.last(connection, 1, kind, limit, after) for limit, after in ((3, 0), (200, 0), (9, 30))
            ]
        for limit in (1, 5, 20, 200) if step == 1 else (5, 200):
            found[f"recent {limit}"] = reports.recent(connection, TENANT, SPACE, limit)
            for after in (0, 30, 90):
                found[f"{limit} after {after}"] = reports.recent(connection, TENANT, SPACE, limit, after)
        for n in range(0, EPISODES, step):
            found[f"e{n}"] = reports.episode(connection, TENANT, SPACE, f"e{n}")
        for n in range(0, EPISODES - 1, step):  # the last one goes on to the head
            found[f"end of e{n}"] = as_of.seq_of(connection, 1, points.parse(f"e{n}"))
        for n in range(4):
            shown = reports.entity(connection, TENANT, SPACE, f"f{n}.py", limit=200)
            found[f"f{n}"] = shown and {k: v for k, v in shown.items() if k not in MOVED}
    return found


def archived(database: Database, to: Path, seq: int) -> bool:
    return bool([*archive.archive(database, folder(str(to)), _at(59), points.before(str(seq)))])


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 3))])
def test_answers_are_those_from_before_the_archive(database: Database, tmp_path: Path, seed: int) -> None:
    live(database, random.Random(seed))
    step = 10 if seed == 1 else 1
    want, done = answers(database, step), 0
    assert want["green"] is not None
    assert want["resume"]["stated"]
    for seq in (20, 55, 90, 125, 160):
        done += archived(database, tmp_path / "a", seq)
        assert answers(database, step) == want
    assert done >= 3
    assert archived(database, tmp_path / "a", 10**9)
    assert answers(database, step) == want
    (tmp_path / "some").mkdir()
    for file in sorted((tmp_path / "a").iterdir())[::2]:
        shutil.copy(file, tmp_path / "some")
    for part in ("some", "a"):
        assert [*archive.restore(database, folder(str(tmp_path / part)))]
        assert answers(database, step) == want
    assert verify(database) == []


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 3)), 4])
def test_resume_opens_no_segment(database: Database, tmp_path: Path, seed: int) -> None:
    """However far back tests were green, whatever left at once or bit by bit; and little is kept for that."""
    live(database, random.Random(seed))
    with database.reading() as connection:
        reports = as_of.last(connection, 1, EventKind.REPORTED, 200)
        want = resuming.resume(connection, TENANT, SPACE)
    for seq in (30, 70, 120, 10**9)[seed - 1 :]:
        archived(database, tmp_path / "a", seq)
        segments.loaded.cache_clear()
        segments._listed.cache_clear()
        with database.reading() as connection:
            stands = resuming.resume(connection, TENANT, SPACE)
        assert [stands[key] for key in want.keys() - {*MOVED}] == [want[key] for key in want.keys() - {*MOVED}]
        assert segments.loaded.cache_info().misses == 0
    with database.reading() as connection:
        green = stands["green"]["seq"]
        here = [e.seq for e in segments.stored(connection, 1, 0) if e.kind == EventKind.REPORTED]
    assert len(here) < len([e for e in reports if e.seq > green]) + 6 + 2 * archive.EVENTS_MAX
    assert len(here) < len(reports)


def test_tests_that_were_never_green(database: Database, tmp_path: Path) -> None:
    """A segment is not opened for what it does not hold, and all red reports of tests stay."""
    for n in range(30):
        said = {"tool": "ruff", "verdict": "green"} if n % 3 else {"tool": "pytest", "verdict": "red", "tests": True}
        _append(database, n, UnitOfWork(), Event(EventKind.REPORTED, (), tuple(said.items())), episode=n)
    read_for_uses(database)
    archived(database, tmp_path / "a", 10**9)
    (tmp_path / "a").rename(tmp_path / "b")
    with database.reading() as connection:
        stands = resuming.resume(connection, TENANT, SPACE)
    assert (stands["green"], stands["missing"]) == (None, None)
    assert {row["tool"]: row["verdict"] for row in stands["reported"]} == {"ruff": "green", "pytest": "red"}


def test_what_stayed_is_verified(database: Database, tmp_path: Path) -> None:
    live(database, random.Random(1))
    archived(database, tmp_path / "a", 10**9)
    assert verify(database) == []
    with database.writing() as connection:
        trigger = "events_no_update" if database.sqlite else "tslp_events_update ON events"
        connection.exec_driver_sql(f"DROP TRIGGER {trigger}")
        last = max(one.last for one in segments.out(connection, 1))
        connection.exec_driver_sql(
            f"UPDATE events SET body = replace(body, 'red', 'green') WHERE kind = 'tool.reported' AND seq < {last}"
        )
    assert any("the archive has another one" in problem.detail for problem in verify(database))


def test_what_stayed_of_a_conversation_holds_nothing_back(database: Database, tmp_path: Path) -> None:
    live(database, random.Random(1))
    archived(database, tmp_path / "a", 10**9)
    with database.writing() as connection:
        stayed = segments.out(connection, 1)[0].first
        reported = next(e for e in segments.stored(connection, 1, stayed) if e.kind == EventKind.REPORTED)
        store = WorkspaceWriter(connection, TENANT, SPACE, "2026-02-01T00:00:00.000Z")
        store.remember(Conversation("c", 0, reported.episode_id), [b"x" * 16])
    for n in range(40, 55):
        _append(database, n, UnitOfWork(), Event(EventKind.ERROR, (), (("tool", "t"),)), episode=n)
    read_for_uses(database)
    assert archived(database, tmp_path / "a", 10**9)


def test_what_can_t_be_read_is_said(database: Database, tmp_path: Path) -> None:
    """An archive of a time when nothing stayed in the database."""
    live(database, random.Random(1))
    want = answers(database)
    archived(database, tmp_path / "a", 10**9)
    (tmp_path / "a").rename(tmp_path / "b")
    segments.loaded.cache_clear()
    segments._listed.cache_clear()
    with database.writing() as connection:
        away = max(one.last for one in segments.out(connection, 1))
        connection.exec_driver_sql(f"DELETE FROM events WHERE kind IN ('tool.reported') AND seq <= {away}")
    with database.reading() as connection:
        stands = resuming.resume(connection, TENANT, SPACE)
        assert stands["dirty"] == want["resume"]["dirty"]
        assert stands["green"] is None
        for said in (stands, reports.recent(connection, TENANT, SPACE, 5)):
            assert "are in the archive (w1-" in said["missing"]
        with pytest.raises(segments.ArchivedError, match="can't be read"):
            as_of.seq_of(connection, 1, points.parse("green"))


def test_a_segment_without_a_kind_is_not_opened_for_it(database: Database, tmp_path: Path) -> None:
    """Nothing was stated: that the archive is away does not matter."""
    for n in range(20):
        _append(database, n, UnitOfWork(), Event(EventKind.ERROR, (), (("tool", "t"),)), episode=n)
    read_for_uses(database)
    archived(database, tmp_path / "a", 10**9)
    (tmp_path / "a").rename(tmp_path / "b")
    segments.loaded.cache_clear()
    with database.reading() as connection:
        assert as_of.last(connection, 1, EventKind.STATED, 5) == []
        with pytest.raises(segments.ArchivedError):
            as_of.last(connection, 1, EventKind.ERROR, 5)
