"""Every reader against long repetitions: it ends, it costs what its text is long, and it lets other threads in.

The bounds are no goals of speed, which `benchmarks/` has; what is not linear passes them by far.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial
from types import FrameType
from typing import Any

import pytest

from tests.pace import exceeds, pace, seconds
from tslp_litellm.clients.makers import attempt
from tslp_litellm.conversation.user_text import read_user_text
from tslp_litellm.dialects import fences as fences_module
from tslp_litellm.dialects.labelled import UNREAD_PATHS_MAX, shown_in
from tslp_litellm.dialects.values import Drift
from tslp_litellm.parser.budget import OverBudgetError, budget

from .adversarial import PIECES, READERS, call, repeated

SHORT, LONG = 20_000, 1_000_000
FLOOR_S = 0.3
SECONDS_A_CHAR_MAX = 1e-5
"""Twenty times what is wanted (0.5 s for 1 MB); what is quadratic takes thousands of times."""
DEAREST = 16
"""Of a megabyte only so many are tried: those that were dearest before."""
HELD_S_MAX = 0.05
"""Ten times what is wanted: how long a reader may keep the interpreter at a time."""


def costs(reader: Callable[[str], object], size: int, pieces: Iterable[str]) -> dict[str, float]:
    """What the repetitions of some pieces cost, in seconds; none may cost too much."""
    works = {piece: partial(reader, repeated(piece, size)) for piece in pieces}
    found = {piece: seconds(work) for piece, work in works.items()}
    bound = FLOOR_S + SECONDS_A_CHAR_MAX * size
    assert {p: cost for p, cost in found.items() if exceeds(works[p], bound, cost)} == {}
    return found


@pytest.mark.parametrize("name", READERS)
def test_readers_are_linear(name: str) -> None:
    at = list(READERS).index(name)
    costs(READERS[name], SHORT, PIECES[at % 7 :: 7])


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_readers_are_linear_over_a_megabyte(name: str) -> None:
    found = costs(READERS[name], LONG // 10, PIECES)
    costs(READERS[name], LONG, sorted(found, key=found.__getitem__)[-DEAREST:])


def longest_hold(reader: Callable[[str], object], text: str) -> tuple[float, str]:
    """How long one function in C took at most that called nothing in Python, and where: nobody else runs meanwhile."""
    worst, begun = (0.0, ""), 0.0

    def hear(frame: FrameType, event: str, what: Any) -> None:
        nonlocal worst, begun
        if begun and event in ("c_return", "c_exception"):
            worst = max(worst, (time.thread_time() - begun, f"{frame.f_code.co_filename}:{frame.f_lineno} {what}"))
        begun = time.thread_time() if event == "c_call" else 0.0

    gc.disable()
    sys.setprofile(hear)
    try:
        reader(text)
    finally:
        sys.setprofile(None)
        gc.enable()
    return worst


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_nothing_keeps_the_interpreter_for_long(name: str) -> None:
    texts = [
        repeated(piece, LONG // 5) for piece in ("def f(a):\n    return a + 1\n\n", "a", "a b ", '{"a": ', "```\n")
    ]
    held = [min(longest_hold(READERS[name], text) for _ in range(2)) for text in texts]
    assert [one for one in held if one[0] > HELD_S_MAX * pace()] == []


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":', '{"path": "a", "content": ['])
def test_deep_json_is_malformed(opening: str) -> None:
    deep = opening * 100_000
    for reader in READERS.values():
        reader(deep[:SHORT])
    assert attempt(call("Write", deep)) is None


def test_what_stands_behind_too_many_fences_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fences_module, "FENCES_MAX", 3)
    shown = [f"f{n}.py\n```python\nx = {n}\n```\n" for n in range(5)]
    *read, beyond = shown_in("".join(shown))
    assert [piece.path for piece in read] == ["f0.py", "f1.py", "f2.py"]  # type: ignore[union-attr]
    assert isinstance(beyond, Drift)
    assert set(beyond.paths) >= {"f3.py", "f4.py"}
    assert "f4.py" not in read_user_text("".join(shown)).prose
    assert shown_in("".join(shown[:3])) == read


def test_too_many_files_behind_them_may_be_any(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fences_module, "FENCES_MAX", 1)
    named = "".join(f"`f{n}.py`\n" for n in range(UNREAD_PATHS_MAX + 1))
    _, beyond = shown_in("a.py\n```\nx\n```\n```\ny\n```\n" + named)
    assert beyond == Drift((), beyond.carrier)  # type: ignore[union-attr]
    _, some = shown_in("a.py\n```\nx\n```\n```\ny\n```\nb.py")
    assert isinstance(some, Drift)
    assert some.paths == ("b.py",)


@pytest.mark.parametrize("name", ["answer", "user text", "several framed reads", "calls", "attachments", "blocks"])
def test_a_visit_s_budget_stops_a_reader(name: str) -> None:
    pieces = {"several framed reads": "<file><path>a</path><content>\nx\n</content></file>\n", "calls": "<path>"}
    text = repeated(pieces.get(name, "a.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n<file path=a>\n"), SHORT)
    with budget(0.0), pytest.raises(OverBudgetError):
        READERS[name](text)
