"""Reminders behind a tool's result: what is taken off, and the files that they call modified."""

from tslp_litellm.clients.reminders import noticed, without_reminders
from tslp_litellm.dialects.values import Carrier, Drift

NUDGE = "<system-reminder>\nThe TodoWrite tool hasn't been used recently.\n</system-reminder>\n"
NOTE = "<system-reminder>Note: {} was modified, either by the user or by a linter. Lines:\n1\\tx</system-reminder>"


def test_known_reminders_are_taken_off_from_the_end() -> None:
    assert without_reminders(f"done\n\n{NUDGE}{NUDGE}") == "done\n"
    assert without_reminders(f"done\n{NUDGE}more") == f"done\n{NUDGE}more"
    assert without_reminders(f"done{NUDGE}") == f"done{NUDGE}"
    assert without_reminders(f"done\n{NOTE.format('b.py')}\n{NUDGE}") == f"done\n{NOTE.format('b.py')}\n"
    assert without_reminders("done  ") == "done  "
    told = "\n<system-reminder>\nInstructions from: /w/AGENTS.md\nRun a.py first.\n</system-reminder>"
    assert without_reminders(f"done\n{told}", ["a.py"]) == "done\n"
    assert without_reminders("</system-reminder>") == "</system-reminder>"


def test_a_reminder_that_names_the_file_stays() -> None:
    said = "done\n<system-reminder>The date has changed. a.py too.</system-reminder>"
    assert without_reminders(said, ["src/a.py"]) == said
    assert without_reminders(said, ["src/data.py"]) == "done\n"


def test_files_that_a_reminder_calls_modified() -> None:
    assert noticed(f"done\n\n{NOTE.format('/w/b.py')}\n{NOTE.format('c.py')}\n{NUDGE}") == [
        Drift(("/w/b.py", "c.py"), Carrier.REPORT)
    ]
    assert noticed(f"{NOTE.format('b.py')}\nis what the file says") == []
    assert noticed(NUDGE) == []
