"""What each piece of a text is, for the eye."""

from __future__ import annotations

import pytest

from tslp_litellm import parser
from tslp_litellm.syntax.colouring import pieces
from tslp_litellm.syntax.languages import LANGUAGES, Language, language_named

TEXT = "\ndef f(x):\r\n    return 'é😀' + 1  # <b>\n\n"


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_the_pieces_are_the_whole_text_in_every_language(language: Language) -> None:
    found = pieces(language, TEXT)
    assert not found or sum(length for length, _ in found) == len(TEXT.encode("utf-16-le")) // 2


def test_the_kinds() -> None:
    assert {kind for _, kind in pieces(language_named("python"), TEXT)} == {
        "",
        "keyword",
        "name",
        "string",
        "number",
        "comment",
    }


def test_one_that_can_not_be_coloured_is_none_the_less_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "COLOURED_S", 0.0)
    assert parser.pieces(language_named("python"), TEXT * 5_000) == [], "a short one may be done all the same"
    assert parser.outline(language_named("python"), TEXT).symbols


def test_a_language_that_nobody_knows() -> None:
    assert parser.pieces(None, TEXT) == []
