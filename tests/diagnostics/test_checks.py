"""What the doctor finds in what it is shown."""

from __future__ import annotations

from tslp_litellm.diagnostics import checks
from tslp_litellm.diagnostics.checks import Check
from tslp_litellm.gateway.cut_prompts import Cut
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


def test_windows_are_told_one_by_one_while_they_are_few() -> None:
    rows = [("a", True, "8192 tokens (num_ctx)"), ("b", False, "unknown: …")]
    assert checks.window_checks(rows) == [
        Check("window a", "ok", "8192 tokens (num_ctx)"),
        Check("window b", "ok", "unknown: …"),
    ]
    counted = [Check("windows", "ok", "known of 1 models, unknown of 1")]
    assert checks.window_checks(rows, named=False) == counted
    assert checks.window_checks([]) == []
    many = [(str(n), True, "") for n in range(checks.WINDOWS_MAX + 1)]
    assert len(checks.window_checks(many)) == 1


def test_a_server_that_cuts_prompts_is_a_warning() -> None:
    (found,) = checks.cut_checks([Cut("m", 9_800, 4_095)])
    assert (found.name, found.status) == ("prompt of m", "warn")
    assert "9800" in found.detail
    assert "4095" in found.detail
    assert checks.cut_checks([Cut("m", 9_800, 4_095)], named=False)[0].name == "prompt of 1"
