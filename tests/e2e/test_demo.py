"""From nothing to a hydrated prompt with one command, which starts its own gateway and says where the page is."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.e2e.gateway import KEY, free_port

ROOT = Path(__file__).parent.parent.parent
TSLP = Path(sys.executable).with_name("tslp")


def demo(folder: Path, base: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("LITELLM", "TSLP"))}
    return subprocess.run(
        [str(TSLP), "demo", "--base", base, "--workspace", "w"],
        cwd=folder,
        env={**environment, "LITELLM_MASTER_KEY": KEY, "OLLAMA_API_BASE": "http://127.0.0.1:1", "COLUMNS": "120"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.mark.slow
def test_one_command_is_enough(tmp_path: Path) -> None:
    base = f"http://127.0.0.1:{free_port()}"
    shutil.copy(ROOT / "config.yaml", tmp_path)
    done = demo(tmp_path, base)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("[CURRENT STATE: AUTHORITATIVE]") >= 2
    words = re.findall(r"^  ([A-Z]+)  ", done.stdout, re.MULTILINE)
    assert words == ["ADOPTED", "ADOPTED", "REFUSED", "DECISION", "ADOPTED", "REFUSED", "DIRTY", "ADOPTED"]
    assert "The current text of these entities is unknown" in done.stdout
    assert f"{base}/tslp/#workspace=w" in done.stdout
    with pytest.raises(httpx.ConnectError):
        httpx.get(base, trust_env=False)
