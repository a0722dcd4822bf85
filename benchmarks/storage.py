"""What the store can do: episodes a second beside SQLite's own commits, rebuild and verify, bytes an episode."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from pathlib import Path
from typing import Any

from rich.progress import Progress
from sqlalchemy import func, select

from benchmarks.isolated import CHAT
from benchmarks.load import sha
from benchmarks.workloads import function, words
from tslp_litellm.engine import Engine, Episode, Request
from tslp_litellm.gateway.delivered import Delivered
from tslp_litellm.gateway.runtime import Runtime, new_id, now
from tslp_litellm.settings import Settings
from tslp_litellm.state.events import Event, EventKind, Move, Op
from tslp_litellm.state.values import Slice
from tslp_litellm.store import vault
from tslp_litellm.store.database import Database
from tslp_litellm.store.maintenance import rebuild, verify
from tslp_litellm.store.schema import events
from tslp_litellm.store.schema import vault as vault_table
from tslp_litellm.store.writing import WorkspaceWriter
from tslp_litellm.wire.turn import Answer

BATCH = 500
FILES = 2_000
STREAMS = 32
_EPISODE = "SELECT episode_id, at, kind, body, prev_hash, hash FROM events WHERE kind = ? LIMIT 1"
_SCHEMA = (
    "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND type IN ('table', 'index', 'trigger') "
    "AND name NOT LIKE 'sqlite_%' ORDER BY type = 'trigger', type = 'index'"
)


def recording(folder: Path, episodes: int) -> dict[str, Any]:
    """Items 5 and 7: episodes with prose, and with a changed definition, beside the same rows by SQLite alone.

    They end as in a gateway: the answers of many workspaces are handed to the runtime, which records them behind its
    event loop. What SQLite alone commits is measured before and after, the mean counts: the machine is not ours alone.
    """
    out: dict[str, Any] = {}
    path = {name: folder / f"recording-{name}.db" for name in ("prose", "code")}
    for name, file in path.items():
        out[name] = asyncio.run(_recorded(file, name == "code", episodes))
        out[name]["sqlite_per_s"] = sqlite_commits(folder / f"commits-{name}.db", path["prose"], episodes * 2)
    out["sqlite"] = (out["prose"]["sqlite_per_s"] + out["code"]["sqlite_per_s"]) / 2
    out["sqlite_full"] = sqlite_commits(folder / "commits-full.db", path["prose"], episodes, "FULL")
    return out


async def _recorded(path: Path, code: bool, episodes: int) -> dict[str, float]:
    runtime = Runtime(Settings(database_url=f"sqlite:///{path}"), lambda text: len(text) // 4)
    made = [_answered(runtime.engine, n, code) for n in range(episodes)]
    began, cpu = time.perf_counter(), time.process_time()
    for start in range(0, episodes, STREAMS):
        for episode, answer in made[start : start + STREAMS]:
            await runtime.deliver(Delivered(episode, lambda answer=answer: answer))
        await asyncio.sleep(0)  # more answers end while these are recorded
    await runtime.drain()
    out = {"per_s": episodes / (time.perf_counter() - began)}
    out["cpu_ms"] = (time.process_time() - cpu) * 1000 / episodes
    assert not runtime.faults.total, runtime.faults.open
    assert verify(runtime.database) == []
    return out | _size(runtime.database, path, episodes)


def _answered(engine: Engine, n: int, code: bool) -> tuple[Episode, Answer]:
    text = words(600, n)
    if code:
        text += f"\n\nsrc/file_{n % 50}.py\n```python\n{function('price', n)}```\n"
    said = {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}
    turn = CHAT.parse({"messages": [{"role": "user", "content": f"Question {n}: " + words(200, n)}]})
    return engine.preflight(Request("local", f"w{n % STREAMS}", "acompletion", "m", turn)), CHAT.whole(said)


def _size(database: Database, path: Path, episodes: int) -> dict[str, float]:
    with database.reading() as connection:
        rows = select(vault_table.c.encoding, func.count(), func.sum(func.length(vault_table.c.body)))
        kinds = list(connection.execute(rows.group_by(vault_table.c.encoding)))
        texts = vault.get(connection, list(connection.execute(select(vault_table.c.hash)).scalars()))
        ledger = connection.execute(select(func.sum(func.length(events.c.body)))).scalar_one()
    database.close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    whole = path.stat().st_size
    return {
        "bytes_per_episode": whole / episodes,
        "vault_text_bytes": sum(len(t.encode()) for t in texts.values()) / episodes,
        "vault_kept_bytes": sum(size for _, _, size in kinds) / episodes,
        "ledger_body_bytes": ledger / episodes,
        **{f"texts_{kind}": number for kind, number, _ in kinds},
    }


def sqlite_commits(path: Path, like: Path, commits: int, synchronous: str = "NORMAL") -> float:
    """Commits a second of an episode's rows by `sqlite3` alone, into our tables, with our pragmas."""
    connection = sqlite3.connect(path, isolation_level=None)
    with sqlite3.connect(like) as source:
        schema = [row[0] for row in source.execute(_SCHEMA)]
        rows = list(source.execute(_EPISODE, (EventKind.EPISODE,)))
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(f"PRAGMA synchronous={synchronous}")
    for statement in schema:
        connection.execute(statement)
    episode, at, kind, body, prev, digest = rows[0]
    known = "id, tenant, name, head_seq, head_hash, episodes"
    connection.execute(f"INSERT INTO workspaces ({known}) VALUES (1, 'local', 'w', 0, '', 0)")
    began = time.perf_counter()
    for n in range(commits):
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO vault VALUES (?, 'utf-8', ?, 1)", (sha(str(n)), b"x" * 200))
        connection.execute(
            "INSERT INTO events VALUES (1, ?, ?, ?, ?, ?, ?, ?)", (n, episode, at, kind, body, prev, digest)
        )
        connection.execute(
            "UPDATE workspaces SET head_seq = ?, head_hash = ?, episodes = ? WHERE id = 1", (n, digest, n)
        )
        connection.execute(
            "INSERT INTO conversations VALUES (1, ?, 2, ?, NULL, '[]', '[]', '', ?, ?)", (str(n), episode, n, at)
        )
        connection.executemany(
            "INSERT INTO conversation_items VALUES (1, ?, ?, ?, ?)",
            [(str(n), 0, b"0" * 16, n), (str(n), 1, b"1" * 16, n)],
        )
        connection.execute("COMMIT")
    rate = commits / (time.perf_counter() - began)
    connection.close()
    return rate


def history(database: Database, episodes: int, progress: Progress) -> None:
    """A Ledger of so many episodes, each of which changed a file and two definitions in it."""
    bar = progress.add_task("writing a Ledger", total=episodes)
    for start in range(0, episodes, BATCH):
        with database.writing() as connection:
            store = WorkspaceWriter(connection, "local", "w", now())
            for n in range(start, min(episodes, start + BATCH)):
                episode(store, n)
        progress.advance(bar, BATCH)


def episode(store: WorkspaceWriter, n: int, files: int = FILES) -> None:
    """Record one that changed a file, of so many, and two definitions in it."""
    path, kept, names = _version(n, files)
    before = _version(n - files, files)[2] if n >= files else {}
    store.put(kept)
    moves = tuple(
        Move(Op.PROMOTE, name, artifact, "CONFIRMED", "parity", "AST", before.get(name))
        for name, artifact in names.items()
    )
    about = (("origin", "model"), ("path", path))
    recorded = (("started_at", now()), ("model", "m"), ("call_type", "acompletion"), ("side", False))
    store.append([Event(EventKind.EVIDENCE, moves, about), Event(EventKind.EPISODE, (), recorded)], new_id(), now())


def _version(n: int, files: int) -> tuple[str, dict[str, str | Slice], dict[str, str]]:
    """The file of an episode, what the Vault keeps of its text, and the artifacts of its entities."""
    path, head = f"src/file_{n % files}.py", f'"""File {n}."""\n\n\n'
    one, two = function("one", n).rstrip("\n"), function("two", n).rstrip("\n")
    text = f"{head}{one}\n\n\n{two}\n"
    whole, at = sha(text), len(head)
    slices = {sha(one): Slice(whole, at, at + len(one)), sha(two): Slice(whole, at + len(one) + 3, len(text) - 1)}
    return path, {whole: text, **slices}, {path: whole, f"{path}::one": sha(one), f"{path}::two": sha(two)}


def maintenance(folder: Path, episodes: int, progress: Progress) -> dict[str, Any]:
    """Item 6."""
    database = Database(f"sqlite:///{folder / 'ledger.db'}")
    database.migrate()
    history(database, episodes, progress)
    out: dict[str, Any] = {"episodes": episodes}
    progress.add_task("rebuild", total=None)
    began, cpu = time.perf_counter(), time.process_time()
    out["events"] = rebuild(database)
    out["rebuild_s"], out["rebuild_cpu_s"] = time.perf_counter() - began, time.process_time() - cpu
    progress.add_task("verify", total=None)
    began, cpu = time.perf_counter(), time.process_time()
    problems = verify(database)
    out["verify_s"], out["verify_cpu_s"] = time.perf_counter() - began, time.process_time() - cpu
    assert problems == [], problems[:3]
    out["bytes_per_episode"] = (folder / "ledger.db").stat().st_size / episodes
    database.close()
    return out
