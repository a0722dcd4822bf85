"""Webhooks: every event at least once and in order, whatever becomes of receivers and workers; signed; no texts."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import standardwebhooks

from tests.engine.helpers import Session, make_engine
from tests.postgres import wait_until
from tslp_litellm.reach import webhooks
from tslp_litellm.reach.posting import UndeliveredError
from tslp_litellm.reach.webhooks import Delivery, Receiver, Webhooks, receivers
from tslp_litellm.settings import SettingsError, Webhook
from tslp_litellm.store.database import Database

SECRET = "whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
URL = "https://receiver.example/hook"


def hook(url: str = URL, **more: Any) -> Receiver:
    (made,) = receivers([Webhook(url=url, secret=SECRET, **more)])
    return made


def write(session: Session, number: int, workspace: str = "w") -> None:
    session.workspace = workspace
    session.forget().ask(f"a.py\n```python\nSECRET_TEXT = {number}\n```\n")


def ledger(database: Database) -> dict[str, list[str]]:
    """Of each workspace, the hashes of its events, in order."""
    with database.reading() as connection:
        rows = connection.exec_driver_sql(
            "SELECT name, hash FROM events JOIN workspaces ON id = workspace_id ORDER BY workspace_id, seq"
        ).all()
    return {name: [digest for other, digest in rows if other == name] for name, _ in rows}


class Heard:
    """What was sent, verified by the reference library. `refuses`: it answers with that status instead."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.raw = ""
        self.refuses = 0
        self.notes: list[str] = []
        self.late = False  # its clock is not the sender's

    def __call__(self, url: str, headers: Mapping[str, str], body: bytes, allow_private: bool) -> None:
        if self.refuses:
            raise UndeliveredError(f"HTTP {self.refuses}")
        said = json.loads(body) if self.late else standardwebhooks.Webhook(SECRET).verify(body, dict(headers))
        assert headers["webhook-id"] == said["id"]
        self.raw += body.decode()
        self.bodies.append(said)

    def delivery(self, database: Database, made: Receiver, **more: Any) -> Delivery:
        def note(where: str, error: BaseException) -> None:
            return self.notes.append(f"{where}: {error}")

        return Delivery(database, made, note, lambda where: self.notes.append(f"{where} healed"), send=self, **more)

    def heard(self) -> list[str]:
        return [body["id"] for body in self.bodies]

    def of(self, workspace: str) -> list[str]:
        return [body["id"] for body in self.bodies if body["data"]["workspace"] == workspace]


def drain(delivery: Delivery) -> None:
    while delivery.round():
        pass


def test_it_hears_what_happens_from_when_it_is_known(session: Session, database: Database) -> None:
    receiver = Heard()
    write(session, 0)
    before = ledger(database)["w"]
    delivery = receiver.delivery(database, hook())
    drain(delivery)
    assert receiver.bodies == []
    for number in range(1, 100):
        write(session, number, "w" if number % 3 else "other")
    drain(delivery)
    now = ledger(database)
    assert receiver.of("w") == now["w"][len(before) :]
    assert receiver.of("other") == now["other"]
    drain(delivery)
    assert len(receiver.bodies) == len(now["w"]) + len(now["other"]) - len(before)
    assert len(now["w"]) > 2 * webhooks.PAGE  # more than one page was told


def test_what_is_sent(session: Session, database: Database) -> None:
    receiver = Heard()
    delivery = receiver.delivery(database, hook())
    delivery.round()
    write(session, 1, "pro ject/ü")
    drain(delivery)
    opened, judged = receiver.bodies[:2]
    assert (opened["type"], opened["specversion"]) == ("tslp.workspace.opened", "1.0")
    assert judged["source"] == "/tslp/local/pro%20ject%2F%C3%BC"
    assert judged["time"].endswith("Z")
    (whole, *_) = judged["data"]["moves"]
    assert (whole["op"], whole["entity"]) == ("promote", "a.py")
    assert len(whole["artifact"]) == 64
    assert "SECRET_TEXT =" not in receiver.raw
    assert "```" not in receiver.raw


@pytest.mark.parametrize(
    ("more", "types"),
    [
        ({"events": ["episode.recorded"]}, {"tslp.episode.recorded"}),
        ({"events": ["promote"]}, {"tslp.evidence.judged"}),
        ({"events": ["dirty", "decision.made"]}, set()),
        ({"workspaces": ["app-*"]}, set()),
        ({"workspaces": ["app-*", "w"], "events": ["workspace.opened"]}, {"tslp.workspace.opened"}),
    ],
)
def test_only_what_is_asked_for(session: Session, database: Database, more: dict[str, Any], types: set[str]) -> None:
    receiver = Heard()
    delivery = receiver.delivery(database, hook(**more))
    delivery.round()
    for number in range(3):
        write(session, number)
    drain(delivery)
    assert {body["type"] for body in receiver.bodies} == types


def test_who_fails_at_times_is_soon_tried_again(session: Session, database: Database) -> None:
    """What got through between two failures begins the waiting anew."""
    receiver, now = Heard(), [time.time()]
    delivery = receiver.delivery(database, hook(), clock=lambda: now[0])
    delivery.round()
    for number in range(12):
        write(session, number)
    took = receiver.__call__

    def at_times(*what: Any) -> None:
        if len(receiver.bodies) > len(receiver.notes):
            raise UndeliveredError("HTTP 500")
        took(*what)

    delivery._send = at_times  # type: ignore[assignment]
    for _ in range(60):
        drain(delivery)
        now[0] += 2
    assert receiver.heard() == ledger(database)["w"]
    assert len(receiver.notes) > 8


def test_what_is_not_taken_is_tried_later_and_later_and_by_nobody_before(session: Session, database: Database) -> None:
    receiver, now = Heard(), [time.time()]
    workers = [receiver.delivery(database, hook(), clock=lambda: now[0]) for _ in range(2)]
    for one in workers:
        one.round()
    write(session, 1)
    receiver.refuses = 503
    tried = []
    for _ in range(600):
        before = len(receiver.notes)
        for one in workers:
            one.round()
        tried += [now[0]] * (len(receiver.notes) - before)
        now[0] += 1
    waits = [round(later - earlier) for earlier, later in itertools.pairwise(tried)]
    assert waits[:6] == [2, 4, 8, 16, 32, 64]
    assert receiver.notes[0] == "webhook receiver.example: HTTP 503"
    receiver.refuses = 0
    now[0] += webhooks.BACKOFF_MAX_S
    receiver.late = True
    drain(workers[0])
    assert receiver.heard() == ledger(database)["w"]
    assert receiver.notes[-1] == "webhook receiver.example healed"


def test_a_worker_that_took_too_long_leaves_it_to_the_other(session: Session, database: Database) -> None:
    receiver, now = Heard(), [time.time()]
    slow, other = (receiver.delivery(database, hook(), clock=lambda: now[0], lease_s=10) for _ in range(2))
    slow.round()
    other.round()
    for number in range(20):
        write(session, number)
    send = receiver.__call__

    def stall(*sent: Any) -> None:
        send(*sent)
        if len(receiver.bodies) == 5:
            slow._send = send
            now[0] += 20
            drain(other)
            now[0] += 20

    slow._send = stall
    drain(slow)
    drain(other)
    everything = ledger(database)["w"]
    assert list(dict.fromkeys(receiver.heard())) == everything
    assert len(receiver.heard()) <= len(everything) + 2 * webhooks.TOGETHER


def test_a_database_that_fails_is_asked_again(session: Session, database: Database) -> None:
    receiver = Heard()
    delivery = receiver.delivery(database, hook())
    broken = [True, True]

    def reading() -> Any:
        if broken:
            broken.pop()
            raise OSError("gone")
        return Database.reading(database)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "reading", reading)
        patch.setattr(webhooks, "POLL_S", 0.01)
        thread = threading.Thread(target=delivery.run)
        thread.start()
        wait_until(lambda: len(receiver.notes) >= 2 and not broken)
        write(session, 1)
        wait_until(lambda: len(receiver.bodies) >= 3)
        delivery.ending = True
        delivery.woken.set()
        thread.join(10)
    assert receiver.heard() == ledger(database)["w"]


# -- settings ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"events": ["promoted"]}, "promoted"),
        ({"secret": "whsec_c2hvcnQ="}, "24 bytes"),
        ({"secret": "whsec_!!!!"}, "24 bytes"),
        ({"secret": "os.environ/NOT_THERE"}, "NOT_THERE"),
    ],
)
def test_what_can_not_be_used_stops_the_start(more: dict[str, Any], says: str) -> None:
    with pytest.raises(SettingsError, match=says) as raised:
        receivers([Webhook(**{"url": URL, "secret": SECRET, **more})], {})
    assert "c2hvcnQ" not in str(raised.value)


def test_a_secret_from_the_environment() -> None:
    (made,) = receivers([Webhook(url=URL, secret="os.environ/HOOK")], {"HOOK": SECRET})
    signed = ("id", datetime.fromtimestamp(1, UTC), "{}")
    assert made.sign(*signed) == hook().sign(*signed)


def test_receivers_of_one_host_have_names_of_their_own_and_no_path_in_them() -> None:
    urls = ["https://a.example/one", "https://b.example/two", "https://a.example/three"]
    made = receivers([Webhook(url=url, secret=SECRET) for url in urls])
    first, second, third = (one.name for one in made)
    assert second == "webhook b.example"
    assert first != third
    assert not any(part in name for name in (first, third) for part in ("one", "three"))


# -- workers that are killed -------------------------------------------------------------------------------------------


class Listening(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        said = standardwebhooks.Webhook(SECRET).verify(body, dict(self.headers))
        with self.server.lock:  # type: ignore[attr-defined]
            self.server.heard.append((said["data"]["workspace"], said["id"]))  # type: ignore[attr-defined]
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def listening() -> Iterator[Callable[[int], ThreadingHTTPServer]]:
    servers: list[ThreadingHTTPServer] = []

    def listen(port: int) -> ThreadingHTTPServer:
        server = ThreadingHTTPServer(("127.0.0.1", port), Listening)
        server.lock, server.heard = threading.Lock(), []  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return server

    yield listen
    for server in servers:
        server.shutdown()
        server.server_close()


def worker(url: str, receiver: Receiver) -> int:
    """A process that tells, until it is killed."""
    pid = os.fork()
    if pid == 0:
        webhooks.POLL_S = 0.02
        database = Database(url)
        threads = Webhooks(database, [receiver], lambda *_: None, lambda _: None, lease_s=0.3)
        threads.start()
        signal.pause()
    return pid


def end(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


@pytest.mark.parametrize("server_of_tables", ["sqlite", "postgresql"])
def test_a_dead_receiver_and_workers_that_are_killed(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    listening: Callable[[int], ThreadingHTTPServer],
    unused_port: int,
    server_of_tables: str,
) -> None:
    sqlite = f"sqlite:///{tmp_path / 'tslp.db'}"
    url = sqlite if server_of_tables == "sqlite" else str(request.getfixturevalue("postgresql_url"))
    made = Database(url)
    made.migrate()
    receiver = hook(f"http://127.0.0.1:{unused_port}/hook", allow_private=True)
    Heard().delivery(made, receiver).round()  # known before anything happens
    session, chance = Session(make_engine(made), made), random.Random(7)
    made.close()  # nothing is open across the forks
    workers = [worker(url, receiver) for _ in range(4)]
    server = None
    try:
        for number in range(20):
            write(session, number, chance.choice(["one", "two", "three"]))
            if number == 5:
                server = listening(unused_port)
            time.sleep(chance.random() * 0.1)
            end(workers.pop(chance.randrange(4)))
            made.close()
            workers.append(worker(url, receiver))
        wanted = ledger(made)
        assert server is not None
        waits = 600
        while waits and {one for _, one in server.heard} != {one for all_ in wanted.values() for one in all_}:  # type: ignore[attr-defined]
            waits -= 1
            time.sleep(0.1)
    finally:
        for pid in workers:
            end(pid)
        made.close()
    for name, digests in wanted.items():
        assert list(dict.fromkeys(one for other, one in server.heard if other == name)) == digests, name  # type: ignore[attr-defined]
