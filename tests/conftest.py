"""What every test may use; nothing in a test is left to chance, but where `make check` draws a seed and says it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
from xdist.scheduler import LoadFileScheduling

from .postgres import postgresql, postgresql_url
from .schema import copied_schema, migrations

if TYPE_CHECKING:
    from .e2e.nursery import Nursery

__all__ = ["copied_schema", "migrations", "postgresql", "postgresql_url"]

hypothesis.settings.register_profile("same", derandomize=True, deadline=None, database=None)
hypothesis.settings.register_profile("fresh", deadline=None, database=None, print_blob=True)
hypothesis.settings.load_profile("same")


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """What most of the gateways are forked from; a real start of `litellm` takes 10 to 25 s of CPU."""
    from .e2e.nursery import Nursery  # it imports the command line, for one process of five

    with Nursery() as running:
        yield running


GATEWAYS = ("tests/e2e/", "tests/page/")
LITELLM = (
    "tests/benchmarks/",
    "tests/gateway/",
    "tests/security/",
    "tests/cli/test_care.py",
    "tests/test_demo_model.py",
    "tests/test_litellm_hooks.py",
)


class ByFile(LoadFileScheduling):  # type: ignore[misc]  # xdist has no types
    """Each file in one process; all that needs a nursery in one, and all that imports LiteLLM, which is a tenth of the
    whole. These two take longest, so they begin first."""

    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith(GATEWAYS):
            return "gateways"
        return "litellm" if nodeid.startswith(LITELLM) else str(super()._split_scope(nodeid))

    def _assign_work_unit(self, node: Any) -> None:
        for name in ("litellm", "gateways"):
            if name in self.workqueue:
                self.workqueue.move_to_end(name, last=False)
        super()._assign_work_unit(node)


def pytest_xdist_make_scheduler(config: Any, log: Any) -> ByFile:
    return ByFile(config, log)
