"""The recorded sessions as conversations, and what there is to play without the acceptance suite."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.sight.playing import Setting, play
from benchmarks.sight.prompts import prompt_of
from benchmarks.sight.workloads import RECORDED, Workload, choose, recorded

CLIENTS = sorted(path.stem for path in RECORDED.glob("*.json"))


@pytest.mark.parametrize("client", CLIENTS)
def test_every_recorded_request_ends_with_the_users_side_and_holds_its_task(client: str) -> None:
    calls = recorded(client)
    assert calls
    for call in calls:
        found = prompt_of(call.body)
        assert found.messages[-1].role in ("user", "tool")
        assert any(call.task in message.text for message in found.messages if message.role == "user")


def test_without_the_acceptance_suite_the_recordings_are_left(tmp_path: Path) -> None:
    assert {workload.kind for workload in choose(tmp_path, short=False)} == {"recorded"}


def test_a_session_is_played_through_the_hooks_and_the_same_way_twice(tmp_path: Path) -> None:
    settings = [Setting(8192), Setting(8192)]
    first, second = play(Workload("recorded", "cn"), tmp_path, settings)
    assert first["rows"] and first["state"]
    assert [pair[1:] for pair in first["rows"]] == [pair[1:] for pair in second["rows"]]
    assert first["state"] == second["state"]
