"""Functions that stand inside others, shown alone."""

from __future__ import annotations

import textwrap

import pytest

from tests.placing.helpers import by_model, by_user, tracked
from tslp_litellm.dialects.values import Shown, Snippet
from tslp_litellm.placing.nested import functions, with_nested
from tslp_litellm.placing.rules import place
from tslp_litellm.syntax.languages import language_named

PANEL = (
    "export function Panel({ items }) {\n  const [open, setOpen] = useState(false);\n\n"
    "  const toggle = (id) => {\n    setOpen(!open);\n  };\n\n  function close() {\n    setOpen(false);\n  }\n\n"
    "  return <div onClick={() => toggle(1)}>{close}</div>;\n}\n"
)
TIMED = (
    "def timed(f):\n    @wraps(f)\n    def wrapper(*args):\n        began = time()\n        return f(*args)\n\n"
    "    return wrapper\n"
)


@pytest.mark.parametrize(
    ("language", "text", "name"),
    [
        ("javascript", "const toggle = (id) => {\n  x(id);\n};\n", "toggle"),
        ("javascript", "function close() {}\n", "close"),
        ("javascript", "const save = useCallback(() => {\n  x();\n}, []);\n", "save"),
        ("javascript", "total() {\n  return 1;\n},\n", "total"),
        ("vue", "total() {\n  return 1;\n},\n", "total"),
        ("python", "@wraps(f)\ndef wrapper(*args):\n    return 1\n", "wrapper"),
        ("javascript", "const total = cart.total();\n", ""),  # a line may be anybody's
        ("javascript", "function a() {}\nfunction b() {}\n", "a b"),
        ("javascript", "function a() {}\na();\n", ""),
        ("javascript", "import x from 'x';\nfunction a() {}\n", ""),
        ("python", "class A:\n    def f(self):\n        return 1\n", ""),
    ],
)
def test_what_functions_a_text_is(language: str, text: str, name: str) -> None:
    assert " ".join(functions(language_named(language), text)) == name


@pytest.mark.parametrize(
    ("language", "text", "name", "new", "old"),
    [
        ("javascript", PANEL, "toggle", "const toggle = (id) => {\n  log(id);\n};\n", "    setOpen(!open);\n"),
        ("javascript", PANEL, "close", "  function close() {\n    log(1);\n  }\n", "    setOpen(false);\n"),
        ("python", TIMED, "wrapper", "def wrapper(*args):\n    log(1)\n", "        began = time()\n        return f(*args)\n"),
    ],
)  # fmt: skip
def test_it_takes_the_place_of_the_one_inside(language: str, text: str, name: str, new: str, old: str) -> None:
    made = with_nested(language_named(language), text, name, new)
    line = next(line.strip() for line in new.splitlines() if "log" in line)
    wanted = text.replace(old, old[: len(old) - len(old.lstrip())] + line + "\n")
    assert made == wanted
    with_returns = with_nested(language_named(language), text.replace("\n", "\r\n"), name, new)
    assert with_returns == wanted.replace("\n", "\r\n"), "the file keeps its line ends"


@pytest.mark.parametrize(
    ("text", "name", "new"),
    [
        (PANEL, "open", "const open = () => {\n  x();\n};\n"),  # no function, a part of a line
        (PANEL + PANEL.replace("Panel", "Other"), "toggle", "const toggle = () => {\n  x();\n};\n"),  # which one?
        ("toggle(1);\n", "toggle", "function toggle() {}\n"),
    ],
)
def test_else_there_is_no_place_for_it(text: str, name: str, new: str) -> None:
    assert with_nested(language_named("javascript"), text, name, new) is None


def test_it_is_that_of_the_file_in_play() -> None:
    known = tracked(panel_jsx=PANEL, other_js="export function other() {\n  return 1;\n}\n")
    new = Snippet("const toggle = (id) => {\n  log(id);\n};\n", "javascript")
    found = place(new, by_model("Log the id.", before=("panel.jsx", "other.js")), known)
    assert isinstance(found, Shown)
    assert (found.path, found.text) == ("panel.jsx", PANEL.replace("setOpen(!open)", "log(id)"))
    elsewhere = place(new, by_model("Write `toggle` in src/new.js.", before=("panel.jsx",)), known)
    assert isinstance(elsewhere, Shown)
    assert elsewhere.path == "src/new.js"
    assert isinstance(place(new, by_user("My toggle in panel.jsx is this now:", "panel.jsx"), known), Shown)
    assert not isinstance(place(new, by_model("Explain toggle.", "panel.jsx"), known), Shown)


@pytest.mark.parametrize("indent", ["", "    "])
def test_a_script_in_a_page_and_several_at_once(indent: str) -> None:
    script = "function add(name) {\n  list.append(name);\n}\n\nfunction clear() {\n  list.innerHTML = '';\n}\n"
    page = "<html>\n<body>\n<script>\n" + textwrap.indent(script, indent) + "</script>\n</body>\n</html>\n"
    known, asked = tracked(index_html=page), by_model("Log it.", before=("index.html",))
    found = place(Snippet(script.replace("{\n", "{\n  log(1);\n"), "javascript"), asked, known)
    assert isinstance(found, Shown)
    assert found.text == page.replace("{\n", f"{{\n{indent}  log(1);\n")
    other = place(Snippet(script + "\nfunction more() {}\n", "javascript"), asked, known)
    assert not isinstance(other, Shown), "one of them has no place"
    assert not isinstance(place(Snippet(script, "javascript"), asked, known), Shown), "nothing is new"


ROUTES = (
    'def create_app():\n    app = Flask(__name__)\n\n    # the first page\n    @app.route("/")\n    def index():\n'
    '        return "hello"\n\n    return app\n'
)


@pytest.mark.parametrize("above", ["", '@app.route("/")\n', '# the first page\n@app.route("/")\n'])
def test_what_stands_above_it_is_not_doubled(above: str) -> None:
    known, asked = tracked(app_py=ROUTES), by_model("Return html in index.", before=("app.py",))
    found = place(Snippet(f'{above}def index():\n    return "<h1>"\n', "python"), asked, known)
    assert isinstance(found, Shown)
    comment = "" if above.startswith("@") else "    # the first page\n"
    assert found.text == ROUTES.replace('"hello"', '"<h1>"').replace("    # the first page\n", comment)


def test_another_function_of_the_same_name_is_not_it() -> None:
    other = Snippet("function toggle(menu) {\n  return menu.flip();\n}\n", "javascript")
    asked = by_model("I want a new function toggle(menu).", before=("panel.jsx",))
    assert not isinstance(place(other, asked, tracked(panel_jsx=PANEL)), Shown)


def test_what_the_words_name_goes_before_what_stood_there() -> None:
    """A file, or a definition of two that hold such a function each."""
    new, log = (
        Snippet("function close() {\n  log(1);\n  setOpen(false);\n}\n", "javascript"),
        "    log(1);\n    setOpen(false",
    )
    known = tracked(panel_jsx=PANEL, other_js="export function close(file) {\n  return file.end();\n}\n")
    asked = by_model("In panel.jsx, let close log.", "panel.jsx", before=("other.js", "panel.jsx"))
    found = place(new, asked, known)
    assert isinstance(found, Shown)
    assert (found.path, found.text) == (
        "panel.jsx",
        PANEL.replace("  function close() {\n    setOpen(false", f"  function close() {{\n{log}"),
    )
    both = tracked(panel_jsx=PANEL + "\n" + PANEL.replace("Panel", "Other"))
    found = place(new, by_model("Let close of `Other` log.", entities=("panel.jsx::Other",)), both)
    assert isinstance(found, Shown)
    assert found.text.startswith("export function Other")
    assert log in found.text
