"""Where segments lie: a folder, or what fsspec reaches by a URL (extra `archive`)."""

from __future__ import annotations

import contextlib
import os
import posixpath
from pathlib import Path
from typing import Any, Protocol

from tslp_litellm.history.segments import SUFFIX
from tslp_litellm.store.database import StoreError


class Folder(Protocol):
    """A place for files. `name`: as it is kept, whoever reads it from wherever. StoreError where it can't be used."""

    name: str

    def write(self, file: str, data: bytes) -> None:
        """A whole file, or none."""

    def read(self, file: str) -> bytes: ...
    def files(self) -> set[str]:
        """The names of the segments there."""


def folder(name: str) -> Folder:
    """A folder by its path or URL."""
    return _Remote(name) if "://" in name else _Local(name)


class _Local:
    def __init__(self, name: str) -> None:
        self._path = Path(name).expanduser().absolute()
        self.name = str(self._path)

    def write(self, file: str, data: bytes) -> None:
        part = self._path / f".{file}.{os.getpid()}.part"
        try:
            self._path.mkdir(parents=True, exist_ok=True)
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as to:
                to.write(data)
                to.flush()
                os.fsync(to.fileno())
            part.replace(self._path / file)
            _sync(self._path)
        except OSError as error:
            raise StoreError(f"{self.name} can't be written: {error.strerror or error}") from None
        finally:
            with contextlib.suppress(OSError):
                part.unlink()

    def read(self, file: str) -> bytes:
        try:
            return (self._path / file).read_bytes()
        except OSError as error:
            raise StoreError(f"{self._path / file} can't be read: {error.strerror or error}") from None

    def files(self) -> set[str]:
        try:
            return {path.name for path in self._path.iterdir() if path.name.endswith(SUFFIX)}
        except OSError as error:
            raise StoreError(f"{self.name} can't be read: {error.strerror or error}") from None


def _sync(path: Path) -> None:
    """A folder's entries on disk: a new name is no file's own content."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


class _Remote:
    """By fsspec: its backends put an object whole or not at all."""

    def __init__(self, name: str) -> None:
        self.name = name.rstrip("/")
        try:
            from fsspec.core import url_to_fs  # noqa: PLC0415 - an extra
        except ImportError:
            raise StoreError(
                f"{name} is a URL, for which fsspec is not installed: pip install 'tslp-litellm[archive]'."
            ) from None
        self._files, self._root = self._tried("used", url_to_fs, self.name)

    def write(self, file: str, data: bytes) -> None:
        self._tried("written", self._files.makedirs, self._root, exist_ok=True)
        self._tried("written", self._files.pipe_file, f"{self._root}/{file}", data)

    def read(self, file: str) -> bytes:
        return bytes(self._tried("read", self._files.cat_file, f"{self._root}/{file}"))

    def files(self) -> set[str]:
        self._files.invalidate_cache()
        found = self._tried("read", self._files.ls, self._root, detail=False)
        return {posixpath.basename(path) for path in found if path.endswith(SUFFIX)}

    def _tried(self, what: str, call: Any, *arguments: Any, **more: Any) -> Any:
        try:
            return call(*arguments, **more)
        except Exception as error:  # noqa: BLE001 - each backend has its own
            raise StoreError(f"{self.name} can't be {what}: {type(error).__name__}: {error}") from None
