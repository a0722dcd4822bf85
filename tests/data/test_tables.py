"""The tables of clients and programs keep to their schema, and nothing else does."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from importlib import resources
from typing import Any

import pytest
from pydantic import ValidationError

from tests.recorded.models.record import HERE as RECORDED
from tslp_litellm.data import Table, schema, table
from tslp_litellm.shell.commands import Tables

FOREIGN = re.compile(r"-(?:de|fr|es|it|pt|zh|ja|ko|ru)-")
"""In the id of a prompt: its language."""
SCHEMAS: dict[str, type[Table]] = {
    "attachments": schema.Attachments,
    "clients": schema.Clients,
    "outcomes": schema.Outcomes,
    "reads": schema.Reads,
    "shell": Tables,
    "side_requests": schema.SideRequests,
    "tools": schema.Tools,
    "words": schema.WordLists,
}


def content(name: str) -> Any:
    return json.loads((resources.files("tslp_litellm.data") / f"{name}.json").read_text("utf-8"))


def refused(name: str, changed: object) -> bool:
    try:
        SCHEMAS[name].model_validate_json(json.dumps(changed))
    except ValidationError:
        return True
    return False


def rows(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where each object with fields of a schema stands: the file itself, and the rows in its lists."""
    if isinstance(value, dict):
        if not path or isinstance(path[-1], int):
            yield path
        for key, inner in value.items():
            yield from rows(inner, (*path, key))
    if isinstance(value, list):
        for n, inner in enumerate(value):
            yield from rows(inner, (*path, n))


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_field_too_many_or_of_another_type_is_refused(name: str) -> None:
    assert table(name, SCHEMAS[name]).about
    for path in rows(content(name)):
        for key in [*at(content(name), path), "pattern_"]:
            changed = copy.deepcopy(content(name))
            at(changed, path)[key] = {"": 1.5}
            assert refused(name, changed), (path, key)


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_missing_table_is_refused(name: str) -> None:
    for key in content(name):
        assert refused(name, {k: value for k, value in content(name).items() if k != key}), key


ERRAND = {"client": "x", "where": "user", "opening": ["a"], "next": [], "tools": "none"}
TOOL = {"client": "x", "names": ["x"], "does": "read", "takes": ["path"]}


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("side_requests", {**ERRAND, "where": "assistant"}),
        ("side_requests", {**ERRAND, "opening": []}),
        ("side_requests", {**ERRAND, "opening": "a"}),
        ("side_requests", {**ERRAND, "opening": ["a  b"]}),
        ("side_requests", {**ERRAND, "tools": "some"}),
        ("tools", {**TOOL, "does": "reads"}),
        ("tools", {**TOOL, "takes": ["pfad"]}),
        ("tools", {**TOOL, "names": []}),
        ("tools", {**TOOL, "limit": "2000"}),
    ],
)
def test_a_malformed_row_is_refused(name: str, row: dict[str, Any]) -> None:
    good = ERRAND if name == "side_requests" else TOOL
    assert not refused(name, {**content(name), name: [*content(name)[name], good]})
    assert refused(name, {**content(name), name: [*content(name)[name], row]})


@pytest.mark.parametrize("pattern", ["(", "[a", "*"])
def test_a_pattern_must_compile(pattern: str) -> None:
    broken = content("outcomes")
    broken["success"].append({"client": "x", "says": [pattern]})
    assert refused("outcomes", broken)


CORE = {
    "adds", "asks", "deed", "denies", "earlier", "elsewhere", "fault", "file", "follows", "go_back", "i_did", "itself",
    "leads_to", "lose", "makes", "mine", "part", "place", "taken_back",
}  # fmt: skip
"""The lists without which people who write a language would get other rules."""


def words() -> schema.WordLists:
    return table("words", schema.WordLists)


def test_people_are_understood_in_these_languages() -> None:
    asked_for = {"de", "fr", "es", "pt", "it", "pl", "ru", "tr", "zh", "ja", "ko", "hi"}
    assert asked_for <= words().languages.keys()


@pytest.mark.parametrize("language", sorted(words().languages))
def test_each_language_has_each_of_the_core_lists(language: str) -> None:
    lists = words().languages[language]
    assert lists.keys() >= CORE
    assert all(lists.values())


def test_a_language_has_no_list_that_nobody_reads() -> None:
    changed = content("words")
    changed["languages"]["de"]["ask"] = ["erkläre"]
    assert refused("words", changed)


def test_the_lists_of_all_languages_are_read_as_one() -> None:
    assert {"explain", "erkläre", "解释"} <= words().words("asks")


def test_no_word_of_another_language_stands_in_an_english_prompt() -> None:
    """But for those that are English, too, and stand in the same list."""
    prompts = json.loads((RECORDED / "prompts.json").read_text("utf-8"))["prompts"]
    english = " \n ".join(one["prompt"] for one in prompts if not FOREIGN.search(f"-{one['id']}-")).lower()
    said = {
        (language, name, word)
        for language, lists in words().languages.items()
        for name, listed in lists.items()
        for word in listed
        if word not in getattr(words(), name) and re.search(rf"(?<![\w'’-]){re.escape(word)}(?![\w'’-])", english)
    }
    assert said == set()
