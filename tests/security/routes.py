"""Every way in which a caller can name something on the diagnostics, made from their own OpenAPI description."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Names:
    """What there is of one tenant, by all the names that a caller could use."""

    tenant: str
    workspace: str
    entity: str
    artifact: str
    episode: str

    def value(self, parameter: str) -> str:
        """What a parameter of that name would be given to get at it."""
        name = parameter.lower()
        if "tenant" in name or "team" in name or "user" in name or "key" in name:
            return self.tenant
        if "entity" in name or "path" in name or "symbol" in name:
            return self.entity
        if "artifact" in name or "hash" in name:
            return self.artifact
        if "episode" in name or name == "id":
            return self.episode
        if "workspace" in name or "name" in name:
            return self.workspace
        return "200"


STRAYS = ("tenant_id", "team_id", "user_id", "key", "api_key", "team", "x-tslp-tenant", "name")
"""Parameters and headers that we do not read, tried all the same."""
HEADERS = (
    "x-tslp-workspace",
    "x-tslp-tenant",
    "x-tslp-bypass",
    "x-litellm-team-id",
    "x-litellm-user-id",
    "x-litellm-end-user-id",
    "x-forwarded-user",
)


@dataclass(frozen=True)
class Call:
    """One request. `named`: the declared parameters that were given."""

    path: str
    query: dict[str, str]
    headers: dict[str, str]

    @property
    def names_a_tenant(self) -> bool:
        return "tenant" in self.query


def operations(schema: dict[str, Any], prefix: str) -> dict[str, dict[str, Any]]:
    """Path -> its description, of everything mounted there."""
    return {path: item for path, item in schema["paths"].items() if path.startswith(prefix)}


def calls(path: str, item: dict[str, Any], names: Names, own: Names) -> Iterator[Call]:
    """Every combination of workspace, tenant and header on one route, everything else naming the same thing; then each
    parameter that nobody reads."""
    declared = [p for operation in item.values() for p in operation.get("parameters", ())]
    in_path = {p["name"]: names.value(p["name"]) for p in declared if p["in"] == "path"}
    filled = path
    for name, value in in_path.items():
        filled = filled.replace("{" + name + "}", value)
    rest = {
        p["name"]: names.value(p["name"])
        for p in declared
        if p["in"] == "query" and p["name"] not in ("workspace", "tenant") and (p.get("required") or _names(p["name"]))
    }
    limit = {"limit": "200"} if any(p["name"] == "limit" for p in declared) else {}
    scoped = any(p["name"] == "workspace" for p in declared)
    for workspace, header, tenant in itertools.product((False, True), repeat=3) if scoped else ():
        query = {**rest, **limit}
        if workspace:
            query["workspace"] = names.workspace
        if tenant:
            query["tenant"] = names.tenant
        yield Call(filled, query, {"x-tslp-workspace": names.workspace} if header else {})
    yield Call(filled, {**rest, **limit, "workspace": own.workspace}, {"x-tslp-workspace": names.workspace})
    strays = {stray: names.value(stray) for stray in STRAYS}
    yield Call(filled, {**rest, **limit, **strays, "workspace": names.workspace}, {h: names.value(h) for h in HEADERS})


def _names(parameter: str) -> bool:
    return Names("t", "w", "e", "a", "p").value(parameter) != "200"
