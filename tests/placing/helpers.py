"""What is tracked, for placing."""

from __future__ import annotations

from tests.resolution.helpers import known as state
from tslp_litellm.placing.values import Asked, Known, Play
from tslp_litellm.resolution.common import known
from tslp_litellm.resolution.unit_of_work import UnitOfWork


def tracked(**files: str) -> Known:
    """Files with their texts; `a_py` stands for `a.py`, `src__a_py` for `src/a.py`."""
    names = {name.replace("__", "/").replace("_", "."): text for name, text in files.items()}
    return known(UnitOfWork({path: state(path, text) for path, text in names.items()}), Asked())


def by_model(
    prose: str = "Change it.", *paths: str, entities: tuple[str, ...] = (), before: tuple[str, ...] = ()
) -> Asked:
    return Asked(prose, Play(frozenset(paths), frozenset(entities), frozenset(before)), by_model=True)


def by_user(prose: str = "", *paths: str) -> Asked:
    return Asked(prose, Play(frozenset(paths)))
