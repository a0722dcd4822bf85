"""Nothing that is asked for is ignored: who asks for `at=` must not take today's text for that time's."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from fastapi import Request, params
from fastapi.exceptions import RequestValidationError

NAMES_MAX = 20


def refuse_unknown(request: Request) -> None:
    """Raises what FastAPI answers with 422, for query parameters that the request's route doesn't have."""
    known = query_names(request.scope["endpoint"])
    says = f"Unknown here. Known: {', '.join(sorted(known)) or 'none'}."
    unknown = sorted(set(request.query_params) - known)[:NAMES_MAX]
    if unknown:
        raise RequestValidationError(
            [{"type": "extra_forbidden", "loc": ("query", name), "msg": says, "input": None} for name in unknown]
        )


def query_names(of: Callable[..., Any]) -> set[str]:
    """The query parameters of an endpoint and of what it depends on."""
    found = set[str]()
    for name, parameter in inspect.signature(of).parameters.items():
        for said in getattr(parameter.annotation, "__metadata__", ()):
            if isinstance(said, params.Query):
                found.add(said.alias or name)
            elif isinstance(said, params.Depends) and said.dependency is not None:
                found |= query_names(said.dependency)
    return found
