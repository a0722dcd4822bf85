"""A gateway as the relay's clients see it: one completion call, by the standard library alone, soon given up."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

CONNECT_S, ANSWER_S = 1.0, 10.0
"""How long a gateway may take to be reached, and to answer: a prompt waits for it."""
RELAY = "tslp-relay"
DEFAULT_URL = "http://localhost:4000"
OK = 200


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

    def _ask(self, method: str, path: str, client: str, body: bytes | None = None) -> Any:
        where = urlsplit(self.url)
        made = http.client.HTTPSConnection if where.scheme == "https" else http.client.HTTPConnection
        headers = {"Content-Type": "application/json", "User-Agent": client}
        headers |= {"Authorization": f"Bearer {self.key}"} if self.key else {}
        headers |= {"x-tslp-workspace": self.workspace} if self.workspace else {}
        try:
            connection = made(where.hostname or "", where.port, timeout=CONNECT_S)
            connection.connect()
            connection.sock.settimeout(ANSWER_S)
            connection.request(method, where.path.rstrip("/") + path, body, headers)
            answer = connection.getresponse()
            said = answer.read()
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise UnansweredError(f"no gateway answers at {self.url} ({type(error).__name__})") from None
        if answer.status != OK:
            raise RefusedError(
                f"the gateway at {self.url} answers HTTP {answer.status}: {said[:300].decode(errors='replace')}"
            )
        try:
            return json.loads(said)
        except ValueError:
            raise RefusedError(f"the gateway at {self.url} does not answer as LiteLLM does") from None
