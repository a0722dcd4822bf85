"""Answers in steps over several files that have names in common: each step says whose it is."""

from __future__ import annotations

import pytest

from .helpers import Session

SERVICE = "package a;\n\npublic class TicketService {\n    public void close(Ticket ticket) {\n        ticket.end();\n    }\n}\n"
CONTROLLER = "package a;\n\npublic class TicketController {\n    public Response close(long id) {\n        tickets.close(find(id));\n        return ok();\n    }\n}\n"
FILES = {"src/TicketService.java": SERVICE, "src/TicketController.java": CONTROLLER}
NEW = {
    "src/TicketService.java": SERVICE.replace("ticket.end()", "ticket.end(user)"),
    "src/TicketController.java": CONTROLLER.replace("find(id)", "find(id), user"),
}


@pytest.fixture
def chat(session: Session) -> Session:
    return session.ask("".join(f"{path}\n```java\n{text}```\n\n" for path, text in FILES.items()))


def steps(label: str) -> str:
    members = {path: "\n".join(text.splitlines()[3:-1]) + "\n" for path, text in NEW.items()}
    names = {path: path.rpartition("/")[2] for path in NEW}
    return "\n".join(
        f"{label.format(n=n, path=path, name=names[path], type=names[path][:-5])}\n\n```java\n{text}```\n"
        for n, (path, text) in enumerate(members.items(), 1)
    )


@pytest.mark.parametrize(
    "label", ["**{name}**", "{name}", "### {n}. {name}", "{path}", "In `{type}`:", "{n}. In `{path}`:"]
)
@pytest.mark.parametrize(
    "prompt",
    [
        "Closing should tell who did it.",
        "Closing should tell who did it, in TicketService and TicketController.",
        "`TicketService.close` should tell who did it, and the controller pass the user.",
    ],
)
def test_each_is_of_the_file_that_its_step_names(chat: Session, prompt: str, label: str) -> None:
    chat.ask(prompt, steps(label))
    assert {path: chat.holds(path, text) for path, text in NEW.items()} == dict.fromkeys(NEW, True)


def test_a_file_that_the_sentence_names_is_asked_for_though_the_prompt_names_another_one(session: Session) -> None:
    repo = "class Repo:\n    def by_user(self, user):\n        return self.all(user)\n"
    web = "def orders(user):\n    return repo.by_user(user)\n"
    session.ask(f"app/repo.py\n```python\n{repo}```\n\napp/web.py\n```python\n{web}```")
    new, view = repo.replace("user):", "user, limit=50):"), web.replace("by_user(user)", "by_user(user, 9)")
    first, second = (f"```python\n{text}```\n" for text in (new, view))
    prompt = "Also add pagination to `orders`. The repository needs it as well."
    session.ask(prompt, f"1. Update the method in `app/repo.py`:\n\n{first}\n2. Update `app/web.py`:\n\n{second}")
    assert session.holds("app/repo.py", new) and session.holds("app/web.py", view)


@pytest.mark.parametrize("label", ["**TicketService.java**", "### 2. `TicketService.java`", "src/TicketService.java"])
def test_a_label_is_enough_for_a_member_of_a_file_that_nobody_speaks_of(chat: Session, label: str) -> None:
    member = "\n".join(NEW["src/TicketService.java"].splitlines()[3:-1])
    chat.ask("Hello.", "Hi.").ask("The policy must know the user as well.", f"{label}\n\n```java\n{member}\n```")
    assert chat.holds("src/TicketService.java", NEW["src/TicketService.java"])
