"""Where shell calls begin, and what that makes of the paths in them (SEMANTICS 2, Shell)."""

from __future__ import annotations

from typing import Any

import pytest

from .helpers import Session, sha

CART = "TAX = 1\n\n\ndef f():\n    return TAX\n"
NEW = "TAX = 3\n\n\ndef f():\n    return TAX\n"
CLAUDE = "You are Claude Code, Anthropic's official CLI for Claude.\n - Primary working directory: /w/p\n"
CONTINUE = "You are an agent in the Continue CLI.\n<env>\nWorking directory: /w/p\n</env>"
THREAD = CLAUDE + "Notes:\n- Agent threads always have their cwd reset between bash calls, use absolute paths.\n"


def begin(session: Session, system: str, **files: str) -> Session:
    """A conversation of a client, in which the user shows some files."""
    session.messages = [{"role": "system", "content": system}]
    shown = "".join(f"{path}\n```python\n{text}```\n" for path, text in files.items())
    return session.ask(shown + "Go on.")


def run(session: Session, *commands: tuple[str, str], tool: str = "Bash", **more: Any) -> Session:
    """Some commands with their results, one after the other."""
    for n, (command, result) in enumerate(commands):
        at = f"c{len(session.messages)}.{n}"
        session.ask(None, None, {at: {"name": tool, "arguments": {"command": command, **more}}})
        session.messages.append({"role": "tool", "tool_call_id": at, "content": result})
    return session.ask(None, "Done.")


def here(path: str, text: str) -> str:
    return f"cat > {path} <<'EOF'\n{text}EOF"


ENTERED = ("cd src && ls", "cart.py\n")


@pytest.mark.parametrize("system", [CONTINUE, THREAD])
@pytest.mark.parametrize("more", [{}, {"description": "d"}])
def test_clients_whose_shells_begin_anew(session: Session, system: str, more: dict[str, str]) -> None:
    begin(session, system, **{"src/cart.py": CART})
    run(session, ENTERED, (here("src/cart.py", NEW), ""), ("cd src && " + here("new.py", "A = 1\n"), ""), **more)
    assert session.holds("src/cart.py", NEW) and session.holds("src/new.py", "A = 1\n")


@pytest.mark.parametrize("more", [{}, {"description": "d"}])
class TestKept:
    def test_what_is_written(self, session: Session, more: dict[str, str]) -> None:
        run(begin(session, CLAUDE), ENTERED, (here("extra.py", "A = 1\n"), ""), **more)
        assert session.state().get("src/extra.py") == sha("A = 1\n") and "extra.py" not in session.state()

    def test_what_is_shown(self, session: Session, more: dict[str, str]) -> None:
        run(begin(session, CLAUDE, **{"cart.py": "A = 1\n"}), ENTERED, ("cat cart.py", CART), **more)
        assert session.holds("src/cart.py", CART) and session.holds("cart.py", "A = 1\n")


class TestNobodyKnowsWhere:
    def test_what_is_shown_makes_nothing_true(self, session: Session) -> None:
        run(begin(session, CLAUDE), ENTERED, ("cat cart.py", CART), tool="execute_command")
        assert not session.state()

    def test_nor_does_it_dirty_what_it_agrees_with(self, session: Session) -> None:
        begin(session, CLAUDE, **{"src/cart.py": CART})
        run(session, ENTERED, ("cat src/cart.py", CART), tool="execute_command")
        assert session.holds("src/cart.py", CART)

    def test_what_it_contradicts_may_have_changed(self, session: Session) -> None:
        begin(session, CLAUDE, **{"src/cart.py": CART})
        run(session, ENTERED, ("cat src/cart.py", NEW), tool="execute_command")
        assert session.state()["src/cart.py"] == "DIRTY"


ROO = "You are Roo, a highly skilled software engineer.\n\nCurrent Workspace Directory: /w/p\n"


def roo(command: str, output: str = "", folder: str = "/w/p") -> tuple[str, str]:
    said = f"Command executed in terminal  within working directory '{folder}'. Exit code: 0\nOutput:\n{output}"
    return command, said


class TestStated:
    """A result that says where its terminal stands."""

    def test_a_later_command(self, session: Session) -> None:
        begin(session, ROO, **{"src/cart.py": CART})
        tool = {"tool": "execute_command"}
        run(session, roo("cd src && ls"), roo(here("src/new.py", "A = 1\n")), roo("rm src/cart.py"), **tool)
        assert session.state().get("src/new.py") == sha("A = 1\n") and "src/cart.py" not in session.state()

    def test_of_a_terminal_that_stayed(self, session: Session) -> None:
        run(begin(session, ROO), roo("cd src", folder="/w/p/src"), roo("ls"), tool="execute_command")
        run(session, roo(here("new.py", "A = 1\n"), folder="/w/p/src"), tool="execute_command")
        assert session.state().get("src/new.py") == sha("A = 1\n") and "new.py" not in session.state()

    def test_a_command_that_moves_begins_where_the_one_before_ended(self, session: Session) -> None:
        run(begin(session, ROO), roo("ls"), roo("cd src && " + here("new.py", "A = 1\n")), tool="execute_command")
        assert session.state().get("src/new.py") == sha("A = 1\n")

    def test_what_is_shown(self, session: Session) -> None:
        begin(session, ROO, **{"src/cart.py": CART})
        run(session, roo("cd src && ls"), roo("cat src/cart.py", NEW), tool="execute_command")
        assert session.holds("src/cart.py", NEW)


class TestStrayed:
    """A shell that is known to keep its folder, and did not."""

    @pytest.mark.parametrize(
        "command",
        ["sed -i s/1/2/ src/cart.py", here("src/cart.py", NEW), "rm src/cart.py", "python3 fix.py src/cart.py"],
    )
    def test_a_known_file_as_seen_from_the_root(self, session: Session, command: str) -> None:
        run(begin(session, CLAUDE, **{"src/cart.py": CART}), ENTERED, (command, ""))
        assert session.state()["src/cart.py"] == "DIRTY" and "src/src/cart.py" not in session.state()

    def test_what_is_shown(self, session: Session) -> None:
        run(begin(session, CLAUDE, **{"src/cart.py": CART}), ENTERED, ("cat src/cart.py", CART))
        assert session.holds("src/cart.py", CART) and "src/src/cart.py" not in session.state()

    @pytest.mark.parametrize(
        "commands", [["cd src && " + here("extra.py", "A = 1\n")], ["cd src", here("extra.py", "A = 1\n")]]
    )
    @pytest.mark.parametrize("known", [{}, {"src/cart.py": CART}])
    def test_the_same_folder_twice(self, session: Session, commands: list[str], known: dict[str, str]) -> None:
        run(begin(session, CLAUDE, **known), ENTERED, *((command, "") for command in commands))
        assert not any(path.endswith("extra.py") for path in session.state())

    def test_a_folder_that_has_one_of_its_own_name(self, session: Session) -> None:
        begin(session, CLAUDE, **{"site/site/urls.py": CART})
        run(session, ("cd site && ls", "site\n"), ("cd site && " + here("urls.py", NEW), ""), ("rm urls.py", ""))
        assert "site/site/urls.py" not in session.state()

    @pytest.mark.parametrize(
        ("command", "result"),
        [
            ("sed -i s/1/2/ setup.py", ""),
            ("sed -i s/1/2/ src/cart.py", "Exit code 2\nsed: can't read src/cart.py: No such file or directory"),
            ("cd /w/p && ls src/cart.py", "src/cart.py\n"),
        ],
    )
    def test_what_says_nothing_of_it(self, session: Session, command: str, result: str) -> None:
        shown = {"src/cart.py": CART, "setup.py": "A = 1\n"}
        run(begin(session, CLAUDE, **shown), ENTERED, (command, result))
        assert all(session.holds(path, text) for path, text in shown.items())
