"""The simulated thousand, a dozen turns of it: what it counts is what happened."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.turns import __main__ as turns
from benchmarks.turns import job, model, playing, rates, tables, user
from benchmarks.turns.code import COMMENT, FORMS, Function, definitions, file_text, parsed, rendered

FAULTLESS = dict.fromkeys([*rates.WORDS, *rates.ASSUMED], 0.0) | {"asked": 1.0}


def played(arm: str, turns: int = 12, window: int = 4096, **failings: float) -> playing.Played:
    plan = playing.Plan(window, turns, 1, FAULTLESS | failings, 12)
    return asyncio.run(playing.play(plan, playing.arm(arm, window)))


@pytest.mark.parametrize("language", FORMS)
def test_a_function_is_read_back_as_it_was_written(language: str) -> None:
    rng = random.Random(1)
    for owner in ("", "RatePlan"):
        made = job.function(rng, "order_total", owner, () if owner else ("pricing.fee",))
        text = rendered(made, language)
        assert list(definitions(f"x\n{text}\ny", language, "order_total")) == [text]
        assert parsed(text, language, "order_total", owner) == made


def test_a_line_that_was_left_out_is_a_step_that_is_lost() -> None:
    made = Function("total", (("fee", ("3",)), ("cap", ("9",))))
    text = rendered(made, "go").replace("total = total + 3", "// ... rest unchanged ...")
    assert parsed(text, "go", "total") == Function("total", (("cap", ("9",)),))


def test_who_sees_the_file_and_never_fails_is_always_right() -> None:
    world = random.Random(3)
    names = job.Names(world)
    disk = job.workspace(world, names, 12)
    for n in range(60):
        task = job.next_task(world, disk, names)
        ask, words = user.asks(task, world)
        wanted = job.changed(disk, task)
        paths = dict.fromkeys(t.path for t in task.targets)
        seen = [user.fence(path, file_text(disk[path])) for path in paths]
        said, finish = model.answer([*seen, words], ask, FAULTLESS | {"whole": 0.5}, random.Random(n))
        judged = user.judge(said, finish, task, disk, wanted)
        assert judged.right and not judged.lost, (task, said)
        disk = wanted


def test_a_real_model_is_told_in_words_of_the_code() -> None:
    """The same changes; a value that goes is named with the one that comes."""
    world = random.Random(3)
    disk = job.workspace(world, job.Names(world), 12)
    for n in range(40):
        tasks = [job.next_task(random.Random(n), disk, job.Names(random.Random(n)), real) for real in (False, True)]
        assert tasks[0].targets == tasks[1].targets and tasks[0].given == tasks[1].given
        if tasks[1].kind == "constant":
            kind, value = tasks[1].given
            function = disk[tasks[1].main.path].function(tasks[1].main.symbol)
            was = dict(function.steps)[kind][0]
            assert value in tasks[1].words and f"instead of {was}." in tasks[1].words


@pytest.mark.parametrize(
    "more", ["{mark} adds the fee\n{text}", "{text}\n\n{other}"], ids=["a comment above", "a function that nobody has"]
)
def test_an_answer_that_brings_more_than_was_asked_for_is_not_right(more: str) -> None:
    world = random.Random(3)
    names = job.Names(world)
    disk = job.workspace(world, names, 12)
    task = next(one for _ in range(60) if (one := job.next_task(world, disk, names)).kind == "constant")
    wanted, language = job.changed(disk, task), disk[task.main.path].language
    text = rendered(wanted[task.main.path].function(task.main.symbol), language)
    other = rendered(Function("helper_of_mine", (("fee", ("3",)),)), language)
    said = "```\n{}\n```"
    assert user.judge(said.format(text), "stop", task, disk, wanted).right
    brought = more.format(mark=COMMENT[language], text=text, other=other)
    assert not user.judge(said.format(brought), "stop", task, disk, wanted).right


def test_who_sees_nothing_invents_and_loses_lines() -> None:
    out = played("bare", window=256)
    changes = [turn for turn in out.turns if turn.kind in ("constant", "parameter")]
    assert changes
    assert not any(turn.right for turn in changes)
    assert sum(turn.lost for turn in changes) > len(changes)


def test_with_tslp_it_sees_what_it_changes_and_the_state_map_is_the_disk() -> None:
    bare, ours = played("bare"), played("tslp")
    assert [turn.kind for turn in bare.turns] == [turn.kind for turn in ours.turns], "the same changes"
    assert sum(turn.right for turn in ours.turns) > sum(turn.right for turn in bare.turns)
    assert not any(turn.sight["missing"] or turn.shown_stale for turn in ours.turns)
    assert ours.state["wrong"] == 0


@pytest.mark.parametrize("seed", [6, 10])
def test_of_a_much_worse_model_nothing_false_is_believed(seed: int) -> None:
    """It repeats what it said before, which had been believed over what the user had shown (seeds 6 and 10)."""
    out = asyncio.run(playing.play(playing.Plan(3_000, 40, seed, rates.WORSE, 9), playing.arm("tslp", 3_000)))
    assert out.state["wrong"] == 0
    assert not any(turn.shown_stale for turn in out.turns)


def test_rates_are_those_of_the_recorded_answers() -> None:
    found = rates.measured()
    assert found.counted["whole"][0] > found.counted["elided"][0]
    assert all(0 < found.of[name] < 1 for name in rates.WORDS)


def test_intervals_hold_what_was_seen_and_narrow() -> None:
    low, high = tables.wilson(30, 100)
    assert low < 0.3 < high
    assert high - low > tables.wilson(300, 1000)[1] - tables.wilson(300, 1000)[0]


def test_what_was_played_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = ("bare", 4096, 1, 2, 12, {}, False, None)
    first = turns.kept(tmp_path, cell)
    assert len(first["turns"]) == 2
    monkeypatch.setattr(turns, "played", None)
    assert turns.kept(tmp_path, cell) == json.loads(json.dumps(first))
    with pytest.raises(TypeError):
        turns.kept(tmp_path, ("bare", 4096, 2, 2, 12, {}, False, None))


def test_what_has_no_place_in_the_note_is_refused_before_it_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "rows", None)
    ran = CliRunner().invoke(turns.main, ["--model", "ollama_chat/none", "--arm", "bare", "--publish"])
    assert ran.exit_code == 2
    assert "no place for real ollama_chat/none" in ran.output


@pytest.mark.parametrize("name", ["results", "rates", "sweep", "proxied", "aider", "real 1.5b", "real 0.5b"])
def test_a_part_of_the_note_is_written_between_its_marks(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note, before = tmp_path / "turns.md", turns.NOTE.read_text("utf-8")
    note.write_text(before, "utf-8")
    monkeypatch.setattr(turns, "NOTE", note)
    turns.write(name, "| one |")
    (begin, end), now = turns.marks(name), note.read_text("utf-8")
    assert now.partition(begin)[0] == before.partition(begin)[0]
    assert now.partition(begin)[2] == f"\n| one |\n{end}{before.partition(end)[2]}"
