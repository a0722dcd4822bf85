"""Functions that stand inside another one, each shown alone: several in one answer, beside what stands outside."""

from __future__ import annotations

from itertools import permutations

import pytest

from .helpers import Session, sha

APP = (
    'import { useState } from "react";\n\nexport function title(n) {\n  return `Todos (${n})`;\n}\n\n'
    "export function App() {\n  const [todos, setTodos] = useState([]);\n\n"
    "  const handleAdd = (text) => {\n    setTodos([...todos, text]);\n  };\n\n"
    "  const handleRemove = (index) => {\n    setTodos(todos.filter((_, i) => i !== index));\n  };\n\n"
    "  return <List title={title(todos.length)} onAdd={handleAdd} onRemove={handleRemove} />;\n}\n"
)
TRIMS = "const handleAdd = (text) => {\n  setTodos([...todos, text.trim()]);\n};\n"
LOGS = "const handleRemove = (index) => {\n  log(index);\n  setTodos(todos.filter((_, i) => i !== index));\n};\n"
MINE = "export function title(n) {\n  return `Mine (${n})`;\n}\n"
CHANGES = {
    TRIMS: ("todos, text]", "todos, text.trim()]"),
    LOGS: ("    setTodos(todos.f", "    log(index);\n    setTodos(todos.f"),
    MINE: ("Todos (", "Mine ("),
}
ASKED = "In src/App.jsx let `handleAdd` trim, `handleRemove` log, and `title` say Mine."


def with_changes(*texts: str) -> str:
    made = APP
    for text in texts:
        made = made.replace(*CHANGES[text])
    return made


def fences(*texts: str) -> str:
    return "\n".join(f"This one:\n\n```jsx\n{text}```\n" for text in texts)


@pytest.fixture
def app(session: Session) -> Session:
    return session.ask(f"src/App.jsx\n```jsx\n{APP}```")


@pytest.mark.parametrize("texts", [*permutations(CHANGES, 2), *permutations(CHANGES)])
def test_they_apply_in_order_and_take_nothing_else_back(app: Session, texts: tuple[str, ...]) -> None:
    app.ask(ASKED, fences(*texts))
    assert app.state()["src/App.jsx"] == sha(with_changes(*texts))


def test_two_texts_of_one_are_several_versions(app: Session) -> None:
    app.ask(ASKED, fences(TRIMS, MINE, TRIMS.replace("trim", "trimEnd")))
    assert app.state()["src/App.jsx::App"] == "DIRTY"
    assert app.state()["src/App.jsx::title"] == sha(MINE.rstrip("\n"))


@pytest.mark.parametrize("order", [1, -1])
def test_beside_the_whole_that_it_stands_in(app: Session, order: int) -> None:
    app.ask(ASKED, fences(*[TRIMS, with_changes(TRIMS, MINE)][::order]))
    assert app.state()["src/App.jsx"] == sha(with_changes(TRIMS, MINE))


def test_the_users_own_apply_in_order_too(app: Session) -> None:
    app.ask(f"I changed src/App.jsx so: `handleAdd`, `title` and `handleRemove`.\n\n{fences(TRIMS, MINE, LOGS)}")
    assert app.state()["src/App.jsx"] == sha(with_changes(TRIMS, MINE, LOGS))
