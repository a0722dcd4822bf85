"""Clients that run commands out of a model's text: what their next message says of the run decides."""

from __future__ import annotations

import pytest

from .helpers import Session
from .test_results import UTIL, known

NEW = UTIL.replace("lower", "casefold")
WRITE = f"cat > util.py <<'EOF'\n{NEW}EOF"
SED = "sed -i 's/lower/casefold/' util.py"


def fence(command: str, language: str = "bash") -> str:
    return f"THOUGHT: I change it.\n\n```{language}\n{command}\n```"


def returned(code: int, output: str = "") -> str:
    return f"<returncode>{code}</returncode>\n<output>\n{output}</output>"


class TestMiniSweAgent:
    @pytest.mark.parametrize("language", ["bash", "mswea_bash_command"])
    def test_a_written_file_counts_where_the_run_succeeded(self, session: Session, language: str) -> None:
        session.ask("Please solve the task.", fence(WRITE, language)).ask(returned(0), "Next.")
        assert session.holds("util.py", NEW)

    @pytest.mark.parametrize("language", ["bash", "mswea_bash_command"])
    def test_a_file_that_is_known_is_written_anew(self, session: Session, language: str) -> None:
        known(session, "util.py", UTIL).ask("Please solve the task.", fence(WRITE, language)).ask(returned(0), "Next.")
        assert session.holds("util.py", NEW)

    def test_what_a_program_changes_is_dirty(self, session: Session) -> None:
        known(session, "util.py", UTIL).ask("Please solve the task.", fence(SED)).ask(returned(0), "Next.")
        assert session.state()["util.py"] == "DIRTY"

    def test_a_failure_that_may_have_come_late_is_dirty(self, session: Session) -> None:
        known(session, "util.py", UTIL).ask("Please solve the task.", fence(f"{SED} && false")).ask(
            returned(1), "Next."
        )
        assert session.state()["util.py"] == "DIRTY"

    @pytest.mark.parametrize("said", ['{"returncode": 0, "output": ""}', "Command timed out.", "Killed.", "ok"])
    @pytest.mark.parametrize("command", [SED, WRITE])
    def test_its_own_fence_was_run_whatever_is_said_of_it(self, session: Session, said: str, command: str) -> None:
        known(session, "util.py", UTIL).ask("Please solve it.", fence(command, "mswea_bash_command")).ask(said, "Next.")
        assert session.state()["util.py"] == "DIRTY"

    @pytest.mark.parametrize("said", ["The last command timed out and has been killed.", "Command timed out.", "Hm."])
    def test_a_client_that_ran_a_command_ran_the_next(self, session: Session, said: str) -> None:
        known(session, "util.py", UTIL).ask("Please solve it.", fence("ls")).ask(returned(0, "util.py\n"), fence(SED))
        session.ask(said, "Next.")
        assert session.state()["util.py"] == "DIRTY"

    def test_a_user_who_goes_on_reports_no_run(self, session: Session) -> None:
        known(session, "util.py", UTIL).ask("How is it done in a shell?", fence(SED)).ask("I see. And in vim?", "So.")
        assert session.holds("util.py", UTIL)

    def test_what_only_reads_changes_nothing(self, session: Session) -> None:
        known(session, "util.py", UTIL).ask("Please solve it.", fence("cat util.py")).ask(returned(0, UTIL), "Next.")
        assert session.holds("util.py", UTIL)

    def test_a_file_that_was_read_is_known(self, session: Session) -> None:
        session.ask("Please solve the task.", fence("cat util.py")).ask(returned(0, UTIL), "Next.")
        assert session.holds("util.py", UTIL)

    def test_each_command_begins_in_the_working_directory(self, session: Session) -> None:
        session.ask("Please solve the task.", fence("cd src && ls")).ask(returned(0, "a.py\n"), fence(WRITE))
        session.ask(returned(0), "Next.")
        assert session.holds("util.py", NEW)

    def test_of_several_fences_nobody_knows_which_ran(self, session: Session) -> None:
        known(session, "util.py", UTIL).ask("Please solve it.", fence(WRITE) + "\n" + fence("ls")).ask(
            returned(0), "ok"
        )
        assert session.state()["util.py"] == "DIRTY"

    def test_a_command_that_was_stopped_may_have_changed_it(self, session: Session) -> None:
        known(session, "util.py", UTIL).ask("Please solve the task.", fence(SED))
        session.ask("The last command <command>sed</command> timed out and has been killed.", "ok")
        assert session.state()["util.py"] == "DIRTY"

    def test_the_run_counts_once(self, session: Session) -> None:
        session.ask("Please solve the task.", fence(WRITE)).ask(returned(0), fence("echo hi"))
        session.ask(returned(0, "hi\n"), "Next.")
        known(session, "util.py", UTIL)
        assert session.holds("util.py", UTIL)


class TestOtherClients:
    @pytest.mark.parametrize(
        ("answer", "report"),
        [
            (f"<execute_bash>\n{SED}\n</execute_bash>", "OBSERVATION:\n\n[Command finished with exit code 0]"),
            (f"<execute_bash>\n{SED}", "OBSERVATION:\nok"),
            (f"<execute_bash>\n{SED}\n</execute_bash>", "Observed: done"),
            (
                "<execute_ipython>\nedit_file_by_replace('util.py', to_replace='lower', new_content='casefold')\n"
                "</execute_ipython>",
                "OBSERVATION:\n[File updated (edited at line 1).]",
            ),
            (
                '<function_calls>\n<invoke name="bash">\n<parameter name="command">'
                f"{SED}</parameter>\n</invoke>\n</function_calls>",
                "<function_results>\n<result>\n<tool_name>bash</tool_name>\n<stdout></stdout>\n</result>\n"
                "</function_results>",
            ),
            (
                f'<invoke name="bash">\n<parameter name="command">{SED}</parameter>\n</invoke>',
                "[Result of bash]\nDone.",
            ),
            (fence(SED), "<observation>\n</observation>"),
            (fence(SED), '{"returncode": 0, "output": ""}'),
            (fence(SED, "sh"), "Command output:\n"),
            (fence("open('util.py', 'w').write(text)", "python"), "Code output: 5"),
            (
                fence("with open('util.py', 'w') as out:\n    out.write(text)", "python"),
                "The code above was executed on my machine. It produced no text output. what's next (if anything, or "
                "are we done?)",
            ),
            (
                fence("edit 6:6\n    return s.casefold()\nend_of_edit", ""),
                "[File: /repo/util.py (10 lines total)]\n(Open file: util.py)\n(Current directory: /repo)\nbash-$",
            ),
        ],
    )
    def test_what_may_have_run_makes_its_files_dirty(self, session: Session, answer: str, report: str) -> None:
        known(session, "util.py", UTIL).ask("Please solve the task.", answer).ask(report, "Next.")
        assert session.state()["util.py"] == "DIRTY"

    def test_a_file_written_with_a_stated_success_counts(self, session: Session) -> None:
        session.ask("Solve it.", f"<execute_bash>\n{WRITE}\n</execute_bash>")
        session.ask("OBSERVATION:\n[Command finished with exit code 0]", "Next.")
        assert session.holds("util.py", NEW)

    @pytest.mark.parametrize(
        "words",
        [
            "Thanks. Now add a test.",
            "That looks right, please go on!",
            "util.py:\n```python\n" + UTIL + "```",
            '<file_content path="util.py">\n' + UTIL + "</file_content>",
            "<environment_details>\nnone\n</environment_details>\nGo on.",
        ],
    )
    def test_a_user_s_own_words_report_no_run(self, session: Session, words: str) -> None:
        known(session, "util.py", UTIL).ask("How do I do it?", fence(SED)).ask(words, "Next.")
        assert session.holds("util.py", UTIL)

    def test_what_reads_only_leaves_it_clean(self, session: Session) -> None:
        known(session, "util.py", UTIL).ask("Solve it.", fence("ls && cat README.md")).ask("Output:\na\nb\n", "Next.")
        assert session.holds("util.py", UTIL)

    def test_a_client_that_answers_calls_runs_no_fence(self, session: Session) -> None:
        known(session, "util.py", UTIL)
        session.ask("Go on.", fence(SED), {"c": {"name": "ls", "arguments": {}}})
        session.ask("Result: thanks", "ok", results={"c": "a.py"})
        assert session.holds("util.py", UTIL)


class TestNobodyKnowsTheClient:
    @pytest.mark.parametrize(
        ("answer", "report"),
        [
            (fence(SED), "I ran it."),
            (fence(SED), "Ich habe es ausgeführt."),
            (fence(SED), "Command finished"),
            (f"Use `{SED}` for that.", "Done."),
            ("<code>\nopen('util.py', 'w').write(text)\n</code>", "Observation:\nExecution logs:\nNone"),
            (f"```save util.py\n{NEW}```", "<system>Wrote it</system>"),
            ('Action: write_file\nAction Input: {"path": "util.py", "content": "x"}', "Observation: ok"),
            ("```tool_code\napi.write_file(path='util.py', content='x')\n```", "```tool_outputs\n{}\n```"),
            ("```patch util.py\n<<<<<<< ORIGINAL\nx\n=======\ny\n>>>>>>> UPDATED\n```", "Saved."),
            (f"[[EXEC]]{SED}[[/EXEC]]", "(no output)"),
            (f"<run>{SED}</run>", "exit code 0"),
        ],
    )
    def test_what_may_have_run_makes_its_files_dirty(self, session: Session, answer: str, report: str) -> None:
        known(session, "util.py", UTIL).ask("Please solve the task.", answer).ask(report, "Next.")
        assert session.state()["util.py"] == "DIRTY"

    def test_a_system_message_behind_an_answer_may_report_too(self, session: Session) -> None:
        known(session, "util.py", UTIL).ask("Please solve the task.", fence(SED, "shell"))
        session.messages.append({"role": "system", "content": "Ran command: `sed`"})
        assert session.ask(None, "Next.").state()["util.py"] == "DIRTY"

    @pytest.mark.parametrize("answer", [fence(SED), f"<run>{SED}</run>", f"Use `{SED}` for that."])
    @pytest.mark.parametrize("words", ["Now add a docstring to slug", "thanks", "why sed?", "I haven't run it yet."])
    def test_a_user_who_goes_on_reports_no_run(self, session: Session, answer: str, words: str) -> None:
        known(session, "util.py", UTIL).ask("How is it done?", answer).ask(words, "Next.")
        assert session.holds("util.py", UTIL)

    @pytest.mark.parametrize("answer", ["<run>cat util.py</run>", "Action: read_file\nAction Input: util.py"])
    def test_what_only_reads_leaves_it_clean(self, session: Session, answer: str) -> None:
        known(session, "util.py", UTIL).ask("Please solve it.", answer).ask("Observation: so", "Next.")
        assert session.holds("util.py", UTIL)

    def test_one_report_makes_no_runner_of_the_client(self, session: Session) -> None:
        known(session, "util.py", UTIL).ask("How do I list them?", fence("ls")).ask("Done.", fence(SED))
        assert session.ask("Why -i?", "So.").holds("util.py", UTIL)
