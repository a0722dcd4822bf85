"""Two gateways of two workers each on one PostgreSQL, forty keys in ten teams, load, and workers that are killed: nothing
is lost, nothing diverges, and every episode names who it was.

`TSLP_LOAD_SECONDS` (300) is how long. A kill is announced some seconds before: what is answered from then on may be
lost with its worker, so that a busy machine, which records late, passes for no fault of ours.
"""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
import yaml

from tests.crash.load import ORDER, Client, Model, path_of, text_of
from tests.e2e.gateway import KEY, Gateway, sha
from tests.postgres import Server, wait_until
from tslp_litellm.engine import projecting
from tslp_litellm.store import queries
from tslp_litellm.store.database import Database
from tslp_litellm.store.history import texts_of
from tslp_litellm.store.maintenance import verify

pytestmark = pytest.mark.slow
SECONDS = float(os.environ.get("TSLP_LOAD_SECONDS", "300"))
TEAMS, KEYS = 10, 40
KILL_EVERY_S, ANNOUNCED_S, AFTER_S = 25.0, 5.0, 2.0
SPACE = "shop"  # every team has one of this name
AUTH = f"""
from litellm.proxy._types import LitellmUserRoles, UserAPIKeyAuth

async def authenticate(request, api_key: str) -> UserAPIKeyAuth:
    api_key = api_key.removeprefix("Bearer ")
    if api_key == {KEY!r}:
        return UserAPIKeyAuth(api_key=api_key, user_role=LitellmUserRoles.PROXY_ADMIN)
    number = int(api_key.removeprefix("sk-dev-"))
    return UserAPIKeyAuth(api_key=api_key, key_alias=f"laptop-{{number}}", user_id=f"dev-{{number}}",
                          team_id=f"team-{{number % {TEAMS}}}", user_role=LitellmUserRoles.INTERNAL_USER)
"""


class Pair(Gateway):
    """A gateway of two workers, with forty keys."""

    ready_within_s = 600

    def __init__(self, folder: Path, upstream_port: int, database_url: str) -> None:
        general = {"custom_auth": "forty_keys.authenticate"}
        super().__init__(folder, upstream_port, settings={"database_url": database_url}, general=general)
        (folder / "forty_keys.py").write_text(AUTH)
        self.http.timeout = httpx.Timeout(180)
        self.http.event_hooks = {"response": [self._hear]}
        self._heard = threading.local()

    def _hear(self, answer: httpx.Response) -> None:
        self._heard.headers = answer.headers

    def attended(self) -> bool:
        """Whether TSLP had its part in the last request of this thread. Where another worker does not record an answer in
        time, a request goes on without (SEMANTICS 9)."""
        return "x-tslp-injected" in self._heard.headers

    def start(self) -> None:
        self._log = (self.folder / "log").open("ab")
        command = [str(self.command), "--config", str(self.config), "--port", str(self.port), "--host", "127.0.0.1"]
        self.process = subprocess.Popen(
            [*command, "--num_workers", "2", "--timeout_worker_healthcheck", "900"],
            cwd=self.folder, env=self.environment, stdout=self._log, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def workers(self) -> list[psutil.Process]:
        """Those that live; one that was killed is a zombie until its gateway has seen it."""
        children = psutil.Process(self.process.pid).children()
        living = [child for child in children if child.status() != psutil.STATUS_ZOMBIE]
        return [child for child in living if "spawn_main" in " ".join(child.cmdline())]


@dataclass
class Member(Client):
    """A client with a key of its own, at either gateway, that goes on when a worker is killed."""

    kills: list[float] = field(default_factory=list)
    gateways: tuple[Pair, ...] = ()
    sure_orders: set[int] = field(default_factory=set)
    failed: int = 0
    unattended: int = 0
    asked: Pair | None = None

    def is_sure(self, begun: float, ended: float) -> bool:
        """Whether no kill was due while a request was under way, or too soon after."""
        return not any(begun <= kill + AFTER_S and ended >= kill - ANNOUNCED_S for kill in list(self.kills))

    def current(self) -> set[int | None]:
        found: set[int | None] = {self.known}
        for attempt in self.attempts:
            if attempt.delivered is not None and self.is_sure(attempt.delivered, attempt.delivered):
                found = set()
            found.add(attempt.version)
        return found

    def work(self, gateway: Any, stop: threading.Event) -> None:
        while not stop.is_set():
            step = self.random.choice((self.fence, self.fence, self.paste, self.tool, self.ask))
            begun = time.monotonic()
            try:
                step(gateway)
            except (httpx.HTTPError, ValueError, KeyError, IndexError) as error:
                self.failed += 1
                self.history = []
                if self.is_sure(begun, time.monotonic()):
                    self.problems.append(f"client {self.number}: {type(error).__name__} while no worker was killed")

    def _check(self, number: int, current: set[int | None]) -> None:
        assert self.asked is not None
        if self.asked.attended():
            super()._check(number, current)
        else:
            self.unattended += 1

    def _send(self, gateway: Any, messages: list[dict[str, Any]], number: int, api: str, **more: Any) -> bool:
        ok = super()._send(_As(self), messages, number, api, **more)  # type: ignore[arg-type]
        now = time.monotonic()
        if ok and self.is_sure(now, now):
            self.sure_orders.add(number)
        return ok


class _As:
    """A gateway as one key sees it: either of the two, on a connection of its own."""

    def __init__(self, member: Member) -> None:
        self._member = member

    def ask(self, api: str, model: str, messages: Any, *, headers: Mapping[str, str], **more: Any) -> tuple[int, str]:
        own = {"Authorization": f"Bearer sk-dev-{self._member.number}", "connection": "close"}
        chosen = self._member.asked = self._member.random.choice(self._member.gateways)
        return chosen.ask(api, model, messages, headers={**headers, **own}, **more)


@pytest.fixture
def pairs(postgresql: Server, tmp_path: Path) -> Iterator[tuple[Model, tuple[Pair, ...]]]:
    url = postgresql.database()
    with Model() as model:
        gateways = tuple(Pair(tmp_path / str(n), model.port, url) for n in range(2))
        for gateway in gateways:
            gateway.start()
        try:
            for gateway in gateways:
                assert gateway.wait_until_ready(), gateway.log()
            yield model, gateways
        finally:
            for gateway in gateways:
                gateway.__exit__()


def test_nothing_is_lost_and_everybody_is_named(pairs: tuple[Model, tuple[Pair, ...]]) -> None:
    model, gateways = pairs
    kills, numbers, stop = list[float](), itertools.count(1), threading.Event()
    members = [
        Member(
            n, SPACE, model, random.Random(f"two gateways {n}"), lambda: next(numbers), kills=kills, gateways=gateways
        )
        for n in range(KEYS)
    ]
    threads = [threading.Thread(target=member.work, args=(None, stop)) for member in members]
    for thread in threads:
        thread.start()
    try:
        shot = _kill(gateways, kills, time.monotonic() + SECONDS)
    finally:
        stop.set()
        for thread in threads:
            thread.join(300)
    database = Database(yaml.safe_load(gateways[0].config.read_text())["tslp"]["database_url"])
    try:
        _judge(database, members, gateways)
    finally:
        database.close()
    said = (f"{sum(m.sent for m in members)} requests, {shot} kills, {sum(m.failed for m in members)} cut off, "
            f"{sum(len(m.sure_orders) for m in members)} that had to be there, "
            f"{sum(m.unattended for m in members)} questions that went on without TSLP")  # fmt: skip
    print(said)
    assert shot > 0
    assert sum(m.unattended for m in members) * 50 < sum(m.sent for m in members)
    assert model.altered == []


def _kill(gateways: tuple[Pair, ...], kills: list[float], until: float) -> int:
    """A worker at a time, of either gateway in turn, as long as the other one of its gateway lives."""
    chance, turns, shot = random.Random("kills"), itertools.cycle(gateways), 0
    while (left := until - time.monotonic()) > 0:
        time.sleep(min(left, KILL_EVERY_S - ANNOUNCED_S))
        workers = next(turns).workers()
        if len(workers) < 2 or time.monotonic() >= until:
            continue
        kills.append(time.monotonic() + ANNOUNCED_S)
        time.sleep(ANNOUNCED_S)
        chance.choice(workers).send_signal(signal.SIGKILL)
        kills[-1] = max(kills[-1], time.monotonic())
        shot += 1
    return shot


def _judge(database: Database, members: list[Member], gateways: tuple[Pair, ...]) -> None:
    due = set().union(*(member.sure_orders for member in members))
    wait_until(lambda: due <= _episodes(database).keys(), 120)
    episodes = _episodes(database)
    wrong = [
        (number, tenant, by)
        for number, (client, tenant, by) in episodes.items()
        if (tenant, by.get("key"), by.get("user"), by.get("team"))
        != (f"team:team-{client % TEAMS}", f"laptop-{client}", f"dev-{client}", f"team-{client % TEAMS}")
    ]
    assert wrong == []
    assert [problem for member in members for problem in member.problems] == []
    assert verify(database, projecting.problems) == []
    for team in range(TEAMS):
        own = [member for member in members if member.number % TEAMS == team]
        states = [_state(gateway, team) for gateway in gateways]
        assert states[0] == states[1]
        files = {entity: artifact for entity, artifact in states[0].items() if "::" not in entity}
        assert files.keys() <= {path_of(member.number) for member in own}
        for member in own:
            possible = {sha(text_of(member.number, v)) if v is not None else None for v in member.current()}
            assert files.get(path_of(member.number)) in possible, path_of(member.number)


def _state(gateway: Pair, team: int) -> dict[str, str]:
    answer = gateway.http.get("/tslp/state", params={"tenant": f"team:team-{team}", "workspace": SPACE})
    answer.raise_for_status()
    return {row["entity"]: row["artifact"] for row in answer.json()["entities"]}


def _episodes(database: Database) -> dict[int, tuple[int, str, dict[str, str]]]:
    """Of each order that an episode's prompt gives: its client, and the tenant and the names that the Ledger has."""
    found = {}
    with database.reading() as connection:
        for team in range(TEAMS):
            tenant, after = f"team:team-{team}", 0
            while rows := queries.recent(connection, tenant, SPACE, 500, after)["episodes"]:
                after = rows[0]["seq"]
                texts = texts_of(connection, [row["prompt"] for row in rows if row["prompt"]])
                for row in rows:
                    orders = ORDER.findall(texts.get(row["prompt"] or "", ""))
                    assert orders, row
                    found[int(orders[-1][0])] = (int(orders[-1][2]), tenant, row["by"])
    return found
