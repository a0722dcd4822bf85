"""Verdicts by closing lines: what real runners print, and what must give none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tslp_litellm.dialects.fences import fences, prose_lines
from tslp_litellm.history import verdicts
from tslp_litellm.history.verdicts import Verdict, of_output, of_paste

OUTPUTS = Path(__file__).parent / "outputs"
RECORDED = Path(__file__).parent.parent / "recorded"
GREEN = "=== 3 passed in 0.12s ==="


def cases() -> list[Any]:
    """Each output of each file: what it says, the script that printed it, and the output."""
    found = []
    for file in sorted(OUTPUTS.glob("*.txt")):
        for n, part in enumerate(file.read_text().split(">>> ")[1:]):
            head, _, output = part.partition("\n")
            says, _, script = head.partition("$ ")
            found.append(pytest.param(says.strip(), script, output, id=f"{file.stem}-{n}"))
    return found


def shown(verdicts: list[Verdict]) -> str:
    words = [
        " ".join([one.tool.replace(" ", "-"), one.says, *(f"{k}={v}" for k, v in sorted(one.counts.items()))])
        for one in verdicts
    ]
    return ", ".join(words)


@pytest.mark.parametrize(("says", "script", "output"), cases())
def test_what_runners_really_print(says: str, script: str, output: str) -> None:
    assert shown(of_output(output, script)) == says
    assert shown(of_output(output.replace("\n", "\r\n"), script)) == says


@pytest.mark.parametrize(("says", "script", "output"), cases())
def test_the_same_shown_again_is_no_verdict(says: str, script: str, output: str) -> None:
    for again in ("cat out.log", "tail -n 40 out.log | grep -v x", "cd logs && sed -n '1,80p' a.log", "gh run view 7"):
        assert of_output(output, again) == []


@pytest.mark.parametrize(
    ("script", "status", "silence", "says"),
    [
        ("tsc --noEmit", 0, False, "tsc green"),
        ("npx tsc -p .", None, True, "tsc green"),
        ("cd web && npx eslint src", None, True, "eslint green"),
        ("eslint .", 1, False, "eslint red"),
        ("make -s all", 0, False, "make green"),
        ("make", 127, False, ""),
        ("tsc --noEmit", None, False, ""),
        ("tsc --noEmit | head", 0, False, ""),
        ("tsc > out.txt", 0, False, "tsc green"),
        ("tsc > out.txt", None, True, ""),
        ("tsc && node dist/a.js", 0, False, ""),
        ("pytest", 0, True, ""),
        ("echo make", 0, True, ""),
    ],
)
def test_silence_is_a_verdict_of_few(script: str, status: int | None, silence: bool, says: str) -> None:
    assert shown(of_output("", script, lambda: status, lambda: silence)) == says


@pytest.mark.parametrize(
    "output",
    [
        "collected 3 items\n",
        "3 passed",
        "The suite had 3 passed in 0.12s runs yesterday.",
        "    === 3 passed in 0.12s ===",
        "+=== 3 passed in 0.12s ===",
        "> === 3 passed in 0.12s ===",
        "out.log:14:=== 3 passed in 0.12s ===",
        "=== no tests ran in 0.01s ===",
        "=== 4 deselected in 0.01s ===",
        "OK",
        "FAILED",
        "Ran 0 tests in 0.000s\n\nOK",
        "Tests: all fine",
        "Tests:       0 total",
        "error: something else",
        "test result: maybe",
        "running 3 tests",
        "FAIL",
        "PASS",
        "Build started.",
        "BUILD SUCCESSFUL",
        "0 examples, 0 failures",
        "Found 3 files.",
        "Success: file written",
        "make: Entering directory '/home/ann'",
        "make: Nothing to be done for 'all'.",
        "All checks passed",
        "✖ could not connect",
        "100% tests passed, 0 tests failed out of 0",
        "  2 pending",
        "   Compiling shop v0.1.0",
        "added 264 packages in 9s",
        "Switched to branch 'tests'",
        "1 file changed, 3 insertions(+)",
        "Successfully installed pytest-8.3.0",
        "12 failed login attempts in auth.log",
    ],
)
def test_what_is_no_closing_line(output: str) -> None:
    assert of_output(output, "./run.sh") == []


def test_results_of_real_sessions_give_none() -> None:
    """Reads, edits, searches and commands of seven clients, none of which ran a test."""
    texts = [text for file in sorted(RECORDED.glob("*.json")) for text in _results(json.loads(file.read_text()))]
    assert len(texts) > 100
    assert [text for text in texts if of_output(text, "./do.sh")] == []


def _results(node: Any) -> list[str]:
    """The texts of tool results, in whatever API's form."""
    if isinstance(node, list):
        return [text for one in node for text in _results(one)]
    if not isinstance(node, dict):
        return []
    said = []
    if node.get("role") == "tool" or node.get("type") in ("tool_result", "function_call_output"):
        content = node.get("content", node.get("output"))
        parts = content if isinstance(content, list) else [content]
        said = [part.get("text", "") if isinstance(part, dict) else str(part) for part in parts]
    return said + [text for value in node.values() for text in _results(value)]


class TestPastes:
    def read(self, text: str, *files: str) -> str:
        blocks = fences(text)
        return shown(of_paste("\n".join(prose_lines(text, blocks)), blocks, frozenset(files)))

    @pytest.mark.parametrize("fence", ["", "console", "bash", "text"])
    def test_a_terminal_in_a_fence(self, fence: str) -> None:
        assert self.read(f"It says:\n```{fence}\n$ pytest -q\n{GREEN}\n```\nNow?") == "pytest green passed=3"

    def test_a_terminal_as_it_is(self) -> None:
        assert self.read(f"$ pytest\n{GREEN}\n") == "pytest green passed=3"

    def test_code_and_files_are_none(self) -> None:
        assert self.read(f"```python\n{GREEN}\n```") == ""
        assert self.read(f"notes.txt\n```\n{GREEN}\n```", GREEN) == ""


def test_the_last_of_a_long_output_counts() -> None:
    assert shown(of_output("x" * 1_000_000 + "\n" + GREEN, "pytest")) == "pytest green passed=3"


@pytest.mark.parametrize(
    ("pattern", "heads"),
    [
        ("^Ran \\d+ tests$", {"Ra"}),
        ("^(?P<green>OK), but$", {"OK"}),
        ("^g?make: ", {"gm", "ma"}),
        ("^ +(?:Passed|Failed)!", {"  ", " P", " F"}),
        ("^[^\\n]+ failed$", set()),
    ],
)
def test_what_a_closing_line_may_begin_with(pattern: str, heads: set[str]) -> None:
    assert verdicts._heads(pattern) == heads


def test_what_only_shows_is_not_read() -> None:
    closed = "=== 4 passed in 0.10s ==="
    assert verdicts.of_output(closed, "pytest")
    assert verdicts.of_output(closed, "cat log && pytest")
    assert not verdicts.of_output(closed, "cat log")
