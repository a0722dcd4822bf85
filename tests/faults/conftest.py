from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.gateway import KEY
from tests.e2e.nursery import Nursery, NurseryGateway
from tests.e2e.upstream import Reply, Upstream

TEXT = "import math\n\n\ndef area_of(r):\n    return math.pi * r * r + {n}\n\n\ndef edge_of(r):\n    return r + {n}\n"


def text_of(n: int) -> str:
    return TEXT.format(n=n)


def fence_of(n: int) -> str:
    return f"geo.py\n```python\n{text_of(n)}```\n"


def user(text: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": text}]


class Faulty(NurseryGateway):
    """A gateway whose faults can be switched on and off, and what its users and its operator see of them."""

    prelude = "tests.faults.injection"

    def __init__(self, folder: Path, upstream: Upstream, **more: Any) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.switch, self.upstream = folder / "faults", upstream
        environment = {"INJECTED_FAULTS": str(self.switch), **more.pop("environment", {})}
        super().__init__(folder, upstream.port, environment=environment, **more)

    def inject(self, *names: str) -> None:
        self.switch.write_text(" ".join(names))

    def say(self, text: str, answer: str, workspace: str, endpoint: str = "chat", stream: bool = False) -> int:
        """The status of a request."""
        self.upstream.replies.clear()
        self.upstream.say(answer)
        headers = {"x-tslp-workspace": workspace}
        return self.ask(endpoint, "openai", user(text), stream=stream, headers=headers)[0]

    def shown(self, workspace: str, endpoint: str = "chat", stream: bool = False) -> str:
        """What the model is shown with a question about `area_of`."""
        assert self.say("What does `area_of` do?", "It squares.", workspace, endpoint, stream) == 200, self.log()
        return self.upstream.prompts()[-1]

    def whole_log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")

    def doctor(self) -> tuple[str, dict[str, dict[str, str]]]:
        answer = self.http.get("/tslp/doctor", headers={"Authorization": f"Bearer {KEY}"})
        assert answer.status_code == 200, answer.text
        found = answer.json()
        return found["status"], {check["name"]: check for check in found["checks"]}


def block_of(n: int) -> str:
    return f"def area_of(r):\n    return math.pi * r * r + {n}\n[END CURRENT STATE]"


class Scripted(Upstream):
    """Audits are answered apart: they take no queued reply, and are not among what was seen."""

    def reply_to(self, body: dict[str, Any]) -> Reply:
        if "You audit one answer" in str(body):
            self.seen[:] = [one for one in self.seen if one[1] is not body]
            return Reply("no verdict")
        return super().reply_to(body)


@pytest.fixture(scope="session")
def upstream() -> Iterator[Upstream]:
    with Scripted() as running:
        yield running


MakeGateway = Callable[..., Faulty]


@pytest.fixture
def make_gateway(nursery: Nursery, upstream: Upstream) -> Iterator[MakeGateway]:
    """Makes a gateway that has not been started; the test's end stops it."""
    made: list[Faulty] = []

    def make(folder: Path, **more: Any) -> Faulty:
        gateway = Faulty(folder, upstream, nursery=nursery, **more)
        made.append(gateway)
        return gateway

    yield make
    for gateway in made:
        gateway.http.close()
        if hasattr(gateway, "process"):
            gateway.stop()
