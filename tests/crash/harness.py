"""One lane of lives: start, load, SIGKILL at a random instant, look at what is left, start again on the same database.

The second that an answer must have been delivered before the kill is one in which the process could run: what its
threads waited for a CPU is left out, so that a busy machine passes for no fault of ours.
"""

from __future__ import annotations

import itertools
import random
import shutil
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import select

from tests.e2e.gateway import sha
from tests.e2e.nursery import Nursery, NurseryGateway
from tslp_litellm.store.database import Database
from tslp_litellm.store.maintenance import verify
from tslp_litellm.store.schema import state_map, workspaces

from .load import SURE_S, Client, Model, path_of, text_of

WORKSPACES, CLIENTS = 3, 5
LOAD_MAX_S, START_MAX_S = 4.0, 1.5
STARTUP_SHARE = 0.1
"""Kills that come while the proxy starts."""


@dataclass
class Tally:
    """What a run did and found. Counts add up over lanes."""

    counts: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.counts += other.counts
        self.problems += other.problems


@dataclass(frozen=True)
class Left:
    """What a killed process left behind: file -> hash, workspace -> episodes, and what `verify` says."""

    files: dict[tuple[str, str], str]
    episodes: dict[str, int]
    problems: list[str]


def look(database: Path, copy: Path) -> Left:
    """Read a copy of the database with its WAL as they lie there: the proxy recovers the real one itself."""
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(parents=True)
    for suffix in ("", "-wal", "-shm"):
        file = database.with_name(database.name + suffix)
        if file.exists():
            shutil.copyfile(file, copy / file.name)
    if not (copy / database.name).exists():
        return Left({}, {}, [])
    opened = Database(f"sqlite:///{copy / database.name}")
    try:
        opened.migrate()
        problems = [f"{p.where}: {p.detail}" for p in verify(opened)]
        with opened.reading() as connection:
            joined = select(workspaces.c.name, state_map.c.entity, state_map.c.artifact).join(
                state_map, state_map.c.workspace_id == workspaces.c.id
            )
            files = {(name, entity): artifact for name, entity, artifact in connection.execute(joined)}
            episodes = dict(connection.execute(select(workspaces.c.name, workspaces.c.episodes)).tuples().all())
    finally:
        opened.close()
    return Left(files, episodes, problems)


class Lane:
    """Lives one after the other, on a fresh database from time to time."""

    def __init__(self, folder: Path, nursery: Nursery, seed: str, *, per_database: int, plain_every: int) -> None:
        self._folder, self._nursery = folder, nursery
        self._per_database, self._plain_every = per_database, plain_every
        self._random, self._seed = random.Random(seed), seed
        self._numbers = itertools.count(1)
        self.tally = Tally()

    def run(self, kills: int) -> Tally:
        with Model() as model:
            for life in range(kills):
                if life % self._per_database == 0:
                    self._new_database(model, life // self._per_database)
                plain = self._plain_every > 0 and life % self._plain_every == self._plain_every - 1
                self._gateway.nursery = None if plain else self._nursery
                self.tally.counts["kills"] += 1
                self.tally.counts["plain starts"] += plain
                before = len(self.tally.problems)
                self._life()
                if len(self.tally.problems) > before:
                    self._keep(life)
            self._survives()
            self._gateway.http.close()
        return self.tally

    def _new_database(self, model: Model, number: int) -> None:
        if number:
            self._survives()
            self._gateway.http.close()
            shutil.rmtree(self._gateway.folder)
        self.tally.counts["databases"] += 1
        settings = {"audit": "all"} if number % 2 else {}
        self._model = model
        self._gateway = NurseryGateway(self._folder / f"db{number}", model.port, settings=settings)
        self._clients = [
            Client(
                n,
                f"workspace-{n % WORKSPACES}",
                model,
                random.Random(f"{self._seed} {number} {n}"),
                lambda: next(self._numbers),
                self._gateway.clock,
            )
            for n in range(CLIENTS)
        ]
        self._episodes: dict[str, int] = {}

    # -- a life

    def _life(self) -> None:
        self._gateway.start()
        if self._random.random() < STARTUP_SHARE:
            time.sleep(self._random.uniform(0, START_MAX_S))
            killed = self._shoot()
            self.tally.counts["kills while starting"] += 1
        else:
            if not self._gateway.wait_until_ready():
                self.tally.problems.append(f"the gateway did not come up again:\n{self._gateway.log()}")
                self._shoot()
                return
            killed = self._under_load()
        self._judge(killed)

    def _shoot(self) -> float:
        killed = self._gateway.clock()
        self._gateway.shoot()
        return killed

    def _under_load(self) -> float:
        first = self._random.choice(self._clients)
        if first.ask(self._gateway):  # its prompt must hold what was true when the last life ended
            self.tally.counts["first requests after a restart, served and right"] += not first.problems
        stop = threading.Event()
        threads = [threading.Thread(target=client.work, args=(self._gateway, stop)) for client in self._clients]
        for thread in threads:
            thread.start()
        time.sleep(self._random.uniform(0, LOAD_MAX_S))
        in_flight = sum(client.in_flight for client in self._clients)
        stop.set()
        killed = self._shoot()
        for thread in threads:
            thread.join(60)
        self.tally.counts["requests in flight at a kill"] += in_flight
        self.tally.counts["kills with requests in flight"] += in_flight > 0
        return killed

    # -- what must hold

    def _judge(self, killed: float) -> None:
        left = look(self._gateway.database, self._gateway.folder / "copy")
        found = [f"verify: {problem}" for problem in left.problems]
        for client in self._clients:
            found += client.problems + self._lost(client, left, killed)
            client.problems = []
        found += self._miscounted(left, killed)
        found += [f"a block whose text is not its hash: {entity}" for entity in self._model.altered]
        self._model.altered.clear()
        self._model.blocks.clear()
        self.tally.problems += found
        for problem in found:
            print(f"{self._gateway.folder}: {problem}", file=sys.stderr, flush=True)
        for client in self._clients:
            client.begin(_version(client, left))

    def _lost(self, client: Client, left: Left, killed: float) -> list[str]:
        """Whether a client's file is what the client was told."""
        counts = self.tally.counts
        counts["answers delivered"] += len(client.delivered)
        counts["answers delivered a second before a kill"] += sum(at <= killed - SURE_S for at in client.delivered)
        held = left.files.get((client.workspace, path_of(client.number)))
        possible = client.possible(killed)
        if held not in {sha(text_of(client.number, v)) if v is not None else None for v in possible}:
            version = _version(client, left)
            return [
                f"{path_of(client.number)} holds version {version or held}, true is one of {sorted(map(str, possible))}"
            ]
        if any(a.delivered is not None and a.delivered > killed - SURE_S for a in client.attempts):
            last = max(a.version for a in client.attempts if a.delivered is not None)
            counts["files whose last answer came within the last second"] += 1
            counts["of them, that answer was lost"] += (_version(client, left) or 0) < last
        return []

    def _miscounted(self, left: Left, killed: float) -> list[str]:
        """Whether every episode is there whose answer had been delivered a second before, and none that never was."""
        found = []
        for name in {client.workspace for client in self._clients}:
            mine = [client for client in self._clients if client.workspace == name]
            least = sum(at <= killed - SURE_S for client in mine for at in client.delivered)
            most = sum(client.sent for client in mine)
            had, has = self._episodes.get(name, 0), left.episodes.get(name, 0)
            if not least <= has - had <= most:
                found.append(f"{name}: {has - had} new episodes, {least} to {most} were to be expected")
            self.tally.counts["episodes"] += has - had
        self._episodes = dict(left.episodes)
        return found

    def _survives(self) -> None:
        """After the last kill of a database: it starts, serves every client the right text, and `verify` is content."""
        self._gateway.nursery = self._nursery
        self._gateway.start()
        if not self._gateway.wait_until_ready():
            self.tally.problems.append(f"the gateway did not come up after the last kill:\n{self._gateway.log()}")
        else:
            for client in self._clients:
                client.ask(self._gateway)
                self.tally.problems += client.problems
                client.problems = []
        self._gateway.stop()
        self.tally.problems += [
            f"verify: {p}" for p in look(self._gateway.database, self._gateway.folder / "copy").problems
        ]

    def _keep(self, life: int) -> None:
        """The database and the log of a life that went wrong."""
        kept = self._folder / "kept" / str(life)
        shutil.copytree(self._gateway.folder, kept, dirs_exist_ok=True)


def _version(client: Client, left: Left) -> int | None:
    held = left.files.get((client.workspace, path_of(client.number)))
    return next((v for v in range(client.version, 0, -1) if sha(text_of(client.number, v)) == held), None)
