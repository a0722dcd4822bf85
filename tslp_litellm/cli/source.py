"""Where the answers come from: the database that the settings name, opened to read, or a running gateway.

Both give what the endpoints give (`diagnostics.models`).
"""

from __future__ import annotations

import copy
import functools
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import click
import httpx
from click.core import ParameterSource

from tslp_litellm.cli.completion import complete_workspace
from tslp_litellm.cli.configured import (
    LOCAL_TENANT,
    config_option,
    endpoints_of,
    existing_database,
    gateway_url,
    kept_key,
    own_workspace,
    settings_of,
)
from tslp_litellm.cli.terminal import Negative, Unreachable, safe
from tslp_litellm.diagnostics import checks, reports, resuming
from tslp_litellm.history import points
from tslp_litellm.parser import Report
from tslp_litellm.secrets import redact, redacted
from tslp_litellm.store import history, queries, refusals
from tslp_litellm.store.database import Database

TIMEOUT_S = 30.0
TRIES, WAIT_MAX_S = 3, 60
"""How often a gateway is asked that says to come again later, and how long that may be."""
PAGE = 2000
"""Names of a State Map that a gateway is asked for at a time: it has others to serve."""


class Source(Protocol):
    """What is asked of a database or a gateway, in one workspace. None: there is no such thing."""

    workspace: str
    without_texts: str

    def state(self, *, dependencies: bool = False) -> dict[str, Any]: ...
    def state_at(self, at: str) -> dict[str, Any] | None: ...
    def recent(self, limit: int, after: int | None = None) -> dict[str, Any]: ...
    def entity(
        self, name: str, limit: int = 50, before: int | None = None, at: str | None = None
    ) -> dict[str, Any] | None: ...
    def episode(self, episode_id: str) -> dict[str, Any] | None: ...
    def text(self, artifact: str, entity: str | None = None) -> str | None: ...
    def exact_texts(self, rows: list[dict[str, Any]]) -> dict[str, str]: ...
    def resume(self) -> dict[str, Any]: ...
    def doctor(self) -> dict[str, Any]: ...
    def within(self, workspace: str) -> Source: ...


# -- the two sources ---------------------------------------------------------------------------------------------------


class DatabaseSource:
    """The database itself: every text is its reader's own."""

    without_texts = "Nothing has a text: all of them were erased."

    def __init__(
        self,
        database: Database,
        tenant: str,
        workspace: str | None,
        endpoints: list[str],
        by_settings: str | None = None,
    ) -> None:
        self._database, self._tenant, self._endpoints = database, tenant, endpoints
        with database.reading() as connection:
            self.workspace = workspace or own_workspace(queries.workspaces_of(connection, tenant), by_settings)

    def state(self, *, dependencies: bool = False) -> dict[str, Any]:
        with self._database.reading() as connection:
            return reports.state(connection, self._tenant, self.workspace, with_uses=dependencies)

    def state_at(self, at: str) -> dict[str, Any] | None:
        with self._database.reading() as connection:
            return reports.state_at(connection, self._tenant, self.workspace, points.parse(at))

    def recent(self, limit: int, after: int | None = None) -> dict[str, Any]:
        with self._database.reading() as connection:
            return dict(redacted(reports.recent(connection, self._tenant, self.workspace, limit, after, texts=True)))

    def entity(
        self, name: str, limit: int = 50, before: int | None = None, at: str | None = None
    ) -> dict[str, Any] | None:
        then = points.parse(at) if at is not None else None
        with self._database.reading() as connection:
            found = reports.entity(
                connection, self._tenant, self.workspace, name, limit=limit, before=before, texts=True, at=then
            )
        return None if found is None else dict(redacted(found))

    def episode(self, episode_id: str) -> dict[str, Any] | None:
        with self._database.reading() as connection:
            found = reports.episode(connection, self._tenant, self.workspace, episode_id, texts=True)
        return None if found is None else dict(redacted(found))

    def text(self, artifact: str, entity: str | None = None) -> str | None:
        with self._database.reading() as connection:
            found = reports.text(connection, self._tenant, self.workspace, artifact, entity)
        return None if found is None else redact(found)

    def exact_texts(self, rows: list[dict[str, Any]]) -> dict[str, str]:
        with self._database.reading() as connection:
            return history.texts_of(connection, [row["artifact"] for row in rows])

    def resume(self) -> dict[str, Any]:
        with self._database.reading() as connection:
            return dict(redacted(resuming.resume(connection, self._tenant, self.workspace)))

    def doctor(self) -> dict[str, Any]:
        return reports.doctor(
            [
                *checks.database_checks(self._database),
                checks.integrity_check(self._database, checks.integrity_of(self._database)),
                *checks.disk_check(self._database),
                *checks.size_check(self._database),
                checks.parser_check(self._remembered()),
                *checks.model_checks(checks.reach_all(self._endpoints)),
            ]
        )

    def within(self, workspace: str) -> Source:
        """The same, asked about another workspace."""
        other = copy.copy(self)
        other.workspace = workspace
        return other

    def _remembered(self) -> Report:
        """What the database knows of parsers: no process of one runs here."""
        with self._database.reading() as connection:
            return Report(0, 0, tuple(refusals.load(connection)), None)


class GatewaySource:
    """A running gateway's endpoints."""

    without_texts = "The gateway gives no texts: its setting `debug` is off. Export where the database is."

    def __init__(self, url: str, key: str | None, tenant: str | None, workspace: str | None) -> None:
        local = (httpx.URL(url).host or "") in ("localhost", "127.0.0.1", "::1")
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._url = url.rstrip("/").removesuffix("/v1").removesuffix("/tslp")
        self._http = httpx.Client(headers=headers, timeout=TIMEOUT_S, trust_env=not local)
        self._scope = {"tenant": tenant} if tenant is not None else {}
        if not workspace:
            found = self._found("state", limit=1)
            workspace = own_workspace(found["workspaces"], found["workspace"])
        self.workspace = workspace
        self._scope["workspace"] = self.workspace

    def _get(self, path: str, **params: Any) -> Any:
        """An endpoint's answer; None where it says 404."""
        given = {key: value for key, value in {**self._scope, **params}.items() if value is not None}
        answer = self._asked(f"{self._url}/tslp/{path}", given)
        if answer.status_code == httpx.codes.NOT_FOUND and _detail(answer) is not None:
            return None
        if answer.status_code == httpx.codes.UNPROCESSABLE_ENTITY:
            raise click.UsageError(f"The gateway does not understand the question: {answer.text[:300]}")
        try:
            found = answer.json()
        except ValueError:
            found = None
        if answer.status_code != httpx.codes.OK or found is None:
            raise Unreachable(f"{self._url} {refusal(answer)}")
        return found

    def _asked(self, url: str, given: dict[str, Any]) -> httpx.Response:
        """What it answers, if need be after the time that it asks for."""
        for left in reversed(range(TRIES)):
            try:
                answer = self._http.get(url, params=given)
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise Unreachable(f"No gateway answers at {self._url} ({type(error).__name__}).") from None
            wait = answer.headers.get("Retry-After", "")
            if answer.status_code != httpx.codes.TOO_MANY_REQUESTS or not (left and wait.isdecimal()):
                break
            if int(wait) > WAIT_MAX_S:
                break
            time.sleep(int(wait))
        return answer

    def _found(self, path: str, **params: Any) -> dict[str, Any]:
        found = self._get(path, **params)
        if found is None:
            raise Unreachable(f"{self._url} has no /tslp/{path}: no TSLP runs there, or an older one.")
        return dict(found)

    def state(self, *, dependencies: bool = False) -> dict[str, Any]:
        asked = {"dependencies": True} if dependencies else {}  # a gateway of an older release knows no such question
        whole = self._found("state", limit=PAGE, **asked)
        after = whole.pop("next", None)
        while after is not None:
            page = self._found("state", limit=PAGE, after=after, **asked)
            whole["entities"] += page["entities"]
            whole["tombstones"] += page["tombstones"]
            after = page.get("next")
        return whole

    def state_at(self, at: str) -> dict[str, Any] | None:
        raise click.UsageError(
            "A whole State Map of the past needs the database itself: a gateway tells only one entity's (`tslp show`). "
            "Run it where the database is, and name that by --config or TSLP_DATABASE_URL."
        )

    def recent(self, limit: int, after: int | None = None) -> dict[str, Any]:
        return self._found("recent", limit=limit, after=after)

    def entity(
        self, name: str, limit: int = 50, before: int | None = None, at: str | None = None
    ) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self._get("entity", entity=name, limit=limit, before=before, at=at)
        return found

    def episode(self, episode_id: str) -> dict[str, Any] | None:
        if "/" in episode_id or len(episode_id) > 36:
            return None
        found: dict[str, Any] | None = self._get(f"episode/{episode_id}")
        return found

    def text(self, artifact: str, entity: str | None = None) -> str | None:
        found = self._get(f"artifact/{artifact}", entity=entity)
        return str(found["text"]) if found is not None else None

    def exact_texts(self, rows: list[dict[str, Any]]) -> dict[str, str]:
        found = {row["artifact"]: self.text(row["artifact"], row["entity"]) for row in rows}
        return {artifact: text for artifact, text in found.items() if text is not None}

    def resume(self) -> dict[str, Any]:
        return self._found("resume")

    def doctor(self) -> dict[str, Any]:
        return self._found("doctor")

    def within(self, workspace: str) -> Source:
        """The same, asked about another workspace."""
        other = copy.copy(self)
        other.workspace, other._scope = workspace, {**self._scope, "workspace": workspace}
        return other


def _detail(answer: httpx.Response) -> str | None:
    try:
        found = answer.json()
    except ValueError:
        return None
    return str(found["detail"]) if isinstance(found, dict) and "detail" in found else None


def refusal(answer: httpx.Response) -> str:
    """What a gateway's answer says that is none, as far as it says."""
    if answer.status_code in (400, 401, 500) and "/tslp" in str(answer.url):
        return f"refuses the key (HTTP {answer.status_code}): give the gateway's by --key or LITELLM_MASTER_KEY."
    said = _detail(answer)
    return f"answers HTTP {answer.status_code}{f': {said}' if said else ', and not as TSLP does'}"


# -- the options -------------------------------------------------------------------------------------------------------


def _a_point(_ctx: click.Context, _parameter: click.Parameter, said: str | None) -> str | None:
    try:
        points.parse(said or "")
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    return said


at_option = click.option(
    "--at",
    metavar="SEQ|TIME|EPISODE|green",
    callback=_a_point,
    help="As it was then. A time is UTC if it says no zone; a date is the whole day. green: tests were last green.",
)


def state_of(source: Source, at: str | None, *, dependencies: bool = False) -> dict[str, Any]:
    """The State Map as it stands, or as it was."""
    if at is None:
        return source.state(dependencies=dependencies)
    found = source.state_at(at)
    if found is None:
        where = f"Workspace {safe(source.workspace)} has no {safe(at)} in its history"
        raise Negative(f"{where} (a time is written as 2026-11-28 09:30).")
    return found


class Where(NamedTuple):
    """The options that say where to read."""

    config: Path
    url: str | None
    key: str | None
    workspace: str | None
    tenant: str | None

    def open(self) -> Source:
        """The source; an explicit --config wins over TSLP_URL."""
        if self.url:
            key = self.key or kept_key(self.config)
            try:
                return GatewaySource(self.url, key, self.tenant, self.workspace)
            except httpx.InvalidURL as error:
                raise click.UsageError(f"--url {self.url}: {error}") from None
        settings = settings_of(self.config)
        tenant = self.tenant if self.tenant is not None else LOCAL_TENANT
        database = existing_database(settings).diagnostics
        return DatabaseSource(database, tenant, self.workspace, endpoints_of(self.config), settings.workspace)


def reads(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say where to read; it is called with the open source first."""

    @click.option(
        "--url",
        envvar="TSLP_URL",
        metavar="URL",
        callback=gateway_url,
        help="Ask a running gateway instead. [TSLP_URL]",
    )
    @click.option("--key", envvar="LITELLM_MASTER_KEY", metavar="KEY", help="Its key. [LITELLM_MASTER_KEY]")
    @click.option(
        "--workspace",
        "-w",
        envvar="TSLP_WORKSPACE",
        shell_complete=complete_workspace,
        help="If not given: the current folder's, if there is one, else the settings'. [TSLP_WORKSPACE]",
    )
    @click.option("--tenant", help="`local` if not given; with --url the proxy admin's only.")
    @config_option
    @functools.wraps(command)
    def opened(
        config: Path,
        url: str | None,
        key: str | None,
        workspace: str | None,
        tenant: str | None,
        **rest: Any,
    ) -> Any:
        ctx, by_hand = click.get_current_context(), ParameterSource.COMMANDLINE
        if ctx.get_parameter_source("config") is by_hand and ctx.get_parameter_source("url") is not by_hand:
            url = None
        return command(Where(config, url, key, workspace, tenant).open(), **rest)

    return opened
