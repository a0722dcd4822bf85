"""What the doctor finds in what it is shown."""

from __future__ import annotations

from pathlib import Path

from tests.store.helpers import show
from tslp_litellm.diagnostics import checks
from tslp_litellm.parser import Report
from tslp_litellm.state.values import Refused
from tslp_litellm.store.backup import back_up
from tslp_litellm.store.database import Database


class TestParser:
    def test_nothing_amiss(self) -> None:
        assert checks.parser_check(Report(2, 0, (), None)).status == "ok"
        assert "2 processes" in checks.parser_check(Report(2, 0, (), None)).detail

    def test_refused_texts_are_counted_not_named(self) -> None:
        refused = tuple(Refused(f"{n}" * 64, "yaml", reason) for n, reason in enumerate(("crash", "timeout", "crash")))
        found = checks.parser_check(Report(1, 3, refused, None))
        assert found.status == "warn"
        assert "3 texts refused (2 by crash, 1 by timeout)" in found.detail
        assert "0000" not in found.detail

    def test_no_process_can_be_had(self) -> None:
        found = checks.parser_check(Report(0, 0, (), "fork failed"))
        assert (found.status, "fork failed" in found.detail) == ("fail", True)


def restored(folder: Path) -> Database:
    """A backup in the place of its database."""
    live = Database(f"sqlite:///{folder}/t.db")
    live.migrate()
    back_up(live, folder / "copy.db")
    live.close()
    return Database(f"sqlite:///{folder}/copy.db")


class TestWal:
    def test_a_backup_that_was_put_back_is_no_failure(self, tmp_path: Path) -> None:
        database = restored(tmp_path)
        before = checks.database_checks(database)[-1]
        show(database, "a.py", "def f():\n    return 1\n")
        after = checks.database_checks(database.diagnostics)[-1]
        assert before == checks.Check("wal", "ok", "journal mode delete; WAL from the first write on")
        assert after == checks.Check("wal", "ok", "journal mode wal")

    def test_where_it_was_refused(self, tmp_path: Path) -> None:
        database = restored(tmp_path)
        database.without_wal.add("delete")
        assert checks.database_checks(database)[-1].status == "fail"


def test_integrity_says_how_old_it_is() -> None:
    database = Database("sqlite://")
    assert checks.integrity_check(database, "ok", 42.4) == checks.Check(
        "database", "ok", "sqlite: ok (looked at 42 s ago)"
    )
    assert checks.integrity_check(database, "malformed").status == "fail"


def test_windows_are_told_by_name_to_those_who_may_see_all_models() -> None:
    found = [("coder", True, "4096 tokens (num_ctx)"), ("other", False, "unknown")]
    assert checks.window_checks(found)[0] == checks.Check("window coder", "ok", "4096 tokens (num_ctx)")
    assert checks.window_checks(found, named=False)[0].detail == "known of 1 models, unknown of 1"
    assert [c.name for c in checks.window_checks(found * 100)] == ["windows"]
    assert checks.window_checks([], named=False) == []


def test_a_long_fault_hides_no_other() -> None:
    found = checks.fault_check(
        {"webhook a": "x" * 3_000, "metadata of key bad": "PolicyError: `tslp_trust` is no trust"}
    )
    assert "`tslp_trust` is no trust" in found.detail
