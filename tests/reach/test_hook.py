"""What hooks tell becomes evidence by the ordinary rules; what they are told; and that they never disturb a client."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.engine.helpers import Session
from tslp_litellm.reach.calls import UnansweredError
from tslp_litellm.reach.forms import CLIENTS
from tslp_litellm.reach.hook import hook, main

from .helpers import Relay
from .payloads import (
    PROMPT,
    WRITE,
    claude_edit,
    claude_failure,
    claude_prompt,
    claude_read,
    claude_shell,
    codex_patch_by_shell,
    codex_tool,
    gemini_tool,
)

TEXT = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"
NEW = TEXT.replace("return 1", "return 11")
OLD_LINE, NEW_LINE = "    return 1\n", "    return 11\n"
Tell = Callable[..., str]


@pytest.fixture
def relay(session: Session) -> Relay:
    return Relay(session=session)


@pytest.fixture
def tell(relay: Relay, tmp_path: Path) -> Tell:
    def told(client: str, *payloads: Any) -> str:
        last = [hook(client, payload, relay, tmp_path) for payload in payloads][-1]
        return str(last["hookSpecificOutput"]["additionalContext"]) if last else ""

    return told


def test_an_edit_is_confirmed_and_the_prompts_code_is_told_anew(session: Session, tell: Tell) -> None:
    prompt, write = claude_prompt("Let `one` return 11.", "s"), claude_edit("a.py", OLD_LINE, NEW_LINE, "s", "c2")
    tell("claude-code", WRITE["claude-code"]("a.py", TEXT, "s0", "c1"))
    assert "return 1\n" in tell("claude-code", prompt)
    assert "return 11" in tell("claude-code", write)
    assert session.holds("a.py", NEW)
    assert tell("claude-code", claude_prompt("Is `one` right?", "s")) == ""  # it stands there since the edit


@pytest.mark.parametrize("text", [TEXT, TEXT.rstrip("\n")])
def test_a_whole_read_is_the_file(session: Session, tell: Tell, text: str) -> None:
    tell("claude-code", claude_prompt("Read a.py", "s"), claude_read("a.py", text, "s", "c"))
    assert session.holds("a.py", text)


@pytest.mark.parametrize(
    "event",
    [
        claude_edit("a.py", OLD_LINE, NEW_LINE, "s", "c", modified=True),
        claude_shell("sed -i s/1/11/ a.py", "", "s", "c"),
        codex_tool("s", "c", "Bash", {"command": "sed -i s/1/11/ a.py"}, ""),
        codex_patch_by_shell("*** Begin Patch\n*** Update File: a.py\n@@\n-    return 1\n+    return 3\n*** End Patch\n", "s", "c"),
        claude_failure("python fix.py a.py", "Exit code 1\nTraceback", "s", "c"),
    ],
    ids=["edited by the user", "sed", "sed in Codex", "a patch in Codex's shell", "a failed command"],
)  # fmt: skip
def test_what_may_have_changed_is_dirty(session: Session, tell: Tell, event: dict[str, Any]) -> None:
    client = "codex" if "turn_id" in event else "claude-code"
    tell(client, WRITE[client]("a.py", TEXT, "s", "c0"), event)
    assert session.state()["a.py"] == "DIRTY"


@pytest.mark.parametrize(
    "event",
    [
        claude_read("a.py", "def one():\n    return 1", "s", "c", total=900),
        claude_shell("ls", "a.py\n", "s", "c"),
        gemini_tool(
            "s", "replace", {"file_path": "/repo/a.py", "old_string": "zz", "new_string": "y"},
            {"llmContent": "Failed to edit, 0 occurrences found for old_string in /repo/a.py.",
             "error": {"message": "Failed to edit", "type": "edit_no_occurrence_found"}},
        ),
        {"hook_event_name": "SessionStart", "session_id": "s", "cwd": "/repo", "source": "startup"},
        {"hook_event_name": "UserPromptSubmit", "prompt": 7}, {"hook_event_name": "PostToolUse"}, [], None, "x",
    ],
)  # fmt: skip
def test_what_changes_nothing(session: Session, tell: Tell, event: Any) -> None:
    client = "gemini" if isinstance(event, dict) and event.get("hook_event_name") == "AfterTool" else "claude-code"
    tell(client, WRITE[client]("a.py", TEXT, "s", "c0"))
    assert tell(client, event) == ""
    assert session.holds("a.py", TEXT)


@pytest.mark.parametrize("client", CLIENTS)
def test_an_old_paste_in_a_sessions_history_beats_no_newer_truth(session: Session, tell: Tell, client: str) -> None:
    tell(client, PROMPT[client](f"a.py\n```python\n{TEXT}```\n", "s"))
    tell(client, WRITE[client]("a.py", NEW, "another", "c1"))
    for said in ("Thank you.", "And now?", "Go on."):
        tell(client, PROMPT[client](said, "s"))
    assert session.holds("a.py", NEW)
    tell(client, PROMPT[client](f"a.py\n```python\n{TEXT}```\n", "s"))
    assert session.holds("a.py", TEXT)  # pasted again, it is meant


def test_what_a_session_said_while_no_gateway_answered_is_told_later(
    session: Session, tell: Tell, relay: Relay
) -> None:
    relay.away.append(True)
    with pytest.raises(UnansweredError):
        tell("claude-code", WRITE["claude-code"]("a.py", TEXT, "s", "c"))
    relay.away.clear()
    tell("claude-code", claude_prompt("Go on.", "s"))
    assert session.holds("a.py", TEXT)


@pytest.mark.parametrize("one", ["../../x", "ü" * 300, "a" * 300, "", "\ud800"])
def test_a_session_may_have_any_name(tell: Tell, tmp_path: Path, one: str) -> None:
    tell("claude-code", claude_prompt("Hello.", one))
    tell("claude-code", claude_prompt("Hello.", f"{one}."))
    assert len([*tmp_path.iterdir()]) == 2


def test_a_long_session_stays_small(session: Session, tell: Tell, relay: Relay, tmp_path: Path) -> None:
    for n in range(60):
        tell(
            "claude-code",
            claude_prompt(f"step {n} " + "x" * 9_000, "s"),
            WRITE["claude-code"]("a.py", f"N = {n}\n", "s", f"c{n}"),
        )
    assert session.holds("a.py", "N = 59\n")
    (file,) = tmp_path.iterdir()
    assert file.stat().st_size < 230_000
    assert file.stat().st_mode & 0o077 == 0
    assert all(messages[1]["role"] != "tool" for messages in relay.seen)  # no result without its call


# -- as a command ------------------------------------------------------------------------------------------------------


def ended(capsys: pytest.CaptureFixture[str], stdin: bytes, client: str, **environment: str) -> tuple[int, str, str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(stdin)))
        status = main([client], environment)
    return status, *capsys.readouterr()


PAYLOAD = json.dumps(claude_prompt("What is `one`?", "s")).encode()


@pytest.mark.parametrize("stdin", [PAYLOAD, b"", b"{", b"\xff", b"[" * 100_000])
def test_without_a_gateway_it_is_silent(capsys: pytest.CaptureFixture[str], tmp_path: Path, stdin: bytes) -> None:
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as taken:
        url = f"http://127.0.0.1:{taken.server_port}"
    assert ended(capsys, stdin, "claude-code", TSLP_URL=url, HOME=str(tmp_path)) == (0, "", "")


@pytest.mark.parametrize("url", ["", "nonsense", "http://[", "http://127.0.0.1:99999", "http://127.0.0.1:x"])
def test_without_a_place_to_ask_it_is_silent(capsys: pytest.CaptureFixture[str], tmp_path: Path, url: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tslp_litellm.reach.calls.DEFAULT_URL", "http://127.0.0.1:1")
        assert ended(capsys, PAYLOAD, "claude-code", TSLP_URL=url, HOME=str(tmp_path)) == (0, "", "")


def test_an_unknown_client_is_no_veto(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = ended(capsys, PAYLOAD, "cursor")
    assert (status, out) == (1, "")
    assert "claude-code|codex|gemini" in err


class Answering(BaseHTTPRequestHandler):
    status, body = 200, b""

    def do_POST(self) -> None:
        self.server.seen.append(
            (self.path, dict(self.headers), json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        )  # type: ignore[attr-defined]
        self.send_response(type(self).status)
        self.send_header("Content-Length", str(len(type(self).body)))
        self.end_headers()
        self.wfile.write(type(self).body)

    def log_message(self, *_: object) -> None:
        pass


def answered(status: int, body: bytes, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> tuple[Any, list[Any]]:
    with HTTPServer(("127.0.0.1", 0), type("Handler", (Answering,), {"status": status, "body": body})) as server:
        server.seen = []  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}/"
        result = ended(capsys, PAYLOAD, "codex", TSLP_URL=url, TSLP_KEY="sk-x", TSLP_WORKSPACE="w", HOME=str(tmp_path))
        thread.join(10)
    return result, server.seen  # type: ignore[attr-defined]


def test_what_it_sends_and_prints(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    body = json.dumps({"choices": [{"message": {"content": "[STATE NOTICE]\nx\n[END NOTICE]\n\n"}}]}).encode()
    (status, out, err), seen = answered(200, body, capsys, tmp_path)
    told = {"hookEventName": "UserPromptSubmit", "additionalContext": "[STATE NOTICE]\nx\n[END NOTICE]\n\n"}
    assert (status, json.loads(out), err) == (0, {"hookSpecificOutput": told}, "")
    ((path, headers, sent),) = seen
    assert (path, headers["Authorization"], headers["x-tslp-workspace"]) == ("/v1/chat/completions", "Bearer sk-x", "w")
    assert (sent["model"], sent["messages"][-1]) == ("tslp-relay", {"role": "user", "content": "What is `one`?"})


@pytest.mark.parametrize(
    ("status", "body"), [(401, b'{"error": "no such key"}'), (200, b"<html>"), (200, b"{}"), (200, b"[]")]
)
def test_a_gateway_that_refuses_is_told_of_on_stderr(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, status: int, body: bytes
) -> None:
    (ended_with, out, err), _ = answered(status, body, capsys, tmp_path)
    assert (ended_with, out) == (0, "")
    assert err.startswith("tslp hook: the gateway at ")


SLOW = {"asyncio", "argparse", "dataclasses", "email", "hashlib", "http", "inspect", "logging", "pathlib", "ssl"}


def test_it_loads_few_modules_and_of_the_standard_library_alone(tmp_path: Path, unused_port: int) -> None:
    """It runs at every prompt and every tool call: of what a hook loads in all its work, none takes long."""
    code = (
        "import sys; before = set(sys.modules); sys.argv = ['tslp', 'hook', 'claude-code']\n"
        "import tslp_litellm.command\n"
        "try: tslp_litellm.command.main()\n"
        "except SystemExit: print(*{name.split('.')[0] for name in set(sys.modules) - before})"
    )
    environment = {"TSLP_URL": f"http://127.0.0.1:{unused_port}", "HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], input=PAYLOAD, env=environment, capture_output=True, check=True)
    loaded = set(done.stdout.decode().split())
    assert loaded - set(sys.stdlib_module_names) == {"tslp_litellm"}
    assert not loaded & SLOW
    assert [*(tmp_path / ".local/state/tslp/hooks").iterdir()]  # it did its work
