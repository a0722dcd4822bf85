"""A gateway as the relay's clients see it: one completion call, by the standard library alone, soon given up.

The few lines of HTTP are spoken here: `http.client` brings the library's e-mail and TLS, half of the time that a hook
takes.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import urlencode, urlsplit

CONNECT_S, ANSWER_S = 1.0, 10.0
"""How long a gateway may take to be reached, and to answer: a prompt waits for it."""
RELAY = "tslp-relay"
DEFAULT_URL = "http://localhost:4000"
OK = 200
LINE_MAX_BYTES = 65_536


class UnansweredError(Exception):
    """No gateway answers there."""


class RefusedError(Exception):
    """A gateway that answers, but not with what was asked for; the text says what to set right."""


class Gateway(NamedTuple):
    """Where it is, the key, and the workspace that a header names; without one, the folder that the client states."""

    url: str = DEFAULT_URL
    key: str | None = None
    workspace: str | None = None

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Gateway:
        """From TSLP_URL, TSLP_KEY (else LITELLM_MASTER_KEY) and TSLP_WORKSPACE."""
        key = environment.get("TSLP_KEY") or environment.get("LITELLM_MASTER_KEY")
        return cls(environment.get("TSLP_URL") or DEFAULT_URL, key, environment.get("TSLP_WORKSPACE") or None)

    def relay(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[str], client: str) -> str:
        """What would stand in front of the last user message; one completion call. `tools`: the client's, that edit."""
        offered = [{"type": "function", "function": {"name": name, "parameters": {"type": "object"}}} for name in tools]
        body = {"model": RELAY, "messages": list(messages), **({"tools": offered} if offered else {})}
        found = self._ask("POST", "/v1/chat/completions", client, json.dumps(body).encode())
        try:
            return str(found["choices"][0]["message"]["content"] or "")
        except (KeyError, IndexError, TypeError):
            raise RefusedError(f"the gateway at {self.url} does not answer as LiteLLM does") from None

    def get(self, path: str, client: str, **query: str) -> Any:
        """What a diagnostic endpoint says."""
        return self._ask("GET", f"/tslp/{path}?{urlencode(query)}", client)

    def _ask(self, method: str, path: str, client: str, body: bytes = b"") -> Any:
        headers = {"Content-Type": "application/json", "User-Agent": client}
        headers |= {"Authorization": f"Bearer {self.key}"} if self.key else {}
        headers |= {"x-tslp-workspace": self.workspace} if self.workspace else {}
        try:
            status, said = exchange(method, self.url.rstrip("/") + path, headers, body)
        except (OSError, ValueError, IndexError) as error:
            raise UnansweredError(f"no gateway answers at {self.url} ({type(error).__name__})") from None
        if status != OK:
            raise RefusedError(
                f"the gateway at {self.url} answers HTTP {status}: {said[:300].decode(errors='replace')}"
            )
        try:
            return json.loads(said)
        except ValueError:
            raise RefusedError(f"the gateway at {self.url} does not answer as LiteLLM does") from None


def exchange(method: str, url: str, headers: Mapping[str, str], body: bytes = b"") -> tuple[int, bytes]:
    """One request on a connection of its own; the answer's status and body. OSError, ValueError or IndexError where
    nobody is there, or who is there speaks no HTTP."""
    where = urlsplit(url)
    target = where.path + (f"?{where.query}" if where.query else "")
    sent = {"Host": where.netloc.rpartition("@")[2], "Connection": "close", "Content-Length": str(len(body)), **headers}
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items())]
    if any(len(line.splitlines()) > 1 for line in lines):
        raise ValueError("a header of several lines")
    with _connected(where.scheme == "https", where.hostname or "", where.port) as stream:
        stream.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
        with stream.makefile("rb") as answer:
            return _read(answer)


def _connected(secure: bool, host: str, port: int | None) -> socket.socket:
    # Bytes: of a text, Python loads the tables of international names even where it is plain ASCII.
    name: Any = host.encode("ascii" if host.isascii() else "idna")
    plain = socket.create_connection((name, port or (443 if secure else 80)), CONNECT_S)
    try:
        if secure:
            import ssl  # noqa: PLC0415 - most gateways are on this machine, and have none

            plain = ssl.create_default_context().wrap_socket(plain, server_hostname=host)
        plain.settimeout(ANSWER_S)
    except BaseException:
        plain.close()
        raise
    return plain


def _read(answer: BinaryIO) -> tuple[int, bytes]:
    """Status and body of an HTTP/1.1 answer."""
    status, headers = int(answer.readline(LINE_MAX_BYTES).split(None, 2)[1]), dict[bytes, bytes]()
    while line := answer.readline(LINE_MAX_BYTES).strip():
        name, _, value = line.partition(b":")
        headers[name.lower()] = value.strip().lower()
    if headers.get(b"transfer-encoding") == b"chunked":
        return status, b"".join(_chunks(answer))
    length = int(headers.get(b"content-length", b"-1"))
    return status, _exactly(answer, length) if length >= 0 else answer.read()


def _chunks(answer: BinaryIO) -> Iterator[bytes]:
    while size := int(answer.readline(LINE_MAX_BYTES).partition(b";")[0], 16):
        yield _exactly(answer, size)
        answer.readline(LINE_MAX_BYTES)


def _exactly(answer: BinaryIO, size: int) -> bytes:
    found = answer.read(size)
    if len(found) < size:
        raise ConnectionError("the answer broke off")
    return found
