"""Holds an answer against what OpenAPI says of it."""

from __future__ import annotations

from typing import Any

import httpx
import jsonschema


def closed(schema: Any) -> Any:
    """A schema under which an object has no property that is not named."""
    if isinstance(schema, dict):
        made = {key: closed(value) for key, value in schema.items()}
        return {**made, "additionalProperties": False} if "properties" in schema else made
    return [closed(item) for item in schema] if isinstance(schema, list) else schema


def hold(openapi: dict[str, Any], path: str, answer: httpx.Response) -> None:
    """The answer's status is documented, and its body is what is documented for it, no more and no less."""
    documented = openapi["paths"][path]["get"]["responses"]
    assert str(answer.status_code) in documented, (path, answer.status_code, answer.text[:300])
    schema = documented[str(answer.status_code)].get("content", {}).get("application/json", {}).get("schema")
    if schema is not None:
        whole = {**schema, "components": closed(openapi["components"])}
        jsonschema.Draft202012Validator(whole).validate(answer.json())  # that it is a schema is looked at elsewhere
