"""aider as the client of the thousand: what is judged, and what it is told. It itself is played where it is installed."""

from __future__ import annotations

import asyncio
import hashlib
import random
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.sight.prompts import Message, Prompt
from benchmarks.turns import __main__ as turns
from benchmarks.turns import job, model, playing, rates, with_aider
from benchmarks.turns.code import file_text
from benchmarks.turns.job import Task

FAULTLESS = dict.fromkeys([*rates.WORDS, *rates.ASSUMED], 0.0) | {"asked": 1.0}


def made(seed: int = 1) -> tuple[dict[str, with_aider.File], Task, dict[str, with_aider.File]]:
    world = random.Random(seed)
    names = job.Names(world)
    disk = job.workspace(world, names, 6)
    task = job.next_task(world, disk, names)
    return disk, task, job.changed(disk, task)


def listing(files: dict[str, with_aider.File]) -> Message:
    """As aider lists its files."""
    shown = "".join(f"\n{path}\n```\n{file_text(file)}```\n" for path, file in files.items())
    return Message("user", (f"I have *added these files to the chat* so you can go ahead and edit them.\n{shown}",))


@pytest.mark.parametrize("seed", range(12))
def test_a_model_that_reads_aiders_listing_answers_in_whole_files_below_their_paths(seed: int) -> None:
    disk, task, wanted = made(seed)
    plan = playing.Plan(4096, 1, seed, FAULTLESS, 6)
    speak = with_aider.speaker(plan, model.Ask(task, "listing"), 1, [0.0])
    said, finish = speak(Prompt((), (listing(disk), Message("user", (task.words,)))))
    found = {path: file_text(file) for path, file in disk.items()}
    for path in dict.fromkeys(target.path for target in task.targets):
        text = said.partition(f"\n{path}\n```{job.language_of(path)}\n")[2].partition("```")[0]
        assert text, said
        found[path] = text
    assert finish == "stop"
    assert with_aider.judge(found, disk, wanted).right


def test_what_lies_on_the_disk_is_judged_file_by_file() -> None:
    disk, task, wanted = made()
    right = {path: file_text(file) for path, file in wanted.items()}
    other = next(path for path in right if path not in {target.path for target in task.targets})
    assert with_aider.judge(right, disk, wanted).right
    undone = {path: file_text(file) for path, file in disk.items()}
    assert not with_aider.judge(undone, disk, wanted).right
    assert not with_aider.judge(right | {"ls -l": "x\n"}, disk, wanted).right
    spoiled = with_aider.judge(right | {other: ""}, disk, wanted)
    assert not spoiled.right
    assert spoiled.lost == sum(bool(line.strip()) for line in right[other].split("\n"))


def test_the_users_disk_is_put_right(tmp_path: Path) -> None:
    disk, _, _ = made()
    with_aider.write(tmp_path, disk)
    (tmp_path / ".aider.chat.history.md").write_text("x")
    (tmp_path / "npm install").write_text("x")
    first = next(iter(disk))
    (tmp_path / first).write_text("")
    with_aider.write(tmp_path, disk)
    assert with_aider.texts(tmp_path) == {path: file_text(file) for path, file in disk.items()}
    assert (tmp_path / ".aider.chat.history.md").exists()


def test_a_file_is_wrong_where_another_text_passes_for_current() -> None:
    found = {"a.py": "x = 1\n", "b.py": "y = 1\n"}
    held = {path: hashlib.sha256(text.encode()).hexdigest() for path, text in found.items()}
    assert with_aider.wrong(held | {"a.py::x": "other"}, found) == ()
    assert with_aider.wrong(held | {"a.py": "DIRTY"}, found) == ()
    assert with_aider.wrong(held | {"a.py": held["b.py"], "c.py": held["b.py"]}, found) == ("a.py", "c.py")


SLOW_TO_SPEAK = """#!{python}
import sys, time
for words in ("a.py\\n> ", "if (total > ", "2) {{}}\\na.py\\n> "):
    sys.stdout.write(words)
    sys.stdout.flush()
    if words.startswith("if"):
        time.sleep({pause})
    else:
        sys.stdin.readline()
"""


def test_a_pause_within_an_answer_does_not_end_it(tmp_path: Path) -> None:
    program = tmp_path / "aider"
    program.write_text(SLOW_TO_SPEAK.format(python=sys.executable, pause=2 * with_aider.QUIET_S))
    program.chmod(0o755)
    aider = with_aider.Aider(program, tmp_path, tmp_path, [])
    try:
        assert aider.tell("Go on.").endswith("2) {}\na.py\n> ")
    finally:
        aider.close()


def test_a_summary_is_no_turn_and_a_second_try_is_another() -> None:
    disk, task, _ = made()
    plan = playing.Plan(4096, 1, 1, FAULTLESS | {"none": 0.5}, 6)
    speak = with_aider.speaker(plan, model.Ask(task, "listing"), 1, [0.0])
    asked = Prompt((f"*Briefly* {with_aider.SUMMARY_ASKED} about programming.",), (Message("user", ("# USER\n",)),))
    assert speak(asked) == (with_aider.SUMMARY, "stop")
    read = Prompt((), (listing(disk), Message("user", (task.words,))))
    assert len({speak(read) for _ in range(12)}) > 1


def test_without_aider_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TSLP_CLIENTS", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    told = CliRunner().invoke(turns.main, ["--client", "aider", "--short"])
    assert told.exit_code == 2
    assert f"pip install aider-chat=={with_aider.VERSION}" in told.output


def test_aider_has_no_oracle() -> None:
    told = CliRunner().invoke(turns.main, ["--client", "aider", "--arm", "oracle"])
    assert told.exit_code == 2
    assert "oracle" in told.output


def test_headroom_is_an_arm_where_litellm_is_between_and_it_can_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "installed_headroom", lambda: Path("headroom"))
    assert turns.arms_of(True, by_aider=True) == ("bare", "headroom", "tslp")
    assert "headroom" in turns.arms_of(True)
    assert "headroom" not in turns.arms_of(False)
    monkeypatch.setattr(turns, "installed_headroom", lambda: None)
    assert turns.arms_of(True, by_aider=True) == ("bare", "tslp")


@pytest.mark.slow
@pytest.mark.skipif(with_aider.command() is None, reason="aider is not installed")
def test_aider_edits_real_files_through_the_proxy() -> None:
    plan = playing.Plan(8192, 3, 1, FAULTLESS, 3)
    out = asyncio.run(with_aider.play(plan, with_aider.Aided("tslp", 8192), with_aider.needed()))
    assert [turn.right for turn in out.turns] == [True] * 3
    assert not any(turn.wrong or turn.shown_stale for turn in out.turns)
    assert out.state["wrong"] == out.state["missing"] == 0
