"""Whether the files that a result names are those of its call."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from tslp_litellm.dialects.wording import same_path
from tslp_litellm.state.names import is_absolute, normalise_path
from tslp_litellm.state.spelling import fold


def others(namings: Iterable[Collection[str]], called: Collection[str], root: str | None) -> list[str]:
    """The files that a result names beside those of its call, in each way to read it; none where one way has none."""
    found: list[str] = []
    for named in namings:
        beside = [name for name in named if is_another(name, called, root)]
        if not beside:
            return []
        found += beside
    return found


def is_another(name: str, called: Collection[str], root: str | None) -> bool:
    """Whether a file that a result names is none that the call did. `root`: the working directory.

    A short name is that of a longer one that ends in it; a whole one, where the working directory is known, is itself.
    """
    if not any(same_path(name, path) for path in called):
        return True
    whole = normalise_path(name, root)
    if not root or whole is None or not is_absolute(name.replace("\\", "/")):
        return False
    return fold(whole) not in {fold(path) for raw in called if (path := normalise_path(raw, root)) is not None}
