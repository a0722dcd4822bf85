"""Where segments lie: a file is there whole or not at all, and what is wrong is a sentence."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tslp_litellm.store.database import StoreError
from tslp_litellm.store.folders import folder

FILE = "w1-1-2-ab.jsonl.xz"


@pytest.fixture(params=["path", "url"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "path":
        return str(tmp_path / "deep" / "er")
    pytest.importorskip("fsspec")
    return f"file://{tmp_path}/deep/er"


def test_what_is_written_is_there_for_any_other(place: str) -> None:
    folder(place).write(FILE, b"one")
    folder(place).write(FILE, b"two")
    folder(place).write("notes.txt", b"")
    assert folder(folder(place).name).read(FILE) == b"two"
    assert folder(place).files() == {FILE}


def test_what_is_not_there_is_said(place: str) -> None:
    with pytest.raises(StoreError, match="can't be read"):
        folder(place).read(FILE)
    with pytest.raises(StoreError, match="can't be read"):
        folder(place).files()


def test_a_relative_path_is_kept_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert folder("a").name == str(tmp_path / "a")


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left"):
        folder(str(tmp_path)).write(FILE, b"one")
    assert list(tmp_path.iterdir()) == []


def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    folder(str(tmp_path)).write(FILE, b"one")
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
