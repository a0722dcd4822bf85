"""Code that goes somewhere inside a component, by the names that only stand in there."""

from __future__ import annotations

import pytest

from tslp_litellm.parser import outline
from tslp_litellm.placing.inside import TEXT_CHARS_MAX, used_inside
from tslp_litellm.syntax.languages import language_named

ECMA = language_named("javascript")
APP = "function App() {\n  const [n, setN] = useState(0);\n  const reset = () => setN(0);\n  return n;\n}\n"


def test_of_two_components_it_is_the_one_that_holds_all() -> None:
    base = outline(ECMA, APP + APP.replace("App", "Other").replace("reset", "clear"))
    assert used_inside(ECMA, "setN(1);\n", base) is None
    assert used_inside(ECMA, "setN(1);\nclear();\n", base) == "Other"


@pytest.mark.parametrize("piece", ["a", "const [", "const {", "(", "({", "a: ", "use", "'", " "])
def test_no_text_is_too_long(piece: str) -> None:
    base = outline(ECMA, APP)
    for times in (TEXT_CHARS_MAX // len(piece), TEXT_CHARS_MAX):
        assert used_inside(ECMA, piece * times, base) in (None, "App")
