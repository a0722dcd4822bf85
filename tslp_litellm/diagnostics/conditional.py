"""Answers that did not change are not sent again: `ETag` and `If-None-Match` (RFC 9110)."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import metadata
from typing import Any

from fastapi import HTTPException, Response

NOT_MODIFIED: dict[int | str, dict[str, Any]] = {304: {"description": "It is what `If-None-Match` names."}}


def settle(response: Response, if_none_match: str | None, *version: object) -> None:
    """Name the answer after what it depends on; raise 304 where the caller holds that answer already.

    The tag is weak: it names what is said, not its bytes.
    """
    named = "\0".join(map(str, (_release(), *version)))
    tag = f'W/"{hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache", "Vary": "Authorization"}
    if if_none_match is not None and tag.removeprefix("W/") in if_none_match:
        raise HTTPException(304, headers=headers)
    response.headers.update(headers)


@cache
def _release() -> str:
    """Another release may say it otherwise."""
    try:
        return metadata.version("tslp-litellm")
    except metadata.PackageNotFoundError:
        return ""
