"""The diagnostics keep to their OpenAPI: schemathesis asks a real proxy all that the schema allows, and what it doesn't."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings

from tests.e2e.gateway import KEY, Gateway

pytestmark = pytest.mark.slow
EXAMPLES = 30
PATHS = {
    "/tslp/artifact/{hash}",
    "/tslp/debug/last-prompt",
    "/tslp/diff",
    "/tslp/doctor",
    "/tslp/entity",
    "/tslp/episode/{id}",
    "/tslp/health",
    "/tslp/overview",
    "/tslp/recent",
    "/tslp/resume",
    "/tslp/state",
}


@pytest.fixture(scope="package")
def described(gateway: Gateway, shop: str) -> Any:
    found = httpx.get(f"{gateway.http.base_url}/openapi.json", timeout=120, trust_env=False).json()
    found["paths"] = {path: item for path, item in found["paths"].items() if path.startswith("/tslp")}
    for methods in found["paths"].values():
        for operation in methods.values():
            del operation["security"]  # the keys are LiteLLM's, and every request here bears a good one
    schema = schemathesis.openapi.from_dict(found)
    schema.config.update(base_url=str(gateway.http.base_url))
    return schema


def test_every_endpoint_is_described(described: Any) -> None:
    paths = described.raw_schema["paths"]
    assert set(paths) == PATHS
    for path, methods in paths.items():
        assert set(methods) == {"get"}, path
        assert methods["get"]["tags"] == ["TSLP diagnostics"]
        assert methods["get"]["summary"], path
        assert "$ref" in str(methods["get"]["responses"]["200"]["content"]["application/json"]["schema"]), path


@pytest.mark.parametrize("path", sorted(PATHS))
def test_the_answers_are_as_described(described: Any, path: str) -> None:
    """Asked by hand: schemathesis's own pytest plugin does not know this pytest."""

    @given(case=described[path]["GET"].as_strategy())
    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    def keeps_to_it(case: Any) -> None:
        case.call_and_validate(headers={"Authorization": f"Bearer {KEY}"}, timeout=60)

    keeps_to_it()
