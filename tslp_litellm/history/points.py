"""How a point of a workspace's Ledger is named: `--at SEQ|TIME|EPISODE|green` (SEMANTICS 12)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

_TIME = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)(?:[Tt ](?P<minute>\d\d:\d\d)(?::(?P<second>\d\d)(?:[.](?P<fraction>\d{1,9}))?)?)?"
    r" ?(?P<zone>[Zz]|[+-]\d\d:?\d\d)?"
)
_SEQ_DIGITS_MAX = 10
GREEN = "green"
_MS, _DIGITS = timedelta(milliseconds=1), 3


@dataclass(frozen=True, slots=True)
class Point:
    """One of: the state after the event `seq`; all until `until` and with it (RFC 3339, UTC, milliseconds); all until
    an episode was over; all until tests were last said to be green."""

    seq: int | None = None
    until: str | None = None
    episode: str | None = None
    green: bool = False


def parse(said: str) -> Point:
    """A point by its name: a number, a time, `green`, else an episode's id. ValueError for a time that no calendar has.

    A time names all of what it names: a date the whole day, a second the whole second. Without a zone it is UTC. What
    is finer than the Ledger's milliseconds, as a journal's times are, is the millisecond that it lies in.
    """
    if said.isdecimal() and said.isascii() and len(said) <= _SEQ_DIGITS_MAX:
        return Point(seq=int(said))
    if said == GREEN:
        return Point(green=True)
    if (found := _TIME.fullmatch(said)) is None:
        return Point(episode=said)
    try:
        return Point(until=_last_ms(found))
    except (ValueError, OverflowError):
        raise ValueError(f"{said} is no time: write 2026-01-31, 2026-01-31T12:00 or 2026-01-31T12:00:00Z") from None


def before(said: str) -> Point:
    """The last point before a number or a time. ValueError for what is neither."""
    point = parse(said)
    if point.seq is not None:
        return Point(seq=max(0, point.seq - 1))
    if point.until is None or (found := _TIME.fullmatch(said)) is None:
        raise ValueError(f"{said} is neither an event's number nor a time")
    return Point(until=_written(_begins(found) - _MS))


def _last_ms(found: re.Match[str]) -> str:
    """The last millisecond of what a time names."""
    fraction, second, minute = found["fraction"], found["second"], found["minute"]
    if fraction is not None:
        fraction = fraction[:_DIGITS]
        length = timedelta(seconds=10.0 ** -len(fraction))
    else:
        length = timedelta(seconds=1) if second else timedelta(minutes=1) if minute else timedelta(days=1)
    return _written(_begins(found) + length - _MS)


def _begins(found: re.Match[str]) -> datetime:
    """The first instant of what a time names."""
    zone = "+00:00" if found["zone"] in (None, "Z", "z") else found["zone"]
    fraction = (found["fraction"] or "0")[:_DIGITS].ljust(_DIGITS, "0")
    clock = f"{found['minute'] or '00:00'}:{found['second'] or '00'}.{fraction}"
    return datetime.fromisoformat(f"{found['day']}T{clock}{zone}")


def _written(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
