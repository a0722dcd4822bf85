"""A real `litellm --config` process in front of the scripted model, and clients for its three endpoints."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import yaml

from tslp_litellm.cli.gateway import OFFLINE

KEY = "sk-end-to-end-" + "0123456789" * 3
ENDPOINTS = {"chat": "/v1/chat/completions", "messages": "/v1/messages", "responses": "/v1/responses"}
READY_WITHIN_S = 300


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


class Gateway:
    """Start it with `with`. `face`: callback, guardrail, both or none. `general`: more of LiteLLM's `general_settings`."""

    ready_within_s = READY_WITHIN_S

    def __init__(
        self,
        folder: Path,
        upstream_port: int,
        *,
        face: str = "callback",
        settings: dict[str, Any] | None = None,
        environment: dict[str, str] | None = None,
        litellm: Path | None = None,
        general: dict[str, Any] | None = None,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.port = folder, free_port()
        self.database = folder / "tslp.db"
        base = f"http://127.0.0.1:{upstream_port}"
        backends = {
            "openai": ("openai/coder", f"{base}/v1"),
            "ollama": ("ollama_chat/coder", base),
            "anthropic": ("anthropic/coder", base),
        }
        tslp = {"database_url": f"sqlite:///{self.database}", "debug": True, "audit": False, **(settings or {})}
        config: dict[str, Any] = {
            "model_list": [
                {"model_name": name, "litellm_params": {"model": model, "api_base": url, "api_key": "sk-none"}}
                for name, (model, url) in backends.items()
            ],
            "router_settings": {"num_retries": 0, "disable_cooldowns": True},
            "general_settings": {"master_key": KEY, **(general or {})},
        }
        if face in ("callback", "both"):
            config["litellm_settings"] = {"callbacks": ["tslp_litellm.proxy_handler_instance"]}
            config["tslp"] = tslp
        if face in ("guardrail", "both"):
            parameters = {
                "guardrail": "tslp_litellm.TSLPGuardrail",
                "mode": ["pre_call", "post_call"],
                "default_on": True,
                **tslp,
            }
            config["guardrails"] = [{"guardrail_name": "tslp", "litellm_params": parameters}]
        self.config = folder / "config.yaml"
        self.config.write_text(yaml.safe_dump(config))
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("LITELLM", "TSLP"))}
        self.environment = {**clean, **OFFLINE, "NO_COLOR": "1", **(environment or {})}
        self.command = litellm or Path(sys.executable).with_name("litellm")
        self.http = httpx.Client(
            base_url=f"http://127.0.0.1:{self.port}",
            headers={"Authorization": f"Bearer {KEY}"},
            timeout=60,
            trust_env=False,
        )

    def __enter__(self) -> Gateway:
        self.start()
        assert self.wait_until_ready(), self.log()
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()
        self.stop()

    def start(self) -> None:
        self._log = (self.folder / "log").open("ab")
        self.process = subprocess.Popen(
            [str(self.command), "--config", str(self.config), "--port", str(self.port), "--host", "127.0.0.1"],
            cwd=self.folder,
            env=self.environment,
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._log.close()

    def wait_until_ready(self) -> bool:
        deadline = time.monotonic() + self.ready_within_s
        while self.process.poll() is None and time.monotonic() < deadline:
            with contextlib.suppress(httpx.HTTPError):
                if self.http.get("/health/liveliness").status_code == 200:
                    return True
            time.sleep(0.1)
        return False

    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")[-6000:]

    # -- a client

    def ask(
        self,
        endpoint: str,
        model: str,
        messages: list[dict[str, Any]],
        *,
        stream: bool,
        headers: dict[str, str] | None = None,
        **body: Any,
    ) -> tuple[int, str]:
        """Status and the answer's text, whatever the API. All that came stands in `last`, for who finds no text in it."""
        sent: dict[str, Any] = {"model": model, "stream": stream, **body}
        sent |= {"input": messages} if endpoint == "responses" else {"messages": messages}
        sent |= {"max_tokens": 4096} if endpoint == "messages" else {}
        answer = self.http.post(ENDPOINTS[endpoint], json=sent, headers=headers)
        self.last = answer.text
        if answer.status_code != 200:
            return answer.status_code, answer.text
        return 200, streamed_text(endpoint, answer.text) if stream else whole_text(endpoint, answer.json())

    def state(self, workspace: str) -> dict[str, str]:
        answer = self.http.get("/tslp/state", headers={"x-tslp-workspace": workspace})
        answer.raise_for_status()
        return {e["entity"]: e["artifact"] for e in answer.json()["entities"]}

    def episodes(self, workspace: str) -> list[dict[str, Any]]:
        answer = self.http.get("/tslp/recent", params={"workspace": workspace, "limit": 50})
        answer.raise_for_status()
        return list(answer.json()["episodes"])

    def settled(self, workspace: str, episodes: int) -> dict[str, str]:
        """The state once that many episodes are listed."""
        deadline = time.monotonic() + 120
        while len(self.episodes(workspace)) < episodes and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(self.episodes(workspace)) == episodes
        return self.state(workspace)


def streamed_text(endpoint: str, raw: str) -> str:
    events = [
        json.loads(line[5:]) for line in raw.splitlines() if line.startswith("data:") and line[5:].strip() != "[DONE]"
    ]
    if endpoint == "chat":
        return "".join((c["delta"].get("content") or "") for e in events for c in e.get("choices") or [])
    if endpoint == "messages":
        return "".join(e["delta"].get("text", "") for e in events if e["type"] == "content_block_delta")
    return "".join(e["delta"] for e in events if e["type"] == "response.output_text.delta")


def whole_text(endpoint: str, body: dict[str, Any]) -> str:
    if endpoint == "chat":
        return str(body["choices"][0]["message"]["content"])
    if endpoint == "messages":
        return "".join(b.get("text", "") for b in body["content"])
    return "".join(p["text"] for item in body["output"] if item["type"] == "message" for p in item["content"])
