"""The past on the command line: `--at` on `state`, `show`, `diff` and `export`; `checkpoint` (SEMANTICS 12)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import BETTER, FMT, LOSSY, Shell, fence


def episodes(shell: Shell) -> list[str]:
    """Oldest first."""
    return [row["episode_id"] for row in shell.json("recent")["episodes"]][::-1]


def head(shell: Shell) -> int:
    """The place of the newest event."""
    return int(shell.json("state", "--at", "9999999")["as_of"]["seq"])


def exported(shell: Shell, *arguments: str) -> dict[str, str]:
    lines = shell.run("export", "-", "--dirty", "mark", *arguments).stdout.splitlines()
    return {row["entity"]: row["text"] for row in map(json.loads, lines)}


class TestExport:
    def test_after_each_turn_it_is_what_the_state_was_then(self, bare: Shell) -> None:
        session = bare.client()
        turns = [
            ("Write fmt.py.", f"fmt.py\n```python\n{FMT}```\n"),
            ("Improve `title_case` in fmt.py.", f"fmt.py\n```python\n{BETTER}```\n"),
            ("Write gone.py.", "gone.py\n```python\ndef gone():\n    return 1\n```\n"),
            (f"This is fmt.py now:\n\nfmt.py\n```python\n{FMT}```\n", "Fine."),
        ]
        then: dict[str, dict[str, str]] = {}
        places: dict[int, dict[str, str]] = {}
        for user, answer in turns:
            session.ask(user, answer)
            bare.run("checkpoint")
            then[episodes(bare)[-1]] = exported(bare)
            places[head(bare)] = exported(bare)
        bare.shell_call("rm gone.py", 1)
        bare.shell_call("sed -i s/clean/tidy/ fmt.py", 2)
        then[episodes(bare)[-1]] = exported(bare)
        assert len({json.dumps(one) for one in then.values()}) == 4
        for point, files in (*then.items(), *places.items()):
            assert exported(bare, "--at", str(point)) == files
        bare.run("verify")

    def test_a_folder_byte_for_byte(self, shell: Shell) -> None:
        shell.run("export", "now", "--only", "fmt")
        shell.run("export", "then", "--only", "fmt", "--at", episodes(shell)[0])
        assert (Path("now/fmt.py").read_text(), Path("then/fmt.py").read_text()) == (BETTER, FMT)


class TestAsOf:
    def test_state_and_what_was_removed_since(self, shell: Shell) -> None:
        names = [row["entity"] for row in shell.json("state", "--at", episodes(shell)[-2])["entities"]]
        assert "gone.py::gone" in names
        found = shell.json("state", "gone.py", "--at", "9999999")
        assert (found["entities"], len(found["tombstones"])) == ([], 2)

    def test_times_name_all_of_what_they_name(self, shell: Shell) -> None:
        for at in ("2026-01-01", "2026-01-01T00:00:59Z", "2026-01-01 02:00+02:00"):
            assert shell.json("state", "--at", at)["as_of"]["seq"] == head(shell)
        for at in ("2025-12-31", "2026-01-01T00:59:59+01:00", "0"):
            assert shell.json("state", "--at", at)["entities"] == []

    def test_show_and_diff_are_what_they_would_have_said(self, shell: Shell) -> None:
        first, second = episodes(shell)[:2]
        assert shell.run("show", "fmt.py", "--text", "--at", first).stdout == FMT
        assert len(shell.json("show", "fmt.py", "--at", first)["history"]) == 1
        assert "+    return clean(s).title().strip()" in shell.run("diff", "fmt.py", "--at", second).stdout
        assert "only one text" in shell.run("diff", "fmt.py", "--at", first, status=1).output
        lines = shell.run("diff", "fmt.py", "--from", f"@{second}", "--to", f"@{first}").stdout
        assert "-    return clean(s).title().strip()" in lines

    @pytest.mark.parametrize(
        ("arguments", "status", "said"),
        [
            (("state", "--at", "nobody"), 1, "has no nobody in its history"),
            (("show", "fmt.py", "--at", "1"), 0, "fmt.py has no text that is the truth."),
            (("show", "fmt.py", "--text", "--at", "1"), 1, "has no current text"),
            (("show", "fmt.py", "--at", "nobody"), 1, "no such point"),
            (("show", "nobody.py", "--at", "1"), 1, "is unknown"),
            (("export", "x", "--at", "1"), 1, "Nothing yet."),
            (("state", "--at", "2026-02-30"), 2, "is no time"),
            (("diff", "fmt.py", "--from", "@2026-02-30"), 2, "is no time"),
            (("state", "--stale", "--at", "3"), 2, "goes without --at"),
        ],
    )
    def test_what_never_was_is_said(self, shell: Shell, arguments: tuple[str, ...], status: int, said: str) -> None:
        assert said in shell.run(*arguments, status=status).output


def test_checkpoints_are_made_where_something_happened(shell: Shell) -> None:
    before, place = shell.json("state"), head(shell)
    assert "1 checkpoint made" in shell.run("checkpoint").output
    assert "0 checkpoints made" in shell.run("checkpoint").output
    assert head(shell) == place + 1
    assert shell.json("state") == before


class TestResume:
    def test_one_screen(self, shell: Shell) -> None:
        call = {"name": "bash", "arguments": {"command": "pytest", "description": "Tests"}}
        client = shell.client(tools=("bash",)).ask("Test it.", None, calls={"t": call})
        client.ask("decision: ship on Friday", "Done.", results={"t": "=== 4 passed in 0.10s ==="})
        said = shell.run("resume").output
        for part in ("pytest: green (4 passed)", "--at green", "gone.py (removed)", "ship on Friday"):
            assert part in said
        shell.run("export", "green", "--at", "green")
        assert Path("green/fmt.py").read_text() == BETTER
        shell.run("checkpoint")
        assert shell.json("resume")["changed"] == []

    def test_what_waits_is_what_nothing_was_said_of_since(self, shell: Shell) -> None:
        assert shell.json("resume")["waiting"] == ["fmt.py"]
        shell.client().ask("What does `clean` in fmt.py do?")
        assert shell.json("resume")["waiting"] == ["fmt.py"], "to be shown is nothing new"
        shell.client().ask(f"fmt.py is this now:\n\n{fence('fmt.py', FMT)}")
        assert shell.json("resume")["waiting"] == []

    def test_a_file_that_lost_a_definition_is_there(self, shell: Shell) -> None:
        client = shell.client().ask("What of `clean` in fmt.py? Make it faster.", fence("fmt.py", LOSSY))
        client.ask(f"decision {shell.json('resume')['decisions'][0]['id']}: 1")
        assert "fmt.py::title_case" not in client.state()
        done = {row["path"]: row["event"] for row in shell.json("resume")["changed"]}
        assert (done["fmt.py"], done["gone.py"]) == ("promote", "tombstone")

    def test_a_question_that_two_conversations_ask_is_told_once(self, shell: Shell) -> None:
        shell.client().ask("What of `clean` in fmt.py? Make it faster.", fence("fmt.py", LOSSY))
        assert len(shell.json("resume")["decisions"]) == len(shell.json("recent")["decisions"]) == 1

    def test_erased_words_are_not_told(self, shell: Shell) -> None:
        edit = {"name": "edit", "arguments": {"filePath": "fmt.py", "oldString": "zzz", "newString": "y"}}
        client = shell.client(tools=("edit",)).ask("Edit it.", None, calls={"e": edit})
        failed = "Could not find oldString in the file. It must match exactly."
        client.ask("decision: ship on Friday", "Done.", results={"e": failed})
        found = shell.json("resume")
        assert len(found["stated"]) == len(found["errors"]) == 1
        shell.run("erase", "-w", "default", "--yes")
        found = shell.json("resume")
        assert found["stated"] == found["errors"] == []

    def test_nothing_known(self, bare: Shell) -> None:
        assert "Nothing is known" in bare.run("resume").output
        assert "has no green in its history" in bare.run("state", "--at", "green", status=1).output
