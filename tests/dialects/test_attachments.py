"""Files that clients attach between tags: all that a tag says is known, or it proves nothing."""

from __future__ import annotations

import pytest

from tslp_litellm.dialects.attachments import attached
from tslp_litellm.dialects.contexts import read
from tslp_litellm.dialects.values import Excerpt, Shown

TEXT = "import os\n\n\ndef f():\n    return os\n"


def shown(opening: str, text: str = TEXT) -> list[tuple[str, bool]]:
    name = opening[1:].split(maxsplit=1)[0]
    found, _ = attached(f"{opening}\n{text}\n</{name}>")
    return [(one.path, one.doubted) for one in found if isinstance(one, Shown)]


@pytest.mark.parametrize(
    "opening",
    ['<file_content path="a.py">', '<final_file_content path="a.py">', '<file path="a.py" language="python">'],
)
def test_a_known_tag_shows_the_file(opening: str) -> None:
    assert shown(opening) == [("a.py", False)]


@pytest.mark.parametrize(
    "opening",
    [
        '<file_content path="a.py" workspace="other">',
        '<file_content path="a.py" host="web">',
        '<file_content path="a.py" ref="v1">',
        '<file_content path="a.py" branch=main>',
        '<file_content path="a.py" remote>',
        '<file_content path="a.py" language="python">',
        '<file path="a.py" root="../other">',
    ],
)
def test_an_attribute_that_nobody_knows_may_mean_another_place(opening: str) -> None:
    assert shown(opening) == [("a.py", True)]
    assert shown(opening, "1 | x = 1\n2 | y = 2") == [("a.py", True)]


def test_stated_lines_are_an_excerpt() -> None:
    found, _ = attached('<file path="a.py" lines="2-3">\nx = 1\ny = 2\n</file>')
    assert [type(one) for one in found] == [Excerpt]
    assert attached('<file path="a.py" lines="2-3" host="web">\nx = 1\ny = 2\n</file>')[0] == []


@pytest.mark.parametrize(
    ("frame", "doubted"),
    [
        ('<attachment id="a.py" filePath="a.py">\n```python\n{}```\n</attachment>', False),
        ('<attachment filePath="a.py">\n```python\n# filepath: a.py\n{}```\n</attachment>', False),
        ("<attachment id=\"file:a.py\">\nUser's active file for additional context:\n"
         "```python\n# filepath: a.py\n{}```\n</attachment>", False),
        ('<attachment filepath="a.py">Here is the content from the file:\n\n````py\n{}````\n</attachment>', False),
        ('<attachment filePath="a.py">\nA similar file of another project:\n```python\n{}```\n</attachment>', True),
        ('<attachment filePath="a.py" isSummarized="true">\n```python\n{}```\n</attachment>', True),
    ],
)  # fmt: skip
def test_attachments_with_a_fence(frame: str, doubted: bool) -> None:
    (shown,) = attached(frame.format(TEXT))[0]
    assert isinstance(shown, Shown)
    assert (shown.path, shown.text, shown.whole, shown.doubted) == ("a.py", TEXT, True, doubted)


ZED = "<context>\nThe following items were attached by the user. They are up-to-date and don't need to be re-read.\n\n"


@pytest.mark.parametrize(
    ("frame", "doubted"),
    [
        (ZED + "<files>\n```py src/a.py\n{}```\n</files>\n</context>", False),
        (ZED + "<files>\n```python src/a.py\n{}```\n</files>\n</context>", True),
        ("<context>\nFound:\n<files>\n```py src/a.py\n{}```\n</files>\n</context>", True),
        ("<files>\n```py src/a.py\n{}```\n</files>", True),
    ],
)
def test_files_in_a_frame_of_context(frame: str, doubted: bool) -> None:
    (shown,) = read(frame.format(TEXT)).evidence
    assert isinstance(shown, Shown)
    assert (shown.path, shown.text, shown.whole, shown.ended) == ("src/a.py", TEXT.removesuffix("\n"), True, False)
    assert shown.doubted is doubted
    assert read("<context>\n```py src/a.py\nx = 1\n```\n</context>").evidence == ()


def test_files_of_gptel() -> None:
    text = f"Request context:\n\nIn file `src/a.py`:\n\n```\n{TEXT}\n```\n\nIn file `b.md`:\n\n```\n# B\n\n```\n\nIn buffer `x`:\n\n```\ny\n```\n\nWhy?"
    found = [piece for piece in read(text).evidence if isinstance(piece, Shown)]
    assert [(one.path, one.text, one.whole, one.doubted) for one in found] == [
        ("src/a.py", TEXT, True, False),
        ("b.md", "# B\n", True, True),
    ]
    assert read(text.replace("import os\n", "... (Line 9)\n")).evidence == tuple(found[1:])
    assert read(text.removeprefix("Request context:")).evidence == ()
