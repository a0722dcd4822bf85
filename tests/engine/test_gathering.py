"""Which files a turn's evidence may concern: in folders that nobody knows, above the root, and by scripts just made."""

import pytest

from .helpers import Session

ROOT = "<env>\n  Working directory: /home/u/p\n</env>"
TEXT = "def slug(s):\n    return s.lower()\n"
OTHER = "def other():\n    return 1\n"


def ran(session: Session, script: str, root: str = ROOT) -> dict[str, str]:
    session.messages.append({"role": "system", "content": root})
    session.ask(f"util.py\n```python\n{TEXT}```\n\nsub/b.py\n```python\n{OTHER}```\n\nGo.", None, {
        "c": {"name": "bash", "arguments": {"command": script, "description": "x"}}
    })  # fmt: skip
    session.ask(None, "Done.", results={"c": "(no output)"})
    return {path: text for path, text in session.state().items() if "::" not in path}


@pytest.mark.parametrize(
    "script",
    [
        "cat > ~/p/util.py <<'E'\nx = 1\nE",
        "sed -i s/lower/upper/ $HOME/p/util.py",
        "cd && rm p/util.py",
        "cd ~/p && sed -i s/a/b/ util.py",
    ],
)
def test_a_file_below_a_folder_that_nobody_knows_may_be_any_that_ends_like_it(session: Session, script: str) -> None:
    state = ran(session, script)
    assert state["util.py"] == "DIRTY"
    assert state["sub/b.py"] != "DIRTY"


@pytest.mark.parametrize(
    "script", ["cd ~ && rm -r p", "cd .. && rm -r p", "rm -r ../../u/p", "mv ../p ../q", "rm -r ~"]
)
def test_a_folder_that_may_hold_the_working_directory(session: Session, script: str) -> None:
    assert set(ran(session, script).values()) == {"DIRTY"}


@pytest.mark.parametrize(
    "script", ["cd ~ && rm -r q", "rm ~/.cache/x", "echo x > ~/.bashrc", "rm ../x.py", "cp ../p/a ../c.d"]
)
def test_other_folders_are_no_concern(session: Session, script: str) -> None:
    assert "DIRTY" not in ran(session, script).values()


def test_without_a_root_a_longer_path_may_be_a_tracked_one(session: Session) -> None:
    state = ran(session, "cd ~ && rm p/util.py p/b.py", root="x")
    assert state["util.py"] == "DIRTY" and state["sub/b.py"] != "DIRTY"


@pytest.mark.parametrize("run", ["bash fix.sh", "chmod +x fix.sh && ./fix.sh"])
def test_a_script_that_is_made_and_run_at_once(session: Session, run: str) -> None:
    state = ran(session, "cat > fix.sh <<'E'\nfor f in *.py; do sed -i s/1/9/ $f; done\nE\n" + run)
    assert state["util.py"] == "DIRTY" and state["fix.sh"] != "DIRTY"


def test_a_tool_that_nobody_knows_runs_its_command_anywhere(session: Session) -> None:
    session.ask(f"b.py\n```python\n{TEXT}```\n\nsub/b.py\n```python\n{OTHER}```\n\nGo.", None, {
        "c": {"name": "goAhead", "arguments": {"order": "sed -i s/a/b/ b.py", "place": "sub"}}
    })  # fmt: skip
    session.ask(None, "Done.", results={"c": "ok"})
    assert session.state()["b.py"] == session.state()["sub/b.py"] == "DIRTY"
