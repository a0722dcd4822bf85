"""The built wheel, in an empty environment, with a ten-line config elsewhere on disk."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .gateway import Gateway, sha
from .upstream import Upstream

ROOT = Path(__file__).parents[2]
TEXT = "def area_of(r):\n    return 3 * r * r\n"


UV = str(Path(sys.executable).with_name("uv"))


@pytest.mark.slow
def test_the_wheel_stands_alone(upstream: Upstream, tmp_path: Path) -> None:
    """Migrations, queries and `symbols.json` are found; nothing of the checkout is needed."""
    subprocess.run([UV, "build", "--quiet", "--out-dir", str(tmp_path / "dist"), str(ROOT)], check=True)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert list((tmp_path / "dist").glob("*.tar.gz"))
    venv = tmp_path / "venv"
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, str(venv)], check=True)
    requirements = tmp_path / "locked.txt"
    subprocess.run(
        [
            UV,
            "export",
            "--quiet",
            "--locked",
            "--no-dev",
            "--no-emit-project",
            "--project",
            str(ROOT),
            "-o",
            str(requirements),
        ],
        check=True,
    )
    subprocess.run(
        [UV, "pip", "install", "--quiet", "--python", str(venv), str(wheel), "-c", str(requirements)], check=True
    )
    found = subprocess.run(
        [
            str(venv / "bin" / "python"),
            "-c",
            "from tslp_litellm.store.migrations import migrations_dir; from tslp_litellm.syntax.fallback import packaged_file; "
            "print(migrations_dir().is_dir(), packaged_file().is_file())",
        ],
        check=True,
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert found.stdout.split() == ["True", "True"]
    with Gateway(tmp_path / "elsewhere", upstream.port, litellm=venv / "bin" / "litellm") as gateway:
        headers = {"x-tslp-workspace": "w"}
        upstream.say(f"geo.py\n```python\n{TEXT}```\n")
        gateway.ask("chat", "openai", [{"role": "user", "content": "Write geo.py"}], stream=True, headers=headers)
        assert gateway.settled("w", 1)["geo.py"] == sha(TEXT)
        assert gateway.http.get("/tslp/doctor").json()["status"] == "ok"
