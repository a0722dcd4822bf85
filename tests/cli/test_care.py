"""`verify`, `rebuild`, `backup`, `db upgrade`, `export`, `config check`."""

from __future__ import annotations

import json
import sqlite3
import stat
import threading
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from tslp_litellm.store import backup as store_backup
from tslp_litellm.store.database import Database
from tslp_litellm.store.maintenance import verify

from .conftest import BETTER, FMT, NASTY, Shell, fence


class TestVerify:
    def test_sound_and_altered(self, shell: Shell) -> None:
        assert shell.json("verify") == {"problems": []}
        with shell.database.writing() as connection:
            connection.exec_driver_sql("DELETE FROM event_paths WHERE path = 'gone.py'")
        assert {p["where"] for p in shell.json("verify", status=1)["problems"]} == {"index"}
        shell.run("rebuild")
        assert "All is as it was written." in shell.run("verify").stdout

    def test_upkeep(self, shell: Shell) -> None:
        assert shell.json("maintain")["events"] > 0
        assert shell.run("maintain").stdout == "0 new events, all as they were written.\n"
        with shell.database.writing() as connection:
            connection.exec_driver_sql("DELETE FROM state_map WHERE entity = 'fmt.py'")
        assert {p["where"] for p in shell.json("maintain", status=1)["problems"]} == {"state map"}

    @pytest.mark.parametrize("command", [["verify"], ["maintain"], ["rebuild"], ["backup", "b"], ["db", "upgrade"]])
    def test_a_gateway_cannot_do_it(self, shell: Shell, command: list[str]) -> None:
        assert "needs the database itself" in shell.run(*command, "--url", "http://x", status=2).output


class TestBackup:
    def test_the_copy_is_the_database(self, shell: Shell) -> None:
        assert "verified" in shell.run("backup", "copy.db").stdout
        copy = shell.folder / "copy.db"
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
        assert not list(shell.folder.glob("*.part*"))
        before = shell.run("state", "--json").stdout
        elsewhere = f"sqlite:///{copy}"
        assert shell.run("state", "--json", TSLP_DATABASE_URL=elsewhere).stdout == before
        assert "failed" not in shell.run("doctor", TSLP_DATABASE_URL=elsewhere).stdout
        assert "failed" not in shell.run("status", TSLP_DATABASE_URL=elsewhere).stdout

    def test_nothing_is_replaced_unasked(self, shell: Shell) -> None:
        (shell.folder / "copy.db").write_text("mine")
        assert "--force" in shell.run("backup", "copy.db", status=2).output
        assert (shell.folder / "copy.db").read_text() == "mine"
        shell.run("backup", "copy.db", "--force")
        assert "the database itself" in shell.run("backup", str(shell.file), "--force", status=2).output
        assert "can't be written" in shell.run("backup", "no/such/folder/b.db", status=3).output

    def test_a_copy_with_problems_is_not_kept(self, shell: Shell) -> None:
        with shell.database.writing() as connection:
            connection.exec_driver_sql("UPDATE state_map SET artifact = replace(artifact, 'a', 'b')")
        (shell.folder / "copy.db").write_text("the last good one")
        assert "not kept" in shell.run("backup", "copy.db", "--force", status=1).output
        assert (shell.folder / "copy.db").read_text() == "the last good one"

    def test_while_it_is_written_to(self, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
        """Between the steps of the copy somebody commits: the copy is of the instant at which it began."""
        monkeypatch.setattr(store_backup, "PAGES_A_STEP", 1)
        before = shell.run("state", "--json").stdout
        written: list[int] = []

        def commit(_status: int, left: int, _total: int) -> None:
            if len(written) < 3:
                written.append(left)
                thread = threading.Thread(
                    target=lambda: shell.client().ask("Go.", fence(f"new{len(written)}.py", "X = 1\n"))
                )
                thread.start()
                thread.join()

        copy = shell.folder / "copy.db"
        assert store_backup.back_up(shell.database, copy, commit) == []
        assert len(written) == 3
        assert shell.run("state", "--json", TSLP_DATABASE_URL=f"sqlite:///{copy}").stdout == before
        assert "new3.py" in shell.run("state").stdout
        taken = Database(f"sqlite:///{copy}")
        assert verify(taken) == []
        taken.close()

    def test_postgresql_without_its_programs(self, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(store_backup.shutil, "which", lambda name: None)
        database = Database("postgresql+psycopg://u:secret@localhost/d")
        with pytest.raises(store_backup.StoreError, match="pg_dump, which is not installed"):
            store_backup.back_up(database, shell.folder / "d.dump")
        assert not list(shell.folder.glob("*.part*"))


class TestUpgrade:
    def test_an_older_database_gets_its_index(self, shell: Shell) -> None:
        shell.database.close()
        for left in shell.folder.glob("t.db*"):
            left.unlink()
        with sqlite3.connect(shell.file) as old:
            old.executescript((Path(__file__).parents[1] / "faults" / "databases" / "0001.sql").read_text())
        old.close()
        assert "from revision 0001 to revision" in shell.run("db", "upgrade").stdout
        assert "the newest" in shell.run("db", "upgrade").stdout
        with shell.database.reading() as connection:
            assert ("geo.py", 2) in set(connection.exec_driver_sql("SELECT path, seq FROM event_paths").all())
        shell.run("verify")

    def test_a_new_one_is_made(self, shell: Shell) -> None:
        url = f"sqlite:///{shell.folder / 'new' / 'n.db'}"
        assert "from nothing" in shell.run("db", "upgrade", TSLP_DATABASE_URL=url).stdout
        shell.run("verify", TSLP_DATABASE_URL=url)


class TestExport:
    def test_into_a_folder_byte_for_byte(self, shell: Shell) -> None:
        shell.run("export", "out")
        out = shell.folder / "out"
        assert {str(p.relative_to(out)) for p in out.rglob("*") if p.is_file()} == {"fmt.py", "src/nasty.py"}
        assert (out / "fmt.py").read_bytes() == BETTER.encode()
        assert (out / "src/nasty.py").read_bytes() == NASTY.encode()

    def test_nothing_is_overwritten_unasked(self, shell: Shell) -> None:
        out = shell.folder / "out"
        out.mkdir()
        (out / "fmt.py").write_text("mine")
        assert "--force" in shell.run("export", "out", status=2).output
        assert [p.name for p in out.rglob("*")] == ["fmt.py"], "and nothing else was written"
        shell.run("export", "out", "--force")
        assert (out / "fmt.py").read_text() == BETTER

    def test_links_are_not_followed(self, shell: Shell) -> None:
        out, outside = shell.folder / "out", shell.folder / "outside"
        out.mkdir()
        outside.mkdir()
        (outside / "victim").write_text("mine")
        (out / "fmt.py").symlink_to(outside / "victim")
        (out / "src").symlink_to(outside)
        assert "a link leads out" in shell.run("export", "out", "--force", status=1).output
        assert (outside / "victim").read_text() == "mine"
        assert [p.name for p in outside.iterdir()] == ["victim"]
        assert (out / "fmt.py").read_text() == BETTER

    def test_paths_that_lead_elsewhere_are_left_out(self, bare: Shell) -> None:
        for path in ("../evil.py", "/tmp/evil.py", "ok.py"):
            bare.client().ask(f"This is mine:\n\n{fence(path, FMT)}")
        assert {"../evil.py", "/tmp/evil.py"} <= {e["entity"] for e in bare.json("state")["entities"]}
        for to in ("out", "out.zip"):
            done = bare.run("export", to, status=1)
            assert "leads out of the folder: ../evil.py" in done.output
            assert "absolute: /tmp/evil.py" in done.output
        assert [p.name for p in (bare.folder / "out").rglob("*")] == ["ok.py"]
        with zipfile.ZipFile(bare.folder / "out.zip") as archive:
            assert archive.namelist() == ["ok.py"]

    def test_what_runs_by_itself_is_left_out_whatever_is_asked(self, bare: Shell) -> None:
        out = bare.folder / "out"
        (out / ".git" / "hooks").mkdir(parents=True)
        (out / "tools").symlink_to(out / ".git" / "hooks")
        for path in (".git/hooks/pre-commit.py", "tools/pre-push.py", "ok.py"):
            bare.client().ask(f"This is mine:\n\n{fence(path, FMT)}")
        done = bare.run("export", "out", "--force", status=1)
        assert ".git/hooks/pre-commit.py" in done.output
        assert "tools/pre-push.py" in done.output
        assert [p.name for p in out.rglob("*") if p.is_file()] == ["ok.py"]

    def test_dirty_files(self, shell: Shell) -> None:
        shell.shell_call("sed -i s/a/b/ fmt.py", 1)
        assert "left out, DIRTY: fmt.py" in shell.run("export", "out").output
        assert not (shell.folder / "out/fmt.py").exists()
        shell.run("export", "marked", "--dirty", "mark")
        assert (shell.folder / "marked/fmt.py.DIRTY").read_text() == BETTER

    def test_a_zip_of_the_same_state_is_the_same(self, shell: Shell) -> None:
        shell.run("export", "one.zip")
        shell.run("export", "two.zip")
        assert (shell.folder / "one.zip").read_bytes() == (shell.folder / "two.zip").read_bytes()
        with zipfile.ZipFile(shell.folder / "one.zip") as archive:
            assert archive.read("src/nasty.py") == NASTY.encode()
        assert "--force" in shell.run("export", "one.zip", status=2).output

    def test_json_lines_hold_every_entity(self, shell: Shell) -> None:
        rows = [json.loads(line) for line in shell.run("export", "-").stdout.splitlines()]
        assert {r["entity"]: r["text"] for r in rows}["fmt.py"] == BETTER
        assert {r["entity"] for r in rows} == {e["entity"] for e in shell.json("state")["entities"]}
        shell.run("export", "all.jsonl", "--only", "fmt.py::")
        assert len((shell.folder / "all.jsonl").read_text().splitlines()) == 2

    def test_nothing_to_export(self, bare: Shell) -> None:
        assert "Nothing is known" in bare.run("export", "out", status=1).output


class TestConfigCheck:
    def check(self, shell: Shell, text: str, status: int) -> dict[str, tuple[str, str]]:
        (shell.folder / "c.yaml").write_text(text)
        found = shell.json("config", "check", "--config", "c.yaml", status=status)
        return {c["name"]: (c["status"], c["detail"]) for c in found["checks"]}

    def test_a_good_one(self, shell: Shell) -> None:
        assert shell.json("config", "check")["status"] == "ok"

    def test_the_project_s_own(self, shell: Shell) -> None:
        own = Path(__file__).parents[2] / "config.yaml"
        found = shell.json("config", "check", "--config", str(own))
        assert found["status"] in ("ok", "degraded")
        assert {c["name"]: c["status"] for c in found["checks"] if c["name"].startswith("window")} == {
            "window ollama/*": "ok",
            "window tslp-demo": "ok",
        }

    def test_a_window_that_nothing_tells(self, shell: Shell) -> None:
        model = "model_list: [{model_name: m, litellm_params: {model: ollama_chat/m%s}}]\n"
        faces = "litellm_settings: {callbacks: [tslp_litellm.proxy_handler_instance]}\n"
        found = self.check(shell, faces + model % "", 0)["window m"]
        assert (found[0], "num_ctx" in found[1]) == ("warn", True)
        assert self.check(shell, faces + model % ", num_ctx: 4096", 0)["window m"] == ("ok", "4096 tokens (num_ctx)")
        assert self.check(shell, faces + model % "" + "tslp: {window_tokens: {m: 512}}", 0)["window m"][0] == "ok"

    def test_a_window_of_no_model(self, shell: Shell) -> None:
        config = (
            "litellm_settings: {callbacks: [tslp_litellm.proxy_handler_instance]}\n"
            "model_list: [{model_name: coder, litellm_params: {model: openai/x}}, "
            "{model_name: 'o/*', litellm_params: {model: 'openai/*'}}]\n"
            "router_settings: {model_group_alias: {big: coder}}\n"
            "tslp: {window_tokens: {%s: 8192, o/gpt: 512, big: 512, 'co*': 512}}\n"
        )
        assert self.check(shell, config % "codr", 0)["window_tokens"] == (
            "warn",
            "`window_tokens` names what is no model here: codr",
        )
        assert "window_tokens" not in self.check(shell, config % "coder", 0)

    @pytest.mark.parametrize(
        ("text", "name", "says"),
        [
            ("tslp: {}\n", "callback", "not registered"),
            ("litellm_settings: {callbacks: [tslp_litellm.handler]}\n", "callback", "does not exist"),
            (
                "litellm_settings: {success_callback: [tslp_litellm.proxy_handler_instance]}\n",
                "callback",
                "sees nothing",
            ),
            ("litellm_settings: {tslp: {}}\n", "tslp block", "top level"),
            ("TSLP: {}\n", "tslp block", "called `tslp`"),
            ("tslp_settings: {}\n", "tslp block", "called `tslp`"),
            ("tslp: {tombstones: 3}\n", "settings", "Unknown setting `tombstones`"),
            ("tslp: [a]\n", "settings", "must be a mapping"),
            ("tslp: {symbols_file: none.json}\n", "symbols_file", "can't be read"),
            ("tslp: {database_url: 'x://'}\n", "database", "database_url"),
            ("tslp: {database_url: 'sqlite:////proc/x/t.db'}\n", "database", "can not be made: /proc: No such file"),
            ("tslp: {database_url: 'sqlite:///c.yaml/t.db'}\n", "database", "can not be made"),
            ("tslp: {database_url: 'sqlite:///.'}\n", "database", "is no file"),
            (
                "tslp: {database_url: 'postgresql://u:pw@127.0.0.1:1/x'}\n",
                "database",
                "The database postgresql://u:***@127.0.0.1:1/x can't be opened: connection",
            ),
        ],
    )
    def test_what_fails(self, shell: Shell, text: str, name: str, says: str) -> None:
        found = self.check(shell, text, 1)
        assert found[name][0] == "fail", found
        assert says in found[name][1]

    def test_a_missing_extra(self, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tslp_litellm.cli.config_check.detector", lambda: SimpleNamespace(version=None))
        assert "pip install" in self.check(shell, "tslp: {refuse_secrets: true}\n", 1)["refuse_secrets"][1]

    def test_keys_and_teams_without_litellm_s_database(self, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
        team = (Path(__file__).parents[2] / "examples/team/config.yaml").read_text()
        monkeypatch.delenv("DATABASE_URL", raising=False)
        assert "DATABASE_URL is not" in self.check(shell, team, 0)["LiteLLM's database"][1]
        monkeypatch.setenv("DATABASE_URL", "postgresql://h/litellm")
        assert "LiteLLM's database" not in self.check(shell, team, 0)

    def test_the_guardrail_form(self, shell: Shell) -> None:
        form = "guardrails:\n  - guardrail_name: t\n    litellm_params: {guardrail: tslp_litellm.TSLPGuardrail, %s}\n"
        found = self.check(shell, form % "mode: [pre_call, post_call], default_on: true, database_url: 'sqlite://'", 0)
        assert found["guardrail"][0] == "ok"
        assert found["database"] == ("warn", "in memory: everything is forgotten when the gateway ends")
        assert self.check(shell, form % "mode: pre_call", 1)["guardrail"][0] == "fail"
        assert self.check(shell, form % "mode: [pre_call, post_call]", 0)["guardrail"][0] == "warn"
        found = self.check(shell, form % "mode: [pre_call, post_call], default_on: true, tombstones: 3", 1)
        assert "tombstones" in found["settings"][1]

    def test_no_file(self, shell: Shell) -> None:
        shell.run("config", "check", "--config", "none.yaml", status=3)
