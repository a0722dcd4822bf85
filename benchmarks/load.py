"""A load: so many streams at once, each sending one request after the other, and what each call took."""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import aiohttp
import orjson
import uvloop

from benchmarks import workloads
from benchmarks.servers import KEY, Proxy

UPDATE_EVERY = 6
WORKSPACE = "bench"
_SEEN = re.compile(rb"seen:([0-9a-f]{64}|none);")


class StaleError(AssertionError):
    """Something else than the current text was put into a prompt."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One call, in milliseconds. `kind`: `known` (a resent history and a new prompt), or `update` (a new file text)."""

    kind: str
    first: float
    total: float


@dataclass(frozen=True, slots=True)
class Ask:
    """A request's body. `current`: the hash that the model has to be shown; empty where nothing is to be."""

    body: bytes
    path: str
    kind: str = "known"
    current: str = ""


def sha(text: str) -> str:
    """The name of an artifact."""
    return hashlib.sha256(text.encode()).hexdigest()


def asks(api: str, size: str, conversation: int, model: str, tag: str, files: int) -> Callable[[int], Ask]:
    """A stream's requests by number: questions about what is seeded, and, one in six, a new text of a file of its own
    that the next question is about."""
    live = f"live/{tag}_{conversation}.py"

    def version(n: int) -> str:
        return "import math\n\n\n" + workloads.function("live_one", n // UPDATE_EVERY + 1)

    def make(n: int) -> Ask:
        step = n % UPDATE_EVERY
        if step == 1:
            prompt, current = (
                f"This is {tag} {n} now:\n\n{live}\n```python\n{version(n)}```\n\nKeep it in mind.",
                "none",
            )
        elif step == 2:
            prompt = f"Question {tag} {n}: what of `{live}::live_one`, is its rate right?"
            current = sha(version(n).split("\n\n\n")[1].rstrip("\n"))
        else:
            file, which = (conversation * 31 + n) % files, n % workloads.FUNCTIONS_A_FILE
            prompt = f"Question {tag} {n}: what of `{workloads.entity_of(file, which)}`, is its rate right?"
            current = sha(workloads.function(f"price_{file}_{which}", which).rstrip("\n"))
        body = orjson.dumps(workloads.request(api, size, conversation, prompt, model))
        return Ask(body, workloads.ENDPOINTS[api], "update" if step == 1 else "known", current)

    return make


async def call(http: aiohttp.ClientSession, proxy: Proxy, ask: Ask) -> Sample:
    """One call; StaleError if TSLP injected anything but the current text."""
    began = time.perf_counter()
    async with http.post(proxy.base + ask.path, data=ask.body) as response:
        first, parts = 0.0, []
        async for chunk in response.content.iter_any():
            first = first or time.perf_counter()
            parts.append(chunk)
        ended = time.perf_counter()
        raw = b"".join(parts)
        if response.status != 200:
            raise RuntimeError(f"{proxy.name}: {response.status} {raw[:500]!r}")
    if proxy.face == "tslp":
        seen = _SEEN.findall(raw)
        if not seen or seen[0].decode() != ask.current:
            raise StaleError(f"{proxy.name}: {ask.body[-300:]!r} was shown {seen}, current is {ask.current}")
    return Sample(ask.kind, (first - began) * 1000, (ended - began) * 1000)


def session() -> aiohttp.ClientSession:
    """A client with connections that stay open."""
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json", "x-tslp-workspace": WORKSPACE}
    timeout = aiohttp.ClientTimeout(total=300)
    return aiohttp.ClientSession(
        headers=headers, timeout=timeout, connector=aiohttp.TCPConnector(limit=0), read_bufsize=2**20
    )


async def burst(proxy: Proxy, streams: Iterable[Callable[[int], Ask]], numbers: range, over_s: float) -> list[Sample]:
    """Every stream sends its requests of those numbers. They begin one after the other, spread over so many seconds."""
    out: list[Sample] = []
    prepared = [[make(n) for n in numbers] for make in streams]

    async def one(http: aiohttp.ClientSession, mine: list[Ask], offset: float) -> None:
        await asyncio.sleep(offset)
        for ask in mine:
            out.append(await call(http, proxy, ask))

    async with session() as http:
        await asyncio.gather(*(one(http, mine, n * over_s / len(prepared)) for n, mine in enumerate(prepared)))
    return out


def run(proxy: Proxy, streams: Iterable[Callable[[int], Ask]], numbers: range, over_s: float = 0.3) -> list[Sample]:
    """`burst`, from outside an event loop."""
    try:
        return uvloop.run(burst(proxy, streams, numbers, over_s))
    except aiohttp.ClientError as error:
        status = proxy.process.poll()
        raise RuntimeError(f"{proxy.name} (exit status {status}): {error!r}\n{proxy.log()}") from error
