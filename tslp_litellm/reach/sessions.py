"""What a client's session has said through its hooks so far: a hook is told the latest alone, and a conversation is the
requests that share a growing message list (SEMANTICS 1).

One file a session, for its owner's eyes, under `$XDG_STATE_HOME/tslp/hooks`; hooks that run at once take turns. The
oldest messages go first: what they showed has long been judged. The client's own answers are not told to hooks, so a
word of ours stands for each, which no other conversation has. Paths are texts here: `pathlib` costs
a tenth of a hook's time.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import time
from collections.abc import Iterator, Mapping
from typing import Any, TextIO

from tslp_litellm.reach.forms import Event

MESSAGES_MAX, CHARS_MAX = 64, 200_000
KEY_MAX_CHARS = 64
UNUSED_MAX_S = 14 * 24 * 3600.0
Message = dict[str, Any]


def folder(environment: Mapping[str, str] = os.environ) -> str:
    """Where sessions are kept."""
    home = environment.get("HOME") or os.path.expanduser("~")
    return os.path.join(environment.get("XDG_STATE_HOME") or os.path.join(home, ".local", "state"), "tslp", "hooks")


@contextlib.contextmanager
def opened(where: str, client: str, session_id: str) -> Iterator[Session]:
    """A session of a client, for one hook at a time. What it said is kept even if nobody answered it."""
    os.makedirs(where, exist_ok=True, mode=0o700)
    key = _key(client, session_id)
    file = os.path.join(where, f"{key}.json")
    fresh = not os.path.exists(file)
    with os.fdopen(os.open(file, os.O_RDWR | os.O_CREAT, 0o600), "r+", encoding="utf-8") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        session = Session(key, _read(stream))
        try:
            yield session
        finally:
            stream.seek(0)
            stream.truncate()
            json.dump({"turns": session.turns, "messages": session.kept()}, stream)
    if fresh:
        _forget_old(where)


def _key(client: str, session: str) -> str:
    """A name for a session's file: what clients use, UUIDs, as they are, and a digest of anything else."""
    if session.isascii() and session.replace("-", "").isalnum() and len(session) <= KEY_MAX_CHARS:
        return f"{client}-{session}"
    import hashlib  # noqa: PLC0415 - it loads OpenSSL

    return hashlib.sha256(f"{client}\0{session}".encode("utf-8", "surrogatepass")).hexdigest()


def _read(stream: TextIO) -> dict[str, Any]:
    try:
        found = json.load(stream)
    except ValueError:  # new, or its writer was ended
        return {}
    return found if isinstance(found, dict) else {}


def _forget_old(where: str) -> None:
    for file in os.scandir(where):
        with contextlib.suppress(OSError):
            if file.name.endswith(".json") and time.time() - file.stat().st_mtime > UNUSED_MAX_S:
                os.unlink(file)


class Session:
    """The messages of a session, in the form of a chat completion."""

    def __init__(self, key: str, found: Mapping[str, Any]) -> None:
        self._key, self.turns = key, int(found.get("turns") or 0)
        self.messages: list[Message] = list(found.get("messages") or ())

    def said(self, event: Event) -> list[Message]:
        """One more event; all messages up to it."""
        if event.is_prompt:
            if self.messages and self.messages[-1]["role"] != "assistant":
                self.told("")
            self.turns += 1
        self.messages += event.messages
        return self.messages

    def told(self, stands: str) -> None:
        """What was put in front of the prompt stands in the conversation from now on."""
        self.messages.append({"role": "assistant", "content": stands or f"(answer {self.turns} in {self._key})"})

    def kept(self) -> list[Message]:
        """The newest messages within the bounds, at least the last three; a result goes with its call."""
        chars, kept = 0, list[Message]()
        for message in reversed(self.messages):
            chars += len(json.dumps(message))
            if len(kept) >= 3 and (len(kept) >= MESSAGES_MAX or chars > CHARS_MAX):
                break
            kept.insert(0, message)
        while kept and kept[0]["role"] == "tool":
            kept.pop(0)
        return kept
