"""What goes out under `/tslp` holds no secret: every route's JSON is redacted, in a worker thread."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute
from pydantic import BaseModel

from tslp_litellm.secrets import redacted


class RedactedRoute(APIRoute):
    """A route whose JSON is redacted. FastAPI runs plain functions in its worker threads, and so is the redaction."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, _redacting(endpoint), **options)


def _shown(value: Any) -> Any:
    if not isinstance(value, BaseModel):
        return redacted(value)
    plain = value.model_dump(exclude_unset=True)
    kept = redacted(plain)
    return value if kept is plain else type(value).model_validate(kept)


def _redacting(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    if inspect.iscoroutinefunction(endpoint):

        @functools.wraps(endpoint)
        async def asynchronous(*args: Any, **kwargs: Any) -> Any:
            return await run_in_threadpool(_shown, await endpoint(*args, **kwargs))

        return asynchronous

    @functools.wraps(endpoint)
    def synchronous(*args: Any, **kwargs: Any) -> Any:
        return _shown(endpoint(*args, **kwargs))

    return synchronous
