"""The command line: keys, ollama, and the care of the database."""

from __future__ import annotations

import contextlib
import socket
import stat
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.store.helpers import show
from tslp_litellm.cli import main
from tslp_litellm.cli.gateway import master_key, ollama_models
from tslp_litellm.store.database import Database


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("TSLP_DATABASE_URL", raising=False)
    file = tmp_path / "config.yaml"
    file.write_text(f"tslp:\n  database_url: sqlite:///{tmp_path / 't.db'}\n")
    database = Database(f"sqlite:///{tmp_path / 't.db'}")
    database.migrate()
    show(database, "a.py", "def f():\n    return 1\n")
    database.close()
    return file


def test_a_random_key_is_made_once_and_kept_to_oneself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LITELLM_MASTER_KEY", raising=False)
    key, file = master_key(tmp_path / "config.yaml")
    assert file is not None
    assert key.startswith("sk-")
    assert len(key) > 30
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert master_key(tmp_path / "config.yaml") == (key, file)
    monkeypatch.setenv("LITELLM_MASTER_KEY", "sk-mine")
    assert master_key(tmp_path / "config.yaml") == ("sk-mine", None)


class FakeOllama(BaseHTTPRequestHandler):
    body = b'{"models": [{"name": "qwen2.5-coder:7b"}]}'

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def ollama() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), FakeOllama)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def test_ollama_is_asked_for_its_models(ollama: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ollama_models(ollama) == ["qwen2.5-coder:7b"]
    assert ollama_models("http://127.0.0.1:1") is None
    monkeypatch.setattr(FakeOllama, "body", b"not json")
    assert ollama_models(ollama) is None


def test_verify_and_rebuild(config: Path) -> None:
    runner = CliRunner()
    assert runner.invoke(main, ["verify", "--config", str(config)]).exit_code == 0
    done = runner.invoke(main, ["rebuild", "--config", str(config)])
    assert done.exit_code == 0, done.output
    assert "3 events folded" in done.output


def test_verify_says_what_was_altered(config: Path, tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 't.db'}")
    with database.writing() as connection:
        connection.exec_driver_sql("UPDATE state_map SET artifact = replace(artifact, 'a', 'b')")
    database.close()
    done = CliRunner().invoke(main, ["verify", "--config", str(config)])
    assert done.exit_code == 1
    assert "state map" in done.output


def test_a_bad_setting_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("tslp:\n  tombstones: 3\n")
    done = CliRunner().invoke(main, ["verify", "--config", str(tmp_path / "c.yaml")])
    assert done.exit_code == 2
    assert "Unknown setting `tombstones`" in done.output
    assert "Traceback" not in done.output


def test_run_says_a_wrong_setting_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("model_list: []\ntslp:\n  visit_seconds: soon\n")
    done = CliRunner().invoke(main, ["run", "--config", str(tmp_path / "c.yaml")])
    assert done.exit_code == 2
    assert "`visit_seconds`" in done.output
    assert not (tmp_path / ".tslp").exists(), "nothing was begun"


def test_run_says_who_has_its_port(ollama: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "c.yaml").write_text("model_list: []\n")
    port = ollama.rpartition(":")[2]
    asked = ["run", "--config", str(tmp_path / "c.yaml"), "--port", port]
    done = CliRunner().invoke(main, asked)
    assert (done.exit_code, f"Port {port} is taken by another program" in done.output) == (3, True)
    monkeypatch.setattr(FakeOllama, "body", b'"I\'m alive!"')
    assert f"Port {port} is taken by a LiteLLM gateway" in CliRunner().invoke(main, asked).output
    assert not (tmp_path / ".tslp").exists(), "nothing was begun"


def test_the_demo_without_a_gateway_or_a_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["demo", "--base", "http://127.0.0.1:1", "--key", "sk-x"])
    assert done.exit_code == 3
    assert "No gateway answers" in done.output


def test_a_port_that_hangs_up_is_no_gateway_but_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No second gateway is started on it, and no traceback is shown."""
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def hang_up() -> None:
            with contextlib.suppress(OSError):
                while True:
                    server.accept()[0].close()

        threading.Thread(target=hang_up, daemon=True).start()
        base = f"http://127.0.0.1:{server.getsockname()[1]}"
        done = CliRunner().invoke(main, ["demo", "--base", base, "--key", "sk-x"])
    assert done.exit_code == 3
    assert "went away" in done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)
