"""Memory is given back when nobody asks for anything."""

from __future__ import annotations

import asyncio

import pytest

from tslp_litellm.gateway.quiet import Quiet, give_back


async def play(*steps: str) -> int:
    """How often something was done. `(` and `)`: a visit, `!`: a heavy one's end, `.`: some time."""
    done: list[int] = []
    quiet = Quiet(lambda: done.append(1), after_s=0.01)
    for step in "".join(steps):
        if step == "(":
            quiet.begin()
        elif step == ".":
            await asyncio.sleep(0.05)
        else:
            quiet.end(heavy=step == "!")
    return len(done)


@pytest.mark.parametrize(
    ("steps", "times"), [("(!.", 1), ("().", 0), ("(!(.", 0), ("(!().", 1), ("(!.().", 1), ("((!.", 0), ("(!.(!.", 2)]
)
def test_once_after_heavy_visits(steps: str, times: int) -> None:
    assert asyncio.run(play(steps)) == times


def test_the_end_of_the_process_is_none_of_its_business() -> None:
    def closed() -> None:
        raise RuntimeError("cannot schedule new futures after shutdown")

    async def run() -> None:
        quiet = Quiet(closed, after_s=0)
        quiet.begin()
        quiet.end(heavy=True)
        await asyncio.sleep(0.01)

    asyncio.run(run())


def test_giving_back_works_on_any_system() -> None:
    give_back()
