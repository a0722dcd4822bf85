"""Texts that end or outrun the parser: kept as whole files, nothing derived from them, nothing else disturbed."""

from __future__ import annotations

from .helpers import Session, sha

SOUND = "class Cart {\n    int total(int a) {\n        return a;\n    }\n}\n"
GREEDY = SOUND + "a=>" * 2400 + "\n"
CRASHING = "- " * 254 + "\n"


def fence(path: str, text: str, language: str = "") -> str:
    return f"{path}\n```{language}\n{text}```\n"


def test_a_users_text_is_the_whole_file(session: Session) -> None:
    session.ask("Look:\n\n" + fence("a.yaml", CRASHING, "yaml"))
    assert session.holds("a.yaml", CRASHING)
    assert session.forget().ask("What does a.yaml hold?").hydrated == ["a.yaml"]
    assert CRASHING.strip() in session.prompt


def test_a_models_text_proves_nothing(session: Session) -> None:
    before = "a: 1\nb: 2\n"
    session.ask("Look:\n\n" + fence("a.yaml", before, "yaml"))
    session.ask("Change a.yaml.", "The whole file:\n\n" + fence("a.yaml", before + CRASHING, "yaml"))
    assert session.holds("a.yaml", before)
    reasons = [state["reason"] for state in session.recent()[0]["artifact_states"]]
    assert reasons
    assert not any(state["state"] == "AUTHORITATIVE" for state in session.recent()[0]["artifact_states"])


def test_symbols_of_a_file_whose_text_is_refused_are_dirty(session: Session) -> None:
    session.ask("Look:\n\n" + fence("Cart.java", SOUND, "java"))
    session.ask("Read it again.", "", {"r": {"name": "Read", "arguments": {"file_path": "Cart.java"}}})
    session.ask(None, results={"r": "".join(f"{n:6}\t{x}" for n, x in enumerate(GREEDY.splitlines(True), 1))})
    assert session.state() == {"Cart.java": sha(GREEDY), "Cart.java::Cart": "DIRTY", "Cart.java::Cart.total": "DIRTY"}
    session.ask("Back:\n\n" + fence("Cart.java", SOUND, "java"))
    assert session.holds("Cart.java", SOUND)
    assert "DIRTY" not in session.state().values()


def test_the_workspace_goes_on(session: Session) -> None:
    session.ask("Look:\n\n" + fence("a.yaml", CRASHING, "yaml") + "\n" + fence("Cart.java", SOUND, "java"))
    assert session.holds("Cart.java", SOUND)
    assert session.holds("a.yaml", CRASHING)
