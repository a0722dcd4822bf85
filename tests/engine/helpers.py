"""A conversation with an engine: what a client would send and a model answer, without HTTP."""

from __future__ import annotations

import hashlib
import itertools
import json
from typing import Any

from tslp_litellm.clients.frames import working_directory
from tslp_litellm.engine import Engine, Episode, Question, Request
from tslp_litellm.resolution.trust import Trust
from tslp_litellm.settings import Settings
from tslp_litellm.store import queries
from tslp_litellm.store.database import Database
from tslp_litellm.store.reading import WorkspaceReader
from tslp_litellm.wire.extent import bytes_max
from tslp_litellm.wire.openai_chat import OpenAIChat
from tslp_litellm.wire.turn import Answer

CHAT = OpenAIChat()


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Session:
    """One client in one workspace; it resends its whole history."""

    def __init__(
        self,
        engine: Engine,
        database: Database,
        workspace: str = "w",
        tools: tuple[str, ...] = (),
        limit: int | None = None,
        tenant: str = "local",
    ) -> None:
        self.engine, self.database, self.workspace, self.tools = engine, database, workspace, tools
        self.tenant = tenant
        self.messages: list[dict[str, Any]] = []
        self.sent: list[dict[str, Any]] = []
        self.episode: Episode | None = None
        self.questions: list[Question] = []
        self.window: int | None = limit
        self.fits = limit is not None  # requests are made to fit into the window
        self.trust, self.who = Trust.PROOF, dict[str, str]()

    def forget(self) -> Session:
        self.messages = []
        return self

    def ask(
        self,
        user: str | None,
        answer: str | None = "ok",
        calls: dict[str, dict[str, Any]] | None = None,
        finish: str = "stop",
        results: dict[str, str] | None = None,
    ) -> Session:
        """One request and its answer. `calls`: id -> {name, arguments}; `results`: id -> text, sent before `user`."""
        for call_id, text in (results or {}).items():
            self.messages.append({"role": "tool", "tool_call_id": call_id, "content": text})
        if user is not None:
            self.messages.append({"role": "user", "content": user})
        said: dict[str, Any] = {"role": "assistant", "content": answer}
        if calls:
            said["tool_calls"] = [
                {"id": i, "type": "function", "function": {"name": c["name"], "arguments": json.dumps(c["arguments"])}}
                for i, c in calls.items()
            ]
        self.request(self.messages, CHAT.whole({"choices": [{"message": said, "finish_reason": finish}]}))
        self.messages.append(said)
        return self

    def request(self, messages: list[dict[str, Any]], answer: Answer | None) -> Episode:
        data: dict[str, Any] = {
            "messages": list(messages),
            "tools": [{"type": "function", "function": {"name": t}} for t in self.tools],
        }
        turn = CHAT.parse(data)
        root = working_directory(turn)
        size = bytes_max(data) if self.fits else None
        episode = self.engine.preflight(
            Request(
                self.tenant, self.workspace, "acompletion", "m", turn, self.window, root=root, tools=data["tools"],
                trust=self.trust, who=self.who, size=size, extent=lambda: CHAT.extent(data, turn),
            )
        )  # fmt: skip
        if episode.changes:
            CHAT.leave_out(data, episode.changes)
        for message, text in episode.stays.items():
            CHAT.insert(data, message, text)
        if episode.preface and episode.prompt_message is not None:
            CHAT.insert(data, episode.prompt_message, episode.preface)
        self.sent, self.episode = data["messages"], episode
        if answer is not None:
            self.questions = self.engine.record(episode, answer)
        return episode

    def audit(self, question: Question, reply: str | None, fault: str | None = None) -> str:
        """What a reply does; a bare word stands for a well-formed one."""
        said = reply
        if reply is not None and reply.isalpha():
            said = json.dumps({"entity": question.entity, "status": reply})
        return str(self.engine.auditing.visit(question, said, "auditor", fault))

    def events(self, kind: str) -> list[dict[str, Any]]:
        """The bodies of the workspace's Ledger events of a kind, oldest first."""
        with self.database.reading() as connection:
            store = WorkspaceReader(connection, "local", self.workspace)
            return [entry.content() for entry in store.entries_after(0) if entry.kind == kind]

    @property
    def hydrated(self) -> list[str]:
        assert self.episode is not None
        return list(self.episode.hydrated)

    @property
    def prompt(self) -> str:
        """The last user message as it reached the model."""
        return str([m for m in self.sent if m["role"] == "user"][-1]["content"])

    def state(self) -> dict[str, str]:
        """Entity -> artifact, DIRTY ones marked."""
        with self.database.reading() as connection:
            rows = queries.state(connection, "local", self.workspace)["entities"]
        return {r["entity"]: r["artifact"] if r["freshness"] == "CLEAN" else "DIRTY" for r in rows}

    def recent(self) -> list[dict[str, Any]]:
        with self.database.reading() as connection:
            return list(queries.recent(connection, "local", self.workspace, 50)["episodes"])

    def holds(self, path: str, text: str) -> bool:
        return self.state().get(path) == sha(text)


def make_engine(database: Database, new_ids: str = "id", **settings: Any) -> Engine:
    ticks, ids = itertools.count(), itertools.count()
    return Engine(
        database,
        Settings(**settings),
        now=lambda: f"2026-01-01T00:00:{next(ticks) // 1000:02}.{next(ticks) % 1000:03}Z",
        new_id=lambda: f"{new_ids}-{next(ids)}",
        count_tokens=lambda text: len(text) // 4,
    )
