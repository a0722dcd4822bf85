"""A workspace with so many entities, made the way they come: by the user's showing files."""

from __future__ import annotations

from pathlib import Path

from benchmarks.workloads import FUNCTIONS_A_FILE, ROOT, module, path_of, read_of
from tslp_litellm.engine import Engine, Request
from tslp_litellm.gateway.runtime import new_id, now
from tslp_litellm.settings import Settings
from tslp_litellm.state.names import WorkspaceKey
from tslp_litellm.store.database import Database
from tslp_litellm.wire.openai_chat import OpenAIChat

FILES_A_REQUEST = 40
CHAT = OpenAIChat()


def engine_on(database: Database) -> Engine:
    """An engine without a proxy."""
    return Engine(database, Settings(), now=now, new_id=new_id, count_tokens=lambda text: len(text) // 4)


def reads(numbers: range) -> list[dict[str, object]]:
    """Messages in which a client reads files."""
    messages: list[dict[str, object]] = [{"role": "system", "content": f"Working directory: {ROOT}"}]
    messages.append({"role": "user", "content": f"Read modules {numbers.start} to {numbers.stop}."})
    for n in numbers:
        call = {"name": "Read", "arguments": f'{{"file_path": "{ROOT}/{path_of(n)}"}}'}
        calls = [{"id": f"seed_{n}", "type": "function", "function": call}]
        messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        messages.append({"role": "tool", "tool_call_id": f"seed_{n}", "content": read_of(module(n))})
    return messages


def seed(path: Path, workspace: str, entities: int) -> None:
    """A database file with that many entities in a workspace (files count as entities too)."""
    database = Database(f"sqlite:///{path}")
    database.migrate()
    engine = engine_on(database)
    files = max(1, entities // (FUNCTIONS_A_FILE + 1))
    for start in range(0, files, FILES_A_REQUEST):
        body = {"messages": reads(range(start, min(files, start + FILES_A_REQUEST)))}
        engine.preflight(Request("local", workspace, "acompletion", "m", CHAT.parse(body)))
    while engine.bring_up(WorkspaceKey("local", workspace)):  # else the proxies read it behind what is measured
        pass
    database.close()
