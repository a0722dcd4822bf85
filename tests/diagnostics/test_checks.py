"""What the doctor finds in what it is shown."""

from __future__ import annotations

from tslp_litellm.diagnostics import checks
from tslp_litellm.parser import Report
from tslp_litellm.state.values import Refused


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


def test_integrity_says_how_old_it_is() -> None:
    from tslp_litellm.store.database import Database

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
