"""What is told of a change that a client confirms and the gates would have refused (SEMANTICS 2, Outcomes)."""

from __future__ import annotations

import pytest

from .helpers import Session

DONE = "The file {} has been updated successfully. (file state is current in your context)"
FILES = {
    "util.py": "def fmt_price(c):\n    return str(c)\n\n\ndef fmt_date(d):\n    return str(d)\n",
    "util.ts": "export function fmt_price(c: number) {\n  return `${c}`;\n}\n\nexport function fmt_date(d: Date) {\n"
    "  return `${d}`;\n}\n",
    "util.go": "package util\n\nfunc fmt_price(c int) string {\n\treturn s(c)\n}\n\nfunc fmt_date(d int) string {\n"
    "\treturn s(d)\n}\n",
    "util.rb": "def fmt_price(c)\n  c.to_s\nend\n\ndef fmt_date(d)\n  d.to_s\nend\n",
}
LOST = "definitions that it had are gone, among them:\n- {}::fmt_date\n"


def second(path: str) -> str:
    text = FILES[path]
    return text[text.index("\n\n", text.index("fmt_price")) :]


def tool(session: Session, prompt: str, name: str, **arguments: str) -> str:
    """What the next prompt is told of a tool call that a client confirms."""
    session.tools = ("Edit", "Write")
    session.ask(prompt, "", {"c": {"name": name, "arguments": arguments}})
    session.ask(None, "Done.", results={"c": DONE.format(arguments["file_path"])})
    session.ask("Thanks")
    return session.prompt


@pytest.fixture(params=FILES)
def path(session: Session, request: pytest.FixtureRequest) -> str:
    session.ask(f"Mine:\n\n{request.param}\n```\n{FILES[request.param]}```")
    return str(request.param)


@pytest.mark.parametrize(
    "prompt",
    [
        "Rename fmt_price to format_price in {}",
        "In {}, `fmt_price` should be `format_price`.",
        "{}: fmt_price -> format_price",
    ],
)
def test_a_rename_that_was_asked_for_loses_nothing(session: Session, path: str, prompt: str) -> None:
    old, new = "fmt_price", "format_price"
    told = tool(session, prompt.format(path), "Edit", file_path=path, old_string=old, new_string=new)
    assert f"{path}::{new}" in session.state()
    assert told == "Thanks"


def test_what_was_asked_to_go_is_no_loss(session: Session, path: str) -> None:
    told = tool(
        session, f"Remove fmt_date from {path}", "Edit", file_path=path, old_string=second(path), new_string="\n"
    )
    assert f"{path}::fmt_date" not in session.state()
    assert "STATE NOTICE" not in told


def test_what_was_lost_is_named(session: Session, path: str) -> None:
    told = tool(session, f"Make {path} shorter", "Edit", file_path=path, old_string=second(path), new_string="\n")
    assert LOST.format(path) in told
    assert f"{path}::fmt_price" not in told


def test_so_it_is_in_a_file_that_is_written_whole(session: Session, path: str) -> None:
    text = FILES[path].replace(second(path), "\n").replace("fmt_price", "format_price")
    told = tool(session, f"Rename fmt_price to format_price in {path}", "Write", file_path=path, content=text)
    assert LOST.format(path) in told
    assert f"{path}::fmt_price" not in told


def test_a_rename_that_nobody_asked_for_is_told(session: Session, path: str) -> None:
    told = tool(session, f"Tidy {path} up", "Edit", file_path=path, old_string="fmt_price", new_string="format_price")
    assert f"among them:\n- {path}::fmt_price\n" in told


def test_the_next_prompt_may_come_with_the_result(session: Session, path: str) -> None:
    session.tools = ("Edit",)
    edit = {"file_path": path, "old_string": "fmt_price", "new_string": "format_price"}
    session.ask(f"Rename fmt_price to format_price in {path}", "", {"c": {"name": "Edit", "arguments": edit}})
    session.ask("Thanks", results={"c": DONE.format(path)})
    assert f"{path}::format_price" in session.state()
    assert session.prompt == "Thanks"


def test_left_out_code_is_told_whatever_was_asked(session: Session) -> None:
    session.ask(f"Mine:\n\nutil.py\n```\n{FILES['util.py']}```")
    text = "def fmt_date(d):\n    # ... existing code ...\n"
    told = tool(session, "Remove fmt_price from util.py", "Write", file_path="util.py", content=text)
    assert "although it has placeholders for left-out code.\nIt is the current text" in told
