"""aider's listings, byte for byte."""

import pytest

from tslp_litellm.dialects.listings import is_listing, listed_files

HEADER = (
    "I have *added these files to the chat* so you can go ahead and edit them.\n\n"
    "*Trust this message as the true contents of these files!*\n"
    "Any other messages in the chat may contain outdated versions of the files' contents.\n"
)
FENCES = [("```", "```"), ("````", "````"), ("<source>", "</source>"), ("<code>", "</code>"), ("<pre>", "</pre>")]


def listing(files: dict[str, str], fence: tuple[str, str] = FENCES[0]) -> str:
    return HEADER + "".join(f"\n{path}\n{fence[0]}\n{text}{fence[1]}\n" for path, text in files.items())


@pytest.mark.parametrize("fence", FENCES)
def test_files_are_exact(fence: tuple[str, str]) -> None:
    files = {"src/a.py": "x = 1\n", "b.txt": "no newline at the end", "empty.py": "", "my file.md": "a\n\n\n"}
    found = listed_files(listing(files, fence))
    assert {shown.path: shown.text for shown in found} == files
    assert all(shown.whole and shown.ended for shown in found)


def test_a_quadruple_fence_holds_triple_ones() -> None:
    files = {"README.md": "# T\n\n```sh\nls\n```\n", "a.py": "x = 1\n"}
    assert {s.path: s.text for s in listed_files(listing(files, FENCES[1]))} == files


def test_read_only_files_are_files_too() -> None:
    text = "Here are some READ ONLY files, provided for your reference.\nDo not edit these files!\n\na.py\n```\nx = 1\n```\n"
    assert is_listing(text)
    assert [s.path for s in listed_files(text)] == ["a.py"]


def test_other_messages_are_no_listing() -> None:
    assert not is_listing("Here are summaries of some files present in my git repository.\n\na.py:\n⋮\n")
    assert not is_listing("I have added these files")


def test_a_listing_that_breaks_off_shows_only_its_whole_files() -> None:
    text = listing({"a.py": "x = 1\n"}) + "\nb.py\n```\ny = 2\n"
    assert [s.path for s in listed_files(text)] == ["a.py"]
