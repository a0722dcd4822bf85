"""What a user's message says behind an answer: that it only goes on has to be known."""

from __future__ import annotations

import pytest

from tslp_litellm.prose.going_on import only_goes_on, tells_an_end


@pytest.mark.parametrize(
    "text",
    [
        "Now add a docstring to slug",
        "In slug, use casefold.",
        "thanks!",
        "Thanks. Now add a test.",
        "why sed?",
        "Why sed",
        "I see. And in vim?",
        "Also handle None.",
        "slug should keep digits",
        "I haven't run it yet.",
        "Requirements:\n- digits stay",
        "My colleague asked whether slugs are lower case in general.",
        "Could you show me the file when you are done?",
        "Füge jetzt einen Docstring hinzu.",
        "Pourquoi sed ?",
        "请解释一下",
        "Now add types to it",
        "Why did you use sed?",
        "How do I undo it?",
        "Add an undo command",
        "説明してください",
    ],
)
def test_that_it_goes_on_is_known(text: str) -> None:
    assert only_goes_on(text)


CLOSINGS = [
    "Thanks! Now explain cart.",
    "What does X do?",
    "ok",
    "perfect",
    "Write a test for slug.",
    "Great explanation!",
    "Good to know.",
    "That helps.",
    "That makes sense, thanks.",
    "Ah, I see.",
    "Interesting.",
    "I didn't know that.",
    "Very helpful, thank you!",
    "Makes sense.",
    "Got it.",
    "Wonderful.",
    "Brilliant, thanks a lot.",
    "Fair enough.",
    "Cool. And shout?",
    "How about unicode?",
    "Is it fast?",
    "Can you add a docstring?",
    "Please make it async.",
    "I'd like a shorter version.",
    "Why not casefold?",
    "Use casefold instead.",
    "That's clear now.",
    "Nice catch.",
    "I understand.",
    "I like it.",
    "I don't get it.",
    "Let me think about it.",
    "One more question: is it thread-safe?",
    "We need to support German too.",
    "Hm, I'm not sure about this.",
    "No problem.",
    "Sounds good.",
    "Exactly what I was looking for.",
    "That was quick.",
    "lgtm",
    "thx",
    "Good point.",
    "Never mind.",
    "Danke!",
    "Super, danke dir.",
    "Alles klar.",
    "Verstehe, danke für die Erklärung.",
    "Und was macht shout?",
    "Kannst du das kürzer machen?",
    "Das hilft mir sehr.",
    "Klingt gut.",
    "Merci beaucoup !",
    "D'accord, je vois.",
    "Très clair, merci.",
    "Et shout, il fait quoi ?",
    "Ajoute des types.",
    "¡Gracias!",
    "Entendido, gracias por la explicación.",
    "Muy útil.",
    "¿Y qué hace shout?",
    "Añade tipos.",
    "Grazie mille, tutto chiaro.",
    "Ho capito.",
    "Obrigado, entendi.",
    "Muito bom!",
    "Dank je wel.",
    "Duidelijk.",
    "Спасибо, понятно.",
    "А что делает shout?",
    "谢谢，明白了",
    "那shout呢？",
    "ありがとうございます。",
    "なるほど、わかりました。",
    "shoutは何をしますか？",
    "감사합니다",
    "Kiitos!",
    "Tack så mycket.",
    "Teşekkürler.",
    "Dzięki, rozumiem.",
    "👍",
    "🙏 thanks",
    "Hello",
    "Wow.",
    "Haha, nice.",
    "I'll think about it.",
    "That's a good idea, but not now.",
    "Summarize it in one sentence.",
    "Same for shout.",
    "Another one please",
    "Any drawbacks?",
    "Also in Go?",
]
"""What people say behind an answer that they only read."""


@pytest.mark.parametrize("text", CLOSINGS)
def test_ordinary_closings_go_on(text: str) -> None:
    assert only_goes_on(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I ran it.",
        "Done, now add a test.",
        "Great, it ran without errors.",
        "That worked, thanks.",
        "No output.",
        "exit code 0",
        "0",
        "util.py saved",
        "Ich habe es ausgeführt.",
        "Erledigt!",
        "J'ai lancé la commande.",
        "Hecho.",
        "Готово.",
        "完成了",
        "実行しました",
        "Kész.",
        "Tehty.",
        "Hab ich gemacht, was jetzt?",
        "Cool, it works now, can you add types?",
        "I ran it, please add tests.",
        "Deleted.",
        "Moved.",
        "Pasted it in. Next?",
        "Undo that please.",
        "Revert it.",
        "Why did it change line 5 as well?",
        "What did it change?",
        "Warum hat es Zeile 5 geändert?",
        "Now slug returns 'ss' for 'ß', nice.",
        "slug is now in another file.",
    ],
)
def test_what_may_report_an_end(text: str) -> None:
    assert not only_goes_on(text)


def test_an_end_is_told_in_known_words() -> None:
    assert tells_an_end("Ok, I ran the command you gave me. Now what?")
    assert not tells_an_end("Kész.")
    assert not tells_an_end("I haven't run it yet.")


@pytest.mark.parametrize(
    "report",
    [
        "This is removed.", "That was deleted.", "That's gone now.", "I had it renamed.", "I was able to delete it.",
        "We had to rename it.", "That is in.", "This is now in the file.", "I can see it's in place.", "Looks applied.",
        "I see it's gone.", "Questo è tolto.", "Das ist raus.", "C'est supprimé.", "Eso es todo borrado.", "谢谢，删掉了。",
    ],
)  # fmt: skip
def test_what_begins_as_a_remark_and_says_an_end_is_a_report(report: str) -> None:
    """The opening words of an opinion prove nothing of what follows them."""
    assert not only_goes_on(report)
