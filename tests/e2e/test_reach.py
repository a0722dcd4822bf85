"""Who may, and who did it: keys of one team against a real LiteLLM process (SEMANTICS 13)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .gateway import Gateway, sha
from .reach_auth import KEYS
from .upstream import Upstream

TEXT = "def area_of(r):\n    return 3 * r * r\n"
OTHER = TEXT.replace("3", "4")
PLAIN = "sk-reach-plain"


def fence(text: str) -> str:
    return f"geo.py\n```python\n{text}```\n"


@pytest.fixture(scope="module")
def reach(upstream: Upstream, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    folder = tmp_path_factory.mktemp("reach")
    (folder / "reach.py").write_text("from tests.e2e.reach_auth import authenticate\n")
    root = str(Path(__file__).resolve().parents[2])
    with Gateway(
        folder, upstream.port, environment={"PYTHONPATH": root}, general={"custom_auth": "reach.authenticate"}
    ) as running:
        yield running


class Caller:
    def __init__(self, gateway: Gateway, upstream: Upstream, key: str, workspace: str) -> None:
        self.gateway, self.upstream, self.workspace = gateway, upstream, workspace
        self.headers = {"Authorization": f"Bearer {key}", "x-tslp-workspace": workspace, "User-Agent": "tester/1 x"}

    def ask(self, prompt: str, answer: str = "ok") -> str:
        self.upstream.say(answer)
        said = [{"role": "user", "content": prompt}]
        assert self.gateway.ask("chat", "openai", said, stream=False, headers=self.headers)[0] == 200
        return self.upstream.prompts()[-1]

    def get(self, path: str, **params: Any) -> Any:
        answer = self.gateway.http.get(f"/tslp/{path}", headers=self.headers, params=params)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def state(self) -> dict[str, tuple[str, str]]:
        """Entities, once the pre-flight of one more turn has waited for all answers before."""
        self.ask("Thanks.")
        return {e["entity"]: (e["artifact"], e["freshness"]) for e in self.get("state")["entities"]}


@pytest.mark.parametrize(
    ("name", "by_model", "by_user"),
    [
        ("plain", True, True),
        ("client", False, True),
        ("human", False, True),
        ("reader", False, False),
        ("over-team", True, True),
    ],
)
def test_whose_word_counts(reach: Gateway, upstream: Upstream, name: str, by_model: bool, by_user: bool) -> None:
    key, space = f"sk-reach-{name}", f"word-{name}"
    plain, caller = Caller(reach, upstream, PLAIN, space), Caller(reach, upstream, key, space)
    plain.ask(fence(TEXT))
    assert plain.state()["geo.py"] == (sha(TEXT), "CLEAN")
    assert "Entity: geo.py::area_of" in caller.ask("Change `area_of`.", fence(OTHER)), "all are hydrated"
    assert plain.state()["geo.py"] == (sha(OTHER if by_model else TEXT), "CLEAN")
    caller.ask(fence(TEXT + "\n\nx_1 = 2\n"))
    assert plain.state()["geo.py"][1] == ("CLEAN" if by_user else "DIRTY")
    assert ("geo.py::x_1" in plain.state()) == by_user


def test_a_key_that_is_switched_off(reach: Gateway, upstream: Upstream) -> None:
    plain, off = Caller(reach, upstream, PLAIN, "off"), Caller(reach, upstream, "sk-reach-off", "off")
    plain.ask(fence(TEXT))
    assert plain.state()["geo.py"] == (sha(TEXT), "CLEAN")
    before = len(plain.get("recent")["episodes"])
    assert off.ask("What does `area_of` do?") == "What does `area_of` do?"
    assert "geo.py" in plain.state()
    assert len(plain.get("recent")["episodes"]) == before + 1, "only the plain key's own"


@pytest.mark.parametrize("name", ["pinned", "by-team"])
def test_a_pin_lets_nobody_out(reach: Gateway, upstream: Upstream, name: str) -> None:
    space = f"secret-{name}"
    other, pinned = Caller(reach, upstream, PLAIN, space), Caller(reach, upstream, f"sk-reach-{name}", space)
    other.ask(fence(TEXT))
    assert "geo.py" in other.state()
    assert pinned.ask("What does `area_of` in geo.py do?", fence(OTHER)).count("return 3") == 0
    assert other.state()["geo.py"] == (sha(TEXT), "CLEAN")
    for path in ("state", "recent"):
        seen = pinned.get(path, workspace=space)
        assert seen["workspace"] == "own"
        assert space not in json.dumps(seen)
    assert pinned.get("state")["workspaces"] == ["own"]
    assert (
        reach.http.get(
            "/tslp/entity", headers=pinned.headers, params={"workspace": space, "entity": "nothing.py"}
        ).status_code
        == 404
    )


def test_who_did_it(reach: Gateway, upstream: Upstream) -> None:
    plain = Caller(reach, upstream, PLAIN, "who")
    plain.ask(fence(TEXT))
    Caller(reach, upstream, "sk-reach-client", "who").ask(fence(OTHER))
    plain.state()
    by = [e["by"] for e in plain.get("recent")["episodes"]]
    assert by[-1] == {"key": "ann-laptop", "user": "ann", "team": "reach", "client": "tester/1 x"}
    assert by[-2] == {"key": sha("sk-reach-client"), "team": "reach", "client": "tester/1 x"}
    history = plain.get("entity", entity="geo.py")["history"]
    promoted = [row["by"] for row in history if row["event"] == "promote"]
    assert [(one.get("user"), one["model"]) for one in promoted] == [(None, "openai"), ("ann", "openai")]
    episode = plain.get("recent")["episodes"][-1]["episode_id"]
    assert plain.get(f"episode/{episode}")["by"]["user"] == "ann"


def test_no_key_stands_anywhere(reach: Gateway) -> None:
    data = b"".join(file.read_bytes() for file in reach.folder.glob("tslp.db*"))
    assert data and not [key for key in KEYS if key.encode() in data]
