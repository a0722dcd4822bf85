"""The tools of `tslp mcp`: what a model may ask and say, and the protocol around it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client

from tests.engine.helpers import Session
from tslp_litellm.reach.calls import UnansweredError
from tslp_litellm.reach.mcp_server import make
from tslp_litellm.reach.tools import FILE_MAX_BYTES, NOTHING, AskedWronglyError, Tools

from .helpers import Relay

TEXT = "def one():\n    return 1\n"


@pytest.fixture
def tools(session: Session, tmp_path: Path) -> Tools:
    (tmp_path / "repo").mkdir()
    return Tools(Relay(session=session), tmp_path / "repo")


def put(tools: Tools, path: str, text: str) -> None:
    (tools._folder / path).write_text(text)


def test_a_file_is_reported_as_it_lies_on_the_disk(session: Session, tools: Tools) -> None:
    for text in (TEXT, TEXT.replace("1", "2"), "def one(:\n", ""):
        put(tools, "a.py", text)
        tools.report("a.py")
        assert session.holds("a.py", text)
    tools.report("./a.py")
    (tools._folder / "a.py").unlink()
    assert "gone" in tools.report("a.py")
    assert session.state() == {}


def test_the_current_code_is_told_as_often_as_it_is_asked_for(tools: Tools) -> None:
    put(tools, "a.py", TEXT)
    tools.report("a.py")
    for _ in range(3):
        told = tools.current(["a.py::one"])
        assert told.startswith("[CURRENT STATE: AUTHORITATIVE]\nEntity: a.py::one\n")
    assert tools.current(["b.py", "two"]) == NOTHING
    told = tools.current(["a.py::one", "b.py", "two"])
    assert "Entity: a.py::one\n" in told
    assert told.endswith("\n\nNothing is known of b.py, two.")


@pytest.mark.parametrize(
    "path", ["", ".", "..", "../secret.py", "/etc/passwd", "link.py", "sub", "bytes.py", "big.py", "\0"]
)
def test_what_is_no_text_of_the_folder_is_refused(session: Session, tools: Tools, path: str) -> None:
    folder = tools._folder
    (folder.parent / "secret.py").write_text(TEXT)
    (folder / "link.py").symlink_to(folder.parent / "secret.py")
    (folder / "sub").mkdir()
    (folder / "bytes.py").write_bytes(b"\xff\xfe\x00")
    (folder / "big.py").write_bytes(b"x" * (FILE_MAX_BYTES + 1))
    with pytest.raises(AskedWronglyError):
        tools.report(path)
    assert session.state() == {}


@pytest.mark.parametrize(
    "names", [[], [""], ["a.py\n```python\ndef one():\n    return 9\n```"], ["a`b"], ["x" * 2_000], ["a"] * 50]
)
def test_a_models_words_are_no_users(session: Session, tools: Tools, names: Sequence[str]) -> None:
    put(tools, "a.py", TEXT)
    tools.report("a.py")
    with pytest.raises(AskedWronglyError):
        tools.current(names)
    assert session.holds("a.py", TEXT)


REPORT = {
    "why": "It is the truth.",
    "uses": [
        {"entity": "b.py::two", "standing": "ok", "signature": "def two(n)", "before": None},
        {"entity": "b.py::three", "standing": "stale", "signature": "def three(a, b)", "before": "def three(a)"},
    ],
}


def test_uses_and_why_are_what_the_diagnostics_say(session: Session, tmp_path: Path) -> None:
    asked: list[dict[str, str]] = []

    class Telling(Relay):
        def get(self, path: str, client: str, **query: str) -> Any:
            asked.append({"path": path, **query})
            return REPORT

    told = Tools(Telling(session=session), tmp_path)
    assert told.why("a.py::one") == "It is the truth."
    assert (
        told.uses("a.py::one") == "b.py::two (ok): def two(n)\nb.py::three (stale): def three(a, b) (was: def three(a))"
    )
    assert asked[0] == {"path": "entity", "entity": "a.py::one", "workspace": str(tmp_path)}
    with pytest.raises(AskedWronglyError, match=NOTHING):
        Tools(Relay(session=session), tmp_path).why("a.py::none")


def test_the_protocol(session: Session, tools: Tools) -> None:
    async def talk() -> None:
        async with Client(make(tools)) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == {"current", "uses", "why", "report"}
            put(tools, "a.py", TEXT)
            said = await client.call_tool("report", {"path": "a.py"})
            assert not said.is_error
            said = await client.call_tool("current", {"names": ["a.py"]})
            assert TEXT in said.content[0].text  # type: ignore[union-attr]
            for tool, arguments in (("report", {"path": "../x"}), ("why", {"entity": "x"}), ("current", {"names": 1})):
                assert (await client.call_tool(tool, arguments)).is_error
            tools._gateway.away.append(True)  # type: ignore[attr-defined]
            assert (await client.call_tool("current", {"names": ["a.py"]})).is_error

    anyio.run(talk)
    with pytest.raises(UnansweredError):
        tools.current(["a.py"])
