"""`client`: every client's configuration can be read back, and names the gateway, the model and the workspace."""

from __future__ import annotations

import json
import re
import shlex
import stat
import subprocess
import tomllib
from pathlib import Path

import httpx
import pytest
import yaml
from click.testing import CliRunner, Result

from tslp_litellm.cli import main
from tslp_litellm.cli.client import CLIENTS, first_model

BASE = "http://127.0.0.1:1"
SPACE = "my 'shop'"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LITELLM_MASTER_KEY", "sk-x")
    (tmp_path / "config.yaml").write_text("model_list: [{model_name: 'ollama/*'}, {model_name: coder}]\n")
    return tmp_path


def client(*arguments: str, status: int = 0) -> Result:
    done = CliRunner().invoke(main, ["client", *arguments, "--base", BASE])
    assert done.exit_code == status, (done.output, done.exception)
    return done


def read(file: Path) -> object:
    readers = {".json": json.loads, ".toml": tomllib.loads, ".yml": yaml.safe_load, ".yaml": yaml.safe_load}
    return readers[file.suffix](file.read_text())


def environment(script: str) -> dict[str, str]:
    """What the script exports."""
    exports = "".join(line + "\n" for line in script.splitlines() if line.startswith("export "))
    shell = ["bash", "-c", f"{exports}env -0"]
    said = subprocess.run(shell, capture_output=True, text=True, check=True, env={"LITELLM_MASTER_KEY": "sk-x"}).stdout
    return dict(line.split("=", 1) for line in said.split("\0") if "=" in line)


@pytest.mark.parametrize("name", CLIENTS)
def test_what_is_written_names_gateway_model_key_and_workspace(name: str, home: Path) -> None:
    done = client(name, "-w", SPACE, "--write")
    files = [f for f in home.rglob("*") if (f.is_file() and f.name != "config.yaml") or f.parent.name == ".continue"]
    told = json.dumps([read(f) for f in files if f.is_file()]) + json.dumps(environment(done.stdout))
    assert BASE in told
    assert "coder" in told + done.stdout
    assert SPACE in told
    assert "sk-x" in told or "LITELLM_MASTER_KEY" in told
    assert all(stat.S_IMODE(f.stat().st_mode) == 0o600 for f in files if f.is_file())
    assert shlex.split(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", ["aider", "opencode", "claude-code", "cline", "codex", "qwen-code", "continue"])
def test_the_clients_page_says_what_is_printed(name: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "clients" / f"{name}.md").read_text("utf-8")
    found = re.search(rf"^`tslp (client {name} --workspace \w+)` prints .*?\n\n", page, re.DOTALL | re.MULTILINE)
    assert found
    printed = client(*found[1].split()[1:]).output
    (_, *parts) = re.findall(r"`([^`]+)`", found[0])
    assert parts
    assert [part for part in parts if part not in printed] == []
    assert "shop" in printed


def test_what_is_left_to_do_in_the_client_is_said() -> None:
    assert "delete it afterwards" in client("roo-code").stderr


def test_it_prints_and_writes_nothing_unless_it_is_asked_to(home: Path) -> None:
    done = client("codex", "--model", "m")
    assert 'model = "m"' in done.stdout
    assert "x-tslp-workspace" not in done.stdout
    assert [f.name for f in home.rglob("*") if f.is_file()] == ["config.yaml"]


def test_a_file_that_is_there_is_left_alone(home: Path) -> None:
    (home / "opencode.json").write_text("mine")
    assert "is there already" in client("opencode", "--write", status=2).output
    assert (home / "opencode.json").read_text() == "mine"


def test_the_key_that_run_keeps_is_named_by_its_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LITELLM_MASTER_KEY")
    (home / ".tslp").mkdir()
    (home / ".tslp" / "master.key").write_text("sk-kept\n")
    done = client("claude-code")
    assert "sk-kept" not in done.stdout
    assert f"export LITELLM_MASTER_KEY=$(cat {home}/.tslp/master.key)" in done.stdout


def test_a_key_that_nobody_keeps_here_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LITELLM_MASTER_KEY")
    assert "No key is kept in" in client("aider").stderr


def test_the_gateway_of_the_environment_with_the_url_that_clients_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TSLP_URL", f"{BASE}/v1")
    assert f"OPENAI_API_BASE={BASE}/v1\n" in CliRunner().invoke(main, ["client", "aider"]).stdout
    done = CliRunner().invoke(main, ["client", "aider", "--base", "localhost:4000"])
    assert "localhost:4000 has no scheme: write http://localhost:4000" in done.output


def test_the_relay_is_no_model_for_a_client(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offered = {"data": [{"id": "tslp-relay"}, {"id": "ollama/*"}, {"id": "coder"}]}
    monkeypatch.setattr("httpx.get", lambda *_, **__: httpx.Response(200, json=offered))
    assert first_model(BASE, None, home / "config.yaml") == "coder"
