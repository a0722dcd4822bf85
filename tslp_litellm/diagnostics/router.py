"""The routes, behind LiteLLM's key check, each for the caller's own tenant (SEMANTICS 8).

Annotations are evaluated here (no `annotations` future): FastAPI reads the dependencies that are local to a function.
"""

import asyncio
import contextlib
import math
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, HTTPException, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError

from tslp_litellm import parser
from tslp_litellm.diagnostics import checks, comparison, conditional, models, overview, reports, resuming
from tslp_litellm.diagnostics.checks import Check
from tslp_litellm.diagnostics.shared import Shared
from tslp_litellm.diagnostics.shown import RedactedRoute
from tslp_litellm.history import points
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.store import queries
from tslp_litellm.store.database import Database
from tslp_litellm.store.segments import ArchivedError

LIMIT_MAX = 200
STATE_MAX = 10_000
"""Names of a State Map in one answer, so that nearly all come whole; a thousand take 13 ms."""
DEEP_EVERY_S = 300.0
"""How often all of the database is read for the doctor, for all who ask together."""
REACH_EVERY_S = 20.0
"""How often the model servers are asked for it."""
NAME_MAX_CHARS = 4096
SEQ_MAX = 2**31 - 1
ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": models.Refused, "description": "LiteLLM could not check the key."},
    401: {"model": models.Refused, "description": "No key, or not a valid one."},
    403: {"model": models.Error, "description": "Only the proxy admin may name a tenant."},
    429: {
        "model": models.Error,
        "description": "Asked too often: again after `Retry-After` seconds.",
        "headers": {"Retry-After": {"schema": {"type": "integer"}}},
    },
    500: {"description": "LiteLLM without a database of its own, asked without a key."},
    503: {"model": models.Error, "description": "The database can't be read."},
}
NOT_FOUND: dict[int | str, dict[str, Any]] = {
    **ERRORS,
    404: {"model": models.Error, "description": "Unknown in this workspace, or not shown without `debug: true`."},
}


class Scope:
    """Whose state is asked for: the caller's tenant, and the workspace by query or header; or, whatever is asked, the
    one that the caller's key is pinned to."""

    def __init__(self, tenant: str, workspace: str, pinned: bool = False) -> None:
        self.tenant, self.workspace, self.pinned = tenant, workspace, pinned


class View:
    """What the diagnostics may see of the running process."""

    def __init__(  # noqa: PLR0913 - keywords, one for each thing that is shown
        self,
        database: Database,
        *,
        debug: bool,
        faults: dict[str, str],
        last_prompts: dict[WorkspaceKey, dict[str, Any]],
        endpoints: Callable[[], list[str]],
        audits: Callable[[], checks.AuditReport] | None = None,
        altered: set[str] | None = None,
        trouble: Callable[[], str | None] = lambda: None,
        waiting: Callable[[], int] = lambda: 0,
        refuse_secrets: bool = False,
        metrics_off: str | None = None,
        windows: Callable[[], Sequence[tuple[str, bool, str]]] = tuple,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.database, self.debug, self.faults = database, debug, faults
        self.last_prompts, self.endpoints, self.audits = last_prompts, endpoints, audits
        self.altered, self.trouble, self.waiting = altered if altered is not None else set(), trouble, waiting
        self.refuse_secrets, self.metrics_off, self.windows = refuse_secrets, metrics_off, windows
        self.clock = clock
        self._size, self._shrunk = 0, 0  # of the database's file: bytes, and how often it was found smaller
        self.integrity = Shared(lambda: checks.integrity_of(database), DEEP_EVERY_S)
        self.reached = Shared(lambda: checks.reach_all(endpoints()), REACH_EVERY_S)

    def database_seen(self) -> object:
        """Which database a look at all of it is about. A file that has become smaller is another one: SQLite's grow."""
        try:
            status = self.database.file.stat() if self.database.file is not None else None
        except OSError:
            return self.database.opened
        if status is None:
            return self.database.opened
        self._shrunk += status.st_size < self._size
        self._size = status.st_size
        return self.database.opened, status.st_dev, status.st_ino, self._shrunk

    def checked(self, integrity: str, age_s: float, reached: Sequence[checks.Reached], *, admin: bool) -> list[Check]:
        """All findings. `admin`: with what faults and audits were about, which is of all tenants."""
        return [
            *checks.database_checks(self.database),
            checks.integrity_check(self.database, integrity, age_s),
            *checks.file_check(self.trouble()),
            *checks.vault_check(self.database, self.altered),
            *checks.disk_check(self.database),
            *checks.size_check(self.database),
            checks.parser_check(parser.report()),
            checks.fault_check(dict(self.faults), self.waiting(), causes=admin),
            checks.audit_check(self.audits() if self.audits is not None else None, details=admin),
            checks.secrets_check(refused=self.refuse_secrets),
            checks.metrics_check(self.metrics_off),
            *checks.window_checks(self.windows(), named=admin),
            *checks.model_checks(reached, named=admin),
        ]

    def look(self) -> None:
        """One look at the database; 503 where it can't be read."""
        with self.reading() as connection:
            queries.look(connection)

    @contextlib.contextmanager
    def reading(self) -> Iterator[Any]:
        """A connection that cannot write; 503 where the database can't be read."""
        try:
            with self.database.reading() as connection:
                yield connection
        except ArchivedError as error:
            said = f"Events {error.segment.first} to {error.segment.last} are in the archive, which can't be read here."
            raise HTTPException(503, said) from None
        except queries.UNREADABLE as error:
            raise HTTPException(503, f"The database can't be read: {type(error).__name__}; see /tslp/doctor.") from None


def make_router(
    view: View,
    authenticate: Callable[..., Any],
    tenant_of: Callable[[Any], str],
    is_admin: Callable[[Any], bool],
    pin_of: Callable[[Any], str | None] = lambda _key: None,
    wait_of: Callable[[Any, str], float] = lambda _key, _address: 0.0,
    unnamed: Callable[[Any], str] = lambda _key: "default",
) -> APIRouter:
    """The endpoints. Blocking work runs in FastAPI's worker threads. `pin_of`: the one workspace that a key may see;
    `wait_of`: the seconds that a key, or whoever asks without one from an address, has to wait before he may ask;
    `unnamed`: the workspace of a key's requests that name none."""
    router = APIRouter(tags=["TSLP diagnostics"], route_class=RedactedRoute)

    async def limited(request: Request, key: Annotated[Any, Depends(authenticate)]) -> Any:
        wait = wait_of(key, request.client.host if request.client else "")
        if wait > 0:
            seconds = str(math.ceil(wait))
            said = f"The diagnostics are asked too often (`diagnostics_per_minute`): again in {seconds} s."
            raise HTTPException(429, said, headers={"Retry-After": seconds})
        return key

    key = Depends(limited)
    _add_health(router, view, Depends(authenticate), limited)

    def scope(
        key: Annotated[Any, key],
        workspace: Annotated[str | None, Query(max_length=NAME_MAX_CHARS, description="The workspace.")] = None,
        tenant: Annotated[
            str | None, Query(max_length=NAME_MAX_CHARS, description="Another tenant: the proxy admin's only.")
        ] = None,
        x_tslp_workspace: Annotated[str | None, Header(description="The workspace, if not in the query.")] = None,
    ) -> Scope:
        if tenant is not None and not is_admin(key):
            raise HTTPException(403, "Only the proxy admin may name a tenant.")
        if (pin := pin_of(key)) is not None:
            if tenant is not None and tenant != tenant_of(key):
                raise HTTPException(403, "This key is pinned to a workspace of its own tenant.")
            return Scope(tenant_of(key), pin, pinned=True)
        return Scope(tenant if tenant is not None else tenant_of(key), workspace or x_tslp_workspace or unnamed(key))

    asked = Annotated[Scope, Depends(scope)]
    _add_process(router, view, key, asked, is_admin)

    def unchanged(
        scope: asked, response: Response, if_none_match: Annotated[str | None, Header(max_length=NAME_MAX_CHARS)] = None
    ) -> None:
        with view.reading() as connection:
            version = queries.version(connection, scope.tenant, scope.workspace)
        conditional.settle(response, if_none_match, scope.tenant, scope.workspace, *version, view.debug)

    _add_lists(router, view, asked, [Depends(unchanged)])
    _add_single(router, view, asked, [Depends(unchanged)])
    _add_texts(router, view, asked)
    _add_resume(router, view, asked, [Depends(unchanged)])
    return router


def _add_health(router: APIRouter, view: View, key: Any, limited: Callable[[Request, Any], Awaitable[Any]]) -> None:
    """What monitors ask; `limited` refuses what is asked too often."""

    @router.get("/health", summary="Whether the process is alive", responses=ERRORS)
    async def health(
        request: Request,
        key: Annotated[Any, key],
        deep: Annotated[bool, Query(description="Look at the database, too: 503 where it can't be read.")] = False,
    ) -> models.Health:
        """For monitors, at any rate: answers without the database, or with one look at it, which is limited."""
        if deep:
            await limited(request, key)
            await run_in_threadpool(view.look)
        return models.Health(status="ok")


def _add_process(router: APIRouter, view: View, key: Any, asked: Any, is_admin: Callable[[Any], bool]) -> None:
    """What the running process says of itself."""

    @router.get("/doctor", summary="A deep inspection", responses=ERRORS)
    async def doctor(key: Annotated[Any, key]) -> models.Doctor:
        """Database, migrations, disk, parser, faults, audit, secrets, model endpoints. Reports only.

        All of the database is read at most every few minutes, for all who ask together; the finding says how old it is.
        """
        seen = await run_in_threadpool(view.database_seen)
        looks = asyncio.wrap_future(view.integrity.ask(seen)), asyncio.wrap_future(view.reached.ask())
        integrity, reached = await looks[0], await looks[1]
        found = await run_in_threadpool(
            view.checked, integrity.found, view.integrity.age_s(integrity), reached.found, admin=is_admin(key)
        )
        return models.Doctor.model_validate(reports.doctor(found))

    @router.get(
        "/debug/last-prompt",
        summary="What the model was last sent",
        responses=NOT_FOUND | conditional.NOT_MODIFIED,
    )
    def last_prompt(
        scope: asked, response: Response, if_none_match: Annotated[str | None, Header(max_length=NAME_MAX_CHARS)] = None
    ) -> models.LastPrompt:
        """The messages with what was put in front of them. Only with `debug: true`."""
        prompt = view.last_prompts.get(WorkspaceKey(scope.tenant, scope.workspace)) if view.debug else None
        if prompt is None:
            raise HTTPException(404, "Not Found")
        conditional.settle(response, if_none_match, prompt["episode_id"])
        return models.LastPrompt.model_validate(prompt)


def _add_lists(router: APIRouter, view: View, asked: Any, unchanged: Any) -> None:
    """The State Map and the episodes."""

    @router.get(
        "/recent",
        summary="The last episodes",
        response_model_exclude_unset=True,
        responses=ERRORS | conditional.NOT_MODIFIED,
        dependencies=unchanged,
    )
    def recent(
        scope: asked,
        limit: Annotated[int, Query(ge=1, le=LIMIT_MAX, description="How many at most.")] = 20,
        after: Annotated[
            int | None,
            Query(ge=0, le=SEQ_MAX, description="The first episodes after this sequence number: to follow live."),
        ] = None,
    ) -> models.Recent:
        """Newest first: what each did to which entity, and why each artifact became the truth, or didn't."""
        with view.reading() as connection:
            found = reports.recent(connection, scope.tenant, scope.workspace, limit, after, texts=view.debug)
        return models.Recent.model_validate(found)

    @router.get(
        "/state",
        summary="The State Map",
        response_model_exclude_unset=True,
        responses=ERRORS | conditional.NOT_MODIFIED,
        dependencies=unchanged,
    )
    def state(
        scope: asked,
        limit: Annotated[int, Query(ge=1, le=STATE_MAX, description="How many names at most.")] = STATE_MAX,
        after: Annotated[
            str | None, Query(max_length=NAME_MAX_CHARS, description="Only names behind it: the `next` before.")
        ] = None,
        dependencies: Annotated[bool, Query(description="With how what each entity uses stands.")] = False,
    ) -> models.StateMap:
        """Entities with hashes, freshness and times, and tombstones, by their names; no texts.

        Where there are more names than `limit`, `next` is what to ask for as `after`.
        """
        with view.reading() as connection:
            found = reports.state(connection, scope.tenant, scope.workspace, limit, after, with_uses=dependencies)
        if scope.pinned:
            found["workspaces"] = [name for name in found["workspaces"] if name == scope.workspace]
            found.pop("alike", None)
        return models.StateMap.model_validate(found)


def _add_resume(router: APIRouter, view: View, asked: Any, unchanged: Any) -> None:
    """Where a workspace stands, and what was done in it."""

    @router.get(
        "/resume",
        summary="Where a workspace stands",
        responses=ERRORS | conditional.NOT_MODIFIED,
        dependencies=unchanged,
    )
    def resume(scope: asked) -> models.Resume:
        """What changed since the last checkpoint, what waits, what is DIRTY or stale, what is to be decided, what was
        decided or went wrong, what tests said last, and when they were green. For people: none of it is in a prompt."""
        with view.reading() as connection:
            found = resuming.resume(connection, scope.tenant, scope.workspace)
        return models.Resume.model_validate(found)

    @router.get(
        "/overview",
        summary="A workspace in figures",
        response_model_exclude_unset=True,
        responses=ERRORS | conditional.NOT_MODIFIED,
    )
    def figures(
        scope: asked, response: Response, if_none_match: Annotated[str | None, Header(max_length=NAME_MAX_CHARS)] = None
    ) -> models.Overview:
        """What was put in front of prompts, what was refused and why, what tests said, by day and by client: counted
        over the newest 2,000 episodes of the last 30 days; and what is DIRTY or stale now."""
        now = view.clock()
        with view.reading() as connection:
            version = queries.version(connection, scope.tenant, scope.workspace)
            others = None if scope.pinned else queries.episodes_of(connection, scope.tenant)
            day = overview.since_of(now)
            conditional.settle(response, if_none_match, scope.tenant, scope.workspace, *version, others, day)
            found = overview.overview(connection, scope.tenant, scope.workspace, now)
        if scope.pinned:
            found["workspaces"] = [one for one in found["workspaces"] if one["workspace"] == scope.workspace]
            found.pop("alike", None)
        return models.Overview.model_validate(found)


def _point(at: str | None) -> points.Point | None:
    """A point of the Ledger by its name; 422 for a time that no calendar has."""
    try:
        return points.parse(at) if at is not None else None
    except ValueError as error:
        fault = {"type": "value_error", "loc": ["query", "at"], "msg": str(error), "input": at}
        raise RequestValidationError([fault]) from None


def _add_single(router: APIRouter, view: View, asked: Any, unchanged: Any) -> None:
    """One entity, one episode."""

    @router.get(
        "/entity",
        summary="One entity and its history",
        response_model_exclude_unset=True,
        responses=NOT_FOUND | conditional.NOT_MODIFIED,
        dependencies=unchanged,
    )
    def entity(
        scope: asked,
        entity: Annotated[str, Query(min_length=1, max_length=NAME_MAX_CHARS, description="`path` or `path::symbol`.")],
        limit: Annotated[int, Query(ge=1, le=LIMIT_MAX, description="How much history at most.")] = 50,
        before: Annotated[
            int | None, Query(ge=1, le=SEQ_MAX, description="Only history before this sequence number.")
        ] = None,
        at: Annotated[
            str | None,
            Query(
                min_length=1,
                max_length=36,
                description="As it was then: a sequence number, a time (RFC 3339; a date is the whole day), an "
                "episode's id, or `green` (tests were last green); without uses.",
            ),
        ] = None,
    ) -> models.EntityReport:
        """Where an entity stands, how it came to that, and why, in words. Its text only with `debug: true`."""
        then = _point(at)
        with view.reading() as connection:
            found = reports.entity(
                connection, scope.tenant, scope.workspace, entity, limit=limit, before=before, texts=view.debug, at=then
            )
        if found is None:
            so_then = ", or no such point in its history" if then is not None else ""
            raise HTTPException(404, f"No such entity in this workspace{so_then}.")
        return models.EntityReport.model_validate(found)

    @router.get(
        "/episode/{id}",
        summary="One episode",
        response_model_exclude_unset=True,
        responses=NOT_FOUND | conditional.NOT_MODIFIED,
        dependencies=unchanged,
    )
    def episode(
        scope: asked, episode_id: Annotated[str, Path(alias="id", min_length=1, max_length=36)]
    ) -> models.EpisodeReport:
        """Everything that is recorded of an episode, each decision with its witness and in words."""
        with view.reading() as connection:
            found = reports.episode(connection, scope.tenant, scope.workspace, episode_id, texts=view.debug)
        if found is None:
            raise HTTPException(404, "No such episode in this workspace.")
        return models.EpisodeReport.model_validate(found)


def _add_texts(router: APIRouter, view: View, asked: Any) -> None:
    """One text, and two of them side by side; without `debug: true` there is none."""

    def text(scope: Scope, artifact: str, entity: str | None) -> str:
        found = None
        if view.debug:
            with view.reading() as connection:
                found = reports.text(connection, scope.tenant, scope.workspace, artifact, entity)
        if found is None:
            raise HTTPException(404, "Not Found")
        return found

    @router.get("/artifact/{hash}", summary="One text", responses=NOT_FOUND)
    def artifact(
        scope: asked,
        artifact: Annotated[str, Path(alias="hash", pattern="^[0-9a-f]{64}$", description="SHA-256, hex.")],
        entity: Annotated[
            str | None, Query(max_length=NAME_MAX_CHARS, description="Whose history names it: finds it quicker.")
        ] = None,
    ) -> models.Artifact:
        """A text that the workspace's own Ledger names, secrets redacted. Only with `debug: true`."""
        return models.Artifact(artifact=artifact, text=text(scope, artifact, entity))

    @router.get("/diff", summary="Two texts side by side", responses=NOT_FOUND)
    def diff(
        scope: asked,
        entity: Annotated[str, Query(min_length=1, max_length=NAME_MAX_CHARS, description="`path` or `path::symbol`.")],
        before_artifact: Annotated[str, Query(pattern="^[0-9a-f]{64}$", description="SHA-256, hex.")],
        after_artifact: Annotated[str, Query(pattern="^[0-9a-f]{64}$", description="SHA-256, hex.")],
    ) -> models.Comparison:
        """Any two texts that the workspace's own Ledger names, current, former or refused, line beside line, secrets
        redacted; of long ones the beginnings. Only with `debug: true`."""
        old, new = text(scope, before_artifact, entity), text(scope, after_artifact, entity)
        found = comparison.comparison(entity, (before_artifact, old), (after_artifact, new))
        return models.Comparison.model_validate(found)
