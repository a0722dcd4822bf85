"""What every test may use; nothing in a test is left to chance, but where `make check` draws a seed and says it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
from xdist.scheduler import LoadFileScheduling

from .e2e.nursery import Nursery
from .postgres import postgresql, postgresql_url

__all__ = ["postgresql", "postgresql_url"]

hypothesis.settings.register_profile("same", derandomize=True, deadline=None, database=None)
hypothesis.settings.register_profile("fresh", deadline=None, database=None, print_blob=True)
hypothesis.settings.load_profile("same")


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """What most of the gateways are forked from; a real start of `litellm` takes 10 to 25 s of CPU."""
    with Nursery() as running:
        yield running


class ByFile(LoadFileScheduling):  # type: ignore[misc]  # xdist has no types
    """Each file in one process; what needs a nursery in one, as LiteLLM's imports are a tenth of all that is done."""

    def _split_scope(self, nodeid: str) -> str:
        return "gateways" if nodeid.startswith(("tests/e2e/", "tests/page/")) else str(super()._split_scope(nodeid))


def pytest_xdist_make_scheduler(config: Any, log: Any) -> ByFile:
    return ByFile(config, log)
