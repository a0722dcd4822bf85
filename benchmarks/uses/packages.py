"""Packages of the index, in fixed versions, as the texts that they hold."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

PYTHON = ("click==8.1.8", "flask==3.1.0", "httpx==0.28.1", "jinja2==3.1.6", "rich==13.9.4", "werkzeug==3.1.3")
TYPESCRIPT = ("rxjs@7.8.2", "@tanstack/query-core@5.90.2")
COMPILER = "typescript@5.9.2"
TEXT_CHARS_MAX = 500_000


class MissingError(Exception):
    """What is not to be had here; says what."""


def python(folder: Path) -> dict[str, dict[str, str]]:
    """Package -> its texts by path. MissingError where the index or uv is out of reach."""
    _run(
        [_uv(), "pip", "install", "--quiet", "--no-deps", "--python", sys.executable, "--target", str(folder), *PYTHON]
    )
    for stub in folder.rglob("*.pyi"):
        stub.unlink()  # nobody shows it, and jedi would rather read it than the text
    names = (one.partition("==")[0] for one in PYTHON)
    return {name: _texts(folder, folder / name, ".py", lambda path: True) for name in names}


def typescript(folder: Path) -> dict[str, dict[str, str]]:
    """The same of packages that hold their sources. MissingError where npm or its index is out of reach."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        raise MissingError("node and npm are not here")
    args = ["--silent", "--no-save", "--ignore-scripts", "--prefix", str(folder)]
    _run(["npm", "install", *args, COMPILER, *TYPESCRIPT])
    found = {}
    for name in (one.rpartition("@")[0] for one in TYPESCRIPT):
        source = folder / "node_modules" / name / "src"
        found[name] = _texts(source, source, ".ts", lambda path: not path.endswith(".d.ts"))
    return found


def _uv() -> str:
    beside = Path(sys.executable).with_name("uv")
    return str(beside) if beside.is_file() else shutil.which("uv") or "uv"


def _run(command: list[str]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, "UV_SYSTEM_CERTS": "1"})
    except (OSError, subprocess.CalledProcessError) as problem:
        raise MissingError(f"{command[0]} could not bring {', '.join(command[-2:])}: {problem}") from problem


def _texts(root: Path, folder: Path, ending: str, wanted: Callable[[str], bool]) -> dict[str, str]:
    files = (file for file in sorted(folder.rglob(f"*{ending}")) if wanted(file.name))
    texts = {file.relative_to(root).as_posix(): file.read_text("utf-8") for file in files}
    return {path: text for path, text in texts.items() if len(text) <= TEXT_CHARS_MAX}
