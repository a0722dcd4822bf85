"""What `/doctor` looks at. It reports only; it never fixes, and it asks no model for a completion."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

import httpx

from tslp_litellm.store.database import Database
from tslp_litellm.store.queries import health
from tslp_litellm.syntax import parsing
from tslp_litellm.syntax.languages import LANGUAGES

Status = Literal["ok", "warn", "fail"]
DISK_WARN_BYTES = 500_000_000
DISK_FAIL_BYTES = 20_000_000
REACH_TIMEOUT_S = 2.0


@dataclass(frozen=True, slots=True)
class Check:
    """One finding."""

    name: str
    status: Status
    detail: str


def verdict(checks: Sequence[Check]) -> str:
    """`failed` if anything fails, `degraded` if anything is amiss, else `ok`."""
    found = {check.status for check in checks}
    return "failed" if "fail" in found else "degraded" if "warn" in found else "ok"


def database_checks(database: Database) -> list[Check]:
    """Integrity, WAL and migrations."""
    try:
        with database.reading() as connection:
            now, newest = database.revision(connection)
            found = health(connection)
    except Exception as error:  # noqa: BLE001 - a broken database is a finding
        return [Check("database", "fail", f"{type(error).__name__}: {error}"[:300])]
    checks = [
        Check("migrations", "ok" if now == newest else "fail", f"at revision {now}, newest is {newest}"),
        Check("database", "ok" if found.integrity == "ok" else "fail", f"{found.kind}: {found.integrity}"),
    ]
    if found.journal_mode is not None:
        wal = found.journal_mode == "wal" or database.memory
        checks.append(Check("wal", "ok" if wal else "fail", f"journal mode {found.journal_mode}"))
    return checks


def disk_check(database: Database) -> list[Check]:
    """Space left where the database lies."""
    if not database.sqlite or database.memory or not database.url.database:
        return []
    try:
        free = shutil.disk_usage(Path(database.url.database).expanduser().absolute().parent).free
    except OSError as error:
        return [Check("disk", "fail", str(error))]
    status: Status = "fail" if free < DISK_FAIL_BYTES else "warn" if free < DISK_WARN_BYTES else "ok"
    return [Check("disk", status, f"{free // 1_000_000} MB free")]


def grammar_check() -> Check:
    """Whether every grammar that the table names can be loaded. That the queries fit them is the tests' affair: to
    compile one stops the proxy for a moment, and takes memory."""
    broken = []
    for language in LANGUAGES:
        if language.grammar is not None:
            try:
                parsing.grammar(language.grammar)
            except Exception as error:  # noqa: BLE001 - a missing grammar is a finding
                broken.append(f"{language.name} ({error})")
    return Check(
        "grammars",
        "warn" if broken else "ok",
        f"missing: {', '.join(broken)}"
        if broken
        else f"{sum(language.grammar is not None for language in LANGUAGES)} grammars",
    )


def fault_check(faults: dict[str, str]) -> Check:
    """Faults of ours that have not healed."""
    return Check(
        "faults",
        "warn" if faults else "ok",
        "; ".join(f"{where}: {cause}" for where, cause in faults.items())[:500] or "none",
    )


class AuditReport(Protocol):
    """How the shadow audit's queue stands. `counts`: how many questions ended how; `fault`: of the last one."""

    @property
    def waiting(self) -> int: ...
    @property
    def counts(self) -> Mapping[str, int]: ...
    @property
    def last(self) -> str | None: ...
    @property
    def fault(self) -> str | None: ...


def audit_check(report: AuditReport | None) -> Check:
    """The shadow audit: how many questions wait, how the others ended, and what went wrong with the last."""
    if report is None:
        return Check("audit", "ok", "off")
    ended = [f"{n} {how}" for how, n in sorted(report.counts.items())]
    last = [f"last: {report.last}"] if report.last else []
    fault = [f"fault: {report.fault}"] if report.fault else []
    return Check("audit", "warn" if fault else "ok", "; ".join([f"{report.waiting} waiting", *ended, *last, *fault]))


def run_model_checks(endpoints: Sequence[str]) -> list[Check]:
    """Whether the model servers of one's own answer at all, asked side by side. Hosted providers are not asked."""
    if not endpoints:
        return []
    with httpx.Client(timeout=REACH_TIMEOUT_S, trust_env=False) as http, ThreadPoolExecutor(len(endpoints)) as threads:
        return list(threads.map(lambda endpoint: _reach(http, endpoint), endpoints))


def _reach(http: httpx.Client, endpoint: str) -> Check:
    try:
        answer = http.get(endpoint)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return Check(f"model endpoint {endpoint}", "warn", f"unreachable ({type(error).__name__})")
    return Check(f"model endpoint {endpoint}", "ok", f"answers (HTTP {answer.status_code})")
