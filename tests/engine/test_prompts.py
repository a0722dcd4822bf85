"""What stands in front of a prompt: once a turn, with what does not fit told by its signatures (SEMANTICS 4)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .helpers import Session

Sessions = Callable[..., Session]
FILE = "def slug(s):\n    return s.lower()\n\n\ndef words(s):\n    return s.split()\n"


def fence(path: str, text: str) -> str:
    return f"{path}\n```python\n{text}```\n"


def test_a_file_that_does_not_fit_is_told_by_its_signatures(sessions: Sessions) -> None:
    text = FILE + "".join(f"\n\ndef f{n}(a):\n    return '{'x' * 100} {n}'\n" for n in range(20))
    session = sessions(hydration_tokens_max=120).ask(fence("util.py", text)).forget()
    session.ask("What does util.py do?")
    assert session.hydrated == []
    assert "util.py is known, but its current text did not fit into this prompt. It defines:" in session.prompt
    assert "- util.py::slug: def slug(s):\n" in session.prompt
    assert "- and " in session.prompt
    assert session.episode is not None
    assert session.episode.injected <= 120 + session.prompt.count("\n- ")  # whose fractions are not counted here
    poor = sessions(workspace="poor", hydration_tokens_max=0).ask(fence("util.py", text)).forget()
    poor.ask("What does util.py do?")
    assert "did not fit into this prompt:\n- util.py\n" in poor.prompt


def test_what_happened_is_told_on_the_first_call_of_a_turn(session: Session) -> None:
    session.tools = ("Bash",)
    session.ask("Hello", answer="```python\ndef lost(x):\n    return x\n```")
    session.ask("Go on.", None, {"c": {"name": "Bash", "arguments": {"command": "ls"}}}, "tool_calls")
    assert "could not be structurally linked" in session.prompt
    session.ask(None, "Done.", results={"c": "a"})
    assert "could not be structurally linked" not in session.prompt
    session.ask("And now?")
    assert "could not be structurally linked" not in session.prompt


def test_what_is_proposed_does_not_bring_the_text_back(session: Session) -> None:
    """The architect quotes another body, which nobody made true: what was pasted still has the last word."""
    session.tools = ("Write",)  # a client that edits by tools: fences are talk
    session.ask(fence("util.py", FILE), answer="I would write\n\n" + fence("util.py", FILE.replace("lower", "upper")))
    assert session.holds("util.py", FILE)
    session.ask("Let `slug` strip.")
    assert session.hydrated == []


def test_a_skill_s_text_mentions_nothing(session: Session) -> None:
    session.ask(fence("util.py", FILE)).forget()
    session.ask("Base directory for this skill: /home/u/skills/x\n\nUse `slug` and util.py.")
    assert session.hydrated == []
    assert session.episode is not None
    assert session.episode.notices == ()


@pytest.mark.parametrize(
    "asked",
    [
        "[attempt_completion] Result:\nThe user has provided feedback on the results. Consider their input to continue the"
        " task, and then attempt completion again.\n<feedback>\n{}\n</feedback>",
        "The user has provided feedback on the results. Consider their input.\n<feedback>\n{}\n</feedback>",
        "[ask_followup_question for 'Which one?'] Result:\n<answer>\n{}\n</answer>\n\n<environment_details>\n"
        "# Visual Studio Code Visible Files\nutil.py\n</environment_details>",
        "[plan_mode_respond] Result:\n<user_message>\n{}\n</user_message>",
    ],
)
def test_what_the_user_answers_a_client_s_question_is_his_own(session: Session, asked: str) -> None:
    session.ask(fence("util.py", FILE)).forget()
    session.ask("<task>\nHello\n</task>", "<attempt_completion>\n<result>\nHello.\n</result>\n</attempt_completion>")
    session.ask(asked.format("Let `slug` strip."))
    assert session.hydrated == ["util.py::slug"]
    assert session.prompt.startswith("[CURRENT STATE")


def test_what_another_tool_answers_is_nobody_s_words(session: Session) -> None:
    session.ask(fence("util.py", FILE)).forget()
    session.ask("<task>\nHello\n</task>", "<execute_command>\n<command>cat x</command>\n</execute_command>")
    session.ask("[execute_command for 'cat x'] Result:\n<feedback>\nLet `slug` strip.\n</feedback>")
    assert session.hydrated == []


def test_what_stands_outside_of_its_type_is_shown_though_the_file_is_unknown(session: Session) -> None:
    put = "func (s *Store) Put(k string) {\n\ts.rows[k] = 1\n}"
    text = f"package store\n\ntype Store struct {{\n\trows map[string]int\n}}\n\n{put}\n"
    session.ask(f"store.go\n```go\n{text}```")
    session.ask("Add a function `norm` to store.go.", "```go\nfunc norm(k string) string {\n\treturn k\n}\n```")
    assert session.state()["store.go"] == "DIRTY"
    session.forget().ask("Review store.go")
    assert session.hydrated == ["store.go::Store", "store.go::Store.Put", "store.go::norm"]
    assert put in session.prompt


@pytest.mark.parametrize(
    ("path", "text", "clean"),
    [
        (
            "s.go",
            "package s\n\ntype Store struct {\n\tn int\n}\n\nfunc (s *Store) Put() int {\n\treturn s.n\n}\n",
            True,
        ),
        ("s.py", "class Store:\n    def Put(self):\n        return 1\n", False),
    ],
)
def test_what_is_unknown_of_a_member_is_so_of_the_type_that_it_stands_in(
    session: Session, path: str, text: str, clean: bool
) -> None:
    session.ask(f"{path}\n```\n{text}```").ask("I changed Store.Put.")
    state = session.state()
    assert state[f"{path}::Store.Put"] == state[path] == "DIRTY"
    assert (state[f"{path}::Store"] != "DIRTY") is clean


@pytest.mark.parametrize(
    "app",
    [
        "export function App() {\n  return <button>Go</button>;\n}\n",
        "const App = memo(() => {\n  return <button>Go</button>;\n});\n",
    ],
)
def test_a_component_is_meant_by_its_plain_name(session: Session, app: str) -> None:
    """What JavaScript calls as a type is one to its users; what is called `Get` in Go is none."""
    get = "package a\n\nfunc Get() int {\n\treturn 1\n}\n"
    session.ask(f"src/App.jsx\n```jsx\n{app}```\n\nget.go\n```go\n{get}```").forget()
    session.ask("Get the button in App bigger.", f"```jsx\n{app.replace('<button>', '<button large>')}```")
    assert session.hydrated == ["src/App.jsx::App"]
    assert session.holds("src/App.jsx", app.replace("<button>", "<button large>"))


class TestRoom:
    """What a prompt shows of one file takes no room from what it asks of another."""

    @staticmethod
    def functions(*names: str) -> str:
        return "\n\n".join(
            f"def {n}(rows):\n" + f"    {n}_rows = [sorted(rows)]\n" * 12 + "    return 1\n" for n in names
        )

    def corrected(self, session: Session, ask: str) -> list[str]:
        """What comes in front of an ask that begins with a part of b.py."""
        first, second = self.functions("one", "two", "three"), self.functions("four", "five", "six", "seven")
        session.window = 2048
        session.ask(f"a.py\n```python\n{first}```\n\nb.py\n```python\n{second}```\nJust say ok.")
        session.forget().ask(
            f"That was not right. Here is my b.py now:\n\nb.py\n```python\ndef new(x):\n    y\n```\n\n{ask}"
        )
        return session.hydrated

    def test_what_it_asks_for_comes_first(self, session: Session) -> None:
        assert "a.py" in self.corrected(session, "Go on with a.py.")

    def test_a_file_that_it_asks_about_too_is_not_only_introduced(self, session: Session) -> None:
        found = self.corrected(session, "Go on with a.py, as in b.py.")
        assert any(entity.startswith("b.py") for entity in found)

    def test_a_definition_that_is_named_comes_before_those_that_stand_for_its_file(self, session: Session) -> None:
        assert "b.py::seven" in self.corrected(session, "Remove `seven` from b.py.")


def test_a_file_that_is_named_comes_before_the_methods_of_a_type_that_is(sessions: Callable[..., Session]) -> None:
    session = sessions(hydration_tokens_max=200)
    methods = "".join(f"func (c *Cart) Step{n}(x int) int {{\n\treturn x*{n} + {n * 77}\n}}\n\n" for n in range(8))
    session.ask(f"cart.go\n```go\npackage shop\n\ntype Cart struct {{\n\tn int\n}}\n\n{methods}```", "ok")
    session.ask("rates.go\n```go\npackage shop\n\nvar Rate = 7\n```", "ok").forget()
    session.ask("Let `Cart` have a rate, see rates.go.")
    assert session.hydrated[0] == "cart.go::Cart"
    assert "rates.go" in session.hydrated
