#!/usr/bin/env python3
"""The rules of CHANGELOG.md: `changelog.py check` prints the version if all is well, `notes` its section.

The newest version there (`## 0.2.0 - 2026-11-22`) is the package's. `## Unreleased` may stand above it between
releases, and not in a release: `changelog.py release` is as strict as that. Sections have only Keep a Changelog's
headings.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
HEADING = re.compile(r"## (?:Unreleased|(?P<version>\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?) - (?P<date>\d{4}-\d\d-\d\d))$")


def sections(text: str) -> list[tuple[str, str]]:
    """Heading and body of each section, newest first."""
    parts = re.split(r"^(## .*)$", text, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def problems(text: str, version: str, *, releasing: bool = False) -> list[str]:
    """What is wrong with the changelog of a package of that version, in sentences."""
    found, dates = [], []
    for heading, body in sections(text):
        fit = HEADING.match(heading)
        if fit is None:
            found.append(f"`{heading}` is neither `## Unreleased` nor `## VERSION - YYYY-MM-DD`.")
        elif fit["date"]:
            dates.append(fit["date"])
        found += [f"`### {k}` in `{heading}` is not one of {', '.join(KINDS)}." for k in _kinds(body) if k not in KINDS]
        if not re.search(r"^- ", body, re.MULTILINE):
            found.append(f"`{heading}` says nothing.")
    if dates != sorted(dates, reverse=True):
        found.append("The sections are not in the order of their dates, newest first.")
    versions = [fit["version"] for heading, _ in sections(text) if (fit := HEADING.match(heading)) and fit["version"]]
    if releasing and any(h == "## Unreleased" for h, _ in sections(text)):
        found.append("`## Unreleased` is still there: give it a version and a date.")
    if not versions or versions[0] != version:
        found.append(f"The newest version here is {versions[0] if versions else 'none'}, the package's is {version}.")
    return found


def notes(text: str, version: str) -> str:
    """The section of a version; KeyError where there is none."""
    return {h.split(" ")[1]: body.strip() + "\n" for h, body in sections(text)}[version]


def package_version() -> str:
    """The version in the package, which the wheel gets too."""
    found = re.search(r'^__version__ = "([^"]+)"', (ROOT / "tslp_litellm" / "__init__.py").read_text(), re.MULTILINE)
    assert found is not None
    return found[1]


def _kinds(body: str) -> list[str]:
    return re.findall(r"^### (.*)$", body, re.MULTILINE)


def main(command: str) -> int:
    """Run one command; the exit status."""
    text, version = (ROOT / "CHANGELOG.md").read_text("utf-8"), package_version()
    wrong = problems(text, version, releasing=command == "release")
    if wrong:
        sys.stderr.write("\n".join(["CHANGELOG.md:", *wrong, ""]))
        return 1
    sys.stdout.write(notes(text, version) if command == "notes" else version + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
