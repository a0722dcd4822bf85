"""The processes of a run: the scripted model, and proxies that differ in one thing each."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import yaml

from tslp_litellm.cli.gateway import OFFLINE

KEY = "sk-benchmark-" + "0123456789" * 3
ROOT = Path(__file__).parent.parent
HEADROOM = "headroom-ai[proxy]==0.42.0"
READY_WITHIN_S = 180.0
KEEP_ALIVE_S = 600
"""Connections are reused by every client here; one that closes while it is used would be a failure."""
WINDOW = 131_072


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


class Process:
    """A server; `with` starts it and ends it."""

    def __init__(self, name: str, command: list[str], health: str, folder: Path, environment: dict[str, str]) -> None:
        self.name, self.command, self.folder, self.environment = name, command, folder, environment
        self.health = health

    def __enter__(self) -> Process:
        self._log = (self.folder / f"{self.name}.log").open("ab")
        self.process = subprocess.Popen(
            self.command, cwd=self.folder, env=self.environment, stdout=self._log, stderr=subprocess.STDOUT
        )
        deadline = time.monotonic() + READY_WITHIN_S
        while self.process.poll() is None and time.monotonic() < deadline:
            with contextlib.suppress(httpx.HTTPError):
                if httpx.get(self.health, timeout=2, trust_env=False).status_code < 500:
                    return self
            time.sleep(0.2)
        raise RuntimeError(f"{self.name} did not come up: {self.log()}")

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._log.close()

    def log(self) -> str:
        """The end of what it printed."""
        return (self.folder / f"{self.name}.log").read_text(errors="replace")[-3000:]

    def memory(self) -> dict[str, float]:
        """Memory of all its processes together, in MB. `pss`: a page that several share counts once; `rss`: each
        time."""
        root = psutil.Process(self.process.pid)
        found = {"rss": 0.0, "pss": 0.0, "processes": 0.0}
        for process in (root, *root.children(recursive=True)):
            with contextlib.suppress(psutil.NoSuchProcess):
                info = process.memory_full_info()
                found["rss"] += info.rss / 1e6
                found["pss"] += info.pss / 1e6
                found["processes"] += 1
        return found

    def cpu(self) -> float:
        """Seconds of CPU used so far, by all its processes: those that it has, and those that have ended."""
        root = psutil.Process(self.process.pid)
        used = 0.0
        for process in (root, *root.children(recursive=True)):
            with contextlib.suppress(psutil.NoSuchProcess):
                times = process.cpu_times()
                used += times.user + times.system + times.children_user + times.children_system
        return used


def environment(**more: str) -> dict[str, str]:
    """An environment that depends on nobody's settings."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("LITELLM", "TSLP", "HEADROOM"))}
    return {**clean, **OFFLINE, "NO_COLOR": "1", "PYTHONPATH": str(ROOT), **more}


def upstream(folder: Path) -> tuple[Process, str]:
    """The scripted model, and its base URL."""
    port = free_port()
    base = f"http://127.0.0.1:{port}/v1"
    command = [sys.executable, "-m", "benchmarks.upstream", str(port)]
    return Process("upstream", command, f"{base}/models", folder, environment()), base


class Proxy(Process):
    """LiteLLM, bare or with one thing added: `noop`, `headroom`, `tslp`. `window`: tokens that its models read;
    `settings`: TSLP's, beside its database."""

    def __init__(
        self,
        name: str,
        face: str,
        upstream_base: str,
        models: list[str],
        folder: Path,
        *,
        database: Path | None = None,
        sidecar: str = "",
        probe: bool = False,
        window: int = WINDOW,
        settings: dict[str, Any] | None = None,
    ) -> None:
        self.face, self.port = face, free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        home = folder / name
        home.mkdir(parents=True)
        shutil.copy(Path(__file__).with_name("hooks.py"), home / "bench_hooks.py")
        self.database = database or home / "tslp.db"
        config: dict[str, Any] = {
            "model_list": [
                {
                    "model_name": m,
                    "litellm_params": {"model": f"lm_studio/{m}", "api_base": upstream_base, "api_key": "sk-none"},
                    "model_info": {"max_input_tokens": window},
                }
                for m in models
            ],
            "router_settings": {"num_retries": 0, "disable_cooldowns": True},
            "general_settings": {"master_key": KEY},
        }
        callbacks = ["bench_hooks.probe"] if probe else []
        guardrail: dict[str, Any] | None = None
        if face == "tslp":
            callbacks.append("tslp_litellm.proxy_handler_instance")
            config["tslp"] = {"database_url": f"sqlite:///{self.database}", **(settings or {})}
        elif face == "noop":
            guardrail = {"guardrail": "bench_hooks.NoOp", "mode": ["pre_call", "post_call"]}
        elif face == "headroom":
            guardrail = {"guardrail": "headroom", "mode": "pre_call", "api_base": sidecar}
        if guardrail:
            config["guardrails"] = [{"guardrail_name": face, "litellm_params": {**guardrail, "default_on": True}}]
        if callbacks:
            config["litellm_settings"] = {"callbacks": callbacks}
        (home / "config.yaml").write_text(yaml.safe_dump(config))
        litellm = str(Path(sys.executable).with_name("litellm"))
        command = [litellm, "--config", str(home / "config.yaml"), "--port", str(self.port), "--host", "127.0.0.1"]
        command += ["--keepalive_timeout", str(KEEP_ALIVE_S)]
        super().__init__(name, command, f"{self.base}/health/liveliness", home, environment())

    def headers(self) -> dict[str, str]:
        """What a client sends with each call."""
        return {"Authorization": f"Bearer {KEY}"}

    def stalls(self) -> list[float]:
        """Latenesses of its event loop since the last call, in ms."""
        found: list[float] = httpx.get(f"{self.base}/bench/stalls", timeout=30, trust_env=False).json()
        return found


def installed_headroom() -> Path | None:
    """Headroom's command, from the package index in an environment of its own; None, and said why, where it can't be
    had."""
    uv = shutil.which("uv") or str(Path(sys.executable).with_name("uv"))
    cache = Path(tempfile.gettempdir()) / "tslp-benchmark-headroom"
    command = cache / "bin" / "headroom"
    try:
        if not command.exists():
            subprocess.run([uv, "venv", "-q", "--python", sys.executable, str(cache)], check=True)
            install = [uv, "pip", "install", "-q", "--python", str(cache / "bin" / "python"), HEADROOM]
            subprocess.run(install, check=True, env={**os.environ, "UV_SYSTEM_CERTS": "1", "UV_NATIVE_TLS": "1"})
    except (subprocess.CalledProcessError, OSError) as error:
        print(f"headroom is left out: {error}")
        return None
    return command


@contextlib.contextmanager
def headroom(folder: Path) -> Iterator[str | None]:
    """The base URL of Headroom's own service; None where it can't be had."""
    home, port, command = folder / "headroom", free_port(), installed_headroom()
    home.mkdir()
    base: str | None = f"http://127.0.0.1:{port}"
    with contextlib.ExitStack() as stack:
        try:
            if command is None:
                base = None
            else:
                started = [str(command), "proxy", "--port", str(port), "--host", "127.0.0.1", "--no-telemetry"]
                where = environment(HOME=str(home))
                stack.enter_context(Process("service", started, f"{base}/health", home, where))
        except (OSError, RuntimeError) as error:
            print(f"headroom is left out: {error}")
            base = None
        yield base


def versions() -> dict[str, str]:
    """What was measured with, and on."""
    import platform  # noqa: PLC0415
    import sqlite3  # noqa: PLC0415
    from importlib import metadata  # noqa: PLC0415

    names = ("tslp-litellm", "litellm", "tree-sitter", "sqlalchemy", "uvicorn", "fastapi")
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout
    found = {name: metadata.version(name) for name in names}
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    cpu = next((line.split(":")[1].strip() for line in lines if "model name" in line), platform.processor())
    python = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    return {
        "machine": f"{psutil.cpu_count()} × {cpu}, {psutil.virtual_memory().total / 2**30:.0f} GB",
        "system": f"{platform.system()} {platform.release()}, {python}",
        "commit": commit.strip(),
        **found,
        "headroom-ai": HEADROOM.rpartition("=")[2],
    }
