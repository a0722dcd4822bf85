"""`tslp` against a running gateway, and beside it on its database: both say the same."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tslp_litellm.cli import main

from .gateway import KEY, Gateway
from .upstream import Upstream

TSLP = Path(sys.executable).with_name("tslp")
ONE = "geo.py\n```python\ndef area_of(r):\n    return 3 * r * r\n```\n"
TWO = ONE.replace("3 *", "3.14 *")
SPACE = "cli"


def tslp(gateway: Gateway, *arguments: str, status: int = 0, **environment: str) -> Result:
    """The command in this process, as its imports take seconds; in the gateway's folder and environment."""
    unset = {name: None for name in os.environ if name.startswith(("LITELLM", "TSLP"))}
    with contextlib.chdir(gateway.folder):
        env = {**unset, **gateway.environment, "LITELLM_MASTER_KEY": KEY, **environment}
        done = CliRunner().invoke(main, arguments, env=env, prog_name="tslp")
    assert done.exit_code == status, (done.exit_code, done.stdout, done.stderr)
    return done


@pytest.fixture(scope="module")
def told(gateway: Gateway, upstream: Upstream) -> Gateway:
    for answer, prompt in ((ONE, "Write geo.py."), (TWO, "Make `area_of` in geo.py more exact.")):
        upstream.say(answer)
        messages = [{"role": "user", "content": prompt}]
        gateway.ask("chat", "openai", messages, stream=False, headers={"x-tslp-workspace": SPACE})
    gateway.settled(SPACE, 2)
    return gateway


def test_gateway_and_database_say_the_same(told: Gateway) -> None:
    url = str(told.http.base_url)
    episode = told.episodes(SPACE)[0]["episode_id"]
    asked = [
        ("recent",),
        ("why", episode),
        ("show", "geo.py::area_of"),
    ]

    for arguments in asked:
        one, other = (
            json.loads(tslp(told, *arguments, "-w", SPACE, "--json", **where).stdout)
            for where in ({"TSLP_URL": url}, {})
        )
        assert one == other, arguments
    with_url: dict[str, Any] = {"TSLP_URL": url}
    assert "3.14 * r * r" in tslp(told, "show", "geo.py", "-w", SPACE, **with_url).stdout
    tslp(told, "export", "out", "-w", SPACE, **with_url)
    assert (told.folder / "out" / "geo.py").read_text() == TWO.split("```python\n")[1].removesuffix("```\n")
    names = {c["name"] for c in json.loads(tslp(told, "doctor", "--json", **with_url).stdout)["checks"]}
    assert {"faults", "audit"} <= names, "only the running process knows these"


def test_the_installed_command_asks_the_running_gateway(told: Gateway) -> None:
    env = {**told.environment, "LITELLM_MASTER_KEY": KEY, "TSLP_URL": str(told.http.base_url)}
    argv = [str(TSLP), "show", "geo.py::area_of", "-w", SPACE]
    assert "3.14 * r * r" in subprocess.run(argv, env=env, capture_output=True, text=True, check=True).stdout


def test_what_goes_wrong_is_a_sentence(told: Gateway) -> None:
    url = str(told.http.base_url)
    assert "refuses the key" in tslp(told, "state", "--url", url, "--key", "sk-wrong", status=3).stderr
    assert "is unknown in workspace cli" in tslp(told, "show", "no.py", "-w", SPACE, "--url", url, status=1).stderr
    assert "needs the database itself" in tslp(told, "verify", "--url", url, status=2).stderr
    assert "no TSLP runs there" in tslp(told, "state", "--url", f"{url}/nowhere", status=3).stderr


def test_the_care_of_a_database_in_use(told: Gateway) -> None:
    tslp(told, "backup", "copy.db")
    tslp(told, "verify")
    tslp(told, "verify", TSLP_DATABASE_URL=f"sqlite:///{told.folder / 'copy.db'}")
    assert "the newest" in tslp(told, "db", "upgrade").stdout
    tslp(told, "config", "check")
