"""The journal's files (LedgerPulse 2, 9, 10, 12 and 14): one writer at a time, whole records, an index that is right.

    DIR/stream/pulses.log.md            the stream; only ever appended to
    DIR/stream/pulses.log.md.idx.json   time of each pulse -> its byte offset
    DIR/stream/archive/                 what grew too large, with its index
    DIR/stream/pulses.lock              who writes

A process may end at any point: what it had not appended whole is cut off at the next start, and told anew.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import socket
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from tslp_litellm.journal.pulses import Pulse, after, heads, in_short

ROTATE_BYTES = 100_000_000
_BLOCK = 1 << 20
_END = b"\n\n"
_TS = re.compile(rb"^ts: '?([0-9T:.+-]+Z?)'?$", re.M)
_INDEX = ".idx.json"
LOG = "pulses.log.md"


class JournalError(Exception):
    """What keeps a journal from being written or read, in one sentence."""


class Journal:
    """A journal that this process writes; as a context it holds the lock. OSError as files give it."""

    def __init__(self, folder: Path, rotate_bytes: int = ROTATE_BYTES) -> None:
        self._stream, self._rotate_bytes = folder / "stream", rotate_bytes
        self.log, self._fresh = self._stream / LOG, self._stream / f"{LOG}.new"
        self._offsets: dict[str, int] = {}
        self._lock = -1

    def __enter__(self) -> Journal:
        (self._stream / "archive").mkdir(parents=True, exist_ok=True)
        self._acquire()
        try:
            self._recover()
        except BaseException:
            self._release()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._release()

    @property
    def last(self) -> str:
        """The time of the last pulse; empty before the first."""
        return next(reversed(self._offsets), "")

    def held(self, workspace: str) -> int:
        """The place in the Ledger up to which its pulses stand here. JournalError in the journal of another one."""
        newest = next(newest_first(self._stream.parent), None)
        if newest is None:
            return 0
        place = newest["ledger"]
        if place["workspace"] != in_short(workspace):
            raise JournalError(f"{self._stream.parent} is the journal of workspace {place['workspace']}.")
        return int(place["seq"])

    @property
    def is_full(self) -> bool:
        """Whether the stream is to begin anew."""
        return self.log.stat().st_size > self._rotate_bytes

    def append(self, pulses: Sequence[Pulse]) -> None:
        """Append pulses, all together (LedgerPulse 9)."""
        records, last = dict[str, bytes](), self.last
        for pulse in pulses:
            last = after(pulse.ts, last)
            records[last] = replace(pulse, ts=last).record().encode()
        waiting = self._stream / f"{LOG}.tmp"
        _write(waiting, b"".join(records.values()))
        at = self.log.stat().st_size
        with self.log.open("ab") as log:
            log.write(b"".join(records.values()))
            log.flush()
            os.fsync(log.fileno())
        waiting.unlink()
        for ts, record in records.items():
            self._offsets[ts] = at
            at += len(record)
        self._index()

    def rotate(self, first: Pulse) -> None:
        """Archive the stream, and begin a new one with a pulse that says where all stands (LedgerPulse 12)."""
        _write(self._fresh, replace(first, ts=after(first.ts, self.last)).record().encode())
        day, time = self.last[:10].replace("-", ""), self.last[11:].replace(":", "")
        self.log.replace(self._stream / "archive" / f"pulses-{day}-{time}.log.md")
        self._recover()

    # -- the lock

    def _acquire(self) -> None:
        """Held by the kernel as long as the process lives, so that nobody waits for a dead one."""
        lock = os.open(self._stream / "pulses.lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.read(lock, 200).decode("utf-8", "replace").strip() or "another process"
            os.close(lock)
            raise JournalError(f"{self._stream.parent} is written by {owner}: one writer at a time.") from None
        os.ftruncate(lock, 0)
        os.write(lock, f"process {os.getpid()} on {socket.gethostname()}\n".encode())
        self._lock = lock

    def _release(self) -> None:
        os.ftruncate(self._lock, 0)
        os.close(self._lock)

    # -- after whatever happened

    def _recover(self) -> None:
        (self._stream / f"{LOG}.tmp").unlink(missing_ok=True)
        if not self.log.exists() and self._fresh.exists():
            self._fresh.replace(self.log)
        self._fresh.unlink(missing_ok=True)
        self.log.touch()
        for old in sorted((self._stream / "archive").glob("pulses-*.log.md")):
            index = old.with_name(old.name.removesuffix(".log.md") + _INDEX)
            if not index.exists():
                _write_index(index, _offsets(old)[0])
        self._offsets, whole = _offsets(self.log)
        if whole < self.log.stat().st_size:
            os.truncate(self.log, whole)
        self._index()

    def _index(self) -> None:
        _write_index(self.log.with_name(self.log.name + _INDEX), self._offsets)


def _offsets(log: Path) -> tuple[dict[str, int], int]:
    """The time and the place of each whole record, and where the last of them ends."""
    content, found, at = log.read_bytes(), dict[str, int](), 0
    while (end := content.find(_END, at)) >= 0:
        if (ts := _TS.search(content, at, end)) is not None:
            found[ts[1].decode()] = at
        at = end + len(_END)
    return found, at


def _write_index(index: Path, offsets: dict[str, int]) -> None:
    fresh = index.with_name(index.name + ".new")
    _write(fresh, json.dumps({"schema": "ledgerpulse-index/v1", "offsets": offsets}, indent=1).encode())
    fresh.replace(index)


def _write(file: Path, content: bytes) -> None:
    with file.open("wb") as to:
        to.write(content)
        to.flush()
        os.fsync(to.fileno())


def newest_first(folder: Path) -> Iterator[dict[str, Any]]:
    """The front matter of a journal's pulses, the newest first, the archive's after the stream's; what is torn at an
    end is no pulse. JournalError where there is no journal."""
    stream = folder / "stream"
    files = [stream / LOG, *sorted((stream / "archive").glob("pulses-*.log.md"), reverse=True)]
    if not any(file.is_file() for file in files):
        raise JournalError(f"There is no journal in {folder}.")
    return (said for file in files if file.is_file() for said in heads(_backwards(file)))


def _backwards(log: Path) -> Iterator[str]:
    """The whole records of a file from its end on, read in blocks."""
    with log.open("rb") as file:
        at, rest = file.seek(0, os.SEEK_END), b""
        while at > 0:
            step = min(at, _BLOCK)
            at = file.seek(at - step)
            first, *records = (file.read(step) + rest).split(_END)
            file.seek(at)
            for record in reversed(records[:-1]):  # behind the last one stands nothing, or what is torn
                yield record.decode("utf-8", "replace") + "\n\n"
            rest = first + (_END if records else b"")
        if rest.endswith(_END):
            yield rest.decode("utf-8", "replace")
