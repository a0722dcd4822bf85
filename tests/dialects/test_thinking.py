"""Thinking in every writing: it is not said, and what stands around it is."""

import pytest

from tslp_litellm.dialects.thinking import without_thinking

MARKS = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<THOUGHT>", "</THOUGHT>"),
    ("<thought>", "</thought>"),
    ('<reasoning effort="high">', "</reasoning>"),
    ("<antThinking>", "</antThinking>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<unused94>thought", "<unused95>"),
    ("<|channel>thought", "<channel|>"),
    ("◁think▷", "◁/think▷"),
    ("<scratchpad>", "</scratchpad>"),
]


@pytest.mark.parametrize(("opening", "closing"), MARKS)
def test_what_stands_between_marks_is_not_said(opening: str, closing: str) -> None:
    said = without_thinking(f"Before.\n{opening}\na draft\n{closing}\n\nAfter.")
    assert ("draft" in said, "Before." in said, "After." in said) == (False, True, True)
    assert "draft" not in without_thinking(f"{opening}\na draft that goes on")


@pytest.mark.parametrize(("opening", "closing"), [pair for pair in MARKS if pair[0] != "<|channel>thought"])
def test_a_closing_mark_ends_thinking_that_was_not_opened(opening: str, closing: str) -> None:
    assert without_thinking(f"a draft\n{closing}\n\nAfter.").strip() == "After."
    assert without_thinking(f"a draft that ends here.{closing}\nAfter.").strip() == "After."


@pytest.mark.parametrize(
    "text",
    [
        "<|channel|>analysis<|message|>a draft<|end|><|start|>assistant<|channel|>final<|message|>After.<|return|>",
        "<|channel|>commentary to=functions.x <|constrain|>json<|message|>a draft<|call|>"
        "<|start|>assistant<|channel|>final<|message|>After.",
        "Thinking...\na draft\n...done thinking.\n\nAfter.",
    ],
)
def test_of_channels_only_the_final_one_speaks(text: str) -> None:
    assert without_thinking(text).strip() == "After."


@pytest.mark.parametrize(
    "text",
    [
        "The `<think>` tag opens, and `</think>` closes it: both are removed.",
        "[reasoning](docs/reasoning.md) is a page.\n\na.py\n```python\nx = 1\n```\n",
        "x = '</think>' + y\n",
        "I think that <b>this</b> is right.",
        "",
    ],
)
def test_talk_of_thinking_is_said(text: str) -> None:
    assert without_thinking(text) == text


def test_several_thoughts() -> None:
    text = "<think>one</think>\nA\n<think>two</think>\nB\n"
    assert [line for line in without_thinking(text).split("\n") if line] == ["A", "B"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Let me see. <think>\na.py\n</think>\n\nNo.", "Let me see. \n\nNo."),
        ("A <think>draft\nmore</think> said", "A  said"),
        ("Well. <think>\nnever ends", "Well. "),
        ("Use <think> and </think> around it.\nok", "Use <think> and </think> around it.\nok"),
        ("See the <think> tag.\nThen code.", "See the <think> tag.\nThen code."),
    ],
)
def test_thinking_that_begins_beside_a_word(text: str, said: str) -> None:
    assert without_thinking(text) == said


@pytest.mark.parametrize(("opening", "closing"), MARKS)
def test_marks_in_code_are_code(opening: str, closing: str) -> None:
    code = f"cut.py\n```python\nOPEN = '{opening}'\nCLOSE = '{closing}'\n\n\ndef cut(s):\n    return s\n```\n"
    assert without_thinking("Sure.\n\n" + code + "\nRun it.") == "Sure.\n\n" + code + "\nRun it."
    assert without_thinking(f"{opening}\na draft\n{closing}\n{code}").strip() == code.strip()
    assert without_thinking(f"{opening}\n{code}\na draft\n{closing}\nAfter.").strip() == "After."


DRAFT = "a.py\n```python\ndraft = 1\n"
REAL = "a.py\n```python\nx = 1\n```\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{DRAFT}```\n</think>\n{REAL}", REAL),
        (f"<think>\n{DRAFT}</think>\n{REAL}", REAL),
        (f"<think>\n{DRAFT}```</think>\n{REAL}", REAL),
        (f"<think>\n{DRAFT}</think>\n```\nmore\n</think>\n{REAL}", REAL),
        ("p.xml\n```xml\n<think>\na\n</think>\n```\n", "p.xml\n```xml\n<think>\na\n</think>\n```\n"),
        ("p.xml\n```xml\n<a>\n</think>\nb = 2\n```\nAfter.", "After."),
        ("a.py\n```python\nA = '<|channel|>final<|message|>'\nB = '<|end|>'\n```\n", None),
    ],
)
def test_marks_and_fences(text: str, said: str | None) -> None:
    assert without_thinking(text).strip() == (text if said is None else said).strip()


def test_a_final_channel_may_hold_marks_in_its_code() -> None:
    code = "a.py\n```python\nEND = '<|end|>'\nx = 1\n```\n"
    text = "<|channel|>analysis<|message|>a draft<|end|><|start|>assistant<|channel|>final<|message|>" + code
    assert without_thinking(text + "<|return|>") == code
