"""What a command printed, out of the frames of clients."""

import pytest

from tslp_litellm.clients.printed import printed

QWEN = "Directory: (root)\nOutput: {}\nError: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: 4711"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("plain words", None),
        ("Command: ls\n" + QWEN.format("a\nb"), ("a\nb",)),
        ("Command: ls\n" + QWEN.format("(empty)"), ("",)),
        ("Command: cat > a <<'E'\nx\nE\n" + QWEN.format("a"), ("a",)),
        ("Command: ls\n" + QWEN.format("a").replace("(none)", "spawn failed", 1), ("a",)),
        ("Error (exit code 2): no\n", ("no\n",)),
        ("Command executed.\n", ("",)),
        ("Command failed with exit code 1.\nOutput:\na\n", ("a\n",)),
        ('[{"result": "a", "success": true}, {"result": "b", "success": true}]', ("a", "b")),
        ('{"result": "", "error": "Command failed with exit code 1\\nx", "success": false}', ("x",)),
        ('{"result": "", "error": "timed out", "success": false}', ("timed out",)),
        ("Command: " + "\nDirectory: x\nOutput: " * 20_000, None),
    ],
)
def test_what_stands_in_a_frame(text: str, found: tuple[str, ...] | None) -> None:
    assert printed(text) == found
