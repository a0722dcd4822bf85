"""The conversations of the acceptance suite's `01`, told by hooks and by `tslp mcp`, end where the proxy's own do."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.engine.helpers import Session
from tslp_litellm.reach.forms import CLIENTS
from tslp_litellm.reach.hook import hook
from tslp_litellm.reach.tools import NOTHING, Tools

from .helpers import Relay, states
from .payloads import PROMPT, WRITE

SUITE = Path(__file__).parents[3] / "shared" / "acceptance" / "scenarios" / "01-continuity.yaml"
SCENARIOS = list(yaml.safe_load_all(SUITE.read_text())) if SUITE.exists() else []
FENCE = re.compile(r"^(\S+\.py)\n```python\n(.*?)```$", re.S | re.M)
ENTITY = re.compile(r"^Entity: (.+)$", re.M)
Sessions = Callable[..., Session]

pytestmark = [
    pytest.mark.skipif(not SCENARIOS, reason="the acceptance suite does not lie beside the checkout"),
    pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one["name"]),
]


def through_the_proxy(sessions: Sessions, scenario: dict[str, Any]) -> dict[str, dict[str, str]]:
    session = sessions()
    for step in scenario["steps"]:
        session.workspace = step.get("workspace") or "w"
        if step.get("forget"):
            session.forget()
        session.ask(step["user"], step["model"])
    return states(session)


def steps(scenario: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any], list[tuple[str, str]]]]:
    """Each step with the number of its conversation, and the files that it leaves on the disk otherwise."""
    number = 0
    for step in scenario["steps"]:
        number += bool(step.get("forget"))
        yield number, step, FENCE.findall(step["model"])


def hydrated(step: dict[str, Any], stands: str) -> None:
    wanted = (step.get("check") or {}).get("hydrated")
    if wanted is not None:
        assert ENTITY.findall(stands) == wanted


@pytest.mark.parametrize("client", CLIENTS)
def test_told_by_hooks(sessions: Sessions, scenario: dict[str, Any], client: str, tmp_path: Path) -> None:
    wanted, session = through_the_proxy(sessions, scenario), sessions("hooks")
    ids = itertools.count()
    for number, step, files in steps(scenario):
        relay = Relay(workspace=f"hooks-{step.get('workspace') or 'w'}", session=session)
        told = hook(client, PROMPT[client](step["user"], f"session-{number}"), relay, tmp_path)
        hydrated(step, told["hookSpecificOutput"]["additionalContext"] if told else "")
        for path, text in files:
            hook(client, WRITE[client](path, text, f"session-{number}", f"call-{next(ids)}"), relay, tmp_path)
    found = states(session)
    assert {name: found[f"hooks-{name}"] for name in wanted} == wanted


def test_told_by_the_tools_of_tslp_mcp(sessions: Sessions, scenario: dict[str, Any], tmp_path: Path) -> None:
    """The user's words don't reach it: what he shows lies on his disk."""
    wanted, session = through_the_proxy(sessions, scenario), sessions("mcp")
    for _, step, files in steps(scenario):
        named = step.get("workspace") or "w"
        folder = tmp_path / named
        tools = Tools(Relay(workspace=f"mcp-{named}", session=session), folder)
        for path, text in [*FENCE.findall(step["user"]), *files]:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
            tools.report(path)
        if names := (step.get("check") or {}).get("hydrated"):
            assert ENTITY.findall(tools.current(names)) == names
        elif step.get("workspace") == "two":
            assert tools.current(["app.py", "main_loop"]) == NOTHING
    found = states(session)
    assert {name: found[f"mcp-{name}"] for name in wanted} == wanted
