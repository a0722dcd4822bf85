"""A database that the engine filled, and the command line on it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.engine.helpers import Session, make_engine
from tslp_litellm.cli import main
from tslp_litellm.store.database import Database

FMT = "import re\n\n\ndef clean(s):\n    return re.sub(r'\\s+', ' ', s).strip()\n\n\ndef title_case(s):\n    return clean(s).title()\n"
LOSSY = "import re\n\n_SPACES = re.compile(r'\\s+')\n\n\ndef clean(s):\n    return _SPACES.sub(' ', s).strip()\n"
BETTER = FMT.replace(".title()", ".title().strip()")
NASTY = "RED = '\x1b[31m\x9b0m \u202e \x07'\r\nEND = 1\n"


def fence(path: str, text: str) -> str:
    return f"{path}\n```python\n{text}```\n"


class Shell:
    """`tslp …` in a folder with a config, a database and a workspace `default`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "t.db"
        (folder / "config.yaml").write_text(
            "litellm_settings:\n  callbacks: ['tslp_litellm.proxy_handler_instance']\n"
            f"general_settings:\n  master_key: sk-x\ntslp:\n  database_url: sqlite:///{self.file}\n"
        )
        self.database = Database(f"sqlite:///{self.file}")
        self.database.migrate()
        self.engine = make_engine(self.database, audit=False)

    def client(self, workspace: str = "default", tools: tuple[str, ...] = ()) -> Session:
        return Session(self.engine, self.database, workspace, tools)

    def shell_call(self, command: str, number: int = 0) -> None:
        """A client runs a shell command, which succeeds."""
        call = {"name": "bash", "arguments": {"command": command}}
        client = self.client(tools=("bash",)).ask(f"Do {number}.", None, calls={f"c{number}": call})
        client.ask(None, "Done.", results={f"c{number}": ""})

    def run(self, *arguments: str, status: int = 0, **environment: str) -> Result:
        done = CliRunner(env={"COLUMNS": None, **environment}).invoke(main, list(arguments), prog_name="tslp")
        assert done.exit_code == status, (done.exit_code, done.output, done.exception)
        assert "Traceback" not in done.output
        return done

    def json(self, *arguments: str, status: int = 0) -> Any:
        return json.loads(self.run(*arguments, "--json", status=status).stdout)


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Nothing said yet."""
    for name in ("TSLP_URL", "TSLP_DATABASE_URL", "LITELLM_MASTER_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path)


@pytest.fixture
def shell(bare: Shell) -> Shell:
    """fmt.py had two truths and a refusal, src/nasty.py is of control characters, gone.py was removed."""
    ask = bare.client().ask
    ask("Write fmt.py.", fence("fmt.py", FMT))
    ask("Improve `title_case` in fmt.py.", fence("fmt.py", BETTER))
    bare.client().ask("Make clean faster in fmt.py.", fence("fmt.py", LOSSY))
    bare.client().ask(f"This is mine:\n\n{fence('src/nasty.py', NASTY)}")
    bare.client().ask("Write gone.py.", fence("gone.py", "def gone():\n    return 1\n"))
    bare.shell_call("rm gone.py")
    return bare


Ask = Callable[..., Result]
