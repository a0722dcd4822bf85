"""One look for all who ask: at a time, for a while, with its age."""

from __future__ import annotations

import threading

import pytest

from tslp_litellm.diagnostics.shared import REST, Shared


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class TestShared:
    def test_all_who_ask_meanwhile_get_one_look(self) -> None:
        go, looks = threading.Event(), list[int]()

        def look() -> int:
            looks.append(1)
            assert go.wait(120)
            return len(looks)

        shared = Shared(look, 60, Clock())
        asked = [shared.ask() for _ in range(50)]
        go.set()
        assert {one.result(30).found for one in asked} == {1}
        assert looks == [1]

    def test_it_is_kept_for_a_while_and_says_how_old_it_is(self) -> None:
        clock, looks = Clock(), list[int]()
        shared = Shared(lambda: looks.append(1) or len(looks), 60, clock)
        assert shared.ask().result(30).found == 1
        clock.now += 59
        seen = shared.ask().result(30)
        assert (seen.found, shared.age_s(seen)) == (1, 59)
        clock.now += 1
        assert shared.ask().result(30).found == 2

    def test_another_thing_is_looked_at_anew_but_not_without_a_rest(self) -> None:
        clock, looks = Clock(), list[int]()

        def look() -> int:
            clock.now += 3
            looks.append(1)
            return len(looks)

        shared = Shared(look, 600, clock)
        assert shared.ask("this").result(30).found == 1
        assert shared.ask("that").result(30).found == 1, "it took three seconds just now"
        clock.now += 3 * REST
        assert shared.ask("this").result(30).found == 1
        assert shared.ask("that").result(30).found == 2

    def test_who_goes_away_cancels_it_for_nobody(self) -> None:
        go = threading.Event()
        shared = Shared(lambda: go.wait(120), 60, Clock())
        first = shared.ask()
        assert not first.cancel()
        go.set()
        assert shared.ask().result(30).found is True

    def test_a_fault_is_told_and_not_kept(self) -> None:
        faults = [ValueError("once")]

        def look() -> str:
            if faults:
                raise faults.pop()
            return "fine"

        shared = Shared(look, 60, Clock())
        with pytest.raises(ValueError, match="once"):
            shared.ask().result(30)
        assert shared.ask().result(30).found == "fine"
