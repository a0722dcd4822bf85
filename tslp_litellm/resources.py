"""Where the files beside the package are: in the wheel inside it, in a checkout above it."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def migrations_dir() -> Path:
    """The Alembic scripts."""
    packaged = _PACKAGE / "_alembic"
    return packaged if packaged.is_dir() else _PACKAGE.parent / "alembic"


def symbols_file() -> Path:
    """The fallback definition patterns that come with TSLP."""
    packaged = _PACKAGE / "symbols.json"
    return packaged if packaged.is_file() else _PACKAGE.parent / "symbols.json"
