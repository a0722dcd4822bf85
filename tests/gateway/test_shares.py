"""Fair shares of a few workers, as a state machine."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tslp_litellm.gateway.shares import Job, Shares

WORKERS = 4


def taken(shares: Shares[int]) -> list[Job[int]]:
    out = []
    while (job := shares.take()) is not None:
        out.append(job)
    return out


def add(shares: Shares[int], tenant: str, heavy: bool, *work: int) -> None:
    for one in work:
        shares.add(Job(tenant, heavy, one))


def test_one_tenants_heavy_jobs_take_one_worker() -> None:
    shares: Shares[int] = Shares(WORKERS)
    add(shares, "a", True, 1, 2, 3)
    assert [job.work for job in taken(shares)] == [1]
    add(shares, "b", False, 4)
    add(shares, "a", False, 5)
    assert [job.work for job in taken(shares)] == [4, 5]


def test_heavy_jobs_of_all_leave_half_of_the_workers() -> None:
    shares: Shares[int] = Shares(WORKERS)
    for n, tenant in enumerate("abcd"):
        add(shares, tenant, True, n)
    first = taken(shares)
    assert [job.work for job in first] == [0, 1]
    shares.done(first[1])
    assert [job.work for job in taken(shares)] == [2]


def test_a_tenants_small_jobs_leave_a_worker_to_the_others() -> None:
    shares: Shares[int] = Shares(WORKERS)
    add(shares, "a", False, *range(10))
    assert [job.work for job in taken(shares)] == [0, 1, 2]
    add(shares, "b", False, 10)
    assert [job.work for job in taken(shares)] == [10]


def test_tenants_take_turns() -> None:
    shares: Shares[int] = Shares(WORKERS)
    add(shares, "a", False, 1, 2, 3)
    add(shares, "b", False, 4, 5, 6)
    assert [job.work for job in taken(shares)] == [1, 4, 2, 5]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=40), st.randoms(use_true_random=False))
def test_all_is_done_in_its_order_and_nobody_has_more_than_a_share(
    asked: list[tuple[str, bool]], chance: object
) -> None:
    shares: Shares[int] = Shares(WORKERS)
    running: list[Job[int]] = []
    began: list[int] = []
    for n, (tenant, heavy) in enumerate(asked):
        shares.add(Job(tenant, heavy, n))
        running += (new := taken(shares))
        began += [job.work for job in new]
        assert len(running) <= WORKERS
        assert sum(job.heavy for job in running) <= WORKERS // 2
        assert all(sum(job.tenant == t for job in running) < WORKERS for t in "abc")
        assert all(sum(job.tenant == t and job.heavy for job in running) <= 1 for t in "abc")
        if running and chance.random() < 0.4:  # type: ignore[attr-defined]
            shares.done(running.pop(chance.randrange(len(running))))  # type: ignore[attr-defined]
    while new := [*running, *taken(shares)]:
        began += [job.work for job in new[len(running) :]]
        running = new
        shares.done(running.pop())
    assert sorted(began) == list(range(len(asked)))
    for kind in set(asked):
        mine = [n for n in began if asked[n] == kind]
        assert mine == sorted(mine)
