"""Which paths of the State Map `export` may write: below the folder, as that file on any system, and nothing that runs
by itself.

A model names files, and an export may go into a checkout or a home. There, shells, version control and editors run what
lies under certain hidden names, and every tool brings one more. So the rule is the other way round: a hidden name is
written where it is known that nothing runs it.
"""

from __future__ import annotations

import re
import unicodedata

import regex

from tslp_litellm.state.names import is_absolute

_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)([.:]|$)")
_DRIVE = re.compile(r"[a-z]:")
_SHORT_NAME = re.compile(r"[^.~]{1,7}~\d+([.:]|$)")
"""How Windows also names a file, `.git` as `git~1`, `.bashrc` as `bashrc~1`."""
_INVISIBLE = regex.compile(r"[\p{Cf}\p{Default_Ignorable_Code_Point}]+")
_PASSIVE_FOLDERS = frozenset({".github", ".gitlab", ".circleci"})
"""Read by a service, after somebody has pushed them."""
_PASSIVE_FILES = frozenset(
    (
        ".browserslistrc",
        ".dockerignore",
        ".editorconfig",
        ".env",
        ".env.example",
        ".eslintignore",
        ".eslintrc",
        ".eslintrc.json",
        ".flake8",
        ".gitattributes",
        ".gitignore",
        ".gitkeep",
        ".gitlab-ci.yml",
        ".keep",
        ".markdownlint.json",
        ".node-version",
        ".npmignore",
        ".nvmrc",
        ".prettierignore",
        ".prettierrc",
        ".prettierrc.json",
        ".prettierrc.yaml",
        ".prettierrc.yml",
        ".python-version",
        ".ruby-version",
        ".rustfmt.toml",
        ".stylelintrc",
        ".stylelintrc.json",
        ".travis.yml",
        ".yamllint",
    )
)
"""Lists of names and settings of tools that somebody has to call."""


def unsafe(path: str) -> str | None:
    """Why a path must not be written below a folder; None if it may."""
    parts = path.split("/")
    folded = [_folded(part) for part in parts]
    if is_absolute(path) or path.startswith("~") or _DRIVE.match(folded[0]):
        return "its path is absolute"
    if any(part in ("", ".", "..") for part in (*parts, *folded)):
        return "its path leads out of the folder"
    if any(_odd(part, name) for part, name in zip(parts, folded, strict=True)):
        return "its path is no safe file name"
    if not all(_passive(name, last=n == len(folded) - 1) for n, name in enumerate(folded)):
        return "something may run what has such a hidden name"
    return None


def _folded(part: str) -> str:
    """A name as the most careless file system reads it: HFS+ drops what is invisible, Windows case, dots and spaces at
    the end and what follows a colon."""
    bare = unicodedata.normalize("NFKC", _INVISIBLE.sub("", part)).casefold()
    return bare if bare in (".", "..") else re.sub(r"[. ]+$", "", bare)


def _odd(part: str, name: str) -> bool:
    """Whether a system reads another name than was written."""
    if "\\" in part or _DEVICE.match(name) or _SHORT_NAME.match(name) or part[-1] in ". ":
        return True
    return any(unicodedata.category(c) in ("Cc", "Zl", "Zp") for c in part)


def _passive(name: str, last: bool) -> bool:
    """Whether a part of a path is no hidden name, or one that nothing runs."""
    return not name.startswith(".") or name in (_PASSIVE_FILES if last else _PASSIVE_FOLDERS)
