"""LedgerPulse v1.3, a normative paragraph after the other, as far as the law takes it over (SEMANTICS 12)."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.engine.helpers import Session, make_engine
from tests.samples_of_secrets import ALL
from tslp_litellm.journal import files
from tslp_litellm.journal.files import Journal, JournalError, newest_first
from tslp_litellm.journal.pulses import Pulse, Type, after, heads, parts
from tslp_litellm.journal.resuming import PULSES_MAX, resumed
from tslp_litellm.journal.telling import Teller
from tslp_litellm.state.events import Event, EventKind, chained
from tslp_litellm.store import vault
from tslp_litellm.store.database import Database
from tslp_litellm.store.reading import WorkspaceReader

TEXT = "def f(x):\n    return x + 1\n"
KEY = "AKIA" + "IOSFODNN7EXAMPLF"
AT = "2026-01-01T00:00:00.001Z"


def fence(text: str, path: str) -> str:
    return f"{path}\n```python\n{text}```\n"


@pytest.fixture
def session() -> Iterator[Session]:
    database = Database("sqlite://")
    database.migrate()
    yield Session(make_engine(database), database)
    database.close()


def told(session: Session) -> list[Pulse]:
    with session.database.reading() as connection:
        store = WorkspaceReader(connection, session.tenant, session.workspace)
        teller = Teller("w", lambda artifact: vault.get(connection, [artifact]).get(artifact))
        return [pulse for entry in store.entries_after(0) if (pulse := teller.hear(entry)) is not None]


def pulse(n: int = 0, kind: Type = Type.PULSE, intent: str = "Go on.", **more: Any) -> Pulse:
    return Pulse(f"2026-01-01T00:00:{n % 60:02}.000Z", kind, n, "w", intent, topics=("a.py",), **more)


def log(folder: Path) -> Path:
    return folder / "stream" / "pulses.log.md"


def index(folder: Path) -> dict[str, int]:
    found: dict[str, Any] = json.loads((folder / "stream" / "pulses.log.md.idx.json").read_text())
    assert found["schema"] == "ledgerpulse-index/v1"
    offsets: dict[str, int] = found["offsets"]
    return offsets


def whole(folder: Path) -> list[dict[str, Any]]:
    """Every pulse, oldest first; that all files are whole and the index is right is asserted."""
    content = log(folder).read_bytes()
    records = parts(content.decode())
    assert "".join(records).encode() == content
    for ts, at in index(folder).items():
        assert content[at:].startswith(b"---\n") and f"ts: '{ts}'".encode() in content[at : at + 100]
    assert len(index(folder)) == len(records)
    return [*newest_first(folder)][::-1]


# -- 1 and 9: nothing is edited, and a process may end at any point


def test_1_1_pulses_are_appended_only(tmp_path: Path) -> None:
    before = b""
    for n in range(3):
        with Journal(tmp_path) as to:
            to.append([pulse(n)])
        assert log(tmp_path).read_bytes().startswith(before)
        before = log(tmp_path).read_bytes()
    assert [said["ledger"]["seq"] for said in whole(tmp_path)] == [0, 1, 2]


def test_1_4_a_pulse_may_have_several_threads(session: Session) -> None:
    session.ask("Mine:\n\n" + fence(TEXT, "a.py") + "\n" + fence("def g():\n    return 2\n", "b.py"))
    (said,) = heads([told(session)[-1].record()])
    assert said["focus"] == [{"proj": "w", "topic": "a.py"}, {"proj": "w", "topic": "b.py"}]
    assert said["files"] == ["a.py", "b.py"]


class Killed(BaseException):
    """A process that is no more."""


@pytest.mark.parametrize("rotates", [False, True])
def test_1_3_and_9_a_process_may_end_at_any_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rotates: bool
) -> None:
    """Before and after each call that changes a file; a write is torn in its middle."""
    step, ends = 0, 0

    def dying(call: Callable[..., Any]) -> Callable[..., Any]:
        def called(*given: Any, **more: Any) -> Any:
            nonlocal step
            step += 2
            if step - 1 == ends:
                raise Killed
            done = call(*given, **more)
            if step == ends:
                raise Killed
            return done

        return called

    def torn(descriptor: int) -> None:
        """In the place of fsync: the end of what was written did not come to the disk."""
        if step + 1 == ends:
            os.ftruncate(descriptor, os.fstat(descriptor).st_size // 2 or 1)

    limit = 700 if rotates else 10**9
    while True:
        ends += 1
        step, folder = 0, tmp_path / str(ends)
        with monkeypatch.context() as patched:
            patched.setattr(files.os, "fsync", dying(torn))
            patched.setattr(Path, "replace", dying(Path.replace))
            patched.setattr(Path, "unlink", dying(Path.unlink))
            try:
                written(folder, limit)
                finished = True
            except Killed:
                finished = False
        written(folder, limit)
        seqs = [said["ledger"]["seq"] for said in whole(folder) if said["type"] != Type.COMPACTION]
        assert seqs == list(range(1, 7)), ends
        assert not [*folder.glob("**/*.tmp"), *folder.glob("**/*.new")]
        assert len([*folder.glob("stream/archive/*.log.md")]) == len([*folder.glob("stream/archive/*.idx.json")])
        if finished:
            break
    assert ends > 20


def written(folder: Path, limit: int) -> None:
    """Six pulses, those that are there left out."""
    with Journal(folder, limit) as to:
        done = to.held("w")
        for n in range(done + 1, 7):
            to.append([pulse(n)])
            if to.is_full:
                to.rotate(pulse(n, Type.COMPACTION))


def test_9_is_written_aside_synced_appended_and_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str] = []
    monkeypatch.setattr(files.os, "fsync", lambda f: names.append(Path(f"/proc/self/fd/{f}").readlink().name))
    with Journal(tmp_path) as to:
        names.clear()
        to.append([pulse(1)])
    assert names == ["pulses.log.md.tmp", "pulses.log.md", "pulses.log.md.idx.json.new"]
    assert not (tmp_path / "stream" / "pulses.log.md.tmp").exists()


@pytest.mark.parametrize("cut", [1, 2, 40, 150])
def test_9_readers_ignore_what_is_torn_at_the_end(tmp_path: Path, cut: int) -> None:
    with Journal(tmp_path) as to:
        to.append([pulse(1), pulse(2, facts=("one", "two"))])
    os.truncate(log(tmp_path), log(tmp_path).stat().st_size - cut)
    assert [said["ledger"]["seq"] for said in newest_first(tmp_path)] == [1]


def test_9_a_torn_end_is_cut_off_before_more_is_appended(tmp_path: Path) -> None:
    with Journal(tmp_path) as to:
        to.append([pulse(1)])
    with log(tmp_path).open("ab") as file:
        file.write(b"---\nschema: ledger")
    with Journal(tmp_path) as to:
        to.append([pulse(2)])
    assert [said["ledger"]["seq"] for said in whole(tmp_path)] == [1, 2]


# -- 2 to 5: files, records, times, types


def test_2_the_layout(tmp_path: Path) -> None:
    with Journal(tmp_path, 100) as to:
        to.append([pulse(1)])
        to.rotate(pulse(1, Type.COMPACTION))
    names = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.glob("**/*") if path.is_file())
    assert names == [
        "stream/archive/pulses-20260101-000001.000000Z.idx.json",
        "stream/archive/pulses-20260101-000001.000000Z.log.md",
        "stream/pulses.lock",
        "stream/pulses.log.md",
        "stream/pulses.log.md.idx.json",
    ]


def test_3_a_record_is_front_matter_and_facts(session: Session) -> None:
    session.ask("Mine:\n\n" + fence(TEXT, "a.py"))
    record = told(session)[-1].record()
    empty, head, body = record.split("---\n")
    said = yaml.safe_load(head)
    assert empty == "" and record.endswith("\n\n") and "\n\n" not in record[:-2]
    assert [*said] == ["schema", "ts", "type", "focus", "intent", "status", "files", "tags", "ledger"]
    assert said["schema"] == "ledgerpulse/v1"
    assert said["intent"] == {"primary": "continue", "summary": "Mine: a.py"}
    assert said["status"] == {"confidence": "high", "blocked": False}
    assert yaml.safe_load(body) == {"facts": ["a.py (f) became the truth: user-write-head"]}


@pytest.mark.parametrize(
    "nasty", ["a\n\nb", "---\n", "x: [", "\x85\u2028\n\n", "'\"", "\x00\ud800", "- a", "#", "é" * 999]
)
def test_3_any_text_makes_one_whole_record(nasty: str) -> None:
    record = pulse(intent=nasty or "?", facts=(nasty,), files=(nasty,)).record()
    assert parts(record.encode("utf-8", "replace").decode()) == [record.encode("utf-8", "replace").decode()]
    assert len([*heads([record])]) == 1


def test_4_times_are_utc_differ_and_only_grow(tmp_path: Path) -> None:
    with Journal(tmp_path) as to:
        to.append([pulse(5), pulse(5), pulse(3)])
    with Journal(tmp_path) as to:
        to.append([pulse(5), pulse(6)])
    times = [*index(tmp_path)]
    assert times == sorted(set(times)) and len(times) == 5
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", ts) for ts in times)
    assert [said["ts"] for said in whole(tmp_path)] == times
    assert after("2026-01-01T02:00:00.5+02:00", "") == "2026-01-01T00:00:00.500000Z"


def test_5_there_are_five_types() -> None:
    assert [*Type] == ["pulse", "checkpoint", "tangent", "compaction", "handoff"]


# -- 6 to 8: what is told


def test_6_a_turn_that_changes_nothing_is_a_tangent_and_changes_no_intent(session: Session) -> None:
    session.ask("Mine:\n\n" + fence(TEXT, "a.py"))
    session.ask("Add 2 in `f`.", fence(TEXT.replace("1", "2"), "a.py"))
    session.ask("What is a closure?", "A function with its environment.")
    session.ask("decision: integers only", "Yes.")
    kinds = [(one.type, one.intent) for one in told(session)]
    assert kinds[1:3] == [(Type.PULSE, "Add 2 in `f`."), (Type.TANGENT, "Add 2 in `f`.")]
    (said,) = heads([told(session)[2].record()])
    assert "intent" not in said and "next" not in said and said["facts"] == ["asked: What is a closure?"]
    assert kinds[3][0] is Type.PULSE


def test_7_what_is_no_longer_known_shifts_the_model(session: Session) -> None:
    session.ask("Mine:\n\n" + fence(TEXT, "a.py"))
    calls = {"c": {"name": "bash", "arguments": {"command": "sed -i s/1/2/ a.py"}}}
    session.ask("Change it.", None, calls=calls)
    session.ask(None, "Done.", results={"c": ""})
    waits, last = told(session)[-2:]
    assert waits.blocked and waits.next == ("Settle a.py: its change is not confirmed yet.",)
    assert last.shift is not None and "a.py" in last.shift[0]
    assert (last.confidence, last.blocked) == ("low", False)
    assert last.next == ("Show the current text of a.py: it is DIRTY.",)
    session.ask("It is this now:\n\n" + fence(TEXT.replace("1", "2"), "a.py"))
    assert (told(session)[-1].next, told(session)[-1].confidence) == ((), "high")


def test_8_decisions_results_and_what_tools_change_make_a_pulse(session: Session) -> None:
    session.ask("decision: integers only", "Yes.")
    calls = {"t": {"name": "bash", "arguments": {"command": "pytest -q"}}}
    session.ask("Run the tests.", None, calls=calls)
    session.ask(None, "One fails.", results={"t": "F...\n1 failed, 3 passed in 0.10s\n"})
    session.ask("Again.", None, calls={"u": calls["t"]})
    session.ask(None, "All pass.", results={"u": "....\n4 passed in 0.10s\n"})
    said = [(one.type, one.facts, one.next) for one in told(session)]
    assert said[0] == (Type.PULSE, ("decided: integers only",), ())
    red = ("Mend what pytest reports: red (1 failed, 3 passed).",)
    assert (Type.PULSE, ("pytest: red (1 failed, 3 passed)",), red) in said
    assert said[-1] == (Type.PULSE, ("pytest: green (4 passed)",), ())


def test_the_same_events_give_the_same_pulses(session: Session) -> None:
    session.ask("Mine:\n\n" + fence(TEXT, "a.py"))
    session.ask("Add 2 in `f`.", fence(TEXT.replace("1", "2"), "a.py"))
    assert told(session) == told(session) != []


# -- 10 to 12: index, going on, rotation


def test_10_the_index_maps_times_to_offsets(tmp_path: Path) -> None:
    with Journal(tmp_path) as to:
        to.append([pulse(n, intent="ü" * n) for n in range(5)])
    (tmp_path / "stream" / "pulses.log.md.idx.json").write_text("{}")
    with Journal(tmp_path):
        pass
    assert len(whole(tmp_path)) == 5


def going(*said: Pulse) -> Iterator[dict[str, Any]]:
    return heads(one.record() for one in reversed(said))


def test_11_going_on_reads_the_newest_first_until_it_is_settled() -> None:
    old = [pulse(n, intent=f"Job {n}", facts=(f"fact {n}",)) for n in range(10)]
    same = [pulse(n, intent="Now", next=("This",), facts=(f"fact {n}",)) for n in range(10, 12)]
    found = resumed(going(*old, *same))
    assert (found["intent"], found["next"], found["read"]) == ("Now", ["This"], 2)
    assert found["facts"] == ["fact 11", "fact 10"]
    assert resumed(going(*old, same[0]))["read"] == 11


def test_11_of_at_most_500_pulses() -> None:
    assert resumed(going(*(pulse(n, intent=str(n)) for n in range(600))))["read"] == PULSES_MAX == 500


def test_11_tangents_are_skipped_unless_they_are_asked_for() -> None:
    said = [
        pulse(1, intent="Go", facts=("a",)),
        pulse(2, Type.TANGENT, facts=("b",)),
        pulse(3, intent="On", facts=("c",)),
    ]
    assert resumed(going(*said))["facts"] == ["c", "a"]
    assert resumed(going(*said), tangents=True)["facts"] == ["c", "b", "a"]
    assert resumed(going(pulse(1, Type.TANGENT)))["intent"] is None


def test_11_goes_on_behind_a_rotation(tmp_path: Path) -> None:
    with Journal(tmp_path, 1) as to:
        for n in range(1, 6):
            to.append([pulse(n)])
            to.rotate(pulse(n, Type.COMPACTION))
    assert [said["ledger"]["seq"] for said in newest_first(tmp_path) if said["type"] == "pulse"] == [5, 4, 3, 2, 1]


@pytest.mark.parametrize("block", [1, 7, 64, 1 << 20])
def test_11_is_read_backwards_in_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(files, "_BLOCK", block)
    with Journal(tmp_path) as to:
        to.append([pulse(n, intent="ü") for n in range(9)])
    with log(tmp_path).open("ab") as file:
        file.write(b"---\nschema")
    assert [said["ledger"]["seq"] for said in newest_first(tmp_path)] == [8, 7, 6, 5, 4, 3, 2, 1, 0]


def test_12_what_is_too_large_is_archived_behind_a_compaction_pulse(tmp_path: Path) -> None:
    with Journal(tmp_path, 300) as to:
        to.append([pulse(1)])
        assert not to.is_full
        to.append([pulse(2)])
        assert to.is_full
        old = log(tmp_path).read_bytes()
        to.rotate(pulse(2, Type.COMPACTION))
        assert not to.is_full
        to.append([pulse(3)])
    (archived,) = (tmp_path / "stream" / "archive").glob("*.log.md")
    assert archived.read_bytes() == old
    assert [said["type"] for said in heads(parts(log(tmp_path).read_text()))] == ["compaction", "pulse"]
    assert files.ROTATE_BYTES == 100_000_000


# -- 13 and 14: secrets, the lock


def test_13_a_secret_is_a_symbol(tmp_path: Path) -> None:
    with Journal(tmp_path) as to:
        to.append([pulse(1, intent=f"use {KEY}", facts=(f"token={KEY}",), next=(KEY,), files=(f"{KEY}.py",))])
    assert KEY not in log(tmp_path).read_text()
    assert log(tmp_path).read_text().count("[REDACTED: ") == 4


def turn_of(prompt: str) -> Pulse:
    """The pulse of a turn in which something was decided."""
    teller = Teller("w", lambda _: prompt)
    stated = Event(EventKind.STATED, (), (("origin", "user"), ("says", "yes")))
    recorded = Event(EventKind.EPISODE, (), (("prompt", "x"),))
    heard = [
        teller.hear(chained(event, workspace_id=1, seq=n, episode_id="e", at=AT, prev_hash=""))
        for n, event in enumerate([stated, recorded], 1)
    ]
    assert isinstance(heard[-1], Pulse)
    return heard[-1]


def test_13_of_a_hundred_secrets_in_prompts_nothing_is_left(tmp_path: Path) -> None:
    """Also of those that the end of the summary cuts through."""
    chance, drawn = random.Random(13), [*ALL.values()]
    secrets = [chance.choice(drawn) for _ in range(100)]
    with Journal(tmp_path) as to:
        to.append([turn_of("word " * chance.randrange(64) + secret + " and more") for secret in secrets])
    stream = log(tmp_path).read_text()
    for secret in secrets:
        longest = max(secret.replace("'", '"').split('"'), key=len)
        assert not [p for i in range(0, len(longest) - 12, 6) if (p := longest[i : i + 12]) in stream]


def test_14_a_second_writer_is_told_who_writes(tmp_path: Path) -> None:
    with Journal(tmp_path), pytest.raises(JournalError, match=f"process {os.getpid()} on "):
        Journal(tmp_path).__enter__()
    with Journal(tmp_path):
        pass


def test_a_journal_is_of_one_workspace(tmp_path: Path) -> None:
    with Journal(tmp_path) as to:
        to.append([pulse(1)])
        with pytest.raises(JournalError, match="the journal of workspace w"):
            to.held("other")


def test_where_there_is_none_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no journal"):
        newest_first(tmp_path)
