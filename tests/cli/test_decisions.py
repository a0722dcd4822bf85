"""`decisions`: open questions and what was decided, on a database."""

from __future__ import annotations

from tslp_litellm.diagnostics import models

from .conftest import FMT, LOSSY, Shell, fence


def test_open_ones_and_past_ones(bare: Shell) -> None:
    assert bare.run("decisions").stdout == "Nothing is to be decided, and nothing was.\n"
    client = bare.client().ask("This is mine:\n\n" + fence("fmt.py", FMT))
    client.ask("Make it faster.", fence("fmt.py", LOSSY))
    (one,) = [models.Decision.model_validate(row) for row in bare.json("decisions")["decisions"]]
    assert (one.state, one.kind, one.about) == ("open", "loss", ["fmt.py::title_case"])
    assert f"answered by the line: decision {one.id}: 1" in bare.run("decisions").stdout
    client.ask(f"decision {one.id}: 2")
    (made,) = [models.Decision.model_validate(row) for row in bare.json("decisions")["decisions"]]
    assert (made.id, made.state, made.option, made.chosen) == (one.id, "made", 2, "keep title_case")
    assert "2: keep title_case" in bare.run("decisions").stdout


def test_what_has_moved_is_no_question_any_more(bare: Shell) -> None:
    client = bare.client().ask("This is mine:\n\n" + fence("fmt.py", FMT))
    client.ask("Make it faster.", fence("fmt.py", LOSSY))
    bare.client().ask("I changed it:\n\n" + fence("fmt.py", FMT.replace("title_case", "titled")))
    assert bare.json("decisions")["decisions"] == []
