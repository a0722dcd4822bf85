"""What a user pastes from a terminal is held against our text; it is never a truth."""

from __future__ import annotations

import pytest

from .helpers import Session
from .test_results import UTIL, known

NEW = UTIL.replace("lower", "casefold")
ROOT = {"role": "system", "content": "<env>\n  Working directory: /home/ana/proj\n</env>"}
LINE = next(n for n, line in enumerate(UTIL.split("\n"), 1) if "lower" in line)


def shown(text: str) -> list[str]:
    """The ways in which a terminal shows a text, or the line that differs."""
    line = text.split("\n")[LINE - 1]
    numbered = "\n".join(f"{n:6d}  {one}" for n, one in enumerate(text.rstrip().split("\n"), 1))
    return [
        f"$ cat util.py\n{text}",
        f"$ cat util.py\n{text}\nWhy is that? Please fix it.",
        f"```console\n❯ cat -n util.py\n{numbered}\n```",
        f"ana@host:~/proj$ sed -n {LINE}p util.py\n{line}\nana@host:~/proj$ ls\nutil.py",
        f"```\n~/proj (main) $ grep -n return util.py\n{LINE}:{line}\n```",
        f"$ cat util.py\n...\n{line}\n...\n",
        f"PS C:\\proj> type util.py\n{text}",
        f"```\n$ git diff\n--- a/util.py\n+++ b/util.py\n@@ -{LINE} +{LINE} @@\n-x\n+{line}\n```",
        f'$ python app.py\nTraceback (most recent call last):\n  File "util.py", line {LINE}, in slug\n{line}\nE: no',
    ]


@pytest.mark.parametrize("words", shown(NEW))
def test_what_differs_makes_it_dirty(session: Session, words: str) -> None:
    known(session, "util.py", UTIL).ask(words, "ok")
    assert session.state()["util.py"] == "DIRTY"


@pytest.mark.parametrize("words", [*shown(UTIL), f"$ cd lib\n$ cat util.py\n{NEW}", f"$ cat other.py\n{NEW}"])
def test_what_agrees_or_is_elsewhere_changes_nothing(session: Session, words: str) -> None:
    assert known(session, "util.py", UTIL).ask(words, "ok").holds("util.py", UTIL)


@pytest.mark.parametrize(("prompt", "ours"), [("~/proj $", True), ("~/other $", False), ("a@h:/home/ana/proj$", True)])
def test_where_the_root_is_known_the_prompt_s_folder_counts(session: Session, prompt: str, ours: bool) -> None:
    session.messages.append(ROOT)
    known(session, "util.py", UTIL).ask(f"{prompt} cat util.py\n{NEW}", "ok")
    assert (session.state()["util.py"] == "DIRTY") == ours


def test_more_below_our_text_is_no_word_of_the_user_s(session: Session) -> None:
    known(session, "util.py", UTIL).ask(f"$ cat util.py\n{UTIL}\n\ndef more():\n    return 1\n", "ok")
    assert session.state()["util.py"] == "DIRTY"
