"""Several workers on one database: `--num_workers` on SQLite, and several gateways on PostgreSQL."""

from __future__ import annotations

import itertools
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tslp_litellm.store.database import Database
from tslp_litellm.store.maintenance import rebuild, verify

from .gateway import Gateway, sha
from .upstream import Upstream

pytestmark = pytest.mark.slow
TURNS, WRITERS = 25, 6
READY_WITHIN_S = 400  # workers load LiteLLM side by side


class Workers(Gateway):
    """One gateway of several worker processes."""

    def start(self) -> None:
        self._log = (self.folder / "log").open("ab")
        command = [str(self.command), "--config", str(self.config), "--port", str(self.port), "--host", "127.0.0.1"]
        self.process = subprocess.Popen(
            [*command, "--num_workers", "4", "--timeout_worker_healthcheck", "120"],
            cwd=self.folder,
            env=self.environment,
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )


@pytest.fixture(scope="module")
def sqlite_workers(upstream: Upstream, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Gateway]]:
    with Workers(tmp_path_factory.mktemp("workers"), upstream.port) as running:
        yield [running]


@pytest.fixture(scope="module")
def postgresql_gateways(
    upstream: Upstream, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[list[Gateway]]:
    settings = {"database_url": request.getfixturevalue("postgresql").database()}
    folder = tmp_path_factory.mktemp("gateways")
    gateways = [Gateway(folder / str(n), upstream.port, settings=settings) for n in range(2)]
    for gateway in gateways:  # all at once: only one of them migrates
        gateway.start()
    try:
        for gateway in gateways:
            assert gateway.wait_until_ready(), gateway.log()
        yield gateways
    finally:
        for gateway in gateways:
            gateway.__exit__()


@pytest.fixture(params=["sqlite", "postgresql"])
def gateways(request: pytest.FixtureRequest) -> list[Gateway]:
    name = "sqlite_workers" if request.param == "sqlite" else "postgresql_gateways"
    found: list[Gateway] = request.getfixturevalue(name)
    return found


def database_of(gateway: Gateway) -> Database:
    import yaml

    return Database(yaml.safe_load(gateway.config.read_text())["tslp"]["database_url"])


def module(n: int) -> str:
    return f"def value():\n    return {n}\n"


def ask(gateway: Gateway, workspace: str, prompt: str, stream: bool = True) -> str:
    """On a connection of its own, which any worker may take."""
    headers = {"x-tslp-workspace": workspace, "connection": "close"}
    status, text = gateway.ask("chat", "openai", [{"role": "user", "content": prompt}], stream=stream, headers=headers)
    assert status == 200, text
    return text


@pytest.mark.parametrize("stream", [True, False])
def test_a_request_sees_the_answer_before_it_at_whichever_worker(
    gateways: list[Gateway], upstream: Upstream, stream: bool
) -> None:
    turns, workspace = itertools.cycle(gateways), f"order-{stream}"
    for n in range(TURNS):
        upstream.say(f"Here it is.\n\nsrc/a.py\n```python\n{module(n)}```\n")
        ask(next(turns), workspace, f"Write version {n} of src/a.py.", stream)
        ask(next(turns), workspace, f"Explain `src/a.py` ({n}).", stream)
        assert any(f"return {n}\n" in prompt for prompt in upstream.prompts()), n
    assert gateways[0].state(workspace)["src/a.py"] == sha(module(n))
    database = database_of(gateways[0])
    assert verify(database) == []
    database.close()


def test_writers_at_several_workers_lose_nothing(gateways: list[Gateway], upstream: Upstream) -> None:
    def write(writer: int) -> None:
        for n in range(TURNS):
            gateway = gateways[(writer + n) % len(gateways)]
            path, text = f"src/f{writer}.py", module(1000 * writer + n)
            ask(gateway, "shared", f"This is {path} now:\n\n{path}\n```python\n{text}```\n\nFine?", bool(n % 2))

    with ThreadPoolExecutor(WRITERS) as threads:
        list(threads.map(write, range(WRITERS)))
    ask(gateways[0], "shared", "Go on.")
    database = database_of(gateways[0])
    state = gateways[-1].state("shared")
    assert {p: a for p, a in state.items() if "::" not in p} == {
        f"src/f{w}.py": sha(module(1000 * w + TURNS - 1)) for w in range(WRITERS)
    }
    assert verify(database) == []
    with database.reading() as connection:
        events = connection.exec_driver_sql(
            "SELECT e.body FROM events e JOIN workspaces w ON w.id = e.workspace_id "
            "WHERE w.name = 'shared' AND e.kind = 'evidence.judged' ORDER BY e.seq"
        ).scalars()
        bodies = "\n".join(events)
    for writer in range(WRITERS):  # every text that was sent became the truth, in the order in which it was sent
        places = [bodies.find(f'"artifact":"{sha(module(1000 * writer + n))}"') for n in range(TURNS)]
        assert -1 not in places
        assert places == sorted(places)
    rebuild(database)
    assert gateways[0].state("shared") == state
    database.close()
