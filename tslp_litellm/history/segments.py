"""A segment: a piece of a Ledger, with the texts that only it names, as compressed JSON lines (SEMANTICS 12). Pure.

A line for the segment, one an event, one a text. What can be computed is not written down: the hashes of the chain, and
those of the texts, also where events name them. So nothing in it can be altered without another hash coming out.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from tslp_litellm.state.events import WORDS, Entry, Event, EventKind, canonical, chain_hash
from tslp_litellm.state.values import Slice, artifact_hash

FORM = "tslp segment 1"
SUFFIX = ".jsonl.xz"
LISTED = (EventKind.DECISION, EventKind.REPORTED, EventKind.STATED, EventKind.ERROR)
"""Kinds that are asked for by themselves: a segment that holds none of one is not opened for it."""
TESTS = "tests"
RESUMED = {EventKind.REPORTED: 200, EventKind.STATED: 5}
"""So many of the newest of a kind `resume` asks for: they stay in the database, and no segment is opened for them."""
STAYING = (EventKind.DECISION, *RESUMED)
"""Kinds of which copies stay: of decisions all, as each answers the same question again (SEMANTICS 11)."""
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 16 << 20, "lc": 4, "pb": 0}]
_MARK = "\ue000"
_HASH, _PLACE = re.compile(r"[0-9a-f]{64}"), re.compile(f"{_MARK}([0-9]+){_MARK}")


class SegmentError(ValueError):
    """A file is not the segment that the Ledger names."""


@dataclass(frozen=True, slots=True)
class Segment:
    """What the Ledger keeps of a segment, its restore index: the events `first` to `last`, the chain's hash before and
    at its end; its file, where that was written (`folder`: a path or a URL), its SHA-256 and its bytes; how many
    episodes and texts went with it, and the SHA-256 of these texts' hashes; which kinds of those in LISTED it `holds`,
    and how many of each (`tests:2 tool.reported:9`), or `?` if that is not known."""

    first: int
    last: int
    prev: str
    hash: str
    file: str
    folder: str
    sha256: str
    bytes: int
    episodes: int
    texts: int
    digest: str
    holds: str = "?"

    def event(self) -> Event:
        """The event that records it."""
        return Event(EventKind.ARCHIVED, (), tuple(asdict(self).items()))

    @classmethod
    def of(cls, entry: Entry) -> Segment:
        """The reverse of `event`."""
        said = entry.content()
        return cls(**{one.name: said[one.name] for one in fields(cls) if one.name in said})

    def number(self, what: str) -> int | None:
        """How many events of a kind are in it, or reports of TESTS; None where that is not known."""
        if self.holds == "?" or what not in (*LISTED, TESTS):
            return None
        found = dict(one.partition(":")[::2] for one in self.holds.split())
        return (int(found[what]) if found[what] else None) if what in found else 0

    def __str__(self) -> str:
        return f"events {self.first} to {self.last}, {self.file}"


@dataclass(frozen=True, slots=True)
class Contents:
    """What a segment holds: events in order; texts by hash, some as parts of others among them."""

    entries: tuple[Entry, ...]
    texts: Mapping[str, str | Slice]

    def text(self, artifact: str) -> str | None:
        """A text, if it is here."""
        found = self.texts.get(artifact)
        if isinstance(found, Slice):
            return str(self.texts[found.whole]).encode()[found.start : found.end].decode()
        return found


def listed(entries: Sequence[Entry]) -> str:
    """What a segment of some events `holds`."""
    counted = Counter(str(entry.kind) for entry in entries if entry.kind in LISTED)
    counted.update(TESTS for entry in entries if is_of_tests(entry))
    return " ".join(f"{what}:{number}" for what, number in sorted(counted.items()))


def is_of_tests(entry: Entry) -> bool:
    """Whether it reports a run of tests."""
    return entry.kind == EventKind.REPORTED and '"tests":true' in entry.body


def digest(hashes: Sequence[str]) -> str:
    """The SHA-256 of texts' hashes, in order."""
    return hashlib.sha256("\n".join(sorted(hashes)).encode()).hexdigest()


def packed(contents: Contents) -> bytes:
    """A segment's file. Texts lie in the order that they are given in: similar ones side by side take less."""
    first, last = contents.entries[0], contents.entries[-1]
    about = {"form": FORM, "workspace_id": first.workspace_id, "prev": first.prev_hash, "last": last.seq}
    lines: list[Any] = [{**about, "first": first.seq, "hash": last.hash}]
    places = {artifact: n for n, artifact in enumerate(contents.texts)}
    for e in contents.entries:
        known = e.hash == chain_hash(e.workspace_id, e.seq, e.episode_id, e.at, e.kind, e.body, e.prev_hash)
        body = e.body if _MARK in e.body else [_HASH.sub(lambda found: _named(found[0], places), e.body)]
        lines.append([e.episode_id, e.at, e.kind, body, *([] if known else [e.hash, e.prev_hash])])
    for text in contents.texts.values():
        lines.append([places[text.whole], text.start, text.end] if isinstance(text, Slice) else text)
    whole = "".join(canonical(line) + "\n" for line in lines)
    return lzma.compress(whole.encode(), lzma.FORMAT_XZ, lzma.CHECK_SHA256, filters=_FILTERS)


def _named(artifact: str, places: Mapping[str, int]) -> str:
    """A text of the segment by its place there: its hash is computed from it."""
    return f"{_MARK}{places[artifact]}{_MARK}" if artifact in places else artifact


def unpacked(data: bytes, segment: Segment) -> Contents:
    """What a file holds; SegmentError unless it is, byte for byte, the one that the Ledger names."""
    if hashlib.sha256(data).hexdigest() != segment.sha256:
        raise SegmentError("its bytes are not those that were written")
    try:
        lines = [json.loads(line) for line in lzma.decompress(data).decode().split("\n")[:-1]]
        number = segment.last - segment.first + 1
        texts = _texts(lines[number + 1 :])
        entries = _entries(lines[0]["workspace_id"], segment, lines[1 : number + 1], [*texts])
        contents = Contents(entries, texts)
    except (ValueError, LookupError, TypeError, lzma.LZMAError) as error:
        raise SegmentError(f"it can't be read: {error}") from None
    if len(entries) != number or entries[-1].hash != segment.hash or digest([*contents.texts]) != segment.digest:
        raise SegmentError("it holds other events or texts than the Ledger says")
    return contents


def _entries(
    workspace_id: int, segment: Segment, lines: Sequence[list[Any]], hashes: Sequence[str]
) -> tuple[Entry, ...]:
    found, prev = list[Entry](), segment.prev
    for seq, (episode_id, at, kind, written, *said) in enumerate(lines, segment.first):
        body = written if isinstance(written, str) else _PLACE.sub(lambda place: hashes[int(place[1])], written[0])
        made = said[0] if said else chain_hash(workspace_id, seq, episode_id, at, kind, body, prev)
        if said and not (was_erased(kind, body) and said[1] == prev):
            raise SegmentError(f"event {seq}: the chain is broken")
        found.append(Entry(workspace_id, seq, episode_id, at, kind, body, prev, made))
        prev = made
    return tuple(found)


def was_erased(kind: str, body: str) -> bool:
    """Whether an event's words were erased: its hash can't be computed any more."""
    return not body and kind in WORDS


def _texts(lines: Sequence[Any]) -> dict[str, str | Slice]:
    hashes, found = list[str](), dict[str, str | Slice]()
    for line in lines:
        kept: str | Slice = line if isinstance(line, str) else Slice(hashes[line[0]], line[1], line[2])
        text = kept if isinstance(kept, str) else str(found[kept.whole]).encode()[kept.start : kept.end].decode()
        hashes.append(artifact_hash(text))
        found[hashes[-1]] = kept
    return found
