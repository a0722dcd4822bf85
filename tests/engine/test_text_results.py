"""Results of calls that were written as text, in one string with what the client puts behind them."""

from __future__ import annotations

import pytest

from .helpers import Session

UTIL = "def slug(s):\n    return s.lower()\n\n\ndef title(s):\n    return s.title()\n"
CALL = "<read_file>\n<path>src/util.py</path>\n</read_file>"
SURROUNDINGS = "<environment_details>\n# Visual Studio Code Visible Files\n(No visible files)\n</environment_details>"


@pytest.mark.parametrize("between", ["\n", "\n\n"])
@pytest.mark.parametrize("end", ["", "\n\n(File has 6 lines total.)"])
def test_a_read_with_its_surroundings_in_one_string(session: Session, between: str, end: str) -> None:
    numbered = "\n".join(f"{n} | {line}" for n, line in enumerate(UTIL.splitlines(), 1))
    session.ask(f"<task>\nLook.\n</task>{between}{SURROUNDINGS}", CALL)
    session.ask(f"[read_file for 'src/util.py'] Result:\n{numbered}{end}{between}{SURROUNDINGS}", "Seen.")
    assert session.holds("src/util.py", UTIL)
