"""The routes, behind LiteLLM's key check, each for the caller's own tenant (SEMANTICS 8).

Annotations are evaluated here (no `annotations` future): FastAPI reads the dependencies that are local to a function.
"""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, HTTPException, Query

from tslp_litellm.diagnostics import checks
from tslp_litellm.diagnostics.shown import RedactedRoute
from tslp_litellm.store import queries
from tslp_litellm.store.database import Database

LIMIT_MAX = 200


class Scope:
    """Whose state is asked for: the caller's tenant, and the workspace by query or header."""

    def __init__(self, tenant: str, workspace: str) -> None:
        self.tenant, self.workspace = tenant, workspace


class View:
    """What the diagnostics may see of the running process."""

    def __init__(
        self,
        database: Database,
        *,
        debug: bool,
        faults: dict[str, str],
        last_prompts: dict[tuple[str, str], dict[str, Any]],
        endpoints: Callable[[], list[str]],
        audits: Callable[[], checks.AuditReport] | None = None,
        refuse_secrets: bool = False,
    ) -> None:
        self.database, self.debug, self.faults = database, debug, faults
        self.last_prompts, self.endpoints, self.audits = last_prompts, endpoints, audits
        self.refuse_secrets = refuse_secrets


def make_router(
    view: View, authenticate: Callable[..., Any], tenant_of: Callable[[Any], str], is_admin: Callable[[Any], bool]
) -> APIRouter:
    """The five endpoints. Blocking work runs in FastAPI's worker threads."""
    router = APIRouter(tags=["TSLP diagnostics"], route_class=RedactedRoute)

    def scope(
        key: Annotated[Any, Depends(authenticate)],
        workspace: Annotated[str | None, Query()] = None,
        tenant: Annotated[str | None, Query()] = None,
        x_tslp_workspace: Annotated[str | None, Header()] = None,
    ) -> Scope:
        if tenant is not None and not is_admin(key):
            raise HTTPException(403, "Only the proxy admin may name a tenant.")
        return Scope(tenant if tenant is not None else tenant_of(key), workspace or x_tslp_workspace or "default")

    @router.get("/health")
    def health(key: Annotated[Any, Depends(authenticate)]) -> dict[str, str]:
        """Whether the process is alive."""
        return {"status": "ok"}

    @router.get("/doctor")
    def doctor(key: Annotated[Any, Depends(authenticate)]) -> dict[str, Any]:
        """A deep inspection. Reports only. What faults and audits were about is of all tenants: the admin's only."""
        admin = is_admin(key)
        found = [
            *checks.database_checks(view.database),
            *checks.disk_check(view.database),
            checks.grammar_check(),
            checks.fault_check(dict(view.faults), causes=admin),
            checks.audit_check(view.audits() if view.audits is not None else None, details=admin),
            checks.secrets_check(refused=view.refuse_secrets),
            *checks.run_model_checks(view.endpoints(), named=admin),
        ]
        return {
            "status": checks.verdict(found),
            "checks": [{"name": c.name, "status": c.status, "detail": c.detail} for c in found],
        }

    @router.get("/recent")
    def recent(
        scope: Annotated[Scope, Depends(scope)], limit: Annotated[int, Query(ge=1, le=LIMIT_MAX)] = 20
    ) -> dict[str, Any]:
        """The last episodes, newest first: metadata only."""
        with view.database.reading() as connection:
            return queries.recent(connection, scope.tenant, scope.workspace, limit)

    @router.get("/state")
    def state(scope: Annotated[Scope, Depends(scope)]) -> dict[str, Any]:
        """The State Map: hashes and times."""
        with view.database.reading() as connection:
            return queries.state(connection, scope.tenant, scope.workspace)

    @router.get("/debug/last-prompt")
    def last_prompt(scope: Annotated[Scope, Depends(scope)]) -> dict[str, Any]:
        """What the model was last shown; only with `debug`."""
        prompt = view.last_prompts.get((scope.tenant, scope.workspace)) if view.debug else None
        if prompt is None:
            raise HTTPException(404, "Not Found")
        return prompt

    return router
