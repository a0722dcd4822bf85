"""`status`, `workspaces`, `open`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import FMT, Shell, fence


class TestStatus:
    def test_what_is_held_and_what_happened_last(self, shell: Shell) -> None:
        said = shell.run("status").stdout
        assert said.startswith("TSLP: ok\n")
        assert "Workspace default: 6 entities CLEAN, 0 DIRTY, 2 removed lately." in said
        assert "  REMOVED  gone.py, gone.py::gone\n" in said

    def test_what_waits_for_the_user(self, shell: Shell) -> None:
        assert "1 open decision: `tslp decisions`." in shell.run("status").stdout
        shell.shell_call("sed -i s/a/b/ fmt.py", 1)
        found = shell.json("status")
        assert (found["entities"], found["decisions"]) == ({"CLEAN": 3, "DIRTY": 3}, 0)

    def test_a_workspace_that_nobody_knows_is_said(self, shell: Shell) -> None:
        assert "Nothing is known in workspace defalt" in shell.run("status", "-w", "defalt").stderr
        assert shell.run("status").stderr == ""

    def test_a_failure_is_its_exit_status(self, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tslp_litellm.diagnostics.checks.DISK_FAIL_BYTES", 10**18)
        assert "disk" in shell.run("status", status=1).stdout


class TestWorkspaces:
    def test_the_latest_first_and_the_own_one_marked(self, shell: Shell) -> None:
        shell.client("other").ask("Write a.py.", fence("a.py", FMT))
        lines = shell.run("workspaces").stdout.splitlines()
        assert [line.split()[:2] for line in lines[1:]] == [["other", "2026-01-01"], ["*", "default"]]
        assert {row["workspace"] for row in shell.json("workspaces")["workspaces"]} == {"default", "other"}

    def test_none_yet(self, bare: Shell) -> None:
        assert "No workspace has heard anything yet." in bare.run("workspaces").stdout


class TestOpen:
    def test_the_address_with_workspace_and_entity(self, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
        opened: list[str] = []
        monkeypatch.setattr("click.launch", opened.append)
        monkeypatch.setattr("tslp_litellm.cli.overview.holder", lambda _base: "a gateway with TSLP, whose page is …")
        shell.run("open", "fmt.py::clean", "-w", "a b")
        assert opened == ["http://localhost:4000/tslp/#workspace=a+b&entity=fmt.py%3A%3Aclean"]

    def test_no_gateway(self, shell: Shell, tmp_path: Path) -> None:
        assert "No gateway with TSLP answers" in shell.run("open", "--base", "http://127.0.0.1:1", status=1).output
