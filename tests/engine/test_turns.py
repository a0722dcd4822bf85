"""Whole turns through the engine: evidence, order, hydration, notices, records."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tslp_litellm.wire.turn import Answer

from .helpers import Session

CART = "from decimal import Decimal\n\n\nclass Cart:\n    def total(self):\n        return Decimal(0)\n\n\ndef empty_cart():\n    return Cart()\n"
V1, V2 = "def slug(s):\n    return s.lower()\n", "def slug(s):\n    return s.strip().lower()\n"
NOTICE = "The previous output could not be structurally linked"


def fence(path: str, text: str, info: str = "python") -> str:
    return f"{path}\n```{info}\n{text}```\n"


def write(path: str, text: str) -> dict[str, dict[str, object]]:
    return {"c1": {"name": "Write", "arguments": {"file_path": path, "content": text}}}


class TestOrderOfTruth:
    def test_resent_history_moves_nothing(self, session: Session) -> None:
        session.ask(f"Here:\n\n{fence('util.py', V1)}\nLet slug strip.", fence("util.py", V2))
        for question in ("Thanks.", "And why?"):
            session.ask(question)
            assert session.holds("util.py", V2)

    def test_an_old_text_pasted_again_is_the_truth_again(self, session: Session) -> None:
        session.ask(fence("util.py", V1), fence("util.py", V2)).ask("I went back:\n\n" + fence("util.py", V1))
        assert session.holds("util.py", V1)

    def test_the_very_same_message_again_is_the_truth_again(self, session: Session) -> None:
        session.ask(fence("util.py", V1), fence("util.py", V2)).ask(fence("util.py", V1))
        assert session.holds("util.py", V1)

    def test_an_old_paste_in_another_history_beats_nothing(self, session: Session) -> None:
        session.ask(fence("util.py", V1), fence("util.py", V2))
        session.messages = [
            {"role": "user", "content": "From before: " + fence("util.py", V1)},
            {"role": "assistant", "content": "I see what you mean, let us go on from there."},
        ]
        session.ask("Now what?")
        assert session.holds("util.py", V2)

    def test_but_it_may_bring_what_nobody_knew(self, session: Session) -> None:
        session.messages = [{"role": "user", "content": fence("util.py", V1)}, {"role": "assistant", "content": "Ok."}]
        session.ask("Now what?")
        assert session.holds("util.py", V1)

    def test_an_interrupted_request_is_not_lost(self, session: Session) -> None:
        session.request([{"role": "user", "content": fence("util.py", V1)}], Answer())
        assert session.holds("util.py", V1)
        session.messages = [{"role": "user", "content": fence("util.py", V1)}]
        session.ask("Go on.", fence("util.py", V2)).ask("Fine.")
        assert session.holds("util.py", V2)

    def test_two_clients_in_one_workspace(self, session: Session, sessions: Callable[..., Session]) -> None:
        other = Session(session.engine, session.database)
        session.ask(fence("util.py", V1))
        other.ask("Let `slug` in util.py strip.", fence("util.py", V2))
        session.ask("What does slug do?")
        assert session.holds("util.py", V2)
        session.ask("Really?")
        assert session.holds("util.py", V2)

    def test_side_requests_are_no_evidence_and_get_nothing(self, session: Session) -> None:
        session.ask(fence("util.py", V1))
        title = [
            {"role": "system", "content": "You are a title generator."},
            {"role": "user", "content": fence("util.py", V2) + "`slug`"},
        ]
        episode = session.request(title, Answer())
        assert episode.preface == ""
        assert session.holds("util.py", V1)
        assert len(session.recent()) == 2


class TestAnswers:
    @pytest.mark.parametrize("finish", ["length", "content_filter", ""])
    def test_an_answer_cut_short_changes_nothing(self, session: Session, finish: str) -> None:
        session.ask("Write util.py", fence("util.py", V1)).ask("Add strip", fence("util.py", V2), finish=finish)
        assert session.holds("util.py", V1)
        assert len(session.recent()) == 2

    def test_a_tool_write_waits_for_its_result(self, sessions: Callable[..., Session]) -> None:
        session = sessions(tools=("Write",))
        session.ask("Create a.py", None, write("a.py", V1), "tool_calls")
        assert session.state() == {}
        assert session.recent()[0]["artifact_states"][0]["reason"] == "awaiting-result"
        session.ask(None, "Done.", results={"c1": "File created successfully at: a.py"})
        assert session.holds("a.py", V1)

    def test_a_denied_write_never_happened(self, sessions: Callable[..., Session]) -> None:
        session = sessions(tools=("Write",))
        session.ask(fence("a.py", V1)).ask("Break it", None, write("a.py", V2), "tool_calls")
        session.ask(None, "I leave it.", results={"c1": "The user rejected permission to use this specific tool call."})
        assert session.holds("a.py", V1)

    def test_what_was_confirmed_against_the_guards_is_said_to_the_next_prompt(
        self, sessions: Callable[..., Session]
    ) -> None:
        session = sessions(tools=("Write",))
        lossy = CART.partition("\n\n\ndef empty")[0] + "\n"
        session.ask(fence("a.py", CART)).ask("Tidy a.py", None, write("a.py", lossy), "tool_calls")
        session.ask(None, "Done.", results={"c1": "Wrote file successfully."})
        assert session.holds("a.py", lossy)
        session.ask("Thanks.")
        assert "a.py" in session.prompt
        assert "[STATE NOTICE]" in session.prompt
        session.ask("Bye.")
        assert "[STATE NOTICE]" not in session.prompt

    def test_talk_of_a_client_with_tools_is_no_edit(self, sessions: Callable[..., Session]) -> None:
        session = sessions(tools=("Read", "Edit"))
        session.ask(fence("util.py", V1)).ask("How could it look?", "Like this:\n\n" + fence("util.py", V2))
        assert session.holds("util.py", V1)


class TestHydration:
    def test_a_forgotten_file_is_shown_at_the_start_of_the_prompt(self, session: Session) -> None:
        session.ask("Write src/cart.py", fence("src/cart.py", CART)).forget().ask("Add a discount to `Cart.total`.")
        assert session.hydrated == ["src/cart.py::Cart.total"]
        assert session.prompt.startswith("[CURRENT STATE: AUTHORITATIVE]\nEntity: src/cart.py::Cart.total\n")
        assert session.prompt.endswith("[END CURRENT STATE]\n\nAdd a discount to `Cart.total`.")

    def test_what_stands_in_the_request_is_not_shown_again(self, session: Session) -> None:
        session.ask("Write src/cart.py", fence("src/cart.py", CART)).ask("Document `empty_cart`.")
        assert session.hydrated == []

    def test_unless_an_older_text_stands_behind_it(self, session: Session) -> None:
        session.ask(fence("util.py", V1), fence("util.py", V2)).ask(
            "Back:\n\n" + fence("util.py", V1), fence("util.py", V2)
        )
        session.ask("Explain `slug`.")
        assert session.hydrated == []
        session.ask("Now look at this again:\n\n" + fence("util.py", V1), "ok").ask("Explain `slug`.")
        assert session.hydrated == []

    def test_tool_loops_keep_the_block_at_its_place_with_the_then_current_text(
        self, sessions: Callable[..., Session]
    ) -> None:
        session = sessions(tools=("Edit",))
        session.ask(fence("util.py", V1)).forget()
        edit = {"file_path": "util.py", "old_string": "s.lower", "new_string": "s.strip().lower"}
        session.ask("Let `slug` strip.", None, {"c1": {"name": "Edit", "arguments": edit}}, "tool_calls")
        first = [m for m in session.sent if m["role"] == "user"][0]["content"]
        assert session.hydrated == ["util.py::slug"]
        assert "s.lower()" in first
        session.ask(None, "Done.", results={"c1": "The file util.py has been updated."})
        again = [m for m in session.sent if m["role"] == "user"][0]["content"]
        assert session.hydrated == ["util.py::slug"]
        assert "s.strip().lower()" in again
        assert again.endswith("Let `slug` strip.")

    @pytest.mark.parametrize("written", ["Write", "Edit", "shell"])
    def test_what_a_call_of_the_running_turn_writes_stands(
        self, sessions: Callable[..., Session], written: str
    ) -> None:
        session = sessions(tools=("Write", "Edit", "Bash"))
        session.ask(fence("util.py", V1)).forget()
        calls: dict[str, dict[str, object]] = {
            "Write": {"file_path": "util.py", "content": V2},
            "Edit": {"file_path": "util.py", "old_string": V1, "new_string": V2},
            "Bash": {"command": f"cat > util.py <<'EOF'\n{V2}EOF"},
        }
        name = {"shell": "Bash"}.get(written, written)
        session.ask("Let `slug` strip.", None, {"c1": {"name": name, "arguments": calls[name]}}, "tool_calls")
        assert session.hydrated == ["util.py::slug"]
        said = {"Write": "Wrote file successfully.", "Edit": "The file util.py has been updated.", "Bash": ""}[name]
        session.ask(None, "Done.", results={"c1": said})
        assert session.holds("util.py", V2)
        assert session.hydrated == []

    def test_what_a_call_would_have_written_does_not_stand_for_what_is(self, sessions: Callable[..., Session]) -> None:
        session = sessions(tools=("Write",))
        session.ask(fence("util.py", V1)).forget()
        session.ask("Let `slug` strip.", None, write("util.py", V2), "tool_calls")
        session.ask(
            None,
            "Sorry.",
            results={"c1": "The user doesn't want to proceed with this tool use. The tool use was rejected."},
        )
        assert session.holds("util.py", V1)
        assert session.hydrated == ["util.py::slug"]

    def test_the_rest_of_the_request_is_not_touched(self, session: Session) -> None:
        session.ask("Write util.py", fence("util.py", V1))
        session.messages = [
            {"role": "system", "content": "S"},
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "Hello"},
        ]
        session.ask("Explain `slug`.")
        assert session.sent[:3] == session.messages[:3]

    def test_the_budget_skips_what_does_not_fit_and_says_so(self, sessions: Callable[..., Session]) -> None:
        session = sessions(hydration_tokens_max=60)
        session.ask("Write src/cart.py and util.py", fence("src/cart.py", CART) + fence("util.py", V1)).forget()
        session.ask("Look at src/cart.py and at `slug`.")
        assert session.hydrated == ["util.py::slug"]
        assert "- src/cart.py" in session.prompt

    def test_content_with_our_markers_is_not_shown_but_named(self, session: Session) -> None:
        text = 'MARK = "[END CURRENT STATE]"\n'
        session.ask('<file_content path="m.py">\n' + text + "\n</file_content>").forget().ask("Look at m.py")
        assert session.hydrated == []
        assert "- m.py" in session.prompt

    def test_machine_messages_are_no_prompts(self, session: Session) -> None:
        session.ask("Write util.py", fence("util.py", V1)).forget()
        session.ask("Explain `slug`.").ask("# Fix any errors below, if possible.\n\nutil.py:1 `slug`")
        assert "[CURRENT STATE" in str(session.sent[0]["content"])
        assert "[CURRENT STATE" not in str(session.sent[2]["content"])


class TestNotices:
    def test_unlinked_code_is_said_once_and_only_in_its_conversation(self, session: Session) -> None:
        session.ask("Write x", "```python\ndef nobody_knows():\n    return 1\n```\n")
        kept = list(session.messages)
        session.forget().ask("Hello.")
        assert NOTICE not in session.prompt
        session.messages = kept
        session.ask("Go on.")
        assert NOTICE in session.prompt
        session.ask("Go on.")
        assert NOTICE not in session.prompt

    def test_a_notice_of_what_happened_stands_on_the_first_call_of_its_turn(
        self, sessions: Callable[..., Session]
    ) -> None:
        session = sessions(tools=("Write",))
        session.ask("Write x", "```python\ndef nobody_knows():\n    return 1\n```\n")
        session.ask("Go on.", None, write("a.py", V1), "tool_calls")
        assert NOTICE in session.prompt
        session.ask(None, "Done.", results={"c1": "Wrote file successfully."})
        assert NOTICE not in session.prompt
        session.ask("Thanks.")
        assert NOTICE not in session.prompt

    @pytest.mark.parametrize(
        "code", ["```bash\nnpm install\n```", "```json\n{}\n```", "```\nTraceback: x\n```", "```python\nprint(1)\n```"]
    )
    def test_commands_output_and_data_do_not_count(self, session: Session, code: str) -> None:
        session.ask("How?", f"So:\n\n{code}\n").ask("Go on.")
        assert NOTICE not in session.prompt

    def test_a_rename_is_flagged_until_it_is_asked_for(self, session: Session) -> None:
        renamed = CART.replace("def empty_cart", "def new_cart")
        session.ask("Write a.py", fence("a.py", CART)).ask("Clean up a.py.", fence("a.py", renamed))
        assert session.holds("a.py", CART)
        session.ask("Continue.")
        assert "a.py::empty_cart" in session.prompt
        assert "a.py::new_cart" in session.prompt
        session.ask("Yes, rename empty_cart to new_cart.", fence("a.py", renamed))
        assert session.holds("a.py", renamed)

    def test_unknown_texts_are_named_and_not_shown(self, sessions: Callable[..., Session]) -> None:
        session = sessions(tools=("Write",))
        session.ask(fence("util.py", V1)).ask("Change it", None, write("util.py", V2), "tool_calls")
        session.ask(None, "Hm.", results={"c1": "Something odd happened."}).forget().ask("What does `slug` do?")
        assert session.state() == {"util.py": "DIRTY", "util.py::slug": "DIRTY"}
        assert session.hydrated == []
        assert "- util.py::slug" in session.prompt


class TestRecords:
    def test_every_call_is_an_episode_newest_first(self, session: Session) -> None:
        session.ask("Write util.py", fence("util.py", V1)).ask("Thanks.")
        newest, oldest = session.recent()
        assert newest["entities"] == []
        assert oldest["entities"] == ["util.py", "util.py::slug"]
        assert {s["state"] for s in oldest["artifact_states"]} == {"AUTHORITATIVE"}

    def test_refusals_carry_their_reason(self, session: Session) -> None:
        session.ask("Write a.py", fence("a.py", CART)).ask(
            "Tidy", fence("a.py", CART.partition("\n\n\ndef empty")[0] + "\n")
        )
        (row,) = session.recent()[0]["artifact_states"]
        assert (row["entity"], row["state"], row["confidence"], row["reason"]) == (
            "a.py",
            "PROPOSED",
            "CONFIRMED",
            "lost-symbols",
        )
        assert row["witness"] == {
            "gate": "B",
            "reason": "lost-symbols",
            "lost": ["empty_cart"],
            "needed": "all of them, or the user's word by name",
        }

    def test_only_what_was_refused_has_a_witness(self, session: Session) -> None:
        left_out = "class Cart:\n    def total(self):\n        # ... rest\n        return 1\n"
        session.ask("Write a.py", fence("a.py", CART)).ask("Tidy", fence("a.py", left_out))
        refused, accepted = (e["artifact_states"] for e in session.recent())
        assert not any("witness" in s for s in accepted)
        assert [s["witness"]["placeholders"] for s in refused if s["reason"] == "left-out-code"] == [["# ... rest"]]
        assert all("witness" in s for s in refused if s["state"] == "PROPOSED")

    def test_what_the_client_wrote_all_the_same_says_what_was_wrong(self, session: Session) -> None:
        session.ask(fence("a.py", CART)).ask("Tidy.", calls=write("a.py", "import os\n"))
        session.ask(None, results={"c1": "File created successfully at: a.py"})
        rows = {(s["entity"], s["state"]): s for e in session.recent()[:2] for s in e["artifact_states"]}
        row = rows["a.py", "AUTHORITATIVE"]
        assert row["reason"] == "client-confirmation:collapse"
        witness = row["witness"]
        assert (witness["of"], witness["compared"], witness["limit"]) == ("file", "nodes", 0.5)
        assert witness["found"] < witness["needed"] <= witness["before"]
        assert "witness" not in rows["a.py", "SUPERSEDED"]

    def test_tombstones_leave_after_their_episodes(self, sessions: Callable[..., Session]) -> None:
        session = sessions(tombstone_episodes=2)
        session.ask(fence("a.py", CART)).ask(
            "Remove empty_cart:\n\n" + fence("a.py", CART.partition("\n\n\ndef empty")[0] + "\n")
        )

        def tombstones() -> list[str]:
            from tslp_litellm.store import queries

            with session.database.reading() as connection:
                return [t["entity"] for t in queries.state(connection, "local", "w")["tombstones"]]

        assert tombstones() == ["a.py::empty_cart"]
        session.ask("One.")
        assert tombstones() == ["a.py::empty_cart"]
        session.ask("Two.").ask("Three.")
        assert tombstones() == []


class TestBareNames:
    """Names without a folder, above a fence: a title, or a file."""

    def test_a_file_is_named_after_what_it_defines(self, session: Session) -> None:
        button = "export default function Button() {\n  return 1;\n}\n"
        session.ask("Write a button.", "### Button.js\n\n```js\n" + button + "```\n")
        assert session.holds("Button.js", button)

    def test_a_title_brings_no_file(self, session: Session) -> None:
        session.ask("What is Koa?", "### Koa.js\n\n```js\nconst Koa = require('koa');\nconst app = new Koa();\n```\n")
        assert session.state() == {}

    def test_a_line_of_nothing_else_is_a_users_label(self, session: Session) -> None:
        text = "const a = 1;\nconst b = 2;\n"
        session.ask(fence("App.js", text, "js"), fence("Node.js", text, "js"))
        assert session.holds("App.js", text) and "Node.js" not in session.state()

    def test_any_label_names_what_is_tracked(self, session: Session) -> None:
        first, then = "const a = 1;\nconst b = 2;\n", "const a = 1;\nconst b = 3;\n"
        session.ask(f"`App.js`\n```js\n{first}```\n", f"### App.js\n\n```js\n{then}```\n")
        assert session.holds("App.js", then)
        session.ask("`schema.prisma`\n```prisma\nmodel A {}\n```\n", "schema.prisma:\n```prisma\nmodel A {\n}\n```\n")
        assert session.state().keys() >= {"App.js", "schema.prisma"}


@pytest.mark.parametrize(("said", "held"), [("Edit applied successfully.", True), ("Error: File not found", False)])
def test_results_of_calls_that_were_made_elsewhere(sessions: Callable[..., Session], said: str, held: bool) -> None:
    old, new = "def slug(s):\n    return s.lower()\n", "def slug(s):\n    return s.strip().lower()\n"
    coder = sessions(tools=("edit",))
    coder.ask(f"util.py\n```python\n{old}```\nKeep it in mind, I will ask for more.", "I will.")
    edit = {"filePath": "util.py", "oldString": "s.lower()", "newString": "s.strip().lower()"}
    call = {"id": "e1", "type": "function", "function": {"name": "edit", "arguments": json.dumps(edit)}}
    coder.messages += [
        {"role": "user", "content": "Make slug strip."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "e1", "content": said},
        {"role": "assistant", "content": "That is all."},
    ]
    coder.ask("Thanks. Is that all?", "Yes.")
    assert coder.holds("util.py", new) is held
    assert coder.holds("util.py", old) is False
