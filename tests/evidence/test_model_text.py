"""What a model says: files, edits, and what is framed or only thought."""

from tslp_litellm.evidence.model_text import read_answer
from tslp_litellm.evidence.values import Edit, Replacement, Shown

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
