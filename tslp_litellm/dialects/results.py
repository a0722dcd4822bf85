"""Structured results: what a JSON answer says of its call, by the names and values of its fields.

Every field must be known, with a value of a known kind (`fields` in `data/outcomes.json`): what a field that nobody
knows may add (`dryRun`, `queued`, `conflict`) could take back all that the others say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tslp_litellm.data import schema, table
from tslp_litellm.dialects.values import Verdict

ROWS_MAX = 200


@dataclass(frozen=True, slots=True)
class Fields:
    """What a structured result says: the verdict of its fields; the client's words in them, and behind them; the files
    that it names. `bad`: whether any field says that something went wrong; `errors`: what those of errors say."""

    verdict: Verdict
    words: tuple[str, ...]
    paths: tuple[str, ...]
    bad: bool = False
    errors: tuple[str, ...] = ()


def _known() -> schema.Fields:
    return table("outcomes", schema.Outcomes).fields


@cache
def _after() -> re.Pattern[str]:
    return re.compile("|".join(_known().after))


def of_fields(text: str) -> Fields | None:
    """A result in JSON; None for any other.

    Every row must say by a field of its own that it was done. One that says it was not makes all a failure, where no
    other was done, and else unknown.
    """
    bare = text.lstrip()
    if not bare.startswith(("{", "[{")):
        return None
    try:
        decoded, end = json.JSONDecoder().raw_decode(bare)
    except (ValueError, RecursionError):
        return None
    listed = decoded if isinstance(decoded, list) else [decoded]
    rows = [dict(_flat(row)) for row in listed[:ROWS_MAX] if isinstance(row, dict)]
    said = {_of_row(row) for row in rows} | ({Verdict.UNKNOWN} if len(rows) < len(listed) else set())
    known, behind = _known(), bare[end:].strip()
    words = [word for row in rows for word in _strings(row, known.words)]
    if behind and not _after().fullmatch(behind):
        words.append(behind)
    bad = any(_sign(name, value) in (Verdict.FAILURE, Verdict.DENIED) for row in rows for name, value in row.items())
    paths, errors = (tuple(said for row in rows for said in _strings(row, of)) for of in (known.paths, known.errors))
    return Fields(_together(said), tuple(words), paths, bad, errors)


def _together(said: set[Verdict]) -> Verdict:
    """What several rows say."""
    if said == {Verdict.DENIED, Verdict.FAILURE}:
        return Verdict.DENIED
    return said.pop() if len(said) == 1 else Verdict.UNKNOWN


def _flat(row: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The fields of a row, those of a field that only holds others among them. A name that comes twice with other
    values is no known field."""
    seen: dict[str, Any] = {}
    for name, value in row.items():
        held = value.items() if name in _known().holders and isinstance(value, dict) else ((name, value),)
        for inner, said in held:
            yield (inner, said) if seen.setdefault(inner, said) == said else (f"{inner}, again", said)


def _strings(row: Mapping[str, Any], names: frozenset[str]) -> Iterator[str]:
    for name, value in row.items():
        if name in names and isinstance(value, str) and value.strip() and _sign(name, value) is not Verdict.SUCCESS:
            yield value


def _of_row(row: Mapping[str, Any]) -> Verdict:
    signs = {_sign(name, value) for name, value in row.items()} - {None}
    counts = {value for name, value in row.items() if name in _known().counts and _is_number(value)}
    if len(signs) != 1 or len(counts) > 1:
        return Verdict.DENIED if signs == {Verdict.DENIED, Verdict.FAILURE} else Verdict.UNKNOWN
    (sign,) = signs
    return Verdict.UNKNOWN if sign is None or (sign is not Verdict.SUCCESS and any(counts)) else sign


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _sign(name: str, value: object) -> Verdict | None:
    """What a field says of the call; None where it is known to say nothing."""
    known = _known()
    if name in known.errors and not value:
        return None
    if name in known.errors:
        return Verdict.FAILURE
    if name in known.says and (said := _of_status(name, value)) is not None:
        return said
    if name in known.counts | known.sizes and _is_number(value):
        return None if value else Verdict.FAILURE
    if name in known.words | known.paths | known.beside and (value is None or isinstance(value, (str, float, int))):
        return None
    return Verdict.UNKNOWN


def _of_status(name: str, value: object) -> Verdict | None:
    """What the value of a field says that may say that it was done; None for one that is no verdict."""
    known = _known()
    value = value.lower() if isinstance(value, str) else value
    if any(value == good and type(value) is type(good) for good in known.says[name]):
        return Verdict.SUCCESS
    if value is False and True in known.says[name]:
        return Verdict.FAILURE
    if isinstance(value, str) and name not in known.words:
        return Verdict.DENIED if value in known.denied else Verdict.FAILURE if value in known.fails else Verdict.UNKNOWN
    if _is_number(value) and 0 in known.says[name] and value:
        return Verdict.FAILURE
    return None
