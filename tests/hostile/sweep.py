"""The sweep: subjects against shapes, each under a limit of CPU time that grows with the text and no faster.

Decides what a share is and what a finding; `Guard` holds one text to its limits.
"""

from __future__ import annotations

import random
import resource
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType, TracebackType

from tslp_litellm import parser
from tslp_litellm.parser.budget import OverBudgetError, budget
from tslp_litellm.syntax.languages import language_named

from .shapes import Shape, shapes
from .subjects import PARSER, Subject

SIZES = (4_000, 16_000, 64_000, 256_000, 1_000_000)
WEIGHTS = (1, 1, 1, 2, 4)
"""How often each size comes: what is not linear shows in large texts."""
CPU_S, CPU_S_PER_MB = 0.5, 3.0
"""CPU time that reading a text may take in this process: what is linear takes a tenth of it."""
WALL_S = 90.0
"""Real time for a text in the parser's processes, on a machine that may be busy."""
GROWN_MB = 300
"""By how much one text may raise this process's memory at its highest."""
SMALL = "def here():\n    return 1\n"


@dataclass(frozen=True)
class Job:
    """One text for one subject."""

    subject: Subject
    shape: Shape
    size: int

    @property
    def name(self) -> str:
        """Says it all, together with the seed."""
        return f"{self.subject.level} | {self.subject.name} | {self.shape.name} | {self.size}"


@dataclass(frozen=True)
class Finding:
    """A text that did harm, and which."""

    job: str
    harm: str


class TooLongError(BaseException):
    """Raised in the midst of whatever runs too long: no `except Exception` takes it."""


def jobs(swept: list[Subject], seed: str) -> Iterator[Job]:
    """Every subject in turn with its next shape, in an order and of sizes that the seed gives; comes to an end when
    every shape of every subject had its turn."""
    rng = random.Random(seed)
    waiting: dict[str, list[Job]] = {}
    for subject in rng.sample(swept, len(swept)):
        found = shapes(subject.tokens, f"{seed} {subject.name}")
        rng.shuffle(found)
        waiting[subject.level + subject.name] = [
            Job(subject, shape, size)
            for shape, size in zip(found, rng.choices(SIZES, WEIGHTS, k=len(found)), strict=True)
        ]
    while waiting:
        for name in list(waiting):
            yield waiting[name].pop()
            if not waiting[name]:
                del waiting[name]


def share(
    swept: list[Subject], seed: str, seconds: float, clock: Callable[[], float] = time.monotonic
) -> Iterator[Job]:
    """The jobs that fit into a time."""
    end = clock() + seconds
    for job in jobs(swept, seed):
        if clock() >= end:
            return
        yield job


def cpu_limit(size: int) -> float:
    """Seconds for a text of so many characters."""
    return CPU_S + CPU_S_PER_MB * size / 1_000_000


class Guard:
    """Ends the block after so many seconds of this process's CPU time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        def over(_signal: int, _frame: FrameType | None) -> None:
            raise TooLongError

        self._before = signal.signal(signal.SIGPROF, over)
        signal.setitimer(signal.ITIMER_PROF, self._seconds)

    def __exit__(self, _type: type[BaseException] | None, _e: BaseException | None, _t: TracebackType | None) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, self._before)


def play(job: Job) -> Finding | None:
    """Read one text. What the package raises of its own is an answer; a parser that has no time is none."""
    text = job.shape.make(job.size)
    before, began = _highest_mb(), time.monotonic()
    harm = _read(job.subject, text)
    if harm is None and _highest_mb() - before > GROWN_MB:
        harm = f"memory grew by {_highest_mb() - before:.0f} MB"
    if harm is None and time.monotonic() - began > WALL_S:
        harm = f"{time.monotonic() - began:.0f} s"
    return Finding(job.name, harm) if harm else None


def _read(subject: Subject, text: str) -> str | None:
    limit = cpu_limit(len(text))
    try:
        with Guard(limit), budget(WALL_S):
            subject.read(text)
    except TooLongError:
        return f"more than {limit:.1f} s of CPU"
    except OverBudgetError as error:
        return f"the parser: {error}" if subject.level == PARSER else None
    except parser.ParserError as error:
        return f"the parser: {error}"
    except Exception as error:
        ours = type(error).__module__.startswith("tslp_litellm")
        return None if ours else f"{type(error).__name__}: {str(error)[:200]}"
    return None


def _highest_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def smallest(job: Job) -> Job:
    """The same shape, as small as it still does harm."""
    for size in (size for size in SIZES if size < job.size):
        less = Job(job.subject, job.shape, size)
        if play(less) is not None:
            return less
    return job


def parser_answers() -> bool:
    """Whether the parser reads an ordinary text, whatever went before."""
    seen = parser.outline(language_named("python"), SMALL + f"# {time.monotonic_ns()}\n")
    return [symbol.name for symbol in seen.symbols] == ["here"]
