"""None of the wordings that nobody listed becomes a truth, nor leaves an old text true that may have changed."""

from __future__ import annotations

from random import Random

import pytest

from tests.mutual import wordings
from tests.mutual.judging import ABSENT, DIRTY, becomes

FEW, MANY = 300, 10_000
ROUNDS = [pytest.param(FEW, id="few"), pytest.param(MANY, id="many", marks=pytest.mark.slow)]

OLD = "import os\n\nA = 1\nB = 2\n\n\ndef slug(s):\n    return s.lower()\n"
NEW = OLD.replace("A = 1", "A = 10")
EDITS = [
    ("edit", {"filePath": "util.py", "oldString": "A = 1", "newString": "A = 10"}),
    ("edit_file", {"path": "util.py", "old_string": "A = 1", "new_string": "A = 10"}),
    ("Edit", {"file_path": "util.py", "old_string": "A = 1", "new_string": "A = 10"}),
    ("write_file", {"path": "util.py", "content": NEW}),
    ("write", {"filePath": "util.py", "content": NEW}),
]
TWO = {
    "path": "util.py",
    "edits": [{"old_string": "A = 1", "new_string": "A = 10"}, {"old_string": "Z", "new_string": "Y"}],
}
FILES = {
    "util.py": OLD,
    "README.md": "# Title\n\nSome words.\n\n## Use\n\nRun it.\n",
    "notes.txt": "one\ntwo\nthree\nfour\nfive\nsix\n",
    "package.json": '{\n  "name": "x",\n  "version": "1",\n  "main": "a.js",\n  "license": "MIT"\n}\n',
    "conf.yaml": "a: 1\nb: 2\nc: 3\nd: 4\ne: 5\n",
}
READS = [("read_file", "path"), ("read_file", "filepath"), ("read", "filePath"), ("read_text_file", "path")]


@pytest.mark.parametrize("rounds", ROUNDS)
@pytest.mark.parametrize("wording", [wordings.failure, wordings.failed_json, wordings.denial])
def test_what_was_not_done_is_no_truth(wording: wordings.Wording, rounds: int) -> None:
    chance = Random(14)
    for _ in range(rounds):
        name, arguments = chance.choice(EDITS)
        said = wording(chance, "util.py")
        assert becomes("util.py", OLD, name, arguments, said) in (OLD, DIRTY), said
        assert becomes("util.py", None, *EDITS[3], said) == ABSENT, said


@pytest.mark.parametrize("rounds", ROUNDS)
def test_what_was_done_leaves_no_old_truth(rounds: int) -> None:
    chance = Random(15)
    for _ in range(rounds):
        name, arguments = chance.choice(EDITS)
        said = wordings.success(chance, "util.py")
        assert becomes("util.py", OLD, name, arguments, said) in (NEW, DIRTY), said


@pytest.mark.parametrize("rounds", ROUNDS)
def test_what_was_done_in_part_is_unknown(rounds: int) -> None:
    chance = Random(16)
    for _ in range(rounds):
        said = wordings.partial(chance, "util.py")
        assert becomes("util.py", OLD, chance.choice(["multi_edit", "edit_file"]), TWO, said) == DIRTY, said


@pytest.mark.parametrize("rounds", ROUNDS)
@pytest.mark.parametrize("wording", [wordings.note, wordings.listing])
def test_what_a_tool_says_in_place_of_a_file_is_none(wording: wordings.Wording, rounds: int) -> None:
    chance = Random(17)
    for _ in range(rounds):
        (path, text), (name, key) = chance.choice(list(FILES.items())), chance.choice(READS)
        said = wording(chance, path)
        assert becomes(path, text, name, {key: path}, said) in (text, DIRTY), said
        assert becomes(path, None, name, {key: path}, said) == ABSENT, said


@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_text_with_lines_left_out_is_no_file(rounds: int) -> None:
    chance = Random(18)
    for _ in range(rounds):
        (path, text), (name, key) = chance.choice(list(FILES.items())), chance.choice(READS)
        said = wordings.cut(chance, text)
        for result in (said, f"Content of {path}:\n{said}"):
            assert becomes(path, text, name, {key: path}, result) in (text, DIRTY), result
            assert becomes(path, None, name, {key: path}, result) == ABSENT, result


@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_tool_that_nobody_knows_proves_nothing(rounds: int) -> None:
    chance = Random(19)
    for _ in range(rounds):
        name, arguments = wordings.unknown_tool(chance, "util.py")
        said = chance.choice(["ok", "Done.", "util.py updated", '{"success": true}', "", "Successfully wrote util.py"])
        assert becomes("util.py", OLD, name, arguments, said) == DIRTY, (name, arguments)
        assert becomes("util.py", None, name, arguments, said) == ABSENT, (name, arguments)
