"""What a client's session has said through its hooks so far: a hook is told the latest alone, and a conversation is the
requests that share a growing message list (SEMANTICS 1).

One file a session, for its owner's eyes, under `$XDG_STATE_HOME/tslp/hooks`; hooks that run at once take turns. The
oldest messages go first: what they showed has long been judged. The client's own answers are not told to hooks, so a
word of ours stands for each, which no other conversation has.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

from tslp_litellm.reach.forms import Event

MESSAGES_MAX, CHARS_MAX = 64, 200_000
UNUSED_MAX_S = 14 * 24 * 3600.0
Message = dict[str, Any]


def folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where sessions are kept."""
    base = environment.get("XDG_STATE_HOME") or str(Path(environment.get("HOME") or Path.home()) / ".local" / "state")
    return Path(base) / "tslp" / "hooks"


@contextlib.contextmanager
def opened(where: Path, name: str) -> Iterator[Session]:
    """A session, for one hook at a time. What it said is kept even if nobody answered it."""
    where.mkdir(parents=True, exist_ok=True, mode=0o700)
    key = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    file = where / f"{key}.json"
    fresh = not file.exists()
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


def _read(stream: TextIO) -> dict[str, Any]:
    try:
        found = json.load(stream)
    except ValueError:  # new, or its writer was ended
        return {}
    return found if isinstance(found, dict) else {}


def _forget_old(where: Path) -> None:
    for file in where.glob("*.json"):
        with contextlib.suppress(OSError):
            if time.time() - file.stat().st_mtime > UNUSED_MAX_S:
                file.unlink()


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
