"""What stands is asked of what the model's window keeps of the request."""

from __future__ import annotations

import pytest

from .helpers import Session

FILE = "def slug(s):\n    return s.lower()\n\n\ndef words(s):\n    return s.split()\n"
LONG = "We talk of something else. " * 40  # 270 tokens


def fence(path: str, text: str) -> str:
    return f"{path}\n```python\n{text}```\n"


@pytest.mark.parametrize(("window", "lost"), [(None, 7), (2_048, 3), (32_768, 60)])
def test_a_paste_is_injected_again_once_the_window_has_lost_it(session: Session, window: int | None, lost: int) -> None:
    session.window = window
    session.ask(f"This is my file:\n\n{fence('util.py', FILE)}", LONG)
    session.ask("What does `slug` do?", LONG)
    assert session.hydrated == []
    for _ in range(lost):
        session.ask(LONG, LONG)
    session.ask("And what does `slug` do now?")
    assert session.hydrated == ["util.py::slug"]


def test_systems_and_the_last_message_stand_however_small_the_window(session: Session) -> None:
    session.window = 256
    session.ask(f"This is my file:\n\n{fence('util.py', FILE)}\n{LONG * 5}What does `slug` do?")
    assert session.hydrated == []
    session.forget().messages = [{"role": "system", "content": f"{LONG * 5}\n{FILE}"}]
    session.ask("What does `slug` do?")
    assert session.hydrated == []
    session.forget().ask("What does `slug` do?")
    assert session.hydrated == ["util.py::slug"]


def test_a_listing_counts_by_where_it_stands_on_the_wire(session: Session) -> None:
    listing = "I have *added these files to the chat* so you can go ahead and edit them.\n\n" + fence("util.py", FILE)
    session.window = 2_048
    talk = [{"role": role, "content": LONG} for _ in range(5) for role in ("user", "assistant")]
    prompt = {"role": "user", "content": "What does `slug` do?"}
    files = [{"role": "user", "content": listing}, {"role": "assistant", "content": "Ok."}]
    assert session.request([*talk, *files, prompt], None).hydrated == ()
    assert session.request([*talk, prompt, files[0]], None).hydrated == ()
    assert session.request([*files, *talk, prompt], None).hydrated == ("util.py::slug",)


def test_what_is_injected_takes_the_room_of_what_stands(session: Session) -> None:
    """Beside the block of one entity, the message that shows another fits no longer: both are injected."""
    big = "def big(x):\n" + "    x += 1\n" * 45  # 160 tokens with its frame
    session.window = 1_024
    session.ask(fence("big.py", big)).forget()
    session.ask(fence("util.py", FILE), LONG).ask(LONG, "Yes.")
    session.messages[-1]["content"] = "Yes. " * 120
    for prompt, hydrated in (
        ("What does `slug` do?", []),
        ("Let `big` call `slug`.", ["big.py::big", "util.py::slug"]),
    ):
        session.request([*session.messages, {"role": "user", "content": prompt}], None)
        assert session.hydrated == hydrated


def test_what_the_running_turn_has_read_needs_no_block(session: Session) -> None:
    session.ask(fence("util.py", FILE)).forget()
    session.tools = ("Read",)
    session.ask(
        "Let `slug` strip.", None, {"r1": {"name": "Read", "arguments": {"file_path": "util.py"}}}, "tool_calls"
    )
    assert session.hydrated == ["util.py::slug"]
    numbered = "".join(f"{n:6}\t{line}\n" for n, line in enumerate(FILE.splitlines(), 1))
    session.ask(None, "Done.", results={"r1": numbered})
    assert session.hydrated == []
