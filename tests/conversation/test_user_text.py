"""A user message: the files it shows, and the user's own words."""

import pytest

from tslp_litellm.conversation.user_text import Reading, read_user_text
from tslp_litellm.dialects.values import Shown


def paths(text: str) -> list[str]:
    return [e.path for e in read_user_text(text).evidence if isinstance(e, Shown)]


def test_fences_are_evidence_and_the_rest_is_prose() -> None:
    reading = read_user_text("Look at `f`:\n\na.py\n```python\ndef f(): pass\n```\n\nWhat is wrong?")
    assert [e.path for e in reading.evidence if isinstance(e, Shown)] == ["a.py"]
    assert "What is wrong?" in reading.prose
    assert "def f" not in reading.prose


def test_attachments_are_whole_files() -> None:
    reading = read_user_text('<file_content path="src/a.py">\nx = 1\n\n</file_content>\nWhy?')
    (shown,) = reading.evidence
    assert isinstance(shown, Shown)
    assert (shown.path, shown.text, shown.whole, shown.ended) == ("src/a.py", "x = 1\n", True, True)
    assert reading.prose == "Why?"
    (shown,) = read_user_text('<file_content path="src/a.py">\nx = 1\n</file_content>').evidence
    assert isinstance(shown, Shown)
    assert not shown.ended, "whether the last line is ended is not shown"


def test_a_truncated_attachment_is_no_file() -> None:
    assert paths('<file_content path="a.py">\nx = 1\n\n---\n\n[FILE TRUNCATED: 10 of 20 lines]\n</file_content>') == []


@pytest.mark.parametrize(
    "text",
    [
        "I committed the changes with git hash 15d7118 & commit msg: feat: x",
        "# 1 SEARCH/REPLACE block failed to match!\n\n## …\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n",
        "Here are summaries of some files present in my git repository.\nDo not propose changes\n\na.py:\n⋮\n│def f():\n⋮\n",
        "<environment_details>\n# VSCode Visible Files\nsrc/a.py\n</environment_details>",
        "This session is being continued from a previous conversation that ran out of context.",
        "[read_file for 'a.py'] Result:\n1 | x",
        "I'm currently working in the directory: /w/p\nHere is the folder structure",
    ],
)
def test_what_a_client_writes_holds_no_words_of_the_user(text: str) -> None:
    assert read_user_text(text).prose == ""
    assert paths(text) == []


def test_our_own_blocks_are_nothing() -> None:
    block = (
        "[CURRENT STATE: AUTHORITATIVE]\nEntity: a.py\nArtifact: 0\nSource: Confirmed via AST\n\n"
        "a.py\n```python\nx = 1\n```\n[END CURRENT STATE]\n"
    )
    assert paths(block + "b.py\n```python\ny = 1\n```\n") == ["b.py"]
    assert paths("[CURRENT STATE: AUTHORITATIVE]\na.py\n```python\nx = 1\n```\n") == [], "an open frame hides the rest"
    assert read_user_text("[STATE NOTICE]\nx\n[END NOTICE]\n\nGo on.").prose == "Go on."


def test_reminders_that_clients_append_are_no_words_of_the_user() -> None:
    assert read_user_text("Add f.\n\n# *SEARCH/REPLACE block* Rules:\n\nEvery block must use `this`").prose == "Add f."
    assert read_user_text("<system-reminder>\nRead `f`.\n</system-reminder>\nAdd g.").prose == "Add g."


def test_context_that_a_client_found_is_no_file() -> None:
    text = "<context>\na.py\n```python\nx = 1\n```\n</context>\n\nb.py\n```python\ny = 2\n```\n"
    assert paths(text) == ["b.py"]
    assert paths('<documents>\n<file path="a.py">\nx = 1\n\n</file>\n</documents>') == []
    assert paths('<selected_files>\n<file path="a.py">\nx = 1\n\n</file>\n</selected_files>') == ["a.py"]
    assert paths("a.html\n```html\n<main>\n<p>\n</p>\n</main>\n```\n") == ["a.html"]


ZED = "Mine.\n\n<context>\nThe following items were attached by the user.\n\n<files>\n{}</files>\n</context>\n"


def test_the_files_that_zed_puts_into_its_context_are_the_users() -> None:
    assert paths(ZED.format("```py a.py\nx = 1\n```\n\n```rs src/b.rs\nfn b() {}\n```\n")) == ["a.py", "src/b.rs"]
    assert paths(ZED.format("```py a.py:3-9\nx = 1\n```\n")) == []
    for other in ("```python a.py\nx = 1\n```\n", "a.py\n```py\nx = 1\n```\n", "Found:\n```py a.py\nx = 1\n```\n"):
        assert paths(ZED.format(other)) == []
    assert paths(ZED.format("```py a.py\nx = 1\n```\n").replace("files>", "docs>")) == []


@pytest.mark.parametrize(("ends", "shown"), [("\n", "x = 1\n"), ("", "x = 1\n"), ("\n\n", "x = 1\n\n")])
def test_the_last_line_end_of_continues_fences_is_the_clients(ends: str, shown: str) -> None:
    text = f"```src/a.py\nx = 1{ends}\n```\n```b.py\nx = 1{ends}\n```\nWhat is x?\n"
    files = [piece for piece in read_user_text(text).evidence if isinstance(piece, Shown)]
    assert [(file.path, file.text) for file in files] == [("src/a.py", shown), ("b.py", shown)]
    (own,) = read_user_text(f"Mine:\n{text.partition('```b')[0]}").evidence
    assert isinstance(own, Shown) and own.text == f"x = 1{ends}\n"


def test_numbers_and_cuts_in_attachments() -> None:
    (shown,) = read_user_text('<file_content path="a.py">\n1 | x = 1\n2 | y = 2\n</file_content>').evidence
    assert isinstance(shown, Shown)
    assert shown.text == "x = 1\ny = 2"
    assert (
        paths('<file_content path="a.txt">\none\n\n[File truncated: showing 1 of 500 total lines.]\n</file_content>')
        == []
    )
    assert paths('<file_content path="a.txt" lines="1-2">\none\ntwo\n</file_content>') == []


def test_the_output_of_a_command_that_a_client_ran_is_no_file() -> None:
    text = "I ran this command:\n\ngit show x\n\nAnd got this output:\n\na.py\n```python\nx = 1\n```\n"
    assert (paths(text), read_user_text(text).prose) == ([], "")


FENCE = "```python\ndef f():\n    return 1\n```\n"


def doubted(text: str) -> bool:
    (shown,) = (e for e in read_user_text(text).evidence if isinstance(e, Shown))
    return shown.doubted


@pytest.mark.parametrize(
    "above",
    [
        "",
        "Here:\n\n",
        "Here are the relevant files:\n\n",
        "Fix the bug in this file:\n\n",
        "Please review:\n\n",
        "Now:\n\n",
        "I went back to this:\n\n",
        "I changed it by hand:\n\n",
        "Hier ist mein Code:\n\n",
        "Voici mon code :\n\n",
        "f is slow. Any idea?\n\n",
        "f is slow\n\n",
        "Rename `f` to `g` in a.py\n\n",
    ],
)
def test_a_line_of_known_words_above_a_label_does_not(above: str) -> None:
    assert not doubted(f"{above}a.py\n{FENCE}")


@pytest.mark.parametrize("info", ["python a.py (HEAD~1)", "python a.py old", "text a.py", 'py file=a.py rev="1"'])
def test_an_info_string_of_more_than_language_and_path_leaves_it_in_doubt(info: str) -> None:
    assert doubted(f"```{info}\nx = 1\n```\n")


@pytest.mark.parametrize(
    "info", ["python a.py", "a.py", "python:a.py", 'py title="a.py"', "py a.py (updated)", 'py {1,3} file="a.py"']
)
def test_an_info_string_that_proves_the_path(info: str) -> None:
    assert not doubted(f"```{info}\nx = 1\n```\n")


@pytest.mark.parametrize(
    "head",
    [
        "Base directory for this skill: /home/me/.claude/skills/pdf\n\n# PDF forms\n\n",
        "<skill>\n<name>pdf</name>\n<path>/home/me/.codex/skills/pdf/SKILL.md</path>\n",
    ],
)
def test_a_skill_s_text_is_no_word_of_the_user_s(head: str) -> None:
    text = (
        head
        + "I changed a.py. Write a module like this:\n\nforms.py\n```python\ndef fill(form):\n    return form\n```\n"
    )
    assert read_user_text(text) == Reading()


HELD = [
    "<template>\n  <div>\n    <p>x</p>\n  </div>\n</template>\n",
    "# A\n\n<details>\n<summary>x</summary>\ny\n</details>\n\nb\n",
    "# A\n\n<system-reminder>\nx\n</system-reminder>\n\nb\n",
    "# A\n\n<environment_details>\nx\n</environment_details>\n\nb\n",
    "a\n<!-- one\ntwo -->\nb\n",
    "# A\n\n```\nunclosed\n",
    "# A\n\nb.py\n```python\nx = 1\n```\n",
]


@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("front", ["Mine:\n\n", "<task>\nMine:\n</task>\n\n", "<context>\nnoise\n</context>\n\n"])
def test_what_an_attached_file_holds_is_its_own(front: str, held: str) -> None:
    text = f'{front}<file_content path="a.html">\n{held}\n</file_content>\n\nb.py\n```python\ny = 2\n```\n'
    files = [piece for piece in read_user_text(text).evidence if isinstance(piece, Shown)]
    assert [(file.path, file.text) for file in files] == [("a.html", held), ("b.py", "y = 2\n")]


@pytest.mark.parametrize("tag", ["context", "system-reminder", "whatever"])
def test_a_file_in_a_clients_context_is_none(tag: str) -> None:
    inner = '<file_content path="a.py">\nx = 1\n\n</file_content>'
    assert not read_user_text(f"Go on.\n\n<{tag}>\n{inner}\n</{tag}>\n").evidence


def test_a_file_in_a_fence_is_code() -> None:
    inner = '<file_content path="a.py">\nx = 1\n\n</file_content>\n'
    (file,) = read_user_text(f"Mine:\n\ndoc.md\n````\n{inner}````\n").evidence
    assert isinstance(file, Shown)
    assert (file.path, file.text) == ("doc.md", inner)


def test_a_file_that_holds_the_end_of_its_own_frame_is_not_known_whole() -> None:
    text = 'Mine:\n\n<file_content path="a.md">\na\n</file_content>\nb\n\n</file_content>\n'
    assert not read_user_text(text).evidence


@pytest.mark.parametrize("task", ["Add `--all` as an option", "Write the docs - see b.py", "Rename the old one."])
def test_what_is_said_above_an_attached_file_is_not_said_of_the_next(task: str) -> None:
    first = '<file_content path="a.py">\nx = 1\n\n</file_content>'
    text = f"{task}\n\n{first}\n\nb.py\n```python\ny = 2\n```\n"
    assert [file.path for file in read_user_text(text).evidence if isinstance(file, Shown)] == ["a.py", "b.py"]
