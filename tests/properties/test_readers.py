"""Every reader against long repetitions: it ends, and its time grows with its text and no faster (`tests/growth.py`)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tests.growth import cpu_s, steep
from tslp_litellm.clients.makers import attempt
from tslp_litellm.conversation.user_text import read_user_text
from tslp_litellm.dialects import fences as fences_module
from tslp_litellm.dialects.labelled import UNREAD_PATHS_MAX, shown_in
from tslp_litellm.dialects.values import Drift
from tslp_litellm.parser.budget import OverBudgetError, budget

from .adversarial import PIECES, READERS, call, repeated

SHORT = 16_000
DEAREST = 8
"""All pieces are repeated up to `SHORT` characters, and so many of them, which cost most, up to a quarter of a million."""


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_readers_are_linear(name: str) -> None:
    def work(piece: str) -> Callable[[int], Callable[[], object]]:
        return lambda size: partial(READERS[name], repeated(piece, size))

    assert not [(piece, grown) for piece in PIECES if (grown := steep(work(piece), SHORT))]
    costs = {piece: cpu_s(work(piece)(SHORT)) for piece in PIECES}
    for piece in sorted(costs, key=costs.__getitem__)[-DEAREST:]:
        assert not steep(work(piece)), piece


@pytest.mark.parametrize("name", READERS)
def test_readers_end(name: str) -> None:
    at = list(READERS).index(name)
    for piece in PIECES[at % 14 :: 14]:
        READERS[name](repeated(piece, SHORT))


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
