"""The pool of processes: a text may end one of them, and nothing else."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tslp_litellm.parser import framing, limits
from tslp_litellm.parser import server as server_module
from tslp_litellm.parser.budget import OverBudgetError, budget
from tslp_litellm.parser.pool import ParserError, Pool, Refused
from tslp_litellm.syntax.codec import decoded

SOUND = b"def f(x):\n    return x\n"
CRASHING = ("yaml", b'a: "' + b"- " * 254), ("yaml", b"- " * 254)
GREEDY = "java", b"a=>" * 2400
ENDLESS = "javascript", b"`" * 160_000


@pytest.fixture
def pool() -> Iterator[Pool]:
    pool = Pool()
    yield pool
    pool.close()


def names(pool: Pool, source: bytes = SOUND, language: str = "python") -> list[str]:
    answer = pool.ask(language, source)
    assert isinstance(answer, bytes)
    return [symbol.name for symbol in decoded(answer, source).symbols]


def workers(pool: Pool) -> list[int]:
    return [worker.pid for worker in pool._idle]


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_text_is_outlined(pool: Pool) -> None:
    assert names(pool) == ["f"]
    assert pool.report().workers == 1


def test_an_answer_that_nobody_waited_for_is_nobody_elses(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    names(pool)
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(framing, "receive", interrupted)
        names(pool, b"def g(): pass\n")
    assert names(pool, b"def h(): pass\n") == ["h"]


def test_one_process_serves_one_text_after_the_other(pool: Pool) -> None:
    names(pool)
    before = workers(pool)
    for n in range(20):
        assert names(pool, f"def g{n}(): pass\n".encode()) == [f"g{n}"]
    assert workers(pool) == before


def test_a_text_that_ends_its_process_is_refused_and_not_tried_again(pool: Pool) -> None:
    language, source = CRASHING[1]
    refused = pool.ask(language, source)
    assert isinstance(refused, Refused)
    assert refused.reason == "crash"
    ended = pool.report().ended
    assert ended
    assert pool.ask(language, source) == refused
    assert pool.report().ended == ended, "no process has seen it again"
    assert names(pool) == ["f"]


def test_one_that_takes_too_much_memory_is_refused(pool: Pool) -> None:
    refused = pool.ask(*GREEDY)
    assert isinstance(refused, Refused)
    assert refused.reason in ("memory", "timeout")
    assert names(pool) == ["f"]


def test_one_that_takes_too_much_time_is_refused(pool: Pool) -> None:
    refused = pool.ask(*ENDLESS)
    assert isinstance(refused, Refused)
    assert refused.reason == "timeout"
    assert names(pool) == ["f"]


def test_the_refused_are_told_once(pool: Pool) -> None:
    refused = pool.ask(*CRASHING[1])
    assert pool.news() == [refused]
    assert pool.news() == []
    assert pool.report().refused == (refused,)


def test_what_was_refused_before_is_not_tried(pool: Pool) -> None:
    refused = pool.ask(*CRASHING[1])
    assert isinstance(refused, Refused)
    other = Pool()
    other.know(refused)
    assert other.ask(*CRASHING[1]) == refused
    assert other.report().workers == 0
    assert other.news() == [], "it is no news"
    other.close()


def test_the_refused_are_bounded(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REFUSED_MAX", 3)
    for n in range(5):
        pool.know(Refused(f"{n}", "yaml", "crash"))
    assert [one.artifact for one in pool.report().refused] == ["2", "3", "4"]


def test_a_process_that_was_ended_from_outside_is_no_fault_of_the_text(pool: Pool) -> None:
    names(pool)
    (pid,) = workers(pool)
    os.kill(pid, signal.SIGKILL)
    assert names(pool) == ["f"]
    assert pool.report().refused == ()


def test_the_fork_server_is_started_anew(pool: Pool) -> None:
    names(pool)
    server = pool._server
    assert server is not None
    server.process.kill()
    server.process.wait()
    for pid in workers(pool):
        os.kill(pid, signal.SIGKILL)
    assert names(pool) == ["f"]
    assert pool._server is not server


def test_processes_that_do_not_run_hold_up_nobody_longer_than_there_is_time(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A suspended machine, a frozen container. Whoever waited for the processes themselves would wait for hours here."""
    monkeypatch.setattr(server_module, "START_S", 10_000.0)
    assert names(pool) == ["f"]
    server, (worker,) = pool._server, workers(pool)
    assert server is not None
    for pid in (worker, server.process.pid):
        os.kill(pid, signal.SIGSTOP)
    for _ in range(2):
        with budget(0.5), pytest.raises(OverBudgetError):
            names(pool, b"def g(): pass\n")
    os.kill(server.process.pid, signal.SIGCONT)
    assert names(pool) == ["f"]
    assert not alive(worker)


def test_without_a_process_there_is_no_parser(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    with pytest.raises(ParserError):
        pool.ask("python", SOUND)
    assert pool.report().trouble
    monkeypatch.undo()
    assert names(pool) == ["f"]
    assert pool.report().trouble is None


def test_the_visits_budget_ends_the_wait(pool: Pool) -> None:
    pool.prepare(["javascript"])
    with budget(0.05), pytest.raises(OverBudgetError):
        pool.ask(*ENDLESS)
    assert pool.report().refused == (), "the budget was the visit's, so nothing is said of the text"
    assert names(pool) == ["f"]


def test_heavy_texts_leave_a_process_to_the_others() -> None:
    pool = Pool(workers_max=2)
    pool.prepare(["javascript", "python"])
    heavy = [threading.Thread(target=pool.ask, args=("javascript", b"`" * n)) for n in (160_000, 160_001)]
    for thread in heavy:
        thread.start()
    deadline = time.monotonic() + 120
    while not pool._heavy and time.monotonic() < deadline:
        time.sleep(0.01)
    assert names(pool) == ["f"]
    assert pool._heavy == 1
    assert any(thread.is_alive() for thread in heavy), "it did not wait for them"
    for thread in heavy:
        thread.join()
    assert len(pool.report().refused) == 2
    pool.close()


def test_many_at_a_time() -> None:
    pool, found = Pool(), []
    threads = [
        threading.Thread(target=lambda n=n: found.append(names(pool, f"def g{n}(): pass\n".encode())))
        for n in range(24)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == sorted([f"g{n}"] for n in range(24))
    assert 1 <= pool.report().workers <= limits.WORKERS_MAX
    pool.close()


def test_the_end_ends_all_processes(pool: Pool) -> None:
    names(pool)
    server = pool._server
    assert server is not None
    pids = [*workers(pool), server.process.pid]
    pool.close()
    deadline = time.monotonic() + 120
    while any(map(alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not [pid for pid in pids if alive(pid)]
    with pytest.raises((ParserError, OverBudgetError)):
        pool.ask("python", b"x = 1\n")


def test_no_key_reaches_the_process(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    names(pool)
    server = pool._server
    assert server is not None
    environ = Path(f"/proc/{server.process.pid}/environ")
    if not environ.exists():
        pytest.skip("this system does not show a process's environment")
    assert b"sk-secret" not in environ.read_bytes()
