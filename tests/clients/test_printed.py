"""What clients say around a command's output."""

import json

import pytest

from tslp_litellm.clients.printed import Printed, json_list, printed

CODEX = "Chunk ID: 1a\nWall time: 0.05 seconds\nProcess exited with code 0\nOriginal token count: 6\nOutput:\n"


@pytest.mark.parametrize(
    ("result", "found"),
    [
        (CODEX + "a\nb", Printed("a\nb", exact=True)),
        (CODEX + "a\n", Printed("a\n", exact=True)),
        ("Exit code: 0\nWall time: 0 seconds\nOutput:\na\n", Printed("a\n")),
        ("Command executed.\nOutput:\na\n", Printed("a\n")),
        ("Command executed in terminal within working directory '/w'. Exit code: 0\nOutput:\na\n", Printed("a\n")),
        ("Command: x\nDirectory: (root)\nOutput: a\nError: (none)\nExit Code: 0\nSignal: 0", Printed("a")),
        ("Output: a\nb\nProcess Group PGID: 4242", Printed("a\nb")),
        ("Output: a\nExit Code: 1\nProcess Group PGID: 4242", None),
        ("Exit code: 1\nOutput:\na\n", None),
        (json.dumps([{"query": "x", "result": "a", "success": True}]), Printed("a")),
        (json.dumps([{"result": "a"}, {"result": "b"}]), Printed("")),
        ("a\n", None),
    ],
)
def test_what_stands_in_a_frame(result: str, found: Printed | None) -> None:
    assert printed(result) == found


def test_json_as_a_list() -> None:
    assert json_list('{"a": 1}') == [{"a": 1}]
    assert json_list("[1, 2]") == [1, 2]
    assert json_list("a") is None
