"""Functions that stand inside another one, each shown alone: several in one answer, beside what stands outside."""

from __future__ import annotations

import textwrap
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


def test_a_comment_at_the_margin_goes_where_its_function_does(app: Session) -> None:
    app.ask(ASKED, fences("// Trims\n" + textwrap.indent(TRIMS, "  ")))
    text = with_changes(TRIMS).replace("  const handleAdd", "  // Trims\n  const handleAdd")
    assert app.state()["src/App.jsx"] == sha(text)


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


# -- code that goes inside, and is new there

CLEARS = "const handleClear = () => {\n  setTodos([]);\n};\n"
FORM = (
    "function Form({\n  todos,\n  setTodos,\n}: {\n  todos: string[];\n  setTodos: (all: string[]) => void;\n}) {\n"
    "  return <button onClick={() => setTodos([])}>{todos.length}</button>;\n}\n"
)
HOOK = "const [filter, setFilter] = useState('all');\n\nconst handleFilter = (f) => setFilter(f);\n"


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Add a handleClear function to App that empties the list.", fences(CLEARS)),
        ("Add a `handleClear` function in src/App.jsx.", fences(CLEARS)),
        ("Add a `handleClear` function.", "**src/App.jsx**\n\n" + fences(CLEARS)[11:]),
        ("Add a filter to App.", fences(HOOK)),
        ("Let `handleAdd` in src/App.jsx trim, and add a `handleClear`.", fences(f"{TRIMS}\n{CLEARS}")),
        ("The list in App shall be cleared at first.", fences("useEffect(() => {\n  setTodos([]);\n}, []);\n")),
    ],
)
def test_what_goes_inside_of_a_component_leaves_it_unknown(app: Session, asked: str, answer: str) -> None:
    app.ask(asked, answer)
    assert app.state() == {"src/App.jsx": "DIRTY", "src/App.jsx::App": "DIRTY"} | {
        "src/App.jsx::title": sha("export function title(n) {\n  return `Todos (${n})`;\n}")
    }


@pytest.mark.parametrize("order", [1, -1])
def test_where_the_answer_shows_the_whole_too_it_is_known(app: Session, order: int) -> None:
    whole = APP.replace("\n  return <List", f"\n{textwrap.indent(CLEARS, '  ')}\n  return <List")
    app.ask("Add a handleClear function to App.", fences(*[CLEARS, whole][::order]))
    assert app.state()["src/App.jsx"] == sha(whole)


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("How could App clear the list?", CLEARS),  # merely asks
        ("Add a Counter component.", f"function Counter() {{\n  {HOOK[:44]}\n  return <b>{{filter}}</b>;\n}}\n"),
        ("Write a test for App.", "test('adds', () => {\n  const setTodos = jest.fn();\n  render(<App />);\n});\n"),
        ("Add a form for App.", FORM),
        ("Type the props of App.", "interface Props {\n  todos: string[];\n  setTodos: (all: string[]) => void;\n}\n"),
        ("Say what App does.", "const [todos, setTodos] = useState([]);\n"),  # a quotation
        ("Use App in the page.", "const root = createRoot(document.body);\nroot.render(<App />);\n"),
    ],
)
def test_what_stands_for_itself_changes_no_component(app: Session, asked: str, text: str) -> None:
    before = app.state()
    app.ask(asked, fences(text))
    assert {one: app.state()[one] for one in before} == before
