"""`tslp forget`."""

from __future__ import annotations

from .conftest import Shell


def test_it_says_what_is_dirty_now(shell: Shell) -> None:
    said = shell.run("forget", "fmt.py::clean", "nothing.py", status=1)
    assert "fmt.py, fmt.py::clean are DIRTY now." in said.stdout
    assert "Workspace default does not know nothing.py." in said.stderr
    assert "fmt.py was DIRTY before." in shell.run("forget", "fmt.py::clean").stdout.replace("::clean", "")
    rows = {row["entity"]: row["freshness"] for row in shell.json("state")["entities"]}
    assert (rows["fmt.py"], rows["fmt.py::clean"], rows["fmt.py::title_case"]) == ("DIRTY", "DIRTY", "CLEAN")
    assert "tslp forget" in shell.run("why", "fmt.py::clean").stdout
    assert not shell.json("verify")["problems"]


def test_it_needs_the_database(shell: Shell) -> None:
    shell.run("forget", "fmt.py", "--url", "http://localhost:1", status=2)
    shell.run("forget", status=2)
