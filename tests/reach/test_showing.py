"""`tslp import`: a folder's files are shown as any paste is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.engine.helpers import Session, sha
from tslp_litellm.cli import importing, main
from tslp_litellm.cli.importing import show
from tslp_litellm.reach import calls, showing
from tslp_litellm.reach.calls import RefusedError
from tslp_litellm.store import queries

from .helpers import Relay

TEXTS = {
    "a.py": "def one():\n    return 1\n",
    "README.md": "# Shop\n\n```python\ndef two():\n    return 2\n```\n\nUse `a.py`, or:\n\nb.py\n````\nx\n````\n",
    "src/b.ts": "export function two(): number {\n  return 2;\n}\n",
    "src/c.go": "package c\n\nfunc Three() int {\n\treturn 3\n}\n",
    "src/config.json": '{\n  "a": 1\n}\n',
}


class Gateway(Relay):
    def get(self, path: str, client: str, **query: str) -> Any:
        with self.session.database.reading() as connection:
            rows = queries.state(connection, "local", query["workspace"])["entities"]
        found = next((row for row in rows if row["entity"] == query["entity"]), None)
        if found is None:
            raise RefusedError("HTTP 404")
        return {"current": found}


def put(folder: Path, texts: dict[str, str]) -> None:
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())


def texts_of(folder: Path, *only: str) -> dict[str, str]:
    return {path: text for path, text in showing.files(folder, only) if text is not None}


@pytest.mark.parametrize("chars", [1, 100, 100_000])
def test_what_is_shown_is_known(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chars: int) -> None:
    monkeypatch.setattr(showing, "PROMPT_CHARS", chars)
    put(tmp_path, TEXTS)
    gateway = Gateway(session, "w")
    assert show(gateway, tmp_path, texts_of(tmp_path)) == []  # type: ignore[arg-type]
    assert {path: session.state()[path] for path in TEXTS} == {path: sha(text) for path, text in TEXTS.items()}
    assert len(gateway.seen) == (1 if chars == 100_000 else len(TEXTS)) or chars == 100
    put(tmp_path, {"a.py": TEXTS["a.py"].replace("1", "2")})
    assert show(gateway, tmp_path, texts_of(tmp_path, "*.py")) == []  # type: ignore[arg-type]
    assert session.holds("a.py", TEXTS["a.py"].replace("1", "2"))


def test_what_is_not_known_as_it_is_is_told(session: Session, tmp_path: Path) -> None:
    """A fence ends with a line's end, which this file has not."""
    put(tmp_path, {**TEXTS, "d.py": "X = 1"})
    assert show(Gateway(session, "w"), tmp_path, texts_of(tmp_path)) == ["d.py"]  # type: ignore[arg-type]


def test_what_nobody_would_paste_is_left_out(tmp_path: Path) -> None:
    put(tmp_path, dict.fromkeys((".env.py", ".git/a.py", "node_modules/m/a.js", "venv/a.py", "a.bin"), "x = 1\n"))
    put(tmp_path, {"big.py": "#" * (showing.FILE_MAX_BYTES + 1), "a.py": "x = 1\n"})
    (tmp_path / "bytes.py").write_bytes(b"\xff\xfe")
    (tmp_path / "link.py").symlink_to(tmp_path / "a.py")
    assert dict(showing.files(tmp_path, ())) == {"a.py": "x = 1\n", "big.py": None, "bytes.py": None}
    assert dict(showing.files(tmp_path, ("b*.py", "x"))) == {"big.py": None, "bytes.py": None}


def test_the_gateway_is_named_as_by_other_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[calls.Gateway] = []
    monkeypatch.setattr(importing, "show", lambda gateway, *_: seen.append(gateway) or [])
    monkeypatch.chdir(tmp_path)
    put(tmp_path, {"a.py": TEXTS["a.py"]})

    def run(*arguments: str, status: int = 0, **environment: str) -> None:
        done = CliRunner(env={"TSLP_URL": None, "TSLP_KEY": None, **environment}).invoke(
            main, ["import", ".", *arguments]
        )
        assert done.exit_code == status, done.output

    run(TSLP_KEY="sk-a")
    run("--url", "http://there:1", "--key", "sk-b", TSLP_URL="http://here:1", TSLP_KEY="sk-a")
    run("--url", "there:1", status=2)
    assert [(one.url, one.key) for one in seen] == [("http://localhost:4000", "sk-a"), ("http://there:1", "sk-b")]
