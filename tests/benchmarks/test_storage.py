"""Episodes a second: ours through the runtime, and the same rows by SQLite alone, into the tables of today."""

from __future__ import annotations

from pathlib import Path

from benchmarks import storage


def test_episodes_are_recorded_beside_sqlite_alone(tmp_path: Path) -> None:
    found = storage.recording(tmp_path, 8)
    assert min(found["sqlite"], found["sqlite_full"], *(found[kind]["per_s"] for kind in ("prose", "code"))) > 0
