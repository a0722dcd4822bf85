"""A short run of the crash harness; `python -m tests.crash --kills 1000` is the long one."""

from __future__ import annotations

from pathlib import Path

import pytest

from .__main__ import crash


@pytest.mark.slow
def test_killed_at_random_instants(tmp_path: Path) -> None:
    result = crash(24, lanes=2, seed="ci", per_database=6, plain_every=12, folder=tmp_path)
    assert result["problems"] == []
    assert result["counts"]["kills"] == 24
    assert result["counts"]["kills with requests in flight"] > 0
    assert result["counts"]["first requests after a restart, served and right"] > 0
