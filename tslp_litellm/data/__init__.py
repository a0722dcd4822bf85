"""What is known of clients, programs and words, as data; the tables of clients and programs have a strict schema."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict


class Row(BaseModel):
    """A part of a table. Fields that nobody knows, and values of another type, are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Table(Row):
    """A whole file; `about` says to its reader what stands in it."""

    about: str


def _compiled(pattern: str) -> str:
    try:
        re.compile(pattern.replace("{n}", "1").replace("{path}", "x"))
    except re.error as wrong:
        raise ValueError(f"no regular expression: {wrong}") from wrong
    return pattern


Pattern = Annotated[str, AfterValidator(_compiled)]
"""A regular expression, in which `{n}` may stand for a number and `{path}` for a path."""
TableT = TypeVar("TableT", bound=Table)


def table(name: str, schema: type[TableT]) -> TableT:
    """The file `<name>.json`, read once. ValidationError where it does not keep to its schema.

    >>> from tslp_litellm.data.schema import Reads
    >>> table("reads", Reads).searches[0].client
    'opencode, Kilo'
    """
    found = _read(name, schema)
    assert isinstance(found, schema)
    return found


@cache
def _read(name: str, schema: type[Table]) -> Table:
    return schema.model_validate_json((resources.files(__name__) / f"{name}.json").read_bytes())
