"""The rehearsal: it plays what a first request would have to make, and leaves nothing behind."""

from __future__ import annotations

import pytest

from tslp_litellm.engine import rehearsal
from tslp_litellm.gateway.runtime import Runtime
from tslp_litellm.settings import Settings
from tslp_litellm.store.queries import workspaces_of
from tslp_litellm.syntax.languages import language_named


def test_the_languages_of_the_files_are_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared: list[str] = []
    monkeypatch.setattr(rehearsal, "prepare", prepared.extend)
    rehearsal.rehearse(Settings(database_url="sqlite://"), ["src/a.lua", "notes.xyz", "README.md", "b.py"], len)
    assert "lua" in prepared
    assert set(rehearsal.USUAL) <= set(prepared)
    assert len(prepared) == len(set(prepared))
    assert all(language_named(name).grammar for name in prepared)


def test_its_turns_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    played = []
    record = rehearsal.Engine.record
    monkeypatch.setattr(
        rehearsal.Engine,
        "record",
        lambda self, episode, answer: played.append(episode) or record(self, episode, answer),
    )
    rehearsal.rehearse(Settings(database_url="sqlite://"), [], len)
    assert [episode.hydrated != () for episode in played] == [False, True, False]


def test_tokens_are_counted_so_that_the_first_prompt_need_not_wait_for_the_tokenizer() -> None:
    counted: list[str] = []
    rehearsal.rehearse(Settings(database_url="sqlite://"), [], lambda text: counted.append(text) or len(text))  # type: ignore[func-returns-value]
    assert any(text.startswith("[CURRENT STATE: AUTHORITATIVE]") for text in counted)


def test_nothing_of_it_is_in_the_database() -> None:
    runtime = Runtime(Settings(database_url="sqlite://"), len)
    runtime.rehearse()
    with runtime.database.reading() as connection:
        assert workspaces_of(connection, "local") == []
    assert runtime.faults.open == {}
