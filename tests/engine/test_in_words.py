"""Answers that tell in words what to change, and what users say behind them, at once or later."""

from __future__ import annotations

import pytest

from .helpers import Session
from .test_results import UTIL, known

NEW = UTIL.replace("lower", "casefold")
SED = "```bash\nsed -i 's/lower/casefold/' util.py\n```"
DELETE = "Just delete `slug` from util.py."


@pytest.mark.parametrize(
    ("answer", "report"),
    [
        (DELETE, "Deleted."),
        (DELETE, "Removed it."),
        (DELETE, "Done. Next?"),
        (DELETE, "Hab ich gemacht."),
        (DELETE, "Kész."),
        ("You can delete `slug`.", "Deleted."),
        ("`slug` in util.py is unused. Delete it.", "Done."),
        ("In util.py replace `lower` by `casefold`.", "Replaced."),
        ("Nuke `slug` in util.py.", "Nuked."),
        ("Lösche `slug` aus util.py.", "Erledigt."),
        ("Supprime `slug` de util.py.", "Fait."),
        ("请把 util.py 里的 lower 改成 casefold。", "好了"),
        ("Put the cursor on `slug` and press F2.", "Renamed."),
        ("In vim: `:%s/lower/casefold/g | w`", "done, saved."),
        ("Move util.py into lib/.", "Moved."),
        ("Let your IDE optimise the imports of util.py.", "Done."),
        ("`lower` should be replaced by `casefold` in util.py.", "Replaced, works."),
        ("Put this at the end of util.py:\n\n```python\ndef low(s):\n    return s\n```", "Added."),
        ("Change line 2 to:\n\n```python\n    return s.casefold()\n```", "Changed. Next?"),
        ("Use this `slug`:\n\n```python\ndef slug(s):\n    return s.casefold()\n```", "Pasted it in."),
        (f"Replace the whole file with:\n\n```python\n{NEW}```", "Replaced, works."),
        ("```diff\n-    return s.lower()\n+    return s.casefold()\n```", "Applied."),
        (DELETE, "Undo that please."),
        (DELETE, "Why did it break the tests?"),
    ],
)
def test_what_may_have_been_done_is_dirty(session: Session, answer: str, report: str) -> None:
    known(session, "util.py", UTIL).ask("How?", answer).ask(report)
    assert session.state()["util.py::slug"] == "DIRTY"


@pytest.mark.parametrize(
    "answer",
    [
        "`slug` in util.py lowers its argument.",
        "Note that `slug` in util.py only lowers. See `str.casefold`. Let me know if you have questions!",
        "You can call `slug` like this:\n\n```python\nprint(slug('A'))\n```",
        "Like this:\n\n```python\nfrom util import slug\n\nprint(slug('A'))\n```",
        "Run the tests:\n\n```bash\npython -m pytest -q\n```",
        "Commit it:\n\n```bash\ngit add util.py\ngit commit -m 'Add util'\ngit push\n```",
        f"util.py holds this:\n\nutil.py\n```python\n{UTIL}```",
    ],
)
@pytest.mark.parametrize("words", ["Works.", "Done, pushed. Thanks!", "All 4 pass.", "Committed."])
def test_what_only_explains_was_not_done(session: Session, answer: str, words: str) -> None:
    known(session, "util.py", UTIL).ask("How?", answer).ask(words)
    assert session.holds("util.py", UTIL)


def test_what_was_promoted_is_as_the_answer_shows_it(session: Session) -> None:
    known(session, "util.py", UTIL).ask(
        "Use casefold.", f"Replace util.py with this:\n\nutil.py\n```python\n{NEW}```\n\nSave it."
    )
    session.ask("Done.")
    assert session.holds("util.py", NEW)


def test_what_was_refused_may_stand_on_the_disk(session: Session) -> None:
    two = UTIL + "\n\ndef shout(s):\n    return s.upper()\n"
    known(session, "util.py", two).ask("Tidy it.", f"Here is the updated util.py:\n\nutil.py\n```python\n{NEW}```\n")
    assert session.holds("util.py", two)
    session.ask("Replaced.")
    assert session.state()["util.py"] == "DIRTY"


def test_other_files_stay(session: Session) -> None:
    known(known(session, "util.py", UTIL), "b.py", "x = 1\n").ask("How?", DELETE).ask("Deleted.")
    assert session.holds("b.py", "x = 1\n")


class TestLater:
    def test_a_command_may_be_reported_a_few_turns_later(self, session: Session) -> None:
        known(session, "util.py", UTIL).ask("How?", SED).ask("What does casefold do?", "It folds case.")
        session.ask("Ok, I ran the command you gave me. Now what?")
        assert session.state()["util.py"] == "DIRTY"

    def test_what_was_shown_since_is_how_it_is(self, session: Session) -> None:
        known(session, "util.py", UTIL).ask("How?", SED).ask("What does casefold do?", "It folds case.")
        known(session, "util.py", NEW).ask("Done, what next?")
        assert session.holds("util.py", NEW)

    def test_it_is_reported_once(self, session: Session) -> None:
        known(session, "util.py", UTIL).ask("How?", SED).ask("Done.")
        known(session, "util.py", NEW).ask("And now I ran the linter.")
        assert session.holds("util.py", NEW)

    def test_what_is_long_ago_is_forgotten(self, session: Session) -> None:
        known(session, "util.py", UTIL).ask("How?", SED)
        for word in ("slug", "lower", "upper", "strip"):
            session.ask(f"What does `{word}` do?", "It gives back a text.")
        session.ask("Done.")
        assert session.holds("util.py", UTIL)


@pytest.mark.parametrize("words", ["Why did it change line 5 as well?", "Now slug returns 'ss' for 'ß', nice."])
def test_a_reply_that_takes_a_command_for_run(session: Session, words: str) -> None:
    known(session, "util.py", UTIL).ask("How?", SED).ask(words)
    assert session.state()["util.py"] == "DIRTY"


class TestUnasked:
    @pytest.mark.parametrize(
        "words",
        [
            "A colleague pushed changes to util.py and I pulled them.",
            "Note that util.py on my disk is newer than what I pasted.",
            "Sorry, I pasted the wrong file above; that was not util.py.",
            "I ran black over the project.",
            "I added a parameter to slug.",
            "slug now strips its argument too, I added that.",
        ],
    )
    def test_it_is_dirty(self, session: Session, words: str) -> None:
        known(session, "util.py", UTIL + "  # long\n").ask(f"{words} Explain slug.")
        assert session.state()["util.py::slug"] == "DIRTY"

    @pytest.mark.parametrize(
        "words", ["He requested changes to util.py.", "I added tests to production.", "util.py is older than b.py."]
    )
    def test_it_is_as_it_was(self, session: Session, words: str) -> None:
        known(session, "util.py", UTIL).ask(words)
        assert session.holds("util.py", UTIL)


class TestAroundAFence:
    @pytest.mark.parametrize(
        ("above", "below"),
        [
            ("", "This is your version from above; mine is still the old one."),
            ("", "This is your suggestion, I did not take it."),
            ("", "^ that's what you sent. I kept mine."),
            ("", "I haven't applied this yet."),
            ("", "That's what you proposed, right? I haven't saved it yet."),
            ("# Your suggestion", "# Problem\n\nIt's slow."),
            ("# Suggested fix", ""),
            ("Goal:", ""),
            ("Your solution:", "What do you think?"),
            ("Your code:", ""),
            ("I'd like to end up with:", ""),
            ("You\nmake it fold\n\nClaude\nHere is the new version.", "Copy\nRetry\n\nShorten this."),
        ],
    )
    def test_words_take_back_that_it_is_the_file(self, session: Session, above: str, below: str) -> None:
        known(session, "util.py", UTIL).ask(f"{above}\n\nutil.py\n```python\n{NEW}```\n\n{below}")
        assert session.state()["util.py"] == "DIRTY"

    @pytest.mark.parametrize(
        "below",
        [
            "Add a docstring.",
            "Why does it fail?",
            "It crashes on None.",
            "This returns the wrong value.",
            "I get a TypeError here.",
            "I haven't tested this yet.",
            "I haven't committed it yet.",
            "That's the whole file.",
            "This is how it looks now.",
            "I applied your change.",
            "I took your suggestion and added a check.",
            "Your version was too slow, so I wrote my own.",
            "I don't like this.",
            "I didn't write this.",
            "I don't understand it.",
            "Is it what you proposed?",
            "My version is slow.",
            "We use this in production.",
            "Please review.",
            "Das ist jetzt so.",
            "Qu'en penses-tu ?",
            "You said it would be faster.",
        ],
    )
    def test_ordinary_words_leave_it_the_file(self, session: Session, below: str) -> None:
        known(session, "util.py", UTIL).ask(f"util.py\n```python\n{NEW}```\n\n{below}")
        assert session.holds("util.py", NEW)
