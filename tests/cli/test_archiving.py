"""`tslp archive`, `restore` and `erase` on the command line (SEMANTICS 12)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tslp_litellm.store import outbox, segments

from .conftest import FMT, Shell

FUTURE = "2030-01-01"


def past(shell: Shell) -> list[Any]:
    """All that can be asked about each point, and the whole history."""
    places = range(1, int(shell.json("state", "--at", "9999999")["as_of"]["seq"]) + 1)
    exported = [shell.run("export", "-", "--dirty", "mark", "--at", str(n), status=n < 2).stdout for n in places]
    return [exported, shell.json("show", "fmt.py", "-n", "200"), shell.run("diff", "fmt.py").stdout]


def archive(shell: Shell, to: str = "old", *more: str) -> list[Any]:
    return list(shell.json("archive", to, "--before", FUTURE, *more)["segments"])


@pytest.fixture(autouse=True)
def fresh() -> None:
    segments.loaded.cache_clear()
    segments._listed.cache_clear()


class TestArchive:
    def test_every_point_is_what_it_was_while_archived_and_restored(self, shell: Shell) -> None:
        exported, shown, difference = past(shell)
        (one,) = archive(shell)
        assert (one["workspace"], one["first"]) == ("default", 1)
        for again in ("archived", "restored"):
            now = past(shell)
            assert now[0][: len(exported)] == exported, again
            assert now[1]["history"] == shown["history"] or again == "archived"
            assert [row["artifact"] for row in now[1]["history"]] == [row["artifact"] for row in shown["history"]]
            assert now[2] == difference
            shell.run("verify")
            shell.run("maintain")
            shell.run("rebuild")
            shell.run("verify")
            if again == "archived":
                assert "came back" in shell.run("restore", "old").stdout
        assert "Nothing to do" in shell.run("restore", "old").stdout

    def test_the_gateway_goes_on_as_if_nothing_had_left(self, shell: Shell) -> None:
        archive(shell)
        session = shell.client()
        session.ask("Change `clean` in fmt.py.", f"fmt.py\n```python\n{FMT}```\n")
        assert shell.json("recent")["episodes"][0]["entities"]
        shell.client().ask("What does `clean` in fmt.py do?")
        assert shell.json("recent")["episodes"][0]["front"]
        shell.run("verify")
        archive(shell)
        shell.run("verify")

    def test_what_is_out_of_reach_is_said(self, shell: Shell) -> None:
        archive(shell)
        Path("old").rename("away")
        segments.loaded.cache_clear()
        assert shell.run("show", "fmt.py").stdout.startswith("fmt.py")
        assert "in the archive" in shell.run("show", "fmt.py", "-n", "50").stderr
        assert "in the archive" in shell.run("why", "fmt.py").stderr
        for version in ("previous", "a868188b"):
            assert "in the archive" in shell.run("diff", "fmt.py", "--from", version, status=1).stderr
        assert "can't be read" in shell.run("state", "--at", "3", status=3).stderr
        assert "were not checked" in shell.run("verify", status=1).stdout
        assert "in the archive" in shell.run("rebuild", status=3).stderr
        shell.run("restore", "away")
        shell.run("verify")

    def test_older_heads_hold(self, shell: Shell) -> None:
        Path("notes.txt").write_text(shell.run("head").stdout)
        archive(shell)
        shell.run("verify", "--against", "notes.txt")
        Path("old").rename("away")
        segments.loaded.cache_clear()
        assert "can't be read" in shell.run("verify", "--against", "notes.txt", status=1).stdout

    def test_a_flipped_byte(self, shell: Shell) -> None:
        (one,) = archive(shell)
        file = Path("old") / one["file"]
        whole = file.read_bytes()
        file.write_bytes(whole[:99] + bytes([whole[99] ^ 4]) + whole[100:])
        segments.loaded.cache_clear()
        assert "is not what was written" in shell.run("restore", "old", status=3).stderr
        assert "not those that were written" in shell.run("verify", status=1).stdout

    def test_a_lost_index_is_made_anew_from_segments(self, shell: Shell) -> None:
        archive(shell)
        shown = shell.json("show", "fmt.py", "-n", "50")
        with shell.database.writing() as connection:
            connection.exec_driver_sql("DELETE FROM event_paths")
        assert "`tslp rebuild` makes it anew" in shell.run("verify", status=1).stdout
        shell.run("rebuild")
        assert shell.json("show", "fmt.py", "-n", "50") == shown
        shell.run("verify")

    def test_a_webhook_holds_back_only_what_it_is_to_hear(self, shell: Shell) -> None:
        url = "https://example.org/x"
        with shell.database.writing() as connection:
            outbox.know(connection, outbox.identity(url))
        for workspace in ("mine", "theirs"):
            shell.client(workspace).ask("Write new.py.", f"new.py\n```python\n{FMT}```\n")
        config = shell.folder / "config.yaml"
        hook = {"url": url, "secret": f"whsec_{'QUFB' * 10}", "workspaces": ["their*"]}
        config.write_text(config.read_text() + f"  webhooks: {json.dumps([hook])}\n")
        assert {row["workspace"] for row in archive(shell)} == {"default", "mine"}

    def test_without_a_config_every_known_webhook_holds_back(
        self, shell: Shell, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with shell.database.writing() as connection:
            outbox.know(connection, outbox.identity("https://example.org/x"))
            connection.exec_driver_sql("DELETE FROM webhook_cursors")
        config = shell.folder / "config.yaml"
        monkeypatch.setenv("TSLP_DATABASE_URL", yaml.safe_load(config.read_text())["tslp"]["database_url"])
        config.rename(shell.folder / "gateway.yaml")
        assert archive(shell) == []
        assert archive(shell, "old", "--config", "gateway.yaml") != []

    def test_a_file_is_no_folder(self, shell: Shell) -> None:
        assert "can't be written" in shell.run("archive", "config.yaml", "--before", FUTURE, status=3).stderr
        shell.run("verify")

    def test_odd_orders(self, shell: Shell) -> None:
        """Twice, a renamed file, another one's bytes, a part of it, out again: nothing is lost, and all is said."""
        (one,) = archive(shell)
        assert archive(shell, "again") == []
        file = Path("old") / one["file"]
        file.rename(Path("old") / f"w1-1-2-{'0' * 16}.jsonl.xz")
        assert "Nothing to do" in shell.run("restore", "old").stdout
        assert "can't be read" in shell.run("erase", "--user", "anna", "--yes", status=3).stderr
        Path("old", f"w1-1-2-{'0' * 16}.jsonl.xz").rename(file)
        shell.client().ask("Now:\n\nmore.py\n```python\nA = 1\n```\n")
        (two,) = archive(shell, "new")
        shell.run("restore", "new")
        shell.run("verify")
        whole = file.read_bytes()
        file.write_bytes((Path("new") / two["file"]).read_bytes())
        assert "is not what was written" in shell.run("restore", "old", status=3).stderr
        file.write_bytes(whole)
        shell.run("restore", "old")
        assert shell.run("erase", "-w", "default", "--yes")
        archive(shell, "third")
        assert "Nothing to do" in shell.run("restore", "old").stdout
        shell.run("verify")

    def test_by_a_url(self, shell: Shell) -> None:
        fsspec = pytest.importorskip("fsspec")
        (one,) = archive(shell, "memory://tslp/old")
        assert fsspec.filesystem("memory").exists(f"/tslp/old/{one['file']}")
        shell.run("verify")
        shell.run("restore", "memory://tslp/old/")
        shell.run("verify")
        assert "can't be used" in shell.run("archive", "nothing://x", status=3).stderr

    def test_a_url_without_fsspec(self, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(__import__("sys").modules, "fsspec.core", None)
        assert "tslp-litellm[archive]" in shell.run("archive", "s3://b/x", status=3).stderr

    def test_wrong_usage(self, shell: Shell) -> None:
        assert "neither an event's number nor a time" in shell.run("archive", "x", "--before", "green", status=2).stderr
        assert "There is no workspace" in shell.run("archive", "x", "-w", "nobody's", status=1).stderr
        assert "Nothing to do: no event is old enough" in shell.run("archive", "x").stdout
        assert "database itself" in shell.run("erase", "-w", "default", "--url", "http://x", status=2).stderr
        assert "Whose?" in shell.run("erase", status=2).stderr


class TestErase:
    def test_a_workspace(self, shell: Shell) -> None:
        said = shell.run("erase", "-w", "default", "--yes").stdout
        assert "texts and the words of" in said
        assert "can't be proven any more" in said
        assert shell.json("state")["entities"] == []
        assert b"def title_case" not in shell.file.read_bytes()
        shell.run("verify")
        shell.run("rebuild")
        shell.run("verify")
        shown = shell.run("show", "fmt.py", "--at", "4")
        assert "Its text was erased." in shown.stdout
        assert "all of them were erased" in shell.run("export", "then", "--at", "4", status=1).stderr

    def test_it_asks_first(self, shell: Shell) -> None:
        shell.run("erase", "-w", "default", status=1)
        assert shell.json("state")["entities"]

    def test_what_is_archived_is_to_be_restored_first(self, shell: Shell) -> None:
        archive(shell)
        assert "tslp restore" in shell.run("erase", "-w", "default", "--yes", status=3).stderr
        shell.run("restore", "old")
        assert "which you may delete" in shell.run("erase", "-w", "default", "--yes").stderr
        assert json.loads(shell.run("restore", "old", "--json").stdout) == {"segments": []}


class TestSize:
    def test_the_doctor_says_it(self, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
        def size() -> Any:
            return next(check for check in shell.json("doctor")["checks"] if check["name"] == "size")

        assert size()["status"] == "ok"
        monkeypatch.setattr("tslp_litellm.diagnostics.checks.SIZE_WARN_BYTES", 1)
        assert size()["status"] == "warn"
        assert "tslp archive" in size()["detail"]
