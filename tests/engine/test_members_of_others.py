"""Members that are new to one type, and have the name of another one's in the same chat."""

from __future__ import annotations

import pytest

from .helpers import Session

SERVICE = (
    "class NoteService:\n    def delete(self, note_id):\n        self.db.run('delete', note_id)\n        return None\n"
)
CONTROLLER = "class NoteController:\n    def add(self, text):\n        return self.service.add(text)\n"
TEXTS = {"app/controller.py": CONTROLLER, "app/service.py": SERVICE}
MEMBER = "```python\n    def delete(self, note_id):\n        self.service.delete(note_id)\n        return 204\n```"


@pytest.fixture
def chat(session: Session) -> Session:
    return session.ask("".join(f"{path}\n```python\n{text}```\n\n" for path, text in TEXTS.items()))


@pytest.mark.parametrize(
    ("prompt", "above"),
    [
        ("now add delete to NoteController", "Add this to `NoteController`:"),
        ("I need a delete endpoint", "Add this method to `NoteController`:"),
        ("I need a delete endpoint", "Add this to the controller:"),
        ("Add a delete function to app/controller.py", "Here it is:"),
        ("NoteController needs a delete as well", "Sure:"),
    ],
)
def test_they_are_of_the_one_that_is_named(chat: Session, prompt: str, above: str) -> None:
    state = chat.ask(prompt, f"{above}\n\n{MEMBER}").state()
    assert chat.holds("app/service.py", SERVICE) and "app/controller.py::NoteController.delete" in state
    assert state["app/controller.py"] == "DIRTY"


@pytest.mark.parametrize(
    ("prompt", "above"),
    [
        ("now make delete give True", "Here is the method:"),
        ("NoteController needs delete to give True", "Here is the method that NoteController calls:"),
        ("The controller needs a true value from it", "Change it in `NoteService`:"),
    ],
)
def test_a_version_of_the_tracked_one_stays_one(chat: Session, prompt: str, above: str) -> None:
    new = SERVICE.replace("None", "True")
    member = new.partition("\n")[2]
    chat.ask(prompt, f"{above}\n\n```python\n{member}```")
    assert chat.holds("app/service.py", new) and chat.holds("app/controller.py", CONTROLLER)
