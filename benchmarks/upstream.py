"""A scripted model, as a process of its own: its name says how it answers, and its answer says what it was shown.

`m-FIRST-GAP-CHUNKS-SIZE`: milliseconds to the first chunk and between chunks, how many chunks, characters in each.
The answer begins with `seen:HASH;` for each block in the last user message, so that the client can tell whether what
was injected was current. A size of a thousand and more is code: whole definitions in a labelled fence.
"""

from __future__ import annotations

import asyncio
import functools
import re
import sys
from typing import Any

import orjson
import uvicorn

from benchmarks.workloads import function, words

_ARTIFACT = re.compile(r"^Artifact: ([0-9a-f]{64})$", re.M)
PROSE = 1000


def model(first_ms: int, gap_ms: int, chunks: int, size: int) -> str:
    """A model's name."""
    return f"m-{first_ms}-{gap_ms}-{chunks}-{size}"


@functools.cache
def said(chunks: int, size: int) -> tuple[str, ...]:
    """What a model says after the hashes."""
    total = chunks * size
    text = "\n\n" + words(min(total, PROSE))
    if total > PROSE:
        code = "\n\n".join(function(f"answer_{n}", n) for n in range(total // 220))
        text += f"\n\nscratch/answer_{total}.py\n```python\n{code}\n```\n"
    text = text[:total] if total <= PROSE else text
    return tuple(text[n : n + size] for n in range(0, len(text), size))


def shown(body: dict[str, Any]) -> str:
    """The hashes of the blocks in the last user message."""
    last = next((m for m in reversed(body["messages"]) if m["role"] == "user"), {})
    content = last.get("content") or ""
    text = content if isinstance(content, str) else "\n".join(part.get("text") or "" for part in content)
    return "".join(f"seen:{found};" for found in _ARTIFACT.findall(text)) or "seen:none;"


def event(body: dict[str, Any], delta: dict[str, Any], finish: str | None = None) -> bytes:
    """One server-sent event."""
    choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": body["model"], "choices": choices}
    return b"data: " + orjson.dumps(chunk) + b"\n\n"


async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """The ASGI app."""
    if scope["type"] != "http":
        return
    raw, more = [], True
    while more:
        message = await receive()
        raw.append(message.get("body", b""))
        more = message.get("more_body", False)
    body = orjson.loads(b"".join(raw) or b"{}")
    if "messages" not in body:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
        await send({"type": "http.response.body", "body": b'{"object":"list","data":[]}'})
        return
    first, gap, chunks, size = (int(n) for n in body["model"].rsplit("/", 1)[-1].split("-")[1:])
    headers = [(b"content-type", b"text/event-stream")]
    await asyncio.sleep(first / 1000)
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    pieces = [{"role": "assistant", "content": shown(body)}, *({"content": piece} for piece in said(chunks, size))]
    for piece in pieces:
        await send({"type": "http.response.body", "body": event(body, piece), "more_body": True})
        if gap:
            await asyncio.sleep(gap / 1000)
    await send({"type": "http.response.body", "body": event(body, {}, "stop") + b"data: [DONE]\n\n"})


if __name__ == "__main__":
    uvicorn.run(
        app, host="127.0.0.1", port=int(sys.argv[1]), log_level="critical", loop="uvloop", timeout_keep_alive=600
    )
