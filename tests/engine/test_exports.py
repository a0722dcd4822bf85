"""A part of an ECMAScript module that exports what the module exports elsewhere, too."""

from __future__ import annotations

import pytest

from .helpers import Session, sha

BODY = "App() {\n  return 1;\n}"
NEW = "App() {\n  return 2;\n}"


@pytest.mark.parametrize(
    ("file", "part"),
    [
        (f"function {BODY}\n\nexport default App;\n", f"export default function {NEW}"),
        ("const App = () => {\n  return 1;\n};\n\nexport default App;\n", f"export default function {NEW}"),
        (f"function {BODY}\n\nexport {{ App as default }};\n", f"export default function {NEW}"),
        (f"function {BODY}\n\nfunction b() {{}}\n\nexport {{ App, b }};\n", f"export async function {NEW}"),
    ],
)
@pytest.mark.parametrize("by_user", [True, False])
def test_the_part_is_known_and_the_file_is_not(session: Session, file: str, part: str, by_user: bool) -> None:
    session.ask(f"app.js\n```js\nimport a from 'a';\n\n{file}```")
    shown = f"```js\n{part}\n```"
    session.ask(f"App() is this now:\n\n{shown}") if by_user else session.ask("App() should return 2", shown)
    assert session.state()["app.js"] == "DIRTY"
    assert session.state()["app.js::App"] == sha(part)


@pytest.mark.parametrize(
    ("file", "part"),
    [
        (f"function {BODY}\n\nexport {{ App as Main }};\n", f"export function {NEW}"),
        (f"export function {BODY}\n\n// export default App;\n", f"export function {NEW}"),
        (f"function {BODY}\n\nexport default App;\n", f"function {NEW}"),
        (f"export default function {BODY}\n", f"export default function {NEW}"),
    ],
)
def test_what_is_exported_once_stays_known(session: Session, file: str, part: str) -> None:
    session.ask(f"app.js\n```js\nimport a from 'a';\n\n{file}```").ask("App() should return 2", f"```js\n{part}\n```")
    assert session.state()["app.js"] != "DIRTY" and session.state()["app.js::App"] == sha(part)
