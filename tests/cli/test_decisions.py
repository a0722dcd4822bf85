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


def test_an_open_one_stands_where_the_episodes_do(bare: Shell) -> None:
    client = bare.client().ask("This is mine:\n\n" + fence("fmt.py", FMT))
    client.ask("Make it faster.", fence("fmt.py", LOSSY))
    (one,) = bare.json("decisions")["decisions"]
    asked = f"  DECISION  {one['says']}"
    assert bare.run("recent").stdout.count(asked) == 1
    assert bare.run("log", "--last", "2", "--count", "2").stdout.count(asked) == 1
    client.ask(f"decision {one['id']}: 2")
    assert asked not in bare.run("recent").stdout + bare.run("log", "--last", "3", "--count", "3").stdout


def test_what_has_moved_is_no_question_any_more(bare: Shell) -> None:
    client = bare.client().ask("This is mine:\n\n" + fence("fmt.py", FMT))
    client.ask("Make it faster.", fence("fmt.py", LOSSY))
    bare.client().ask("I changed it:\n\n" + fence("fmt.py", FMT.replace("title_case", "titled")))
    assert bare.json("decisions")["decisions"] == []
