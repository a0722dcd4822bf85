"""Two texts of an entity side by side: what is shown of them, redacted, and to whom."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnostics.test_router import FMT, LOSSY, Asked, asked, database, fence
from tests.engine.helpers import Session, make_engine, sha
from tests.samples_of_secrets import OWN
from tslp_litellm import parser
from tslp_litellm.diagnostics import comparison
from tslp_litellm.store.database import Database

__all__ = ["asked", "database"]


def compared(asked: Asked, before: str, after: str, status: int = 200, **more: Any) -> Any:
    named = {"entity": "fmt.py", "before_artifact": sha(before), "after_artifact": sha(after)}
    return asked.get("/tslp/diff", status, **{**named, **more})


def test_what_was_refused_beside_what_is_current(asked: Asked) -> None:
    found = compared(asked, FMT, LOSSY)
    assert (found["before"]["text"], found["after"]["text"]) == (FMT, LOSSY)
    made, at = list[str](), 0
    for a, b, c, d in found["hunks"]:
        assert FMT.splitlines()[a:b] != LOSSY.splitlines()[c:d]
        made += [*FMT.splitlines()[at:a], *LOSSY.splitlines()[c:d]]
        at = b
    assert [*made, *FMT.splitlines()[at:]] == LOSSY.splitlines()
    assert sum(n for n, _ in found["before"]["pieces"]) == len(FMT)
    at = FMT.index("def ")
    assert kind_at(found["before"]["pieces"], at) == "keyword"


def kind_at(pieces: list[list[Any]], at: int) -> str:
    for length, kind in pieces:
        if at < length:
            return str(kind)
        at -= length
    raise AssertionError("behind the end")


def test_without_debug_and_of_another_workspace_there_is_nothing(asked: Asked, database: Database) -> None:
    compared(Asked(database, debug=False), FMT, LOSSY, 404)
    compared(asked, FMT, LOSSY, 404, workspace="other")
    compared(asked, FMT, "never said", 404)
    compared(asked, FMT, FMT, 422, before_artifact="x")


@pytest.mark.parametrize("sample", ["rsa", "github classic", "openai"])
def test_a_secret_is_redacted_before_its_text_is_cut(database: Database, sample: str) -> None:
    held = f"import os\n\n\ndef token():\n    return '''{OWN[sample]}'''\n"
    session = Session(make_engine(database, audit=False), database).ask(fence(held), "ok")
    assert session.holds("fmt.py", held)
    found = compared(Asked(database), held, held)
    assert not any(line in str(found) for line in OWN[sample].splitlines() if len(line) > 30)
    assert "[REDACTED: " in found["after"]["text"]
    assert sum(n for n, _ in found["after"]["pieces"]) == len(found["after"]["text"])


def test_a_browser_counts_in_utf_16(database: Database) -> None:
    smiling = "def f():\n    return '😀'  # 😀\n"
    Session(make_engine(database, audit=False), database).ask(fence(smiling), "ok")
    pieces = compared(Asked(database), smiling, smiling)["before"]["pieces"]
    assert sum(n for n, _ in pieces) == len(smiling.encode("utf-16-le")) // 2


def test_of_a_long_text_the_first_lines_are_coloured(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "COLOURED_CHARS", len(FMT) // 2)
    coloured = sum(length for length, _ in compared(asked, FMT, LOSSY)["before"]["pieces"])
    assert 0 < coloured < len(FMT) // 2
    assert FMT[coloured - 1] == "\n"


@pytest.mark.parametrize(("name", "most"), [("LINES_MAX", 3), ("CHARS_MAX", 40)])
def test_of_a_long_text_the_beginning_is_compared(
    asked: Asked, monkeypatch: pytest.MonkeyPatch, name: str, most: int
) -> None:
    whole = compared(asked, FMT, LOSSY)
    assert (whole["before"]["cut"], whole["after"]["cut"]) == (False, False)
    monkeypatch.setattr(comparison, name, most)
    cut = compared(asked, FMT, LOSSY)
    for side, text, ends in (("before", FMT, 1), ("after", LOSSY, 3)):
        shown = "".join(text.splitlines(keepends=True)[:3]) if name == "LINES_MAX" else text[:40]
        assert (cut[side]["text"], cut[side]["cut"]) == (shown, True)
        assert max(hunk[ends] for hunk in cut["hunks"]) <= len(shown.splitlines())


def test_a_text_as_long_as_may_be_is_whole(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    Session(make_engine(database, audit=False), database).ask(fence(FMT), "ok")
    monkeypatch.setattr(comparison, "LINES_MAX", FMT.count("\n"))
    assert compared(Asked(database), FMT, FMT)["before"]["cut"] is False
