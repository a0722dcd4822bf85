"""Which requests are a client's own errands, and which only look like one."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest

from tslp_litellm.clients.side_requests import side_request, side_requests, stated_diffs
from tslp_litellm.data.schema import SideRequest
from tslp_litellm.wire.turn import Item, ItemKind, Role, Turn

S, U, A = Role.SYSTEM, Role.USER, Role.ASSISTANT
COMMIT = (
    "You are an expert software engineer that generates concise, \none-line Git commit messages based on the provided "
    "diffs.\nReview the provided context and diffs which are about to be committed to a git repo.\nReview the diffs."
)
COMPACT = (
    "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\n- Do NOT use Read, Bash, Grep, Glob, Edit, Write, or "
    "ANY other tool.\n- Tool calls will be REJECTED."
)
OPENCODE = (
    "You are a context summarization agent. You are given a conversation between a user and an agent. Your goal is to "
    "produce a structured summary matching the format specified so another coding agent can continue the work.\n\n"
    "Always follow the exact output structure requested by the user prompt.\n\nDo not continue the conversation."
)
TITLE = (
    "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### Guidelines:\n- x\n"
)


def turn(*items: tuple[Role, str], tools: tuple[str, ...] = ()) -> Turn:
    return Turn(tuple(Item(role, ItemKind.TEXT, text, n) for n, (role, text) in enumerate(items)), tools)


@pytest.mark.parametrize(
    "request_",
    [
        turn((S, COMMIT), (U, "diff")),
        turn((S, "You are a title generator. You output ONLY a thread title. Nothing else.\n\n<task>\n…"), (U, "x")),
        turn((S, OPENCODE), (U, "Create a new anchored summary from the conversation history.\n\n[User]: Edit a.py")),
        turn((S, "You are Claude Code, Anthropic's official CLI for Claude."),
             (S, "Analyze if this message indicates a new conversation topic. If it does, extract a 2-3 word title that "
                 "captures the new topic. Format your response as a JSON object with two fields: 'isNewTopic'"), (U, "x")),
        turn((S, "You are Claude Code"), (U, "x"), (A, "y"), (U, COMPACT), tools=("Edit", "Write")),
        turn((U, "*Briefly* summarize this partial conversation about programming.")),
        turn((U, TITLE + "### Chat History:\n<chat_history>\nUSER: hi\n</chat_history>")),
    ],
)  # fmt: skip
def test_errands(request_: Turn) -> None:
    assert side_request(request_) is not None


@pytest.mark.parametrize("row", side_requests(), ids=lambda row: row.opening[0][:40])
def test_every_row_knows_its_own_prompt_and_no_part_of_it(row: SideRequest) -> None:
    where = S if row.where == "system" else U
    for opening in row.opening:
        assert side_request(turn((where, opening + "\n"), (U, "x")) if where is S else turn((U, opening))) is row
        for cut in (opening[: len(opening) // 2], "Say: " + opening, opening + " And then write a.py."):
            assert side_request(turn((where, cut), *([(U, "x")] if where is S else []))) is None or "" in row.next
    if row.tools == "none":
        said = [(S, row.opening[0]), (U, "x")] if where is S else [(U, row.opening[0])]
        assert side_request(turn(*said, tools=("edit_file",))) is None


@pytest.mark.parametrize(
    "request_",
    [
        turn((S, "You are a coding agent. When you open a pull request, generate a concise title."), (U, "Write a.py")),
        turn((S, "You are a helpful coding assistant."), (U, "Write a title generator in a.py")),
        turn((S, "You are a title generator for a blog: edit src/title.py as asked."), (U, "Go")),
        turn((U, "Your task is to create a detailed summary of util.py as a docstring in it.")),
        turn((U, "You are performing a CONTEXT CHECKPOINT COMPACTION feature: write it to compact.py")),
        turn((U, "### Task:\nGenerate util.py with one function slug.")),
        turn((U, TITLE + "\nPut this prompt into prompts/title.md, please.")),
        turn((S, COMMIT), (U, "x"), tools=("write_file",)),
        turn((U, COMPACT), (A, "Understood.")),
        turn((S, OPENCODE), (U, "Edit a.py"), tools=("edit",)),
        turn((S, "You are a context summarization agent. You keep notes.md as asked."), (U, "Go")),
        turn(),
    ],
)
def test_turns_of_a_conversation(request_: Turn) -> None:
    assert side_request(request_) is None


def wordings(count: int) -> list[Turn]:
    """Prompts that speak as errands do, and are none: known phrases inside instructions and requests of other kinds."""
    pick = random.Random(14)
    phrases = [p for row in side_requests() for p in (*row.opening, *row.next) if p]
    before = ["You are a coding agent. ", "Never say: ", "In src/prompts.py replace the text by: ", "Bitte: ", "> ", "1. ",
              "The docs say \"", "Use the template below.\n\n", "def f():\n    return '''"]  # fmt: skip
    after = [" Then write util.py.", "\n\nPut this into prompts/title.md.", " Answer with the whole file.", "\"", "'''",
             " Explain what it does.", "\n```python\nx = 1\n```", " And fix the test."]  # fmt: skip
    made = []
    for role, _ in itertools.product((S, U), range(count // 2)):
        phrase = pick.choice(phrases)
        words = phrase.split()
        cut = " ".join(words[: pick.randint(1, len(words))]) if pick.random() < 0.5 else phrase
        kind = pick.randint(0, 2)
        text = (
            pick.choice(before) + cut if kind == 0
            else pick.choice(before) + cut + pick.choice(after) if kind == 1
            else cut.lower() + pick.choice(after)
        )  # fmt: skip
        made.append(turn((role, text), (U, "Write util.py.")) if role is S else turn((U, text)))
    return made


@pytest.mark.parametrize("count", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_no_generated_wording_is_taken_for_an_errand(count: int) -> None:
    assert [t.items[0].text for t in wordings(count) if side_request(t) is not None] == []


def test_diffs_that_an_errand_carries() -> None:
    assert stated_diffs(turn((S, COMMIT), (U, "# Diffs:\n--- a\n+++ a"))) == "--- a\n+++ a"
    assert stated_diffs(turn((S, "You are a title generator. You output ONLY a thread title."), (U, "--- a"))) == ""
    assert stated_diffs(turn((U, COMMIT), (U, "--- a\n+++ a"))) == ""
    broken = turn((S, COMMIT), (U, "--- a"))
    assert stated_diffs(Turn(tuple(replace(item, exact=False) for item in broken.items))) == ""
