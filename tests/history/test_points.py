"""How a point of the Ledger is named."""

from __future__ import annotations

import pytest

from tslp_litellm.history.points import Point, before, parse


@pytest.mark.parametrize(
    ("said", "point"),
    [
        ("0", Point(seq=0)),
        ("12345", Point(seq=12345)),
        ("2026-01-31", Point(until="2026-01-31T23:59:59.999Z")),
        ("2026-01-31T12:30", Point(until="2026-01-31T12:30:59.999Z")),
        ("2026-01-31 12:30:15", Point(until="2026-01-31T12:30:15.999Z")),
        ("2026-01-31T12:30:15.25Z", Point(until="2026-01-31T12:30:15.259Z")),
        ("2026-01-31T12:30:15.250Z", Point(until="2026-01-31T12:30:15.250Z")),
        ("2026-01-31T00:30:15+01:00", Point(until="2026-01-30T23:30:15.999Z")),
        ("2026-01-31T12:30:15.250000Z", Point(until="2026-01-31T12:30:15.250Z")),  # as a journal and `isoformat` write
        ("2026-01-31t12:30:15.123456789+0000", Point(until="2026-01-31T12:30:15.123Z")),
        ("4bdf4f92-7d19-49ee-83af-fff47a7c72c6", Point(episode="4bdf4f92-7d19-49ee-83af-fff47a7c72c6")),
        ("12345678901", Point(episode="12345678901")),
        ("२", Point(episode="२")),
    ],
)
def test_a_number_a_time_or_an_episode(said: str, point: Point) -> None:
    assert parse(said) == point


@pytest.mark.parametrize("said", ["2026-02-30", "2026-01-31T25:00", "9999-12-31T23:59:59-14:00", "0000-01-01"])
def test_what_no_calendar_has_is_refused(said: str) -> None:
    with pytest.raises(ValueError, match="is no time"):
        parse(said)


@pytest.mark.parametrize(
    ("said", "last"),
    [
        ("7", Point(seq=6)),
        ("0", Point(seq=0)),
        ("2026-02-01", Point(until="2026-01-31T23:59:59.999Z")),
        ("2026-02-01T12:00+02:00", Point(until="2026-02-01T09:59:59.999Z")),
    ],
)
def test_before(said: str, last: Point) -> None:
    assert before(said) == last


@pytest.mark.parametrize("said", ["green", "3f2a", "2026-02-31"])
def test_before_needs_a_number_or_a_time(said: str) -> None:
    with pytest.raises(ValueError, match=r"neither|no time"):
        before(said)
