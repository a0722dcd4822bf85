"""Names that end in a mark, as Ruby's predicates do: the mark ends no sentence, and asks nothing."""

from __future__ import annotations

import pytest

from .helpers import Session

PATH = "lib/feed/entry.rb"
TEXT = (
    'require "date"\n\nmodule Feed\n  class Entry\n    attr_reader :title, :published\n\n    def recent?(days = 7)\n'
    "      published && published >= Date.today - days\n    end\n\n    def save!\n      Store.put(self)\n    end\n  end\nend\n"
)
NEW = "    def recent?(days = 14)\n      published && published >= Date.today - days\n    end\n"


@pytest.mark.parametrize(
    ("prompt", "known"),
    [
        ("Entry#recent? should default to 14 days", True),
        ("`recent?` should default to 14 days", True),
        ("recent? should default to 14 days", True),
        ("make Entry.recent? default to 14 days", True),
        ("Change recent? so it defaults to 14 days", True),
        ("I want 14 days as the default of recent?, please", True),
        ("Make 14 days the default of `recent?`", True),
        ("Make 14 days the default of `Entry#recent?`.", True),
        ("14 days in recent? (it is 7 now)", True),
        ("What does recent? do when it is given 14 days", False),
        ("What does `recent?` do with 14 days?", False),
        ("What would 14 days mean for recent?", False),
        ("Is 14 days better for recent? I wonder.", False),
    ],
)
def test_its_mark_asks_nothing(session: Session, prompt: str, known: bool) -> None:
    session.ask(f"{PATH}\n```ruby\n{TEXT}```").ask(prompt, f"```ruby\n{NEW}```")
    assert session.holds(PATH, TEXT.replace("7", "14")) is known
    assert session.holds(PATH, TEXT) is not known
