"""Sentences, and the few words that count in them."""

from __future__ import annotations

import pytest

from tslp_litellm.words.sentences import asks_for_deed, begins, holds, is_taken_back, merely_asks, sentences


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("That was not right. Here is my a.py now:", ["That was not right.", "Here is my a.py now:"]),
        ("Change `total` in\nsrc/a.py", ["Change `total` in\nsrc/a.py"]),
        ("### Before\n\nAfter", ["### Before", "After"]),
        ("Do:\n- this\n- that", ["Do:", "- this", "- that"]),
        ("删除它。谢谢", ["删除它。", "谢谢"]),
        ("", []),
    ],
)
def test_what_ends_a_sentence(text: str, found: list[str]) -> None:
    assert sentences(text) == found


@pytest.mark.parametrize(
    "above",
    [
        "Before:",
        "Good. For example:",
        "This would be wrong:",
        "Instead of this:",
        "**Usage**",
        "It was so in the old file.",
        "I found this on stackoverflow:",
    ],
)
def test_the_last_sentence_takes_back(above: str) -> None:
    assert is_taken_back(above)


@pytest.mark.parametrize(
    "above",
    [
        "",
        "Replace the old function with this one:",
        "Replace your original code with:",
        "The old one was bad. Here is mine:",
        "Here is the threshold:",
        "See https://example.com/a.py",
    ],
)
def test_other_words_take_nothing_back(above: str) -> None:
    assert not is_taken_back(above)


@pytest.mark.parametrize(
    "above",
    [
        "What is wrong here?",
        "Fix the broken code.",
        "This is wrong, it should add 5.",
        "My expected output is 5 but I get 9.",
        "Give me an alternative to the loop!",
        "Is this better than before?",
    ],
)
def test_people_ask_about_the_code_that_they_show(above: str) -> None:
    assert not is_taken_back(above)
    assert is_taken_back(f"{above[:-1]}:")


@pytest.mark.parametrize(
    ("asked", "above"),
    [
        ("Use a struct Row instead of two slices.", "Below is the file with a struct `Row` instead of two slices:"),
        ("Avoid the division by zero in mean.", "Here is mean, to avoid a division by zero:"),
        ("Fix the wrong total.", "Here is the class with the wrong total fixed:"),
        ("Check the stock before adding.", "This checks the stock before adding:"),
        ("Make it faster.", "Here is the updated function, which uses a loop instead of sum:"),
        ("Use Intl in formatMoney.", "Here is an updated `formatMoney` that uses `Intl`:"),
        ("Write the output to a file.", "The function that writes the output to a file:"),
        ("Stack Overflow says that mean is slow. Fix it.", "Here is mean, as Stack Overflow has it:"),
    ],
)
def test_a_word_that_the_prompt_used_takes_nothing_back(asked: str, above: str) -> None:
    assert is_taken_back(above)
    assert not is_taken_back(above, asked)


@pytest.mark.parametrize(
    ("asked", "above"),
    [
        ("Use a list instead of a set.", "This would be wrong, instead of a list:"),
        ("Show me the old version.", "Here is the old version:"),
        ("Add a method and show how to use it.", "Here is how to use it:"),
        ("Give me an alternative.", "Here is an alternative:"),
    ],
)
def test_other_words_still_take_back(asked: str, above: str) -> None:
    assert is_taken_back(above, asked)


@pytest.mark.parametrize(
    "said",
    [
        "Make it faster.",
        "Can you make it faster?",
        "could you rename it",
        "Please fix it.",
        "When it is empty, return 0.",
        "Do it.",
        "Show me the whole file with a timeout of 5.",
        "Show me the file again.",
        "Show me `cart.py` again.",
        "Show me `fib` again, with a cache.",
        "Show me load().",
        "Make `fib` easier to understand.",
    ],
)
def test_deeds(said: str) -> None:
    assert asks_for_deed(said)


@pytest.mark.parametrize(
    "said",
    [
        "Why is it slow?",
        "Explain it.",
        "Can you explain it?",
        "Please describe it.",
        "how do i call it",
        "Is it right?",
        "Review this",
        "Show me `fib` again.",
        "Can you show me the function load_cart again please?",
        "Print Cart.total() once more",
        "Zeig mir nochmal `fib`.",
        "Muéstrame `fib` de nuevo.",
        "Help me understand `fib`.",
        "I don’t understand fib().",
        "Remind me what `fib` does.",
        "No entiendo `fib`.",
    ],
)
def test_mere_questions(said: str) -> None:
    assert not asks_for_deed(said)


def test_only_the_sentences_that_name_it_speak() -> None:
    assert merely_asks("Make `save` faster. Why is `load` slow?", "load")
    assert not merely_asks("Make `save` faster. Why is `load` slow?", "save")
    assert not merely_asks("Make it faster. Why was it slow?", "load"), "none names it, so all speak"
    assert not merely_asks("", "load")


@pytest.mark.parametrize(
    ("prompt", "merely"),
    [
        ("Why does total return 3? Fix it.", False),
        ("What is wrong with total? Can you fix it please?", False),
        ("why does total crash? please fix", False),
        ("Why does total crash? Please explain.", True),
        ("Why is total slow? I don't get it.", True),
        ("Is total right? It looks odd.", True),
        ("What does total do? Explain it.", True),
    ],
)
def test_a_short_sentence_is_about_what_the_one_before_names(prompt: str, merely: bool) -> None:
    assert merely_asks(prompt, "total") is merely


@pytest.mark.parametrize("word", ["didn't", "didn’t", "didnt", "Didnt"])
def test_people_leave_out_the_apostrophe(word: str) -> None:
    assert holds(f"I {word} take that.", "fault") and not holds(f"I {word.replace('n', 'n-')} it.", "fault")
    assert holds(f"I {word} drop total.", "negation")
    assert begins("whats this", "asks") and begins("what's this", "asks")
