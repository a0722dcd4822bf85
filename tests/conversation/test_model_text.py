"""What a model says: files, edits, and what is framed or only thought."""

import pytest

from tslp_litellm.conversation.model_text import read_answer
from tslp_litellm.dialects.values import Edit, Replacement, Shown

BLOCK = "<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n"


def edits(text: str) -> list[tuple[str, Replacement]]:
    return [(e.path, r) for e in read_answer(text) if isinstance(e, Edit) for r in e.steps]


def test_search_replace_inside_a_fence() -> None:
    expected = [("src/a.py", Replacement("old\n", "new\n", lines=True))]
    assert edits(f"src/a.py\n```python\n{BLOCK}```\n") == expected
    assert edits(f"```python\nsrc/a.py\n{BLOCK}```\n") == expected, "diff-fenced"
    assert edits(f"src/a.py\n<source>python\n{BLOCK}</source>\n") == expected
    assert edits(f"**src/a.py**\n\n```python\n{BLOCK}```\n") == expected


def test_the_path_holds_until_another_is_given() -> None:
    text = f"a.py\n```python\n{BLOCK}\n{BLOCK}```\n\nb.py\n```python\n{BLOCK}```\n"
    assert [path for path, _ in edits(text)] == ["a.py", "a.py", "b.py"]


def test_an_empty_search_is_a_new_file() -> None:
    assert edits("n.py\n```python\n<<<<<<< SEARCH\n=======\nx = 1\n>>>>>>> REPLACE\n```\n") == [
        ("n.py", Replacement("", "x = 1\n", lines=True))
    ]


def test_broken_blocks_are_no_edits() -> None:
    assert edits("a.py\n```\n<<<<<<< SEARCH\nold\n=======\nnew\n```\n") == []
    assert edits(f"```python\n{BLOCK}```\n") == [], "no path"


def test_files_beside_edits_are_still_seen() -> None:
    found = read_answer(f"a.py\n```python\n{BLOCK}```\n\nb.py\n```python\nx = 1\n```\n")
    assert [type(e) for e in found] == [Shown, Edit]


def test_thinking_and_our_frames_are_not_said() -> None:
    assert read_answer("<think>\na.py\n```python\nx = 1\n```\n</think>\nDone.") == []
    assert read_answer("[CURRENT STATE: AUTHORITATIVE]\na.py\n```python\nx = 1\n```\n[END CURRENT STATE]") == []
    assert len(read_answer("<think>hm</think>\na.py\n```python\nx = 1\n```\n")) == 1


LABELLED = "a.py\n```python\ndef f():\n    return 1\n```\n"


@pytest.mark.parametrize(
    "text",
    [
        f"<details><summary>old version</summary>\n\n{LABELLED}\n</details>\n",
        f"<!--\n{LABELLED}-->\nNothing to do.",
        f"<!-- a draft\n{LABELLED}\n",
        f"<draft>\n{LABELLED}</draft>\n",
        f"<ant_thinking>\n{LABELLED}</ant_thinking>Keep.",
    ],
)
def test_what_stands_in_comments_and_unknown_tags_shows_nothing(text: str) -> None:
    assert not any(isinstance(piece, Shown) for piece in read_answer(text))


@pytest.mark.parametrize(
    "text",
    [
        LABELLED,
        f"<!-- note -->\n{LABELLED}",
        f"Between `<!--` and the end:\n\n{LABELLED}",
        f"<answer>\n{LABELLED}</answer>",
        f"I am done thinking.\n\n{LABELLED}",
        "a.html\n```html\n<!--\n<p>x</p>\n-->\n```\n",
    ],
)
def test_what_stands_elsewhere_is_shown(text: str) -> None:
    assert any(isinstance(piece, Shown) for piece in read_answer(text))
