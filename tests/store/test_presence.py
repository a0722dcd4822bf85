"""Files that are deleted, replaced or emptied while they are open."""

from __future__ import annotations

import os
import re
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from tests.schema import opened
from tslp_litellm.store.database import Database, StoreError
from tslp_litellm.store.presence import Presence, is_storage_fault
from tslp_litellm.store.vault import AlteredError


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return opened(f"sqlite:///{tmp_path / 'tslp.db'}")


def put(database: Database, name: str) -> None:
    with database.writing() as connection:
        connection.execute(
            text("INSERT INTO workspaces (tenant, name, head_seq, head_hash, episodes) VALUES ('local', :n, 0, '', 0)"),
            {"n": name},
        )


def names(database: Database) -> list[str]:
    with database.reading() as connection:
        return sorted(connection.execute(text("SELECT name FROM workspaces")).scalars())


def test_nothing_happened(database: Database) -> None:
    presence = Presence(database)
    put(database, "a")
    assert presence.look() is None
    assert presence.trouble() is None
    assert names(database) == ["a"]


def test_a_deleted_database_is_begun_anew(database: Database, tmp_path: Path) -> None:
    presence = Presence(database)
    put(database, "a")
    presence.look()
    (tmp_path / "tslp.db").unlink()
    assert "was deleted" in str(presence.trouble())
    assert "was deleted" in str(presence.look())
    assert presence.look() is None
    assert names(database) == []
    put(database, "b")
    database.close()
    assert names(opened(f"sqlite:///{tmp_path / 'tslp.db'}")) == ["b"]


def test_a_deleted_wal_loses_nothing(database: Database, tmp_path: Path) -> None:
    presence = Presence(database)
    put(database, "a")
    presence.look()
    (tmp_path / "tslp.db-wal").unlink()
    assert "-wal was deleted" in str(presence.look())
    put(database, "b")
    assert names(database) == ["a", "b"]
    database.close()
    assert names(opened(f"sqlite:///{tmp_path / 'tslp.db'}")) == ["a", "b"]


def test_an_emptied_database_is_begun_anew_after_the_fault(database: Database, tmp_path: Path) -> None:
    presence = Presence(database)
    database.checkpoint()
    os.truncate(tmp_path / "tslp.db", 0)
    presence.after(OperationalError("", None, sqlite3.OperationalError("no such table")))
    assert "was empty" in str(presence.look())
    assert names(database) == []


def test_what_can_not_be_opened_says_so_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "tslp.db").write_bytes(b"no database" * 100)
    said = Presence(Database(f"sqlite:///{tmp_path / 'tslp.db'}")).open()
    assert re.search(r"can't be opened: .*not a database", said or "")
    for url in ("nonsense", "sqlite://tslp.db"):
        with pytest.raises(StoreError, match="`database_url` is no SQLAlchemy URL"):
            Database(url)


def test_a_reader_s_url_is_named_by_its_own_setting(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tslp.db'}"
    with pytest.raises(StoreError, match="`reader_database_url` is no SQLAlchemy URL"):
        Database(url, "nonsense")
    with pytest.raises(StoreError, match="`reader_database_url` must name the same database"):
        Database(url, "postgresql://u@h/d")


def test_sqlite_has_one_driver_whatever_the_url_names(tmp_path: Path) -> None:
    opened(f"sqlite+aiosqlite:///{tmp_path / 'tslp.db'}").close()
    assert (tmp_path / "tslp.db").is_file()


def test_which_faults_may_pass() -> None:
    assert is_storage_fault(OSError("no space"))
    assert is_storage_fault(OperationalError("", None, sqlite3.OperationalError("locked")))
    assert not is_storage_fault(RuntimeError("ours"))
    assert not is_storage_fault(AlteredError("0" * 64)), "an altered text stays altered"


def test_in_memory_there_is_nothing_to_look_after() -> None:
    presence = Presence(opened("sqlite://"))
    assert (presence.look(), presence.trouble()) == (None, None)


def test_a_damaged_database_is_tried_again_with_every_look(tmp_path: Path) -> None:
    file = tmp_path / "tslp.db"
    file.write_bytes(b"no database" * 100)
    presence = Presence(Database(f"sqlite:///{file}"))
    assert "not a database" in str(presence.open())
    assert "can't be opened" in str(presence.trouble())
    with pytest.raises(StoreError, match="not a database"):
        presence.look()
    file.unlink()
    assert presence.look() is None
    assert presence.trouble() is None
    assert names(opened(f"sqlite:///{file}")) == []


def test_another_kind_of_database_is_told_what_to_write() -> None:
    with pytest.raises(StoreError, match=r"names postgres: .* write `sqlite:///tslp.db`, or `postgresql\+psycopg://"):
        Database("postgres://localhost/x")
