"""What the past costs: `resume` and the State Map at points, of a long Ledger, from the database and from an archive.

    python -m benchmarks.past --events 100000

Each two hundredth episode ran tests, which were green once, long ago; few decisions were stated. Nothing is kept in
memory between two measurements.
"""

from __future__ import annotations

import itertools
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import click
from sqlalchemy import insert

from benchmarks.storage import episode
from tslp_litellm.diagnostics import resuming
from tslp_litellm.gateway.runtime import new_id, now
from tslp_litellm.history import points
from tslp_litellm.state.events import Event, EventKind
from tslp_litellm.store import archive, as_of, segments
from tslp_litellm.store.database import Database
from tslp_litellm.store.folders import folder
from tslp_litellm.store.schema import uses_heads
from tslp_litellm.store.writing import WorkspaceWriter

FILES, BATCH = 200, 250
GREEN, STATED, REPORTED = 0.02, 0.2, 200
"""Where in the Ledger tests were green last; the part of it in which decisions were stated; episodes a report."""


def written(database: Database, number: int) -> None:
    """A Ledger of so many events."""
    said = head = 0
    for start in itertools.count(0, BATCH):
        if head >= number:
            break
        with database.writing() as connection:
            store = WorkspaceWriter(connection, "local", "w", now())
            for n in range(start, start + BATCH):
                episode(store, n, FILES)
                assert store.head is not None
                head, share = store.head[0], store.head[0] / number
                if n % REPORTED == 0:
                    verdict = "red" if share > GREEN else "green"
                    about = {"tool": "pytest", "verdict": verdict, "tests": True, "counts": {"passed": n}}
                    store.append([Event(EventKind.REPORTED, (), tuple(about.items()))], new_id(), now())
                if share < STATED and said < 4 * share / STATED:
                    said += 1
                    store.append([Event(EventKind.STATED, (), (("says", f"decision {n}"),))], new_id(), now())
    with database.writing() as connection:  # as if what entities use had been read: what has not stays
        connection.execute(insert(uses_heads).values(workspace_id=1, seq=head))


def measured(database: Database, ends: int) -> None:
    """Print what is asked, its time, and how many segments were opened for it."""
    draw = random.Random(1)

    def asked(what: str, ask: Callable[[], object]) -> None:
        segments.loaded.cache_clear()
        segments._listed.cache_clear()
        segments._bases.clear()
        began, cpu = time.perf_counter(), time.process_time()
        ask()
        took, used = time.perf_counter() - began, time.process_time() - cpu
        opened = segments.loaded.cache_info().misses
        print(f"  {what:24} {took:7.3f} s, {used:7.3f} s of CPU, {opened:3} segments opened", flush=True)

    with database.reading() as connection:
        asked("resume", lambda: resuming.resume(connection, "local", "w"))
        asked("--at green", lambda: as_of.seq_of(connection, 1, points.parse("green")))
        for _ in range(5):
            seq = draw.randrange(1, ends)
            asked(f"state at {seq}", lambda seq=seq: as_of.state(connection, "local", "w", points.parse(str(seq))))


@click.command()
@click.option("--events", default=100_000)
def main(events: int) -> None:
    """Measure, print."""
    with tempfile.TemporaryDirectory(prefix="tslp-past-") as place:
        database = Database(f"sqlite:///{place}/w.db")
        database.migrate()
        written(database, events)
        print(f"{events:,} events, in the database:")
        measured(database, events)
        to = folder(str(Path(place) / "archive"))
        done = [segment for _, segment in archive.archive(database, to, now(), points.before("2999-12-31"))]
        print(f"in {len(done)} segments of {sum(one.bytes for one in done) / len(done) / 1e6:.1f} MB:")
        measured(database, events)
        database.close()


if __name__ == "__main__":
    main()
