"""What the sweep finds: it is held to readers that are known to do harm."""

import contextlib
import itertools
import re
from collections import Counter

import pytest

from .shapes import Shape, fill
from .subjects import PARSER, READING, Subject, subjects
from .sweep import Job, jobs, parser_answers, play, share, smallest

SUBJECTS = subjects()
A = Shape("a", lambda n: fill("a", n))


def job(read: object, size: int = 4000) -> Job:
    return Job(Subject(READING, "x", ("a",), read), A, size)  # type: ignore[arg-type]


def backtracks(text: str) -> None:
    re.match(r"(a*)*b", text)


def shallow(text: str) -> None:
    """Does no harm below 16 kB."""
    assert len(text) < 16_000


class TestHarm:
    def test_a_pattern_that_explodes(self) -> None:
        found = play(job(backtracks))
        assert found is not None
        assert "CPU" in found.harm

    def test_a_loop_that_hides_from_exceptions(self) -> None:
        def stubborn(text: str) -> None:
            while True:
                with contextlib.suppress(Exception):
                    len(text)

        assert "CPU" in getattr(play(job(stubborn)), "harm", "")

    def test_an_exception(self) -> None:
        def raises(text: str) -> None:
            raise RecursionError(text[:3])

        assert getattr(play(job(raises)), "harm", "") == "RecursionError: aaa"

    def test_none(self) -> None:
        assert play(job(str.upper)) is None

    def test_the_smallest_size_is_named(self) -> None:
        assert smallest(job(shallow, 1_000_000)).size == 16_000


def test_a_share_gives_every_subject_its_turn_and_ends_in_time() -> None:
    ticks = itertools.count()
    played = list(share(SUBJECTS, "1", 3 * len(SUBJECTS), clock=lambda: next(ticks)))
    turns = Counter(j.subject.name for j in played)
    assert set(turns) == {s.name for s in SUBJECTS}
    assert max(turns.values()) - min(turns.values()) <= 1


@pytest.mark.slow
def test_another_day_brings_other_texts() -> None:
    one, other = ([j.name for j in itertools.islice(jobs(SUBJECTS, seed), 50)] for seed in ("1", "2"))
    assert len(set(one) & set(other)) < 5


@pytest.mark.parametrize("level", [READING, PARSER])
def test_a_small_share(level: str) -> None:
    swept = [s for s in SUBJECTS if s.level == level]
    small = (Job(j.subject, j.shape, 4000) for j in itertools.islice(jobs(swept, "1"), len(swept)))
    assert [found for j in small if (found := play(j)) is not None] == []
    assert parser_answers()
