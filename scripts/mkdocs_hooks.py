"""What MkDocs is told about this checkout: links that leave `docs/`, and pages that a branch does not have yet."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Any

_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(((?:\.\./)+[^)#\s]+)(#[^)\s]*)?\)")


def on_config(config: Any) -> Any:
    """The navigation without the pages that are not there."""
    config["nav"] = _present(config["nav"], Path(config["docs_dir"]))
    return config


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Links to files of the checkout that are no pages become their text: the site does not hold them."""
    folder = PurePosixPath(page.file.src_uri).parent

    def plain(link: re.Match[str]) -> str:
        above = len(re.match(r"(?:\.\./)*", link[2])[0]) // 3  # type: ignore[index]
        return link[1] if above > len(folder.parts) else link[0]

    return _LINK.sub(plain, markdown)


def _present(nav: list[Any], docs: Path) -> list[Any]:
    kept: list[Any] = []
    for entry in nav:
        if isinstance(entry, str):
            kept += [entry] if (docs / entry).is_file() else []
            continue
        ((title, target),) = entry.items()
        if isinstance(target, list):
            inner = _present(target, docs)
            kept += [{title: inner}] if inner else []
        elif (docs / target).is_file():
            kept.append(entry)
    return kept
