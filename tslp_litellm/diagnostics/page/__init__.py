"""The status page at `/tslp/`: one self-contained page, which holds no data and reads it from the endpoints beside it.

Its parts lie in this folder and are put together once. Whoever opens it sees an empty page; what is shown on it came
through the endpoints, with the caller's own key. Every script and style is allowed by its hash, and nothing else is.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fastapi import APIRouter, Header, Response

from tslp_litellm.state.markers import BLOCK_END, BLOCK_START, NOTICE_END, NOTICE_START

FOLDER = Path(__file__).parent
SCRIPTS = [
    f"{name}.js"
    for name in [
        "dom",
        "gateway",
        "words",
        "time",
        "overview",
        "entities",
        "diff",
        "episodes",
        "resume",
        "checks",
        "keys",
        "main",
    ]
]

FRAMES = ((BLOCK_START, BLOCK_END), (NOTICE_START, NOTICE_END))


@dataclass(frozen=True, slots=True)
class Page:
    """The page as it is served. `etag`: quoted, of the bytes; `policy`: its Content-Security-Policy."""

    body: bytes
    etag: str
    policy: str


@cache
def page(locked: bool = True) -> Page:
    """The page, put together from its parts. `locked`: it asks nothing of the gateway before it has a key."""
    style = (FOLDER / "page.css").read_text("utf-8")
    code = "\n".join((FOLDER / name).read_text("utf-8") for name in SCRIPTS)
    tables = f"const FRAMES = {json.dumps(FRAMES)};"
    script = f'"use strict";\n(() => {{\n{tables}\n{code}\n}})();\n'
    html = (FOLDER / "page.html").read_text("utf-8").replace("/*style*/", style).replace("/*script*/", script)
    html = html if locked else html.replace("<body>", '<body data-open="">')
    body = html.encode()
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src {_source(script)}",
            f"style-src {_source(style)}",
            "connect-src 'self'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )
    return Page(body, f'"{hashlib.sha256(body).hexdigest()[:32]}"', policy)


def _source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def make_page_router(asks_for_a_key: Callable[[], bool] = lambda: True) -> APIRouter:
    """`/` is the page, and the prefix without the slash leads to it, whatever stands in front of the prefix."""
    router = APIRouter(include_in_schema=False)

    @router.api_route("", methods=["GET", "HEAD"])
    async def to_the_page() -> Response:
        return Response(status_code=307, headers={"Location": "tslp/"})

    @router.api_route("/", methods=["GET", "HEAD"])
    async def the_page(if_none_match: str | None = Header(None)) -> Response:
        made = page(asks_for_a_key())
        headers = {
            "ETag": made.etag,
            "Cache-Control": "no-cache",
            "Content-Security-Policy": made.policy,
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "no-referrer",
        }
        if if_none_match is not None and made.etag in if_none_match:
            return Response(status_code=304, headers=headers)
        return Response(made.body, media_type="text/html; charset=utf-8", headers=headers)

    return router
