"""aider's formats, read by its own documented rules."""

from __future__ import annotations

import pytest

from tslp_litellm.clients.aider import applied_in, chat_in
from tslp_litellm.dialects.values import ApplierChat, Carrier
from tslp_litellm.wire.turn import Item, ItemKind, Role

WHOLE, DIFF, UDIFF = Carrier.FENCE, Carrier.SEARCH_REPLACE, Carrier.UDIFF


def taken(text: str, form: Carrier, *files: str, fence: str = "```") -> list[tuple[str, str, str]]:
    """The blocks that are taken, as path, old and new text."""
    applied = applied_in(text, form, ApplierChat(fence, fence.replace("<", "</"), files))
    return [(block.path, block.old, block.new) for block in applied.blocks] if applied is not None else []


@pytest.mark.parametrize(
    ("text", "files", "expected"),
    [
        ("a.py\n```\nx = 1\n```\n", (), [("a.py", "x = 1\n")]),
        ("**a.py**\n```python\n# a.py\nx\n```\n", (), [("a.py", "# a.py\nx\n")]),  # a comment below a label is content
        ("# `src/a.py`\n```\nx\n```", ("src/a.py",), [("`src/a.py", "x\n")]),  # the marks come off in a fixed order
        ("path/to/a.py\n```\nx\n```\n", ("a.py",), [("a.py", "x\n")]),  # an invented folder before a file of the chat
        ("The file:\n\n```\nx\n```\n", ("a.py",), [("a.py", "x\n")]),  # without a name: the only file of the chat
        ("The file:\n\n```\nx\n```\n", (), []),
        ("The file:\n\n```\nx\n```\n", ("a.py", "b.py"), []),
        ("Change `b.py`.\n\n```\nx\n```\n", ("a.py", "b.py"), [("b.py", "x\n")]),  # named in the prose
        ("Change `b.py`.\n\n```\nx\n```\n", (), []),  # which is looked for among the files of the chat only
        ("README.md\n```\n# A\n\n```sh\nls\n```\n\nB\n```\n", ("README.md",),
         [("README.md", "# A\n\n"), ("ls", "\nB\n")]),  # a fence within the listing ends it
        ("a.py\n```\nx\n```\n```\n", ("a.py", "b.py"), []),  # a stray fence is the beginning of another listing
        ("a.py\n```\nx\n```\n\na.py\n```\ny\n```\n", (), [("a.py", "x\n")]),  # the first of a file counts
        ("a.py\n```\nx\ny", (), [("a.py", "x\ny")]),  # to the end, where nothing closes it
        ("  a.py\n  ```\n  x\n  ```\n", (), []),  # an indented fence is none
    ],
)  # fmt: skip
def test_whole_files(text: str, files: tuple[str, ...], expected: list[tuple[str, str]]) -> None:
    assert [(path, new) for path, _, new in taken(text, WHOLE, *files)] == expected


def test_another_fence_is_no_fence() -> None:
    assert taken("a.py\n````\n```\nx\n```\n````\n", WHOLE, fence="````") == [("a.py", "", "```\nx\n```\n")]
    assert taken("a.py\n```\nx\n```\n", WHOLE, fence="````") == []
    assert taken("a.py\n<source>\n```\n</source>\n", WHOLE, fence="<source>") == [("a.py", "", "```\n")]


def block(old: str, new: str) -> str:
    return f"<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n"


@pytest.mark.parametrize(
    ("text", "files", "expected"),
    [
        ("a.py\n```python\n" + block("x\n", "y\n") + "```\n", (), [("a.py", "x\n", "y\n")]),
        ("```python\na.py\n" + block("x\n", "y\n") + "```\n", (), [("a.py", "x\n", "y\n")]),  # inside, as diff-fenced does
        ("```a.py\n" + block("x\n", "y\n") + "```\n", (), [("a.py", "x\n", "y\n")]),
        ("a.py\n" + block("x\n", "y\n") + "\n" + block("z\n", ""), (), [("a.py", "x\n", "y\n"), ("a.py", "z\n", "")]),
        ("```python\n" + block("x\n", "y\n") + "```\n", ("a.py",), []),  # no name: all of it is refused
        ("a.py\n" + block("x\n", "y\n") + "<<<<<<< SEARCH\nz\n", (), []),  # and so it is where one is not ended
        ("a.py\n<<<<<<< SEARCH\nx\n=======\ny\n=======\n", (), [("a.py", "x\n", "y\n")]),  # a second divider ends one
        ("util.py\n" + block("x\n", "y\n"), ("src/util.py",), [("src/util.py", "x\n", "y\n")]),
        ("src/utils.py\n" + block("x\n", "y\n"), ("src/util.py",), [("src/util.py", "x\n", "y\n")]),  # nearly its name
        ("util.py\n" + block("", "y\n"), ("src/util.py",), [("util.py", "", "y\n")]),  # but a new file is as it says
        ("```bash\nls\n```\na.py\n" + block("x\n", "y\n"), (), [("a.py", "x\n", "y\n")]),
        ("```bash\n" + block("x\n", "y\n") + "```\n", (), []),
        ("a.py\n  <<<<<<< SEARCH\nx\n  =======\ny\n  >>>>>>> REPLACE\n", (), [("a.py", "x\n", "y\n")]),
    ],
)  # fmt: skip
def test_search_and_replace(text: str, files: tuple[str, ...], expected: list[tuple[str, str, str]]) -> None:
    assert taken(text, DIFF, *files) == expected


def diff(body: str, head: str = "--- a/a.md\n+++ b/a.md\n") -> str:
    return f"```diff\n{head}{body}```\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (diff("@@ ... @@\n-x\n+y\n"), [("a.md", "x\n", "y\n")]),
        (diff("@@ ... @@\n a\n-x\n+y\n@@ ... @@\n-z\n"), [("a.md", "a\nx\n", "a\ny\n"), ("a.md", "z\n", "")]),
        (diff("@@ @@\n-- one\n+- two\n"), [("a.md", "- one\n", "- two\n")]),  # items of a list, marked and unmarked
        (diff("@@ @@\n- one\n+two\n"), [("a.md", " one\n", "two\n")]),
        (diff("@@ @@\n a\n+b\n```\n+c\n"), [("a.md", "a\n", "a\nb\n")]),  # an unmarked fence ends the diff
        (diff("@@ @@\n a\n\n-b\n"), [("a.md", "a\n\nb\n", "a\n\n")]),  # an empty line is context
        (diff("@@ @@\n a\nunmarked\n-b\n"), [("a.md", "a\nb\n", "a\n")]),  # one without a mark is passed over
        (diff("@@ @@\n a\n"), []),
        (diff("@@ @@\n-x\n+y\n@@ @@\n-x\n+y\n"), [("a.md", "x\n", "y\n")]),
        (diff("@@ @@\n+x\n", "--- /dev/null\n+++ b/new.py\n"), [("new.py", "", "x\n")]),
        (diff("@@ @@\n-x\n+y\n\n--- b.md\n+++ b.md\n@@ @@\n-z\n"), [("a.md", "x\n", "y\n"), ("b.md", "z\n", "")]),
        (diff("-x\n+y\n", ""), []),  # of no file: all of it is refused
        ("```\n--- a.md\n+++ a.md\n@@ @@\n-x\n+y\n```\n", []),
    ],
)
def test_diffs_without_numbers(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert taken(text, UDIFF) == expected


@pytest.mark.parametrize(
    ("added", "doubtful"),
    [("+    \n", {"a.md"}), ("+\t\n", {"a.md"}), ("+\n", set()), ("+y\n", set()), ("     \n", set())],
)
def test_added_white_space_is_doubtful(added: str, doubtful: set[str]) -> None:
    """aider takes the white space out of such a line; others that read its diffs may not."""
    applied = applied_in(diff(f"@@ @@\n-x\n+z\n{added}"), UDIFF, ApplierChat())
    assert applied is not None
    assert applied.doubtful == doubtful


def test_what_thinking_makes_a_difference_for_is_doubtful() -> None:
    draft = "<think>\na.py\n```\nx = 'draft'\n```\n</think>\n\n"
    applied = applied_in(draft + "b.py\n```\ny = 1\n```\n", WHOLE, ApplierChat(files=("a.py", "b.py")))
    assert applied is not None
    assert ([block.path for block in applied.blocks], applied.doubtful) == (["b.py"], {"a.py"})
    assert applied_in("Nothing to do.", WHOLE, ApplierChat()) is None


LISTING = "I have *added these files to the chat* so you can go ahead and edit them.\n\nsrc/a.py\n{0}\nx = 1\n{0}\n"


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["Hello."], ApplierChat()),
        ([LISTING.format("```")], ApplierChat("```", "```", ("src/a.py",))),
        ([LISTING.format("````")], ApplierChat("````", "````", ("src/a.py",))),
        (["I am not sharing any files that you can edit yet."], ApplierChat(files=())),
        (["Here are some READ ONLY files, provided for your reference.\n\nr.py\n````\nx\n````\n"], ApplierChat("````", "````")),
        (["IMPORTANT: Use *quadruple* backticks ```` as fences, not triple backticks!"], ApplierChat("````", "````")),
    ],
)  # fmt: skip
def test_what_the_request_says_of_the_chat(texts: list[str], expected: ApplierChat) -> None:
    assert chat_in([Item(Role.USER, ItemKind.TEXT, text) for text in texts]) == expected
    assert chat_in([Item(Role.ASSISTANT, ItemKind.TEXT, text) for text in texts]) == ApplierChat()
