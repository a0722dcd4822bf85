"""What `/doctor` looks at. It reports only; it never fixes, and it asks no model for a completion."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol
from urllib.parse import urlsplit, urlunsplit

import httpx

from tslp_litellm.parser import Report
from tslp_litellm.secrets import detector
from tslp_litellm.store import projection, queries, vault
from tslp_litellm.store.database import Database

Status = Literal["ok", "warn", "fail"]
DISK_WARN_BYTES = 500_000_000
DISK_FAIL_BYTES = 20_000_000
SIZE_WARN_BYTES = 20_000_000_000
REACH_TIMEOUT_S = 2.0
WINDOWS_MAX = 40
FAULT_CHARS_MAX, FAULTS_CHARS_MAX = 200, 2_000
"""How much is told of a fault, so that others are told of as well; and of all."""
"""So many models' windows are told one by one."""


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
    """Whether it can be read, migrations and WAL: what costs the same whatever its size."""
    try:
        with database.reading() as connection:
            now, newest = database.revision(connection)
            queries.look(connection)
            mode = queries.journal_mode(connection)
    except Exception as error:  # noqa: BLE001 - a broken database is a finding
        return [Check("database", "fail", _words(error))]
    checks = [Check("migrations", "ok" if now == newest else "fail", f"at revision {now}, newest is {newest}")]
    if mode is not None:
        checks.append(_wal_check(database, mode))
    return checks


def _wal_check(database: Database, mode: str) -> Check:
    """Whether SQLite is in WAL mode. A backup that was put back is not yet: the first who writes asks for it."""
    if mode == "wal" or database.memory:
        return Check("wal", "ok", f"journal mode {mode}")
    if database.without_wal:
        return Check("wal", "fail", f"journal mode {mode}: WAL was refused")
    return Check("wal", "ok", f"journal mode {mode}; WAL from the first write on")


def integrity_of(database: Database) -> str:
    """`ok`, or what is wrong with the database, all of which is read for that; never raises."""
    try:
        with database.reading() as connection:
            found = queries.integrity(connection)
            altered = len(projection.unsound(connection)) if found == "ok" else 0
            words = f"{altered} State Maps are not those of their Ledgers, and are made anew when they are opened"
            return words if altered else found
    except Exception as error:  # noqa: BLE001 - a broken database is a finding
        return _words(error)


def integrity_check(database: Database, found: str, age_s: float = 0.0) -> Check:
    """What a look at all of the database has found, and how long ago."""
    kind = database.url.get_backend_name()
    return Check("database", "ok" if found == "ok" else "fail", f"{kind}: {found} (looked at {age_s:.0f} s ago)")


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:300]


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


def size_check(database: Database) -> list[Check]:
    """How large the database is: what it holds, not what its file could be made smaller by."""
    try:
        with database.reading() as connection:
            held = queries.size(connection)
    except Exception:  # noqa: BLE001 - that it can't be read is said by another check
        return []
    said = f"{held / 1_000_000_000:.2f} GB"
    if held < SIZE_WARN_BYTES:
        return [Check("size", "ok", said)]
    return [Check("size", "warn", f"{said}; `tslp archive` moves what is old elsewhere")]


def parser_check(report: Report) -> Check:
    """The parser's processes: whether they can be had, and the texts that ended or outran one."""
    if report.trouble:
        return Check("parser", "fail", f"no text is parsed: {report.trouble}")
    said = [f"{report.workers} processes", f"{report.ended} ended"] if report.workers or report.ended else []
    counts = Counter(one.reason for one in report.refused)
    refused = ", ".join(f"{n} by {reason}" for reason, n in sorted(counts.items()))
    said += [f"{len(report.refused)} texts refused ({refused}): such a file is kept whole"] if refused else []
    return Check("parser", "warn" if refused else "ok", "; ".join(said) or "no text was refused")


def file_check(trouble: str | None) -> list[Check]:
    """Whether the files that are open still stand at their path; nothing to say if they do."""
    return [Check("database file", "fail", f"{trouble}; the next request opens it anew")] if trouble else []


def vault_check(database: Database, altered: set[str]) -> list[Check]:
    """The texts that were found altered while running, looked at once more: one that is as it was is forgotten.

    Whether others were altered too is for `tslp verify`: here no text is read that nobody asked for.
    """
    for artifact in list(altered):
        try:
            with database.reading() as connection:
                vault.get(connection, [artifact])
            altered.discard(artifact)
        except Exception:  # noqa: BLE001, S112 - what can't be read stays a finding
            continue
    return [Check("vault", "fail", f"{len(altered)} texts were altered; run `tslp verify`")] if altered else []


def fault_check(faults: dict[str, str], waiting: int = 0, causes: bool = True) -> Check:
    """Faults of ours that have not healed, and how many answers wait for the database.

    `causes`: tell the error's own words, which may be about anybody's code.
    """
    found = [f"{waiting} answers wait to be recorded"] if waiting and faults else []
    for where, cause in faults.items():
        found.append(f"{where}: {cause if causes else cause.partition(':')[0]}"[:FAULT_CHARS_MAX])
    return Check("faults", "warn" if found else "ok", "; ".join(found)[:FAULTS_CHARS_MAX] or "none")


def secrets_check(refused: bool) -> Check:
    """How secrets are found, and whether the Vault takes texts that hold one."""
    known = detector()
    how = (
        f"detect-secrets {known.version}, and patterns of our own"
        if known.version
        else "patterns of our own; `pip install 'tslp-litellm[secrets]'` adds those of detect-secrets"
    )
    return Check("secrets", "ok", f"redacted here by {how}; {'refused' if refused else 'kept'} by the Vault")


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


def audit_check(report: AuditReport | None, details: bool = True) -> Check:
    """The shadow audit: how many questions wait, how the others ended, and what went wrong with the last.

    `details` are of all tenants together.
    """
    if report is None:
        return Check("audit", "ok", "off")
    if not details:
        return Check("audit", "warn" if report.fault else "ok", "the last question failed" if report.fault else "on")
    ended = [f"{n} {how}" for how, n in sorted(report.counts.items())]
    last = [f"last: {report.last}"] if report.last else []
    fault = [f"fault: {report.fault}"] if report.fault else []
    return Check("audit", "warn" if fault else "ok", "; ".join([f"{report.waiting} waiting", *ended, *last, *fault]))


def window_checks(found: Sequence[tuple[str, bool, str]], named: bool = True) -> list[Check]:
    """The models' windows: of each whether it is known, and what there is to say. One that is unknown is nothing amiss:
    a hosted model's server refuses what is too long. `named`: by name, as far as they are few; else how many are."""
    if named and len(found) <= WINDOWS_MAX:
        return [Check(f"window {model}", "ok", detail) for model, _, detail in found]
    known = sum(known for _, known, _ in found)
    return [Check("windows", "ok", f"known of {known} models, unknown of {len(found) - known}")] if found else []


def metrics_check(off: str | None) -> Check:
    """Whether TSLP counts for Prometheus. `off`: why it doesn't, which is nothing amiss."""
    return Check("metrics", "ok", f"off: {off}" if off else "counted; LiteLLM's `prometheus` callback serves them")


@dataclass(frozen=True, slots=True)
class Reached:
    """Whether a model server answers."""

    url: str
    status: Status
    detail: str


def reach_all(endpoints: Sequence[str]) -> list[Reached]:
    """Whether the model servers of one's own answer, asked side by side; a request each, and no completion.

    Hosted providers are not asked.
    """
    if not endpoints:
        return []
    with httpx.Client(timeout=REACH_TIMEOUT_S, trust_env=False) as http, ThreadPoolExecutor(len(endpoints)) as threads:
        return list(threads.map(lambda endpoint: _reach(http, endpoint), endpoints))


def model_checks(reached: Sequence[Reached], named: bool = True) -> list[Check]:
    """Whether the model servers answer at all. `named`: by their URLs, without what is secret in those; else by
    number."""
    return [
        Check(f"model endpoint {_without_credentials(one.url) if named else n}", one.status, one.detail)
        for n, one in enumerate(reached, 1)
    ]


def _without_credentials(endpoint: str) -> str:
    """A URL without user, password, query and fragment."""
    try:
        parts = urlsplit(endpoint)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
    except ValueError:
        return "(malformed)"


def _reach(http: httpx.Client, endpoint: str) -> Reached:
    try:
        answer = http.get(endpoint)
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        return Reached(endpoint, "warn", f"unreachable ({type(error).__name__})")
    return Reached(endpoint, "ok", f"answers (HTTP {answer.status_code})")
