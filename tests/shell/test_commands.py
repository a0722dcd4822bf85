"""The table of programs: its schema, and how rows are found."""

import json
from importlib import resources

import pytest
from pydantic import ValidationError

from tslp_litellm.shell.commands import Does, Tables, has, interpreter_of, row_of, tables, wrapper_of

FILE = resources.files("tslp_litellm") / "data" / "shell.json"


def test_the_file_keeps_to_its_schema_and_names_nothing_twice() -> None:
    runs = [run for row in tables().programs for run in row.run]
    assert sorted({run for run in runs if runs.count(run) > 1}) == []


@pytest.mark.parametrize(
    "row", [{"run": ["x"], "does": "breaks"}, {"run": ["x"], "does": "reads", "fils": []}, {"does": "reads"}]
)
def test_other_rows_are_refused(row: dict[str, object]) -> None:
    data = json.loads(FILE.read_text("utf-8"))
    data["programs"].append(row)
    with pytest.raises(ValidationError):
        Tables.model_validate(data)


def test_the_longest_row_counts() -> None:
    found = row_of("npm", ["install", "x"])
    assert found is not None and (found[0].does, found[1]) == (Does.GENERATES, 1)
    plain = row_of("npm", ["x"])
    assert plain is not None and (plain[0].does, plain[1]) == (Does.RUNS, 0)
    assert row_of("unheard-of", []) is None


def test_wrappers_and_interpreters() -> None:
    assert wrapper_of("poetry", "run") is not None
    assert wrapper_of("poetry", "add") is None
    assert interpreter_of("python3.12") is not None
    assert interpreter_of("make") is None


@pytest.mark.parametrize(
    ("option", "word", "found"),
    [("-i", "-i", True), ("-i", "-ni.bak", True), ("--fix", "--fix=all", True), ("--fix", "--fixes", False),
     ("-i", "--in", False), ("-w", "-l", False)],
)  # fmt: skip
def test_options(option: str, word: str, found: bool) -> None:
    assert has(option, word) is found
