"""The relay: what would stand in front of a prompt, by the ordinary pipeline, past every upstream."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.reach.payloads import claude_prompt, claude_tool

from .gateway import ENDPOINTS, KEY, Gateway, sha
from .upstream import Upstream

OLD, NEW = "def area_of(r):\n    return 3 * r * r\n", "def area_of(r):\n    return 3.14 * r * r\n"
PROMPT = "What does `area_of` do?"


def shown(text: str) -> str:
    return f"geo.py\n```python\n{text}```\n"


def user(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


@pytest.mark.parametrize("endpoint", ENDPOINTS)
@pytest.mark.parametrize("stream", [True, False])
def test_it_answers_with_what_would_stand_there(
    gateway: Gateway, upstream: Upstream, endpoint: str, stream: bool
) -> None:
    headers = {"x-tslp-workspace": f"relay-{endpoint}-{stream}"}

    def ask(model: str, text: str) -> str:
        status, answer = gateway.ask(endpoint, model, user(text), stream=stream, headers=headers)
        assert status == 200, answer
        return answer

    ask("openai", f"Here is geo.py:\n\n{shown(OLD)}")
    ask("openai", PROMPT)
    assert upstream.prompts()[-1] == (stood := ask("tslp-relay", PROMPT)) + PROMPT
    assert stood.startswith("[CURRENT STATE: AUTHORITATIVE]\nEntity: geo.py::area_of\n")

    crossed = len(upstream.seen)
    assert ask("tslp-relay", f"Now it is so:\n\n{shown(NEW)}") == ""
    assert "3.14" in ask("tslp-relay", PROMPT)
    assert ask("tslp-relay", "What is a good name for a cat?") == ""
    assert len(upstream.seen) == crossed  # none of it reached a model
    assert gateway.settled(headers["x-tslp-workspace"], 6)["geo.py"] == sha(NEW)


def test_it_is_listed_and_keeps_to_what_its_key_says(gateway: Gateway) -> None:
    gateway.ask("chat", "tslp-relay", user("Hello"), stream=False)
    assert "tslp-relay" in {model["id"] for model in gateway.http.get("/v1/models").json()["data"]}
    status, answer = gateway.ask(
        "chat", "tslp-relay", user(f"{shown(OLD)}\n{PROMPT}"), stream=False, headers={"x-tslp-bypass": "true"}
    )
    assert (status, answer) == (200, "")


COMMAND = Path(sys.executable).with_name("tslp")


def environment(gateway: Gateway, folder: Path) -> dict[str, str]:
    return {"PATH": "/usr/bin:/bin", "HOME": str(folder), "TSLP_URL": str(gateway.http.base_url), "TSLP_KEY": KEY}


def test_by_a_hook(gateway: Gateway, tmp_path: Path) -> None:
    def hook(payload: dict[str, Any]) -> str:
        done = subprocess.run(
            [COMMAND, "hook", "claude-code"], input=json.dumps({**payload, "cwd": str(tmp_path)}), text=True,
            env=environment(gateway, tmp_path), capture_output=True, check=True,
        )  # fmt: skip
        assert done.stderr == ""
        return done.stdout

    file = str(tmp_path / "geo.py")
    written = {"type": "create", "filePath": file, "content": NEW, "userModified": False}
    assert hook(claude_prompt("Write geo.py", "one")) == ""
    write = claude_tool("one", "c", "Write", {"file_path": file, "content": NEW}, written)
    assert hook(write) == "", "the model has just written it"
    told = json.loads(hook(claude_prompt(PROMPT, "two")))["hookSpecificOutput"]
    assert told["hookEventName"] == "UserPromptSubmit"
    assert NEW.strip() in told["additionalContext"]
    assert gateway.settled(str(tmp_path), 3)["geo.py"] == sha(NEW)


def test_by_tslp_mcp(gateway: Gateway, tmp_path: Path) -> None:
    (tmp_path / "geo.py").write_text(NEW)
    server = StdioServerParameters(
        command=str(COMMAND), args=["mcp"], env=environment(gateway, tmp_path), cwd=str(tmp_path)
    )

    async def talk() -> list[str]:
        said = []
        async with Client(stdio_client(server)) as client:
            for tool, arguments in CALLS:
                answer = await client.call_tool(tool, arguments)
                said.append(answer.content[0].text)  # type: ignore[union-attr]
                assert not answer.is_error, said
        return said

    reported, current, why, uses = anyio.run(talk)
    assert "geo.py is reported" in reported
    assert NEW.strip() in current
    assert why
    assert uses
    assert gateway.settled(str(tmp_path), 2)["geo.py"] == sha(NEW)


def test_by_tslp_import(gateway: Gateway, tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "geo.py").write_text(NEW)
    asked = [COMMAND, "import", str(folder)]
    done = subprocess.run(asked, check=True, capture_output=True, text=True, env=environment(gateway, tmp_path))
    assert done.stdout == f"1 files are known in workspace {folder}.\n"
    assert gateway.settled(str(folder), 1)["geo.py"] == sha(NEW)


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("report", {"path": "geo.py"}),
    ("current", {"names": ["geo.py"]}),
    ("why", {"entity": "geo.py::area_of"}),
    ("uses", {"entity": "geo.py::area_of"}),
]
