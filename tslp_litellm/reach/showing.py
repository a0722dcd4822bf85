"""A folder's files as a user's own word (`tslp import`): prompts to the relay in which he shows them, like any paste.

Only what somebody would paste: texts of known languages, none that is hidden or of a dependency, none that is large.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path

from tslp_litellm.reach.tools import AskedWronglyError, text_of
from tslp_litellm.state.other_names import OF_OTHERS
from tslp_litellm.syntax.languages import language_of_path

CLIENT = "tslp-import"
FILE_MAX_BYTES = 200_000
PROMPT_CHARS = 100_000
"""So much is shown in one prompt, or one file."""
_LEFT_OUT = OF_OTHERS | {"vendor", "venv", "__pycache__", "dist", "build", "target"}
"""Folders of dependencies and of what is built."""


def files(folder: Path, only: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """The files of a folder by their names in it, in order, with their texts; None for one that is too large or no
    UTF-8. `only`: patterns, of which a name must match one if there are any."""
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _LEFT_OUT)
        for name in sorted(names):
            path = (Path(at) / name).relative_to(folder).as_posix()
            wanted = not only or any(fnmatch(path, pattern) for pattern in only)
            if wanted and not name.startswith(".") and language_of_path(path) and not (Path(at) / name).is_symlink():
                yield path, _text(Path(at) / name, path)


def _text(file: Path, path: str) -> str | None:
    try:
        return text_of(file, path, FILE_MAX_BYTES)
    except AskedWronglyError:
        return None


def prompts(texts: Mapping[str, str]) -> Iterator[str]:
    """The files in prompts of about PROMPT_CHARS."""
    shown: list[str] = []
    for path, text in texts.items():
        if shown and sum(map(len, shown)) + len(text) > PROMPT_CHARS:
            yield _prompt(shown)
            shown = []
        shown.append(_shown(path, text))
    if shown:
        yield _prompt(shown)


def _prompt(shown: Sequence[str]) -> str:
    return "\n\n".join(["These are my files.", *shown])


def _shown(path: str, text: str) -> str:
    """A file below its path, in a fence that is longer than any in it."""
    longest = max((len(found) for found in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{path}\n{fence}\n{text}{'' if text.endswith(chr(10)) else chr(10)}{fence}"
