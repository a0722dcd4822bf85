"""`make check` says what passed, failed, or could not be told; the audit never passes where nothing was asked."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from scripts import audit
from tests.check import Part, outcome, parts


def ends(*statuses: int) -> Part:
    return Part(tuple((sys.executable, "-c", f"raise SystemExit({status})") for status in statuses))


@pytest.mark.parametrize(
    ("statuses", "says"),
    [((0, 0), "passed"), ((0, 1), "FAILED"), ((77,), "skipped"), ((77, 0), "skipped"), ((77, 1), "FAILED")],
)
def test_a_parts_outcome(statuses: tuple[int, ...], says: str) -> None:
    assert outcome(ends(*statuses)) == says


def test_what_failed_and_holds_alone_has_passed() -> None:
    alone = (sys.executable, "-c", "")
    assert outcome(Part(ends(1).commands, alone)) == "passed"
    assert outcome(Part(ends(1, 1).commands, alone)) == "FAILED"


def test_the_audit_is_a_part() -> None:
    assert parts(1)["audit"].commands[0][-1] == "scripts.audit"


def row(name: str, *vulns: str, **more: str) -> dict[str, Any]:
    found = [{"id": one, "fix_versions": ["2"]} for one in vulns]
    return {"name": name, "version": "1", "vulns": found, **more}


KNOWN = [row("jinja2", "PYSEC-1")]


@pytest.mark.parametrize(
    ("canary", "locked", "status", "says"),
    [
        (KNOWN, [row("a"), row("b")], 0, "2 dependencies, 0 advisories"),
        (KNOWN, [row("a"), row("b", "CVE-9")], 1, "b 1: CVE-9, mended in 2"),
        (KNOWN, [row("a"), row("b", skip_reason="not found")], 77, "b: not found"),
        (KNOWN, [], 77, "skipped"),
        (KNOWN, None, 77, "skipped"),
        (None, None, 77, "skipped"),
        ([row("jinja2")], [row("a")], 77, "skipped"),  # a mirror that keeps no advisories
    ],
)
def test_the_audits_verdict(canary: Any, locked: Any, status: int, says: str) -> None:
    found, said = audit.verdict(canary, locked)
    assert found == status
    assert says in "\n".join(said)


def test_a_tool_that_says_nothing_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "TOOL", (sys.executable, "-c", "raise SystemExit('no network')"))
    assert audit.audited("a==1\n") is None
