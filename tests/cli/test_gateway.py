"""The command line: keys, ollama, and the care of the database."""

from __future__ import annotations

import contextlib
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.store.helpers import show
from tslp_litellm.cli import COMMANDS, load, main
from tslp_litellm.cli.gateway import Offer, command_line, greet, master_key, offer, ollama_models
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


@pytest.mark.parametrize(
    ("page", "says"),
    [
        (b"<title>TSLP</title>", "a gateway with TSLP, whose page is http://localhost:"),
        (b'"I\'m alive!"', "a LiteLLM proxy without TSLP."),
        (b"hello", "another program."),
    ],
)
def test_a_port_that_is_taken_is_told_with_its_holder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ollama: str, page: bytes, says: str
) -> None:
    """LiteLLM would start, on another port; nothing is started."""
    monkeypatch.setattr(FakeOllama, "body", page)
    port = ollama.rpartition(":")[2]
    done = run(tmp_path, monkeypatch, "", "--port", port)
    assert done.exit_code == 3
    assert f"Port {port} is taken by {says}" in done.output


def test_a_wrong_config_is_told_before_anything_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run(tmp_path, monkeypatch, "tslp: {tombstones: 3}\n")
    assert done.exit_code == 2
    assert done.output.startswith("Error: config.yaml: settings: Unknown setting `tombstones`")
    assert done.output.count("\n") == 1


def run(folder: Path, monkeypatch: pytest.MonkeyPatch, config: str, *arguments: str) -> Result:
    """`tslp run` where nothing can be started."""
    monkeypatch.chdir(folder)
    for name in ("TSLP_DATABASE_URL", "LITELLM_MASTER_KEY"):
        monkeypatch.delenv(name, raising=False)
    face = "litellm_settings: {callbacks: [tslp_litellm.proxy_handler_instance]}\n"
    (folder / "config.yaml").write_text(face + config)
    return CliRunner().invoke(main, ["run", *arguments])


def test_how_the_command_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / ".venv" / "bin" / "tslp"
    own.parent.mkdir(parents=True)
    own.write_text("")
    own.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(own)])
    monkeypatch.setenv("PATH", "/nowhere")
    assert command_line().startswith(".venv/bin/tslp --help   (for plain `tslp`: export PATH=")
    monkeypatch.setenv("PATH", str(own.parent))
    assert command_line() == "tslp --help"


@pytest.mark.parametrize(
    ("names", "models", "model", "says"),
    [
        (["ollama/*", "tslp-demo"], ["a:7b"], "ollama/a:7b", "its models are offered"),
        (["ollama/*", "tslp-demo"], None, "tslp-demo", "does not answer here, so the built-in"),
        (["ollama/*", "coder"], [], "coder", "has no model yet; the config offers coder."),
        (["ollama/*"], None, "ollama/NAME", "does not answer here, and the config names no other model"),
        (["gpt", "tslp-demo"], ["a:7b"], "gpt", "The config offers gpt, tslp-demo."),
        ([], ["a:7b"], "NAME", "The config names no model in full."),
    ],
)
def test_the_model_to_begin_with_is_one_that_the_config_offers(
    names: list[str], models: list[str] | None, model: str, says: str
) -> None:
    first = offer(names, models)
    assert (first.model, first.demo) == (model, "tslp-demo" in names)
    assert says in first.says


def test_what_is_proposed_next_goes_to_this_gateway(capsys: pytest.CaptureFixture[str]) -> None:
    greet("http://localhost:4001", "sk-x", None, Offer("tslp-demo", "", demo=True))
    assert " demo --base http://localhost:4001` in another terminal" in capsys.readouterr().out
    greet("http://localhost:4000", "sk-x", None, Offer("coder", "", demo=False))
    said = capsys.readouterr().out
    assert '"model": "coder"' in said
    assert "in another terminal" not in said


def test_without_a_config_nothing_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["run"])
    assert done.exit_code == 3
    assert done.output == "Error: There is no config.yaml: name the LiteLLM config by --config.\n"


def test_help_and_version_import_no_command() -> None:
    """They are asked for first, and with every completion."""
    script = "import sys; from tslp_litellm.cli import main; main(['--help'], standalone_mode=False); "
    done = subprocess.run(
        [sys.executable, "-c", f"{script} print({{'rich', 'sqlalchemy', 'httpx'}} & set(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.endswith("set()\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_where_the_table_says(name: str) -> None:
    assert load(name).name == name


class FakeOllama(BaseHTTPRequestHandler):
    body = b'{"models": [{"name": "qwen2.5-coder:7b"}]}'
    status = 200

    def do_GET(self) -> None:
        self.send_response(self.status)
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


def test_the_demo_without_a_gateway_or_a_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["demo", "--base", "http://127.0.0.1:1", "--key", "sk-x"])
    assert done.exit_code == 3
    assert "No gateway answers" in done.output


def test_the_demo_makes_no_key_where_it_starts_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ollama: str
) -> None:
    """What answers may be a gateway of another folder: its key is asked for."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LITELLM_MASTER_KEY", raising=False)
    monkeypatch.setattr(FakeOllama, "status", 400)
    monkeypatch.setenv("TSLP_URL", ollama)
    done = CliRunner().invoke(main, ["demo"])
    assert done.exit_code == 3
    assert f"{ollama} refuses the key (HTTP 400): give the gateway's by --key or LITELLM_MASTER_KEY." in done.output
    assert list(tmp_path.iterdir()) == []
    assert CliRunner().invoke(main, ["demo", "--base", "http://127.0.0.1:1"]).exit_code == 3
    assert list(tmp_path.iterdir()) == []


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
