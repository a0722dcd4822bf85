"""Requests that are made to fit into a window (SEMANTICS 4, The window)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from tslp_litellm.engine import Engine
from tslp_litellm.engine.showing import Showing
from tslp_litellm.parser.budget import OverBudgetError
from tslp_litellm.settings import Settings
from tslp_litellm.state.markers import LEFT_OUT
from tslp_litellm.store.database import Database
from tslp_litellm.store.maintenance import verify

from .helpers import Session, make_engine

Sessions = Callable[..., Session]


def module(word: str, lines: int = 100) -> str:
    """A file of so many functions; `word` stands in each."""
    return "".join(f"def f{n}():\n    return '{word} {n}'\n\n\n" for n in range(lines)).rstrip("\n") + "\n"


def fenced(path: str, text: str) -> str:
    return f"{path}\n```python\n{text}```\n"


def tokens(session: Session) -> int:
    return sum(len(str(message.get("content") or "")) // 4 + 8 for message in session.sent)


def test_a_request_that_fits_is_left_alone(sessions: Sessions) -> None:
    session = sessions(limit=100_000).ask(fenced("a.py", module("one")))
    assert session.sent == session.messages[:-1]
    assert session.episode is not None
    assert (session.episode.fit, session.episode.injected) == ("fits", 0)


def test_older_copies_of_a_tracked_file_become_a_line(sessions: Sessions) -> None:
    session, prompts = sessions(limit=2_000), list[str]()
    for word in ("one", "two", "three"):
        session.ask("Here is my a.py:\n\n" + fenced("a.py", module(word)), answer=f"I see {word}.")
        prompts.append(session.prompt)
    session.ask("Thanks.")
    assert session.episode is not None
    assert session.episode.fit.startswith("fitted; removed=")
    said = [message["content"] for message in session.sent]
    assert f"{LEFT_OUT} a.py: 398 lines, as they then were" in said[0]
    assert "one 3" not in str(said)
    assert "three 3" in said[4]
    assert "Left out of this prompt" in prompts[-1]
    assert tokens(session) <= 2_000 - 2_000 // 8


def removed(session: Session) -> int:
    assert session.episode is not None
    return int(session.episode.fit.rpartition("=")[2])


def test_what_was_left_out_stays_out_in_the_same_bytes(sessions: Sessions) -> None:
    """Also after a start anew: it is remembered with the conversation. More goes only in batches of a fifth."""
    session = sessions(limit=2_000)
    for word in ("one", "two", "three"):
        session.ask("Here is my a.py:\n\n" + fenced("a.py", module(word)), answer=f"I see {word}.")
    session.ask("Thanks.", answer="You are welcome.")
    before, batch = session.sent, removed(session)
    assert batch >= 2_000 // 5
    anew = Session(make_engine(session.database), session.database, limit=2_000)
    anew.messages = list(session.messages)
    anew.ask("Go on.", answer="I do.")
    assert anew.sent[: len(before) - 1] == before[:-1], "the prefix is the same"
    assert removed(anew) == batch
    seen = {batch}
    for n in range(12):
        anew.ask("More words. " * 40 + str(n), answer="Yes. " * 20)
        seen.add(removed(anew))
        assert tokens(anew) <= 2_000 - 2_000 // 8
    steps = sorted(seen)
    assert len(steps) <= 4, "the prefix changes seldom"
    assert all(b - a >= 2_000 // 5 for a, b in pairwise(steps))


def test_results_of_tools_go_before_turns_and_the_last_three_never(sessions: Sessions) -> None:
    session = sessions(limit=3_000, tools=("Bash",))
    session.ask("Run the tests.", answer=None, calls={"c0": {"name": "Bash", "arguments": {"command": "make test"}}})
    for n in range(8):
        calls = {f"c{n + 1}": {"name": "Bash", "arguments": {"command": f"make test-{n}"}}}
        session.ask(None, answer=None, calls=calls, results={f"c{n}": f"line of {n}\n" * 150})
    session.ask(None, results={"c8": "line of 8\n" * 150})
    results = [message["content"] for message in session.sent if message["role"] == "tool"]
    assert results[0] == f"{LEFT_OUT} what Bash answered: 151 lines"
    assert results[-3:] == [f"line of {n}\n" * 150 for n in (6, 7, 8)]
    assert "older tool result" in session.prompt
    assert tokens(session) <= 3_000 - 3_000 // 8


@pytest.mark.parametrize("words", [(), ("Seen.",)])
def test_the_images_of_a_result_go_with_its_text(sessions: Sessions, words: tuple[str, ...]) -> None:
    """A screenshot weighs more than all that was said: it is what goes, and the call stays."""
    screenshot = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    seen: Any = [*({"type": "text", "text": one} for one in words), screenshot]
    session = sessions(limit=6_000, tools=("look",))
    session.ask("Look at the page.", answer=None, calls={"c0": {"name": "look", "arguments": {}}})
    for n in range(5):
        calls = {f"c{n + 1}": {"name": "look", "arguments": {"part": n}}}
        session.ask(None, answer=None, calls=calls, results={f"c{n}": seen})
    session.ask(None, results={"c5": seen})
    results = [message["content"] for message in session.sent if message["role"] == "tool"]
    said = f"{LEFT_OUT} what look answered: {'1 line and ' if words else ''}1 image"
    assert results == [[{"type": "text", "text": said}]] * 3 + [seen] * 3
    assert session.episode is not None
    assert session.episode.fit.startswith("fitted")
    assert removed(session) > 3 * 1_500


def test_what_a_cleared_result_showed_and_the_turn_mentions_comes_back(sessions: Sessions) -> None:
    session = sessions(limit=3_000, tools=("Read", "Bash"))
    text = module("one", 30)
    session.ask("Read a.py.", answer=None, calls={"r": {"name": "Read", "arguments": {"file_path": "a.py"}}})
    session.ask(None, results={"r": "\n".join(f"{n}\t{line}" for n, line in enumerate(text.splitlines(), 1))})
    assert session.holds("a.py", text.rstrip("\n"))
    for n in range(5):
        calls = {f"c{n}": {"name": "Bash", "arguments": {"command": f"make test-{n}"}}}
        session.ask("Look at `a.py`, and run it.", answer=None, calls=calls)
        session.ask(None, results={f"c{n}": f"line of {n}\n" * 200}, answer="Done.")
    assert session.hydrated == ["a.py"]
    assert "return 'one 29'" in session.prompt
    assert tokens(session) <= 3_000 - 3_000 // 8


def test_the_latest_words_of_the_user_and_the_system_prompt_stay_though_it_is_over(sessions: Sessions) -> None:
    session = sessions(limit=300)
    session.messages.append({"role": "system", "content": "You are careful. " * 40})
    session.ask("First.", answer="Yes. " * 100)
    session.ask("The task. " * 100)
    assert session.episode is not None
    assert session.episode.fit == "over"
    assert [message["role"] for message in session.sent] == ["system", "user"]
    assert session.sent[0] == session.messages[0]
    assert session.sent[1]["content"].endswith("The task. " * 100)


def test_of_a_small_request_nothing_is_counted(database: Database) -> None:
    asked: list[str] = []
    engine = Engine(
        database, Settings(), now=lambda: "2026-01-01T00:00:00.000Z", new_id=iter("abcdef").__next__,
        count_tokens=lambda text: asked.append(text) or 1,  # type: ignore[func-returns-value]
    )  # fmt: skip
    session = Session(engine, database, limit=32_000)
    session.ask("Hello, what can you do for me?")
    assert session.episode is not None
    assert (session.episode.fit, session.episode.injected) == ("fits", 0)
    assert asked == []


def test_each_text_is_counted_once(database: Database) -> None:
    asked: list[str] = []
    ids = (f"id-{n}" for n in range(1_000))
    engine = Engine(
        database, Settings(), now=lambda: "2026-01-01T00:00:00.000Z", new_id=ids.__next__,
        count_tokens=lambda text: asked.append(text) or len(text) // 4,  # type: ignore[func-returns-value]
    )  # fmt: skip
    Session(engine, database, limit=2_000).ask("Here is my a.py:\n\n" + fenced("a.py", module("one", 5)))
    session = Session(engine, database, limit=2_000)
    for word in ("one", "two", "three", "four"):
        session.ask(f"Words of {word}. " * 100, answer=f"Yes, {word}. " * 10)
    session.ask("What of `a.py`?")
    assert session.hydrated == ["a.py"]
    assert len(asked) == len(set(asked)), "neither by who hydrates nor by who leaves out"


def test_where_leaving_out_takes_too_long_the_request_goes_on_as_it_was(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And its headers speak of that request, not of the one that was begun."""
    session = sessions(limit=2_000, placement="start")
    for word in ("one", "two", "three"):
        session.ask("Here is my a.py:\n\n" + fenced("a.py", module(word)), answer=f"I see {word}.")
    session.ask("Thanks.", answer="You are welcome.")
    assert session.episode is not None
    assert session.episode.injected > 0, "the notice of what was left out"

    def over(_: Showing) -> None:
        raise OverBudgetError("too long")

    monkeypatch.setattr(Showing, "all", over)
    session.ask("More words. " * 400)
    assert session.sent == session.messages[:-1]
    assert session.episode.notices == ()
    assert session.episode.injected == 0
    assert session.episode.fit == ""


def plays(session: Session) -> None:
    """A conversation with pastes, edits, refusals, reads, tools and another conversation beside it."""
    for word in ("one", "two", "three"):
        session.ask("Here is my a.py:\n\n" + fenced("a.py", module(word, 60)), answer=f"I see {word}.")
    session.ask("Write b.py.", answer="Here:\n\n" + fenced("b.py", module("bee", 60)))
    session.ask("Shorten `b.py`.", answer="Here:\n\n" + fenced("b.py", module("bee", 5)))
    session.ask(
        "Now add a docstring to `b.py`.", answer="Here:\n\n" + fenced("b.py", '"""B."""\n\n\n' + module("bee", 60))
    )
    session.ask("Add one to `f3` in b.py.", answer="Here:\n\n" + fenced("b.py", f"# {LEFT_OUT} b.py: 9 lines\n"))
    for n in range(4):
        calls = {f"c{n}": {"name": "Read", "arguments": {"file_path": "a.py"}}}
        session.ask("Read a.py.", answer=None, calls=calls)
        text = module("three" if n < 2 else "four", 60)
        read = "\n".join(f"{k}\t{line}" for k, line in enumerate(text.splitlines(), 1))
        session.ask(None, results={f"c{n}": read}, answer="Read.")
    edit = {"file_path": "a.py", "old_string": "return 'four 3'", "new_string": "return 'five 3'"}
    session.ask("Edit it.", answer=None, calls={"e": {"name": "Edit", "arguments": edit}})
    session.ask(None, results={"e": "The file a.py has been updated successfully."}, answer="Edited.")
    session.ask("Here is my a.py:\n\n" + fenced("a.py", module("one", 60)), answer="Back again.")
    session.ask("Change `a.py::f1` and go on.", answer="Here:\n\n" + fenced("a.py", module("six", 60)))
    session.ask("Now change `f2` as well.", answer="Here:\n\n" + fenced("a.py", module("six", 60)))


@pytest.mark.parametrize(
    "limit", [300, *(pytest.param(limit, marks=pytest.mark.slow) for limit in (1_500, 4_000, 12_000))]
)
@pytest.mark.parametrize("tools", [(), ("Read", "Edit")])
def test_the_state_is_the_same_with_the_window_and_without(limit: int, tools: tuple[str, ...]) -> None:
    """Evidence is judged on what the client sent, byte for byte."""
    found = []
    for settings, window in (({}, limit), ({"history": "current"}, limit), ({}, None)):
        database = Database("sqlite://")
        database.migrate()
        session = Session(make_engine(database, **settings), database, tools=tools, limit=window)
        plays(session)
        with database.reading() as connection:
            found.append(
                [tuple(row) for row in connection.exec_driver_sql("SELECT * FROM state_map ORDER BY entity")]
                + [tuple(row) for row in connection.exec_driver_sql("SELECT * FROM tombstones ORDER BY entity")]
            )
        assert verify(database) == []
        database.close()
    assert found[0]
    assert found[0] == found[2]
    assert found[1] == found[2]


def test_current_history_is_tidied_where_it_saves_a_fifth(sessions: Sessions) -> None:
    for history, is_tidied in (("keep", False), ("current", True)):
        session = sessions(workspace=history, limit=100_000, history=history)
        for word in ("one", "two", "three"):
            session.ask("Here is my a.py:\n\n" + fenced("a.py", module(word)), answer=f"I see {word}.")
        session.ask("Thanks.")
        assert (LEFT_OUT in str(session.sent)) is is_tidied
        assert "three 3" in str(session.sent)


@pytest.mark.parametrize("above", ["Here is my a.py:", "Again: a.py", "And a.py now"])
def test_what_the_sentence_above_names_is_that_files_where_its_text_was(sessions: Sessions, above: str) -> None:
    session = sessions(limit=100_000, history="current")
    for word in ("one", "two", "three"):
        session.ask(f"{above}\n\n```python\n{module(word)}```\nLook.", answer=f"I see {word}.")
    session.ask("Thanks.")
    assert "three 3" in str(session.sent)
    assert "one 3" not in str(session.sent)
    assert "two 3" not in str(session.sent)


def test_text_of_an_unknown_or_dirty_file_is_never_a_repetition(sessions: Sessions) -> None:
    session = sessions(limit=100_000, history="current")
    text = module("one")
    session.ask("Here is my a.py:\n\n" + fenced("a.py", text)).ask("Again a.py:\n\n" + fenced("a.py", text))
    copy = "It looks like this in another file:\n\n```python\n" + text + "```\n"
    session.ask(copy).ask(copy).ask("Thanks.")
    said = str(session.sent)
    assert said.count("return 'one 7'") >= 3, "one copy of a.py, and two texts of which nobody says what they are"


def test_nothing_of_a_dirty_file_is_a_repetition(sessions: Sessions) -> None:
    session = sessions(tools=("Bash",))
    pasted = "Here is my a.py:\n\n" + fenced("a.py", module("one"))
    session.ask(pasted).ask("Again.\n\n" + pasted)
    session.ask("Go.", answer=None, calls={"c": {"name": "Bash", "arguments": {"command": "sed -i s/1/2/ a.py"}}})
    session.ask(None, results={"c": ""}, answer="Done.")
    assert session.state()["a.py"] == "DIRTY"
    anew = Session(make_engine(session.database, history="current"), session.database, tools=("Bash",), limit=100_000)
    anew.messages = list(session.messages)
    anew.ask("Thanks.")
    assert LEFT_OUT not in str(anew.sent)


def test_results_that_are_written_as_text_go_like_others(sessions: Sessions) -> None:
    """Cline and its kind: the task stands first, and every result is a user message."""
    session = sessions(limit=3_000)
    session.ask("<task>\nMake the tests pass.\n</task>", answer="<read_file>\n<path>f0.py</path>\n</read_file>")
    for n in range(8):
        result = f"[read_file for 'f{n}.py'] Result:\n" + f"line of {n}\n" * 200
        session.ask(result, answer=f"<read_file>\n<path>f{n + 1}.py</path>\n</read_file>")
    said = [message["content"] for message in session.sent]
    assert said[0].endswith("<task>\nMake the tests pass.\n</task>"), "the task is never touched"
    stands = [f"line of {n}\n" * 200 in "".join(said) for n in range(8)]
    assert (stands[:3], stands[-3:]) == ([False] * 3, [True] * 3)
    assert tokens(session) <= 3_000 - 3_000 // 8


def test_what_a_client_says_beside_a_result_is_no_result(sessions: Sessions) -> None:
    """The last three results are kept, however many parts their messages have."""
    session = sessions(limit=3_000)
    frame = "<environment_details>\n# Current Mode\nACT MODE\n</environment_details>"
    session.ask("<task>\nMake the tests pass.\n</task>", answer="<read_file>\n<path>f0.py</path>\n</read_file>")
    for n in range(8):
        result = f"[read_file for 'f{n}.py'] Result:\n" + f"line of {n}\n" * 300
        parts = [{"type": "text", "text": text} for text in (result, frame)]
        session.messages.append({"role": "user", "content": parts})
        session.ask(None, answer=f"<read_file>\n<path>f{n + 1}.py</path>\n</read_file>")
    said = str(session.sent)
    assert [f"line of {n}" in said for n in range(8)] == [False] * 5 + [True] * 3
    users = [message["content"] for message in session.sent[1:] if message["role"] == "user"]
    assert all(parts[1]["text"] == frame for parts in users)
    assert users[0][0]["text"].startswith(LEFT_OUT)


def test_of_what_a_call_wrote_no_other_copy_is_kept(sessions: Sessions) -> None:
    session = sessions(limit=3_000, tools=("Write", "Read"))
    text = module("one")
    call = {"name": "Write", "arguments": {"file_path": "a.py", "content": text}}
    session.ask("Write a.py.", answer=None, calls={"w": call})
    session.ask(None, "Done.", results={"w": "Wrote file successfully."})
    session.ask("Here is my a.py:\n\n" + fenced("a.py", text), answer="I see it.")
    session.ask("Tell me more. " + "Words. " * 200, answer="Yes. " * 200)
    session.ask("What does a.py hold?")
    assert len(session.sent) == 9, "no turn goes whole"
    assert session.hydrated == []
    assert str(session.sent).count("return 'one 99'") == 1, "in the call"


def test_a_copy_that_the_result_of_an_edit_states_is_one(sessions: Sessions) -> None:
    """Cline answers an edit with the file as it is then: what was attached before is an older text."""
    session = sessions(limit=3_000)
    attached = f'<task>\nChange a.py.\n</task>\n\n<file_content path="a.py">\n{module("one")}\n</file_content>'
    old, new = "return 'one 7'", "return 'other 7'"
    diff = f"------- SEARCH\n    {old}\n=======\n    {new}\n+++++++ REPLACE"
    edit = f"<replace_in_file>\n<path>a.py</path>\n<diff>\n{diff}\n</diff>\n</replace_in_file>"
    session.ask(attached, answer=edit)
    text = module("one").replace(old, new)
    session.ask(
        "[replace_in_file for 'a.py'] Result:\nThe content was successfully saved to a.py.\n\nHere is the full, updated "
        f'content of the file that was saved:\n\n<final_file_content path="a.py">\n{text}\n</final_file_content>\n\n'
        "IMPORTANT: For any future changes to this file, use the final_file_content shown above as your reference.",
        answer="<attempt_completion>\n<result>\nDone.\n</result>\n</attempt_completion>",
    )
    assert session.holds("a.py", text)
    session.ask("[attempt_completion] Result:\n<feedback>\nAnd why? " + "Words. " * 500 + "\n</feedback>")
    assert str(session.sent).count("one 99") == 1
    assert "other 7" in str(session.sent)


def test_steps_whose_results_have_other_parts_beside_them_can_go(sessions: Sessions) -> None:
    """Of the running turn the oldest calls go with their results, though the client says more beside these."""
    session = sessions(limit=3_000)
    frame = "<environment_details>\n# Current Mode\nACT MODE\n</environment_details>"
    call = "<write_to_file>\n<path>f{}.py</path>\n<content>\n{}</content>\n</write_to_file>"
    session.ask("<task>\nWrite six files.\n</task>", answer=call.format(0, module("zero", 80)))
    for n in range(1, 6):
        result = f"[write_to_file for 'f{n - 1}.py'] Result:\nThe content was successfully saved to f{n - 1}.py."
        parts = [{"type": "text", "text": text} for text in (result, frame)]
        session.messages.append({"role": "user", "content": parts})
        session.ask(None, answer=call.format(n, module(f"word{n}", 60)))
    assert "zero 7" not in str(session.sent)
    assert all(f"word{n} 7" in str(session.sent) for n in range(2, 5))
    assert "Write six files." in str(session.sent[0])


def test_a_larger_window_brings_back_what_was_left_out_for_a_smaller_one(sessions: Sessions) -> None:
    session = sessions(limit=600)
    for n in range(8):
        session.ask(f"The word {n}. " * 20, answer="Yes. " * 20)
    assert removed(session) > 0
    session.window = 8_000
    session.ask("Which words were there?", answer="Many.")
    assert session.sent == session.messages[:-1]
    session.window = 600
    session.ask("And now?")
    assert len(session.sent) < len(session.messages) - 1


def test_calls_that_were_left_out_stay_out_when_their_turn_is_over(sessions: Sessions) -> None:
    session = sessions(limit=2_000, tools=("Bash",))
    session.ask("Run all the tests.", answer=None, calls=make(0, "x" * 800))
    for n in range(9):
        session.ask(None, answer=None, calls=make(n + 1, "x" * 800), results={f"c{n}": "ok\n"})
    session.ask(None, results={"c9": "ok\n"}, answer="Done.")
    assert ["make 0 " in str(session.sent), "make 9 " in str(session.sent)] == [False, True]
    session.ask("Now run three more.", answer=None, calls=make(10))
    for n in range(10, 13):
        session.ask(None, answer=None, calls=make(n + 1), results={f"c{n}": "ok\n"})
        assert ["make 0 " in str(session.sent), "make 9 " in str(session.sent)] == [False, True]


def make(n: int, more: str = "") -> dict[str, dict[str, Any]]:
    return {f"c{n}": {"name": "Bash", "arguments": {"command": f"make {n} {more}"}}}


def test_a_short_result_says_how_it_went_and_stays(sessions: Sessions) -> None:
    session = sessions(limit=3_000, tools=("Bash",))
    said = {"c0": "The file a.py has been updated successfully. (file state is current in your context)"}
    session.ask("Run the tests.", answer=None, calls=make(0)).ask(None, answer=None, calls=make(1), results=said)
    for n in range(1, 9):
        session.ask(None, answer=None, calls=make(n + 1), results={f"c{n}": f"line of {n}\n" * 150})
    results = [message["content"] for message in session.sent if message["role"] == "tool"]
    assert results[:2] == [said["c0"], f"{LEFT_OUT} what Bash answered: 151 lines"]


def test_the_models_own_words_are_the_last_to_hold_a_line_of_ours(sessions: Sessions) -> None:
    """It answers as it finds itself to have answered before."""
    session = sessions(limit=2_300)
    session.ask("Write a.py.", answer="Here:\n\n" + fenced("a.py", module("one")))
    for word in ("two", "three"):
        session.ask("Here is my a.py:\n\n" + fenced("a.py", module(word)), answer=f"I see {word}.")
    session.ask("Thanks.")
    assert [LEFT_OUT in str(message["content"]) for message in session.sent[1:5]] == [False, True, False, False]


def test_a_model_whose_tools_are_words_is_told_to_read_again(sessions: Sessions) -> None:
    session = sessions(limit=3_000)
    session.ask("<task>\nMake the tests pass.\n</task>", answer="<read_file>\n<path>f0.py</path>\n</read_file>")
    for n in range(6):
        result = f"[read_file for 'f{n}.py'] Result:\n" + f"line of {n}\n" * 200
        session.ask(result, answer=f"<read_file>\n<path>f{n + 1}.py</path>\n</read_file>")
    assert "read it again" in str(session.sent[0]["content"])
