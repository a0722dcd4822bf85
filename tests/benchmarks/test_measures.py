"""What is measured of a request: copies, waste, the task, and what is prefilled again."""

from __future__ import annotations

import json

from benchmarks.sight.measures import Wanted, copies, holds, leaves, possible, prefilled, redundant, see, untouched
from benchmarks.sight.prompts import Message, Prompt
from benchmarks.sight.server import TEMPLATE, read
from tslp_litellm.hydration.blocks import Block, notice

TEXT = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"
OLD = TEXT.replace("2", "3")


def words(text: str) -> int:
    return len(text.split())


def said(*texts: str, role: str = "user") -> Message:
    return Message(role, texts)


def block(text: str = TEXT) -> str:
    return Block("a.py", "0" * 64, "ast", text).render()  # type: ignore[arg-type]


def test_a_copy_is_all_of_the_lines_one_after_the_other() -> None:
    numbered = "\n".join(f"{n:6}\t{line}" for n, line in enumerate(TEXT.split("\n"), 1))
    piped = "\n".join(f"{n} | {line}" for n, line in enumerate(TEXT.split("\n"), 1))
    added = "".join(f"+{line}\n" for line in TEXT.splitlines())
    for form in (TEXT, f"a.py\n```\n{TEXT}```\n", numbered, piped, f"*** Add File: a.py\n{added}"):
        assert copies(TEXT, [form]) == 1
    assert copies(TEXT, [TEXT + TEXT, numbered]) == 3
    assert copies(TEXT, [OLD, TEXT.replace("\n\n\n", "\n"), "return 1"]) == 0


def test_a_result_that_is_json_is_read_as_its_strings() -> None:
    result = json.dumps([{"query": "a.py", "result": TEXT + 'print("x")'}])
    assert copies(TEXT, leaves(said(result, role="tool"))) == 1
    assert leaves(said("{not json")) == ["{not json"]


def test_a_block_is_redundant_where_its_text_stands_besides() -> None:
    alone = Prompt((), (said(block() + "\n\nDo it."),))
    twice = Prompt((), (said(TEXT), said(block() + "\n\nDo it.")))
    total, none = redundant(alone, {}, words)
    assert (total, none) == (words(block()), 0)
    assert redundant(twice, {}, words) == (total, total)


def test_a_block_is_not_redundant_where_an_older_text_stands_behind_the_current_one() -> None:
    history = Prompt((), (said(TEXT), said(OLD), said(block() + "\n\nDo it.")))
    assert redundant(history, {"a.py": (OLD,)}, words)[1] == 0
    before = Prompt((), (said(OLD), said(TEXT), said(block() + "\n\nDo it.")))
    assert redundant(before, {"a.py": (OLD,)}, words)[1] == words(block())


def test_notices_are_injected_tokens_too() -> None:
    told = notice("Three words here.")
    assert redundant(Prompt((), (said(told + "\n\nDo it."),)), {}, words) == (words(told), 0)


def test_a_task_counts_only_in_the_users_messages_and_whole() -> None:
    assert holds(Prompt((), (said("Change f in a.py."),)), "Change f")
    assert not holds(Prompt((), (said("ange f in a.py."), said("Change f", role="assistant"))), "Change f")


def test_what_is_never_left_out_is_the_task_and_the_last_results_with_their_calls() -> None:
    rounds = [
        m for n in range(5) for m in (Message("assistant", (f"call {n}",), True), said(f"result {n}", role="tool"))
    ]
    found = untouched(Prompt((), (said("old"), said("Do it."), *rounds)), "Do it.")
    assert [m.text for m in found] == ["Do it.", *(f"{what} {n}" for n in (2, 3, 4) for what in ("call", "result"))]


def test_what_is_prefilled_again_begins_where_the_requests_part() -> None:
    first = Prompt(("sys",), (said("a b c"), said("d")))
    assert prefilled(None, first, words) is None
    assert prefilled(first, first, words) == 0
    more = Prompt(("sys",), (said("a b c"), said("d"), said("e f", role="assistant")))
    assert prefilled(first, more, words) == 3 + TEMPLATE, "its role is prefilled, too"
    other = Prompt(("sys",), (said("a b x y"), said("d")))
    assert prefilled(first, other, words) == 2 + 2 + 2 * TEMPLATE


def test_texts_compete_for_the_budget_symbols_first() -> None:
    wanted = [Wanted("a.py", "w " * 300), Wanted("a.py::f", "w " * 100), Wanted("b.py", "w " * 300)]
    assert possible(wanted, 10_000, 2_400, words) == [True, True, False]
    assert possible(wanted, 200, 2_400, words) == [False, True, False]


def test_a_request_as_it_is_seen() -> None:
    origin = Prompt(("sys",), (said("w " * 500), said("Change a.py.")))
    sent = Prompt(("sys",), (said("Change a.py."),))
    wanted = [Wanted("a.py", TEXT)]
    about = {"window": 400, "count": words}
    bare = see(origin, read(origin, 400, words), origin, None, "Change a.py.", wanted, fitted=False, **about)
    ours = see(sent, read(sent, 400, words), origin, None, "Change a.py.", wanted, fitted=True, **about)
    assert (bare.fits, bare.task, bare.can_fit) == (False, True, True)
    assert (ours.fits, ours.task, ours.fitted) == (True, True, True)
    assert bare.found[0].copies == ours.found[0].copies == 0
