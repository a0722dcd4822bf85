"""Lines that editors show of a file, held against our text of it; fences under a range of lines are talk."""

import pytest

from tslp_litellm.conversation.model_text import read_answer
from tslp_litellm.conversation.user_text import read_user_text
from tslp_litellm.dialects.selections import read
from tslp_litellm.dialects.values import Carrier, Excerpt, Shown
from tslp_litellm.resolution.quotes import contradicts

OURS = "import re\n\n\ndef slug(s):\n    return s.lower()\n\n\ndef title(s):\n    return s.title()\n"
SELECTIONS = [
    "<ide_selection>The user selected the lines 4 to 5 from /w/p/util.py:\n{}\n\n"
    "This may or may not be related to the current task.</ide_selection>\nWhy?",
    "# Context from my IDE setup:\n\n## Active file: /w/p/util.py\n\n## Active selection of the file:\n{}\n"
    "## Open tabs:\n- util.py: util.py\n\n## My request for Codex:\nWhy?",
    '<attachment id="util.py">\nUser\'s active selection:\nExcerpt from util.py, lines 4 to 5:\n'
    "```python\n# filepath: /w/p/util.py\n{}\n```\n</attachment>\nWhy?",
    '<selected_code path="/w/p/util.py" language="python">\n{}\n</selected_code>\nWhy?',
    '<attachment id="util.py" filePath="/w/p/util.py">\nExcerpt from util.py, lines 4 to 5:\n```python\n{}\n```\n'
    "</attachment>\nWhy?",
    "```py /w/p/util.py (4-5)\n{}\n```\nWhy?",
    "<context>\n<files>\n</files>\n</context>\n```py /w/p/util.py:4-5\n{}\n```\nWhy?",
]
ATTACHED = ['<file_content path="/w/p/util.py" lines="4-5">\n{}\n</file_content>\nWhy?']
FENCES = [
    "```python /w/p/util.py (4-5)\n{}\n```\nWhy?",
    "```4:5:/w/p/util.py\n{}\n```\nWhy?",
    "/w/p/util.py:4-5\n\n```py\n{}\n```\nWhy?",
    "/w/p/util.py\n```py lines 4-5\n{}\n```\nWhy?",
]


def excerpts(text: str) -> list[Excerpt]:
    return [piece for piece in read_user_text(text).evidence if isinstance(piece, Excerpt)]


@pytest.mark.parametrize("frame", SELECTIONS + ATTACHED)
class TestWhatEditorsShow:
    @pytest.mark.parametrize(
        "shown",
        [
            "def slug(s):\n    return s.lower()",
            "slug(s):\n    return s.low",
            "\ndef slug(s):\n    return s.lower()\n",
            "",
        ],
    )
    def test_agrees_with_our_text_though_cut_within_lines(self, frame: str, shown: str) -> None:
        found = excerpts(frame.format(shown))
        assert [piece.path for piece in found] == ["/w/p/util.py"]
        assert not any(contradicts(piece, OURS) for piece in found)

    def test_contradicts_it(self, frame: str) -> None:
        (found,) = excerpts(frame.format("def slug(s):\n    return s.casefold()"))
        assert contradicts(found, OURS)

    def test_is_no_text_of_the_file(self, frame: str) -> None:
        text = frame.format("def slug(s):\n    return s.casefold()")
        assert not any(isinstance(piece, Shown) for piece in read_user_text(text).evidence)

    def test_is_none_of_the_model_s(self, frame: str) -> None:
        text = frame.format("def slug(s):\n    return s.casefold()")
        assert not any(isinstance(piece, Excerpt) for piece in read_answer(text))


@pytest.mark.parametrize("frame", FENCES)
def test_a_fence_under_a_range_of_lines_is_talk(frame: str) -> None:
    assert read_user_text(frame.format("def slug(s):\n    return s.casefold()")).evidence == ()


@pytest.mark.parametrize("first", ["4", "3"])
def test_lines_are_counted_from_nought_or_from_one(first: str) -> None:
    shown = SELECTIONS[0].replace("4 to 5", f"{first} to {int(first) + 1}")
    (found,) = excerpts(shown.format("def slug(s):\n    return s.lower()"))
    assert not contradicts(found, OURS)


def test_lines_that_stand_elsewhere_contradict() -> None:
    (found,) = excerpts(SELECTIONS[0].format("def slug(s):\n    return s.lower()"))
    assert contradicts(found, "import os\n\n" + OURS)


def test_what_was_left_out_is_not_shown() -> None:
    (found,) = read(SELECTIONS[0].format("def slug(s):\n    return s.lower()\n... (truncated)")).evidence
    assert isinstance(found, Excerpt) and found.lines == ("def slug(s):", "    return s.lower()")


def test_other_forms_show_nothing() -> None:
    assert excerpts("The user selected the lines 4 to 5 from util.py:\nx = 1") == []


def test_the_carrier_says_where_it_stood() -> None:
    assert excerpts(SELECTIONS[0].format("x"))[0].carrier is Carrier.ATTACHMENT
