from __future__ import annotations

from collections.abc import Iterator

import pytest

from .gateway import Gateway
from .nursery import Nursery, NurseryGateway
from .upstream import Upstream


@pytest.fixture(scope="session")
def upstream() -> Iterator[Upstream]:
    with Upstream() as running:
        yield running


@pytest.fixture(scope="session")
def gateway(upstream: Upstream, nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    with NurseryGateway(tmp_path_factory.mktemp("gateway"), upstream.port, nursery=nursery) as running:
        yield running


@pytest.fixture(autouse=True)
def _no_leftovers(upstream: Upstream) -> Iterator[None]:
    yield
    upstream.replies.clear()
