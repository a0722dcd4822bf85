"""What `make release` makes: whole, typed, described, and the same bytes each time."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

from scripts import changelog
from tslp_litellm import __version__

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
CLEAN = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
CONSUMER = """
from tslp_litellm.settings import Settings, load

settings = load({"debug": True}, {})
tokens: int | None = settings.hydration_tokens_max
wrong: str = settings.tombstone_episodes
"""


def release(command: list[str], cwd: Path) -> None:
    done = subprocess.run(
        command,
        cwd=cwd,
        check=False,
        env={**CLEAN, "SOURCE_DATE_EPOCH": "1790000000"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    release(["make", "--no-print-directory", "release", f"ARGS=--draft --out {folder}"], ROOT)
    return folder


def only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


@pytest.mark.slow
def test_what_is_released(dist: Path) -> None:
    assert sorted(p.name for p in dist.iterdir()) == [
        "NOTES.md",
        "SHA256SUMS",
        f"tslp_litellm-{__version__}-py3-none-any.whl",
        f"tslp_litellm-{__version__}.cdx.json",
        f"tslp_litellm-{__version__}.tar.gz",
    ]
    for line in (dist / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split()
        assert hashlib.sha256((dist / name).read_bytes()).hexdigest() == digest
    assert (dist / "NOTES.md").read_text().startswith("### ")


@pytest.mark.slow
def test_the_wheel_is_whole_and_holds_nothing_else(dist: Path) -> None:
    with zipfile.ZipFile(only(dist, "*.whl")) as wheel:
        names = set(wheel.namelist())
        metadata = Parser().parsestr(wheel.read(f"tslp_litellm-{__version__}.dist-info/METADATA").decode())
    tracked = subprocess.run(["git", "ls-files", "tslp_litellm"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(tracked.stdout.split()) <= names
    assert {"tslp_litellm/py.typed", "tslp_litellm/symbols.json", "tslp_litellm/_alembic/env.py"} <= names
    assert not [n for n in names if n.split("/")[0] not in ("tslp_litellm", f"tslp_litellm-{__version__}.dist-info")]
    assert not [n for n in names if "__pycache__" in n or n.endswith((".pyc", ".db"))]
    assert metadata["Version"] == __version__
    needed = metadata.get_all("Requires-Dist") or []
    litellm = next(n for n in needed if n.startswith("litellm"))
    assert {"!=1.82.7", "!=1.82.8", ">=1.106.2", "<1.110"} <= set(litellm.partition("]")[2].split(","))


@pytest.mark.slow
def test_the_sdist_holds_the_sources_and_no_leavings(dist: Path) -> None:
    with tarfile.open(only(dist, "*.tar.gz")) as archive:
        names = {n.partition("/")[2] for n in archive.getnames()}
        owners = {(m.uid, m.gid) for m in archive.getmembers()}
    assert {"pyproject.toml", "tslp_litellm/py.typed", "alembic/env.py", "CHANGELOG.md", "LICENSE"} <= names
    assert not [n for n in names if n.startswith((".tslp", ".venv", "site", "dist")) or "__pycache__" in n]
    assert owners == {(0, 0)}


@pytest.mark.slow
def test_the_same_commit_gives_the_same_bytes(dist: Path, tmp_path: Path) -> None:
    """Built again in another folder, with another umask and other file times."""
    there = tmp_path / "elsewhere"
    there.mkdir()
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in tracked.stdout.splitlines():
        if (ROOT / name).is_file():
            (there / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, there / name)
            shutil.copymode(ROOT / name, there / name)
    (there / ".venv").symlink_to(ROOT / ".venv")
    again = tmp_path / "again"
    release(["bash", "-c", f"umask 077; scripts/release.sh --draft --out '{again}'"], there)
    for made in dist.iterdir():
        assert made.read_bytes() == (again / made.name).read_bytes(), made.name


@pytest.mark.slow
def test_the_sbom_names_every_dependency(dist: Path) -> None:
    bom = json.loads(only(dist, "*.cdx.json").read_text())
    assert (bom["bomFormat"], bom["specVersion"]) == ("CycloneDX", "1.6")
    assert (bom["metadata"]["component"]["name"], bom["metadata"]["component"]["version"]) == (
        "tslp-litellm",
        __version__,
    )
    found = {c["name"].lower().replace("_", "-"): c for c in bom["components"]}
    assert {"litellm", "tree-sitter", "sqlalchemy", "alembic", "regex", "psycopg", "detect-secrets"} <= set(found)
    assert not {"pytest", "ruff", "mypy", "mkdocs", "twine"} & set(found)
    assert found["litellm"]["version"]
    assert found["litellm"]["purl"].startswith("pkg:pypi/litellm")
    assert "hashes" in json.dumps(found["litellm"])


@pytest.mark.slow
def test_a_consumer_is_type_checked(dist: Path, tmp_path: Path) -> None:
    """The installed wheel's types are seen: a right use passes, a wrong one is found."""
    venv = tmp_path / "venv"
    subprocess.run([BIN / "uv", "venv", "--quiet", "--python", sys.executable, venv], check=True)
    wheel = only(dist, "*.whl")
    python = venv / "bin" / "python"
    subprocess.run([BIN / "uv", "pip", "install", "--quiet", "--no-deps", "--python", python, wheel], check=True)
    site = only(venv, "lib/python*/site-packages")
    shutil.copytree(only(ROOT / ".venv", "lib/python*/site-packages") / "pydantic", site / "pydantic")
    (tmp_path / "consumer.py").write_text(CONSUMER)
    done = subprocess.run(
        [BIN / "mypy", "--strict", "--python-executable", python, "--cache-dir", tmp_path / "cache", "consumer.py"],
        check=False,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    findings = [line for line in done.stdout.splitlines() if line.startswith("consumer.py")]
    assert len(findings) == 1, done.stdout + done.stderr
    assert 'consumer.py:6: error: Incompatible types in assignment (expression has type "int"' in findings[0]


@pytest.mark.slow
def test_uncommitted_changes_are_not_released(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "release.sh", tmp_path / "scripts")
    done = subprocess.run(["scripts/release.sh"], check=False, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert "not committed" in done.stderr


# -- the changelog


def test_the_changelog_keeps_its_rules() -> None:
    assert changelog.package_version() == __version__
    assert changelog.problems((ROOT / "CHANGELOG.md").read_text("utf-8"), __version__) == []


GOOD = "# Changelog\n\n## 0.2.0 - 2026-02-01\n\n### Added\n\n- x\n\n## 0.1.0 - 2026-01-01\n\n### Fixed\n\n- y\n"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("0.2.0 -", "0.3.0 -", "newest version here is 0.3.0"),
        ("## 0.2.0 - 2026-02-01", "## 0.2.0", "neither"),
        ("### Added", "### News", "is not one of"),
        ("- x", "x", "says nothing"),
        ("2026-01-01", "2026-03-01", "order"),
        ("## 0.2.0", "## Unreleased\n\n- z\n\n## 0.2.0", "still there"),
    ],
)
def test_a_breach_is_named(old: str, new: str, says: str) -> None:
    assert changelog.problems(GOOD, "0.2.0", releasing=True) == []
    found = changelog.problems(GOOD.replace(old, new), "0.2.0", releasing=True)
    assert any(says in sentence for sentence in found), found


def test_notes_are_one_versions_section() -> None:
    assert changelog.notes(GOOD, "0.2.0") == "### Added\n\n- x\n"


# -- LiteLLM


def test_the_range_is_said_the_same_everywhere() -> None:
    """pyproject.toml, the lock (which is the lowest end), and the page."""
    import tomllib
    from importlib.metadata import version

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = next(d for d in project["dependencies"] if d.startswith("litellm"))
    low, high = wanted.partition(">=")[2].split(",")[0], wanted.partition("<")[2].split(",")[0]
    assert "!=1.82.7" in wanted
    assert "!=1.82.8" in wanted
    page = (ROOT / "docs" / "release.md").read_text()
    assert f"litellm[proxy] >= {low}, < {high}" in page
    lock = tomllib.loads((ROOT / "uv.lock").read_text())
    assert next(p["version"] for p in lock["package"] if p["name"] == "litellm") == low
    if "newest" not in sys.prefix:
        assert version("litellm") == low
