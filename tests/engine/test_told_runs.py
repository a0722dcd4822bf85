"""What users show or say to have run or applied themselves: what it may have changed is of unknown text."""

from __future__ import annotations

import pytest

from .helpers import Session
from .test_results import UTIL, known

SED = "sed -i 's/lower/casefold/' util.py"


@pytest.mark.parametrize(
    "words",
    [
        f"!{SED}",
        f"$ {SED}\n$ ls\nutil.py",
        f"```console\n$ {SED}\n```\nNow go on.",
        f"ana@host:~/proj$ {SED}",
        f"```\nana@host:~/proj$ {SED}\n```",
        "PS C:\\proj> (Get-Content util.py) -replace 'a', 'b' | Set-Content util.py",
        ">>> open('util.py', 'w').write('x')\n1",
        f"I just executed:\n```bash\n{SED}\n```",
        f"I ran the following shell command:\n```sh\n{SED}\n```",
        f"I ran the following shell command:\n```sh\n{SED}\n```\n\nThis is what it said:\n```\n\n```",
        f"<user_shell_command>\n<command>\n{SED}\n</command>\n</user_shell_command>",
        f"<bash-input>{SED}</bash-input>",
        "I applied that to util.py.",
        "Applied to util.py.",
        "I've put that into util.py.",
        "We incorporated that in util.py, thanks.",
    ],
)
def test_that_makes_it_dirty(session: Session, words: str) -> None:
    known(session, "util.py", UTIL).ask("How?", "Here:\n```python\ndef slug(s):\n    return s.casefold()\n```")
    assert session.ask(words, "ok").state()["util.py"] == "DIRTY"


@pytest.mark.parametrize(
    "words",
    [
        "$ cat util.py\n" + UTIL,
        "```\n$ pytest -q\n3 passed\n```\nWhy so few?",
        "ana@host:~$ git status\nnothing to commit",
        f"Should I run this?\n```bash\n{SED}\n```",
        f"Add a target that does this:\n```bash\n{SED}\n```",
        "!important: keep it short.",
        "I noticed that in util.py.",
        "Can that be applied to util.py?",
        "It costs $5 more.",
    ],
)
def test_that_leaves_it_as_it_is(session: Session, words: str) -> None:
    known(session, "util.py", UTIL).ask("How?", "Like this.")
    assert session.ask(words, "ok").holds("util.py", UTIL)
