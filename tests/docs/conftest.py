"""A gateway as the README starts it, in a folder that looks like the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.e2e.gateway import free_port
from tests.e2e.upstream import Upstream

from .pages import ROOT

READY_WITHIN_S = 300
OWN = {".git", ".tslp", "config.yaml", ".venv-newest", "dist", "site"}
"""What the folder does not share with the checkout."""


@dataclass(frozen=True)
class Running:
    folder: Path
    port: int
    environment: dict[str, str]


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkout, with a configuration, a database and a home of its own."""
    folder = tmp_path_factory.mktemp("checkout")
    for entry in ROOT.iterdir():
        if entry.name not in OWN:
            (folder / entry.name).symlink_to(entry)
    shutil.copy(ROOT / "config.yaml", folder)
    (folder / ".home").mkdir()
    return folder


@pytest.fixture(scope="session")
def running(checkout: Path) -> Iterator[Running]:
    """`make run`, and in the place of ollama a server that says "Understood."."""
    scripts = Path(sys.executable).parent
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("LITELLM", "TSLP", "OLLAMA", "MAKE"))}
    environment = {**clean, "PATH": f"{scripts}:{clean['PATH']}", "HOME": str(checkout / ".home"), "NO_COLOR": "1"}
    port = free_port()
    with Upstream() as upstream, (checkout / "gateway.log").open("ab") as log:
        gateway = subprocess.Popen(
            [scripts / "tslp", "run", "--port", str(port)],
            cwd=checkout,
            env={**environment, "OLLAMA_API_BASE": f"http://127.0.0.1:{upstream.port}"},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_for(f"http://127.0.0.1:{port}/health/liveliness", gateway)
            key = (checkout / ".tslp" / "master.key").read_text().strip()
            yield Running(checkout, port, {**environment, "LITELLM_MASTER_KEY": key})
        finally:
            gateway.terminate()
            gateway.wait(60)


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + READY_WITHIN_S
    while process.poll() is None and time.monotonic() < deadline:
        try:
            if httpx.get(url, timeout=2, trust_env=False).status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.2)
    raise AssertionError(f"no gateway at {url}")
