"""The end of the process, and a start on a database of another version."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory

from tests.e2e.gateway import ENDPOINTS, sha, streamed_text
from tslp_litellm.store.database import Database
from tslp_litellm.store.maintenance import verify
from tslp_litellm.store.migrations import migrations_dir
from tslp_litellm.store.reading import WorkspaceReader

from .conftest import MakeGateway, block_of, fence_of, text_of

pytestmark = pytest.mark.slow
W = "w"
DATABASES = Path(__file__).with_name("databases")
BIG = "import math\n\n\n" + "".join(f"def f_{n}(x):\n    return x + {n}\n\n\n" for n in range(1500))


def held(file: Path, workspace: str, path: str) -> str | None:
    """The hash that a database holds for a file, and that it is sound."""
    database = Database(f"sqlite:///{file}")
    try:
        assert verify(database) == []
        with database.reading() as connection:
            rows = WorkspaceReader(connection, "local", workspace).tracked({path})
    finally:
        database.close()
    return next((row.artifact for row in rows if row.entity == path), None)


def content(file: Path) -> list[str]:
    opened = sqlite3.connect(file)
    try:
        return list(opened.iterdump())
    finally:
        opened.close()


def test_what_was_delivered_is_recorded_before_the_end(make_gateway: MakeGateway, tmp_path: Path) -> None:
    """SIGTERM right behind the last byte of an answer whose recording takes long."""
    gateway = make_gateway(tmp_path / "g")
    gateway.start()
    assert gateway.wait_until_ready()
    assert gateway.say("Write big.py", f"big.py\n```python\n{BIG}```\n", W) == 200
    gateway.process.terminate()
    gateway.process.wait(60)
    assert not gateway.database.with_name("tslp.db-wal").exists(), "the database was closed"
    assert held(gateway.database, W, "big.py") == sha(BIG)


def test_a_stream_that_is_open_is_finished_and_recorded(make_gateway: MakeGateway, tmp_path: Path) -> None:
    gateway = make_gateway(tmp_path / "g")
    gateway.start()
    assert gateway.wait_until_ready()
    gateway.upstream.say(fence_of(1), gap=0.3)
    body = {"model": "openai", "stream": True, "messages": [{"role": "user", "content": "Write geo.py"}]}
    with gateway.http.stream("POST", ENDPOINTS["chat"], json=body, headers={"x-tslp-workspace": W}) as answer:
        lines = answer.iter_lines()
        came = [next(lines)]  # it is open
        gateway.process.terminate()
        came += lines
    gateway.process.wait(60)
    assert streamed_text("chat", "\n".join(came)) == fence_of(1)
    assert held(gateway.database, W, "geo.py") == sha(text_of(1))


def test_every_older_revision_has_a_database_here() -> None:
    script = ScriptDirectory(str(migrations_dir()))
    older = {revision.revision for revision in script.walk_revisions()} - {script.get_current_head()}
    assert older <= {file.stem for file in DATABASES.glob("*.sql")}, "write one before the schema moves on"


@pytest.mark.parametrize("dump", sorted(DATABASES.glob("*.sql")), ids=lambda file: file.stem)
def test_an_old_database_keeps_all_truth(make_gateway: MakeGateway, tmp_path: Path, dump: Path) -> None:
    """Each was written by a real gateway of its time: version 2 of `geo.py` in `w`, `api.py` in `other`."""
    gateway = make_gateway(tmp_path / "g")
    with sqlite3.connect(gateway.database) as old:
        old.executescript(dump.read_text())
    old.close()
    gateway.start()
    assert gateway.wait_until_ready(), gateway.log()
    status, checks = gateway.doctor()
    assert (status, checks["migrations"]["status"]) == ("ok", "ok")
    assert gateway.state(W)["geo.py"] == sha(text_of(2))
    assert len(gateway.episodes(W)) == 2
    assert block_of(2) in gateway.shown(W)
    assert gateway.state("other")["api.py"] == sha("def hello():\n    return 1\n")
    assert gateway.say("Write geo.py", fence_of(3), W) == 200
    assert block_of(3) in gateway.shown(W)
    gateway.stop()
    assert held(gateway.database, W, "geo.py") == sha(text_of(3))


def test_a_newer_database_is_refused_with_a_sentence(make_gateway: MakeGateway, tmp_path: Path) -> None:
    gateway = make_gateway(tmp_path / "g")
    with sqlite3.connect(gateway.database) as db:
        db.executescript((DATABASES / "0001.sql").read_text())
        db.execute("UPDATE alembic_version SET version_num = 'ffff'")
    db.close()
    before = content(gateway.database)
    gateway.start()
    assert not gateway.wait_until_ready()
    said = [line for line in gateway.whole_log().splitlines() if line.strip()]
    assert "was written by a newer TSLP" in said[-2], "the last thing said, before LiteLLM's own last line"
    assert "upgrade tslp-litellm" in said[-2]
    assert content(gateway.database) == before, "nothing was changed in it"
