"""`state`, `recent`, `log`, `why`, `show`, `diff`, `doctor` on a database; what reaches the terminal."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace

import pytest

from tests.engine.helpers import sha
from tslp_litellm.cli.reads import episode_in_short
from tslp_litellm.diagnostics import models

from .conftest import BETTER, FMT, LOSSY, NASTY, Shell, fence

STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
SHAPES = {
    ("state",): models.StateMap,
    ("recent",): models.Recent,
    ("show", "fmt.py"): models.EntityReport,
    ("why", "fmt.py"): models.EntityReport,
    ("doctor",): models.Doctor,
}


class TestState:
    def test_entities_and_tombstones(self, shell: Shell) -> None:
        lines = shell.run("state").stdout.splitlines()
        assert lines[0].split() == ["entity", "state", "artifact", "source", "since"]
        assert any(re.match(rf"fmt\.py +CLEAN +{sha(BETTER)[:12]} +AST +2026-01-01 ", line) for line in lines)
        assert any(line.startswith("gone.py::gone") and "TOMBSTONED" in line for line in lines)

    def test_a_prefix_and_dirty_ones(self, shell: Shell) -> None:
        assert {e["entity"] for e in shell.json("state", "fmt.py::")["entities"]} == {
            "fmt.py::clean",
            "fmt.py::title_case",
        }
        shell.shell_call("sed -i s/a/b/ fmt.py", 1)
        found = shell.json("state", "--dirty")
        assert {e["entity"] for e in found["entities"]} == {"fmt.py", "fmt.py::clean", "fmt.py::title_case"}
        assert found["tombstones"] == []

    def test_so_many_at_most_in_plain_lines(self, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tslp_litellm.cli.terminal.Table", None)  # a pipe's lines need none
        done = shell.run("state", "fmt", "-n", "2")
        assert [line.split()[0] for line in done.stdout.splitlines()] == ["entity", "fmt.py", "fmt.py::clean"]
        assert "entities: 2, of which files: 1; 1 more" in done.stderr

    def test_an_empty_workspace_names_the_others(self, shell: Shell) -> None:
        assert "There are: default" in shell.run("state", "--workspace", "nowhere").stdout
        assert shell.json("state", "--tenant", "team:x")["workspaces"] == []

    @pytest.mark.parametrize(
        ("command", "status"),
        [
            ("recent", 0),
            ("resume", 0),
            ("status", 0),
            ("forget a.py", 1),
            ("journal j", 1),
            ("log", 130),
        ],
    )
    def test_whatever_is_asked_of_it(
        self, shell: Shell, command: str, status: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupted(_seconds: float) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr("tslp_litellm.cli.reads.time", SimpleNamespace(sleep=interrupted))
        said = " ".join(shell.run(*command.split(), "-w", "nowhere", status=status).output.split())
        assert "Nothing is known in workspace nowhere of tenant local. There are: default (--workspace)." in said

    def test_the_current_folders_workspace_comes_first(self, shell: Shell) -> None:
        here = str(shell.folder)
        shell.client(here).ask("Write here.py.", fence("here.py", "X = 1\n"))
        assert shell.json("state")["workspace"] == here
        assert shell.json("state", "-w", "default")["workspace"] == "default"


class TestShapes:
    @pytest.mark.parametrize("arguments", SHAPES, ids=" ".join)
    def test_json_is_the_endpoints(self, shell: Shell, arguments: tuple[str, ...]) -> None:
        found = shell.json(*arguments)
        SHAPES[arguments].model_validate(found, strict=True, extra="forbid")

    def test_an_episode(self, shell: Shell) -> None:
        episode = shell.json("recent", "-n", "1")["episodes"][0]["episode_id"]
        models.EpisodeReport.model_validate(shell.json("why", episode), strict=True, extra="forbid")

    def test_following_is_json_lines(self, shell: Shell) -> None:
        lines = shell.run("log", "--count", "3", "-n", "3", "--json").stdout.splitlines()
        episodes = [json.loads(line) for line in lines]
        assert [e["seq"] for e in episodes] == sorted(e["seq"] for e in episodes)
        for episode in episodes:
            models.Episode.model_validate(episode, strict=True)


def test_a_gateway_of_an_older_release_gives_codes_only(capsys: pytest.CaptureFixture[str]) -> None:
    row = {"entity": "a.py", "artifact": "0", "state": "PROPOSED", "confidence": "CONFIRMED", "reason": "collapse"}
    episode = {"episode_id": "e", "at": "2026-01-01T00:00:00.000Z", "model": "m", "artifact_states": [row]}
    episode_in_short(episode)
    assert capsys.readouterr().out.endswith("  PROPOSED  a.py\n    collapse\n")


class TestRecent:
    def test_the_words_of_the_prompt_and_what_stood_in_front_of_it(self, shell: Shell) -> None:
        said = shell.run("recent").stdout
        assert re.search(r"  you: Make clean faster in fmt\.py\.\n  in front of it: fmt\.py \(\d+ tokens\)\n", said)
        assert "From the model's answer" not in said  # a list says no origins
        assert "  REFUSED  fmt.py\n    Refused; the current text stays as it was. " in said

    def test_who_did_it(self, shell: Shell) -> None:
        client = shell.client()
        client.who = {"key": "ann-laptop", "user": "ann", "team": "Shop", "client": "aider/1"}
        client.ask(fence("fmt.py", FMT.replace("title()", "upper()")))
        by = "ann, team Shop, key ann-laptop, aider/1"
        assert f"  by {by}\n" in shell.run("recent").stdout.replace(" \n", "\n")
        assert f", by {by}, m\n" in shell.run("why", "fmt.py").stdout
        episode = shell.json("recent")["episodes"][0]["episode_id"]
        assert f"By {by}.\n" in shell.run("why", episode).stdout

    def test_what_said_which_file_a_text_is_of_where_no_label_did(self, shell: Shell) -> None:
        better = "```python\ndef title_case(s):\n    return clean(s).title().lstrip()\n```\n"
        shell.client().ask("Let `title_case` strip, too.", better)
        said = "No label named the file: of those in play it is the one in which what the code defines stands."
        (episode,) = shell.json("recent", "-n", "1")["episodes"]
        (adopted,) = (
            row
            for row in episode["artifact_states"]
            if row["entity"] == "fmt.py::title_case" and row["state"] != "SUPERSEDED"
        )
        assert (adopted["verdict"], adopted["placed"]) == ("adopted", "structure")
        for told in (shell.run("log", "--last", "1", "--count", "1"), shell.run("why", "fmt.py::title_case")):
            assert said in told.stdout
        shell.client().ask("Back to `title`.", fence("fmt.py", FMT))
        assert said not in shell.run("log", "--last", "1", "--count", "1").stdout

    def test_what_an_episode_made_dirty(self, shell: Shell) -> None:
        shell.shell_call("sed -i s/a/b/ fmt.py", 1)
        (drifted,) = (e for e in shell.json("recent")["episodes"] if e["dirtied"])
        (row,) = drifted["dirtied"]
        assert row["path"] == "fmt.py"
        assert f"  DIRTY  fmt.py\n    {row['says']}\n" in shell.run("recent").stdout


class TestWhy:
    def test_the_refusal_in_words(self, shell: Shell) -> None:
        said = shell.run("why", "fmt.py").stdout
        assert "Gate B misses title_case; needed: all of them, or the user's word by name." in said
        assert "From the model's answer: refused; the current text stays as it was." in said
        assert said.count("ADOPTED") == 2

    def test_an_episode(self, shell: Shell) -> None:
        refused = next(e for e in shell.json("recent")["episodes"] if e["entities"] == ["fmt.py"])
        said = shell.run("why", refused["episode_id"]).stdout
        assert "its answer came whole" in said
        assert re.search(r"In front of it stood, in \d+ tokens:\n  fmt.py  \d+ tokens: the prompt mentions it\n", said)
        assert "You said:\n  Make clean faster in fmt.py.\n" in said
        assert "lost-symbols" in said

    def test_an_episode_whose_prompt_met_a_dirty_file(self, shell: Shell) -> None:
        shell.shell_call("sed -i s/a/b/ fmt.py", 1)
        shell.client().ask("What does `title_case` do?", "It is a title.")
        episode = shell.json("recent", "-n", "1")["episodes"][0]["episode_id"]
        said = shell.run("why", episode).stdout
        assert "The current text of these entities is unknown" in said
        assert "- fmt.py::title_case" in said
        assert said.endswith("No code was changed.\n")

    def test_a_removed_one(self, shell: Shell) -> None:
        assert "was removed, and is listed as a tombstone" in shell.run("why", "gone.py").stdout

    def test_an_unknown_one(self, shell: Shell) -> None:
        assert "Did you mean src/nasty.py?" in shell.run("why", "nasty.py", status=1).output
        assert "`tslp state` lists" in shell.run("show", "zzz", status=1).output

    @pytest.mark.parametrize("command", ["why", "show"])
    @pytest.mark.parametrize(
        ("misspelt", "meant"),
        [
            ("title_caes", "fmt.py::title_case"),
            ("ftm.py::title_case", "fmt.py::title_case"),
            ("frm.py", "fmt.py"),
            ("nasti.py", "src/nasty.py"),
        ],
    )
    def test_a_misspelt_one(self, shell: Shell, command: str, misspelt: str, meant: str) -> None:
        assert f"Did you mean {meant}" in shell.run(command, misspelt, status=1).output


class TestShow:
    def test_text_origin_and_history(self, shell: Shell) -> None:
        said = shell.run("show", "fmt.py::title_case").stdout
        assert said.startswith("fmt.py::title_case  CLEAN  ")
        assert "def title_case(s):\n    return clean(s).title().strip()\n" in said
        assert "structural-parity" in said

    def test_only_the_text_byte_for_byte(self, shell: Shell) -> None:
        assert shell.run("show", "--text", "src/nasty.py").stdout_bytes == NASTY.encode()

    def test_a_dirty_one_says_so(self, shell: Shell) -> None:
        shell.shell_call("sed -i s/a/b/ fmt.py", 1)
        assert "DIRTY" in shell.run("show", "fmt.py").stdout
        done = shell.run("show", "--text", "fmt.py", status=1)
        assert done.stdout == BETTER
        assert "only its last known text" in done.stderr
        shell.run("show", "--text", "gone.py", status=1)


class TestDiff:
    def test_previous_and_current(self, shell: Shell) -> None:
        lines = shell.run("diff", "fmt.py").stdout.splitlines()
        assert "-    return clean(s).title()" in lines
        assert "+    return clean(s).title().strip()" in lines

    @pytest.mark.parametrize(
        ("old", "new", "ends"),
        [
            (sha(FMT)[:8], "current", (FMT, BETTER)),
            ("current", sha(LOSSY)[:10], (BETTER, LOSSY)),
            ("@2", "@9999", (FMT, BETTER)),
            ("previous", "@2", (FMT, FMT)),
        ],
    )
    def test_versions(self, shell: Shell, old: str, new: str, ends: tuple[str, str]) -> None:
        found = shell.json("diff", "fmt.py", "--from", old, "--to", new)
        assert (found["from"], found["to"]) == tuple(map(sha, ends))
        assert (found["diff"] == "") == (ends[0] == ends[1])

    @pytest.mark.parametrize(
        ("version", "status", "says"),
        [
            ("zzz", 2, "is no version"),
            ("abc", 2, "is no version"),
            ("0000", 1, "no version of it begins"),
            ("@0", 1, "had no text"),
        ],
    )
    def test_wrong_ones(self, shell: Shell, version: str, status: int, says: str) -> None:
        assert says in shell.run("diff", "fmt.py", "--from", version, status=status).output

    def test_only_one_text(self, shell: Shell) -> None:
        assert "has had only one text" in shell.run("diff", "fmt.py::clean", status=1).output


class TestTerminal:
    @pytest.mark.parametrize(
        "command", ["state", "recent", "show src/nasty.py", "why src/nasty.py", "log --count 6 -n 6"]
    )
    @pytest.mark.parametrize("colour", [{"NO_COLOR": "1"}, {"FORCE_COLOR": "1", "COLUMNS": "40"}])
    def test_nothing_steers_it(self, shell: Shell, command: str, colour: dict[str, str]) -> None:
        shell.client().ask("Now.", fence("a\x1b]0;owned\x07.py", "X = 1\n"))
        plain = re.sub(r"\x1b\[[0-9;]*m", "", shell.run(*command.split(), **colour).output)
        assert not STEERING.search(plain), repr(STEERING.search(plain))
        assert "\x1b[31m" not in shell.run(*command.split(), NO_COLOR="1").output

    def test_what_would_steer_is_made_visible(self, shell: Shell) -> None:
        assert "RED = '␛[31m\\u009b0m \\u202e ␇'\nEND = 1" in shell.run("show", "src/nasty.py").stdout

    def test_json_is_ascii(self, shell: Shell) -> None:
        assert shell.run("show", "src/nasty.py", "--json").stdout.isascii()

    def test_nothing_is_folded_in_a_pipe(self, shell: Shell) -> None:
        TEXT = "X = 1\n"
        name = "/".join(["deep" * 10] * 5) + "/a.py"
        shell.client().ask(f"This is mine:\n\n{fence(name, TEXT)}")
        assert any(line.startswith(name) and "CLEAN" in line for line in shell.run("state").stdout.splitlines())

    def test_a_narrow_terminal_folds(self, shell: Shell) -> None:
        lines = shell.run("state", COLUMNS="40").stdout.splitlines()
        assert max(map(len, lines)) <= 40
        assert lines[lines.index("fmt.py") + 1 :][:2] == ["  state CLEAN", f"  artifact {sha(BETTER)[:12]}"]


class TestFollowing:
    def test_what_comes_later_is_seen(self, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
        def later(_seconds: float) -> None:
            shell.client().ask("Write late.py.", fence("late.py", "def late():\n    return 1\n"))

        monkeypatch.setattr("tslp_litellm.cli.reads.time", SimpleNamespace(sleep=later))
        said = shell.run("log", "-n", "1", "--count", "3").stdout
        assert "late.py::late" in said

    def test_it_ends_with_ctrl_c(self, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
        def interrupted(_seconds: float) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr("tslp_litellm.cli.reads.time", SimpleNamespace(sleep=interrupted))
        shell.run("log", status=130)


class TestOpening:
    def test_a_missing_database_is_not_made(self, shell: Shell) -> None:
        missing = shell.folder / "deep" / "none.db"
        for command in (["state"], ["verify"], ["rebuild"], ["backup", "b.db"], ["export", "out"]):
            done = shell.run(*command, status=3, TSLP_DATABASE_URL=f"sqlite:///{missing}")
            assert "There is no database at" in done.output
        assert not missing.parent.exists()

    def test_no_database_of_ours(self, shell: Shell) -> None:
        (shell.folder / "other.db").write_text("no database at all, but long enough to be looked at\n" * 40)
        url = f"sqlite:///{shell.folder / 'other.db'}"
        assert "can't be read" in shell.run("state", status=3, TSLP_DATABASE_URL=url).output
        (shell.folder / "empty.db").touch()
        url = f"sqlite:///{shell.folder / 'empty.db'}"
        assert "is no database of TSLP" in shell.run("state", status=3, TSLP_DATABASE_URL=url).output
        url = "nonsense://"
        assert "can't be opened" in shell.run("state", status=3, TSLP_DATABASE_URL=url).output

    def test_another_version(self, shell: Shell) -> None:
        for revision, says in (("0001", "tslp db upgrade"), ("9999", "newer TSLP")):
            with shell.database.writing() as connection:
                connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{revision}'")
            assert says in shell.run("state", status=3).output

    def test_a_config_that_is_no_yaml(self, shell: Shell) -> None:
        (shell.folder / "config.yaml").write_text("tslp: [")
        assert "can't be read as YAML" in shell.run("state", status=2).output

    def test_a_guardrails_settings(self, shell: Shell) -> None:
        (shell.folder / "config.yaml").write_text(
            "guardrails:\n  - guardrail_name: tslp\n    litellm_params:\n      guardrail: tslp_litellm.TSLPGuardrail\n"
            f"      database_url: sqlite:///{shell.file}\n"
        )
        assert shell.json("state")["entities"]

    def test_no_gateway(self, shell: Shell) -> None:
        assert "No gateway answers" in shell.run("state", "--url", "http://127.0.0.1:1", status=3).output
        assert "No gateway answers" in shell.run("state", status=3, TSLP_URL="http://127.0.0.1:1").output
        config = str(shell.folder / "config.yaml")
        shell.run("state", "--config", config, TSLP_URL="http://127.0.0.1:1")


def test_doctor_finds_what_is_wrong(shell: Shell) -> None:
    assert "sqlite: ok" in shell.run("doctor").stdout
