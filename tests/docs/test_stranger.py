"""A stranger's first hour: a fresh clone, an empty HOME, and on PATH git, make, Python and what POSIX brings.

What is committed is played. The packages come from where this machine has them.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.gateway import free_port
from tests.e2e.upstream import Upstream

from .conftest import Running, wait_for
from .pages import ROOT, blocks
from .shell import Shell

ASKED_FOR = ("git", "make")
POSIX = (
    *("bash", "cat", "cp", "dirname", "env", "expr", "grep", "head", "id", "ls", "mkdir", "mv", "rm", "sed", "sh"),
    *("sleep", "sort", "tail", "touch", "tr", "uname", "xargs"),
)
OF_THE_MACHINE = ("PIP_", "UV_", "SSL_CERT_", "REQUESTS_CA_", "LANG", "TMPDIR")
"""Where packages come from and which certificates are trusted: no business of the pages."""
GREETING = ("TSLP is running", "Base URL", "/v1", "Key", ".tslp/master.key", "Status page", "curl -s http://localhost:")
TURNS = 8
GREETS_WITHIN_S = 30


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """That of somebody who has just got this machine."""
    bare = tmp_path_factory.mktemp("bare")
    (bare / "bin").mkdir()
    (bare / "home").mkdir()
    for name in (*ASKED_FOR, *POSIX):
        found = shutil.which(name)
        assert found, f"this machine has no {name}"
        (bare / "bin" / name).symlink_to(found)
    (bare / "bin" / "python3").symlink_to(Path(sys.base_prefix) / "bin" / "python3")
    caches = {"UV_CACHE_DIR": str(Path.home() / ".cache" / "uv"), "PIP_CACHE_DIR": str(Path.home() / ".cache" / "pip")}
    kept = {name: value for name, value in os.environ.items() if name.startswith(OF_THE_MACHINE)}
    return {**caches, **kept, "PATH": str(bare / "bin"), "HOME": str(bare / "home"), "NO_COLOR": "1"}


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> Path:
    folder = tmp_path_factory.mktemp("stranger") / "tslp-litellm"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def gateway(clone: Path, environment: dict[str, str]) -> Iterator[Running]:
    """`make run`, all of its set-up included; in the place of ollama a server that says "Understood."."""
    port = free_port()
    with Upstream() as upstream, (clone.parent / "gateway.log").open("ab") as log:
        made = subprocess.Popen(
            ["make", "run", f"ARGS=--port {port}"],
            cwd=clone,
            env={**environment, "OLLAMA_API_BASE": f"http://127.0.0.1:{upstream.port}"},
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            wait_for(f"http://127.0.0.1:{port}/health/liveliness", made)
            yield Running(clone, port, environment)
        finally:
            os.killpg(made.pid, signal.SIGTERM)
            made.wait(60)


@pytest.mark.slow
def test_make_run_says_what_the_readme_promises(gateway: Running) -> None:
    log, deadline = gateway.folder.parent / "gateway.log", time.monotonic() + GREETS_WITHIN_S
    while "curl -s" not in (said := log.read_text()) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert [word for word in GREETING if word not in said] == []


@pytest.mark.slow
@pytest.mark.parametrize("page", ["docs/tutorial.md", "README.md"])
def test_its_commands_bring_what_it_shows(page: str, gateway: Running) -> None:
    with Shell(gateway.folder, gateway.environment, gateway.port) as shell:
        for block in blocks(ROOT / page):
            if block.language == "sh":
                shell.run(block)


@pytest.mark.slow
def test_make_demo_plays_its_turns_and_says_where_the_reasons_are(gateway: Running) -> None:
    demo = made(gateway, "demo", f"ARGS=--base http://127.0.0.1:{gateway.port}")
    assert re.findall(r"^\W*(\d): .*─$", demo, re.MULTILINE) == [str(n) for n in range(1, TURNS + 1)]
    assert f"http://127.0.0.1:{gateway.port}/tslp/#workspace=" in demo


@pytest.mark.slow
def test_make_test_finds_all_that_it_needs(gateway: Running) -> None:
    """All of the tests would take as long as CI; some of them show that the set-up is theirs too."""
    assert "passed" in made(gateway, "test", "ARGS=-n 0 tests/test_settings.py tests/words")


@pytest.mark.slow
def test_nothing_is_left_that_git_would_take_for_a_change(gateway: Running) -> None:
    done = subprocess.run(
        ["git", "status", "--porcelain"], cwd=gateway.folder, capture_output=True, text=True, check=True
    )
    assert [line for line in done.stdout.splitlines() if ".blocks/" not in line] == []


def made(gateway: Running, *arguments: str) -> str:
    done = subprocess.run(
        ["make", *arguments], cwd=gateway.folder, env=gateway.environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
