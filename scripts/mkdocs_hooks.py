"""What MkDocs is told about this checkout: links that leave `docs/`, and pages that a branch does not have yet."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path, PurePosixPath
from typing import Any

_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#\s:]+)(#[^)\s]*)?\)")
_missing: set[str] = set()
"""Pages of the navigation that this branch does not have."""


def on_config(config: Any) -> Any:
    """The navigation without the pages that are not there."""
    config["nav"] = _present(config["nav"], Path(config["docs_dir"]))
    return config


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Links to files of the checkout that are no pages, and to missing pages, become their text."""
    folder = PurePosixPath(page.file.src_uri).parent

    def plain(link: re.Match[str]) -> str:
        target = posixpath.normpath(str(folder / link[2]))
        return link[1] if target.startswith("..") or target in _missing else link[0]

    return _LINK.sub(plain, markdown)


def _present(nav: list[Any], docs: Path) -> list[Any]:
    kept: list[Any] = []
    for entry in nav:
        if isinstance(entry, str):
            kept += [entry]
            continue
        ((title, target),) = entry.items()
        if isinstance(target, list):
            inner = _present(target, docs)
            kept += [{title: inner}] if inner else []
        elif (docs / target).is_file():
            kept.append(entry)
        else:
            _missing.add(target)
    return kept
