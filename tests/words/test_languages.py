"""The same rules for people who do not write English; the words are in `data/words.json`."""

from __future__ import annotations

import pytest

from tslp_litellm.words.sentences import asks_for_deed, holds, is_taken_back, sentences


@pytest.mark.parametrize(
    "said",
    [
        "pls explain load",
        "u can explain load?",
        "Kannst du mir load bitte erklären?",
        "Peux-tu m'expliquer load ?",
        "Explique-moi comment `load` fonctionne.",
        "¿Puedes explicar load?",
        "Explícame load.",
        "Pode explicar load?",
        "Spiegami come funziona `load`.",
        "Wyjaśnij, jak działa `load`.",
        "Расскажи про load",
        "load fonksiyonunu açıklar mısın?",
        "load是什么意思",
        "请问load怎么用？",
        "能解释一下load吗？",
        "loadを説明して",
        "loadを説明していただけますか？",
        "load 설명해줘",
        "`load`가 어떻게 작동하는지 설명해 주세요.",
        "load समझाओ",
        "क्या आप load समझा सकते हैं?",
    ],
)
def test_the_verb_for_explaining_may_stand_last_or_behind_courtesy(said: str) -> None:
    assert not asks_for_deed(said)


@pytest.mark.parametrize(
    "said",
    [
        "would u change load to refuse negatives?",
        "u can make it return 0 if empty?",
        "make it 0 if empty ok?",
        "mind fixing load?",
        "Magst du load ergänzen?",
        "Tu peux modifier load ?",
        "Est-ce que tu peux modifier load ?",
        "¿Me ayudas a cambiar load?",
        "Pode mudar load?",
        "Puoi cambiare load?",
        "Czy możesz zmienić load?",
        "Можешь изменить load?",
        "load fonksiyonunu düzeltebilir misin?",
        "能不能把load改一下？",
        "可以把load改成拒绝负数吗？",
        "loadを修正してもらえますか？",
        "load를 수정해 줄 수 있어?",
        "क्या आप load को बदल सकते हैं?",
        "Comment each line of load.",
        "Come up with a better name for load.",
        "loadに説明を追加して",
    ],
)
def test_a_polite_question_asks_for_the_deed(said: str) -> None:
    assert asks_for_deed(said)


@pytest.mark.parametrize(
    "said", ["¿load es lento?", "load能不能处理负数？", "loadは負数に対応していますか？", "Is total ok?"]
)
def test_other_questions_do_not(said: str) -> None:
    assert not asks_for_deed(said)


@pytest.mark.parametrize(
    "above",
    [
        "Das ist die alte Version:",
        "Alt:",
        "Voici l'ancienne version :",
        "versión anterior:",
        "Esta é a versão antiga:",
        "Questa è la vecchia versione:",
        "To jest stara wersja:",
        "Было:",
        "Eski hali:",
        "这是旧版本：",
        "以前はこうでした：",
        "修正前：",
        "이것은 이전 버전입니다:",
        "यह पुराना संस्करण है:",
        "Alternativ kannst du es auch so schreiben:",
        "Alternativa:",
        "Альтернативный вариант:",
        "另一种写法：",
        "別の書き方：",
    ],
)
def test_an_old_version_and_an_alternative_are_taken_back(above: str) -> None:
    assert is_taken_back(above)


@pytest.mark.parametrize("above", ["Hier ist die neue Version:", "Voici la nouvelle version :", "Стало:", "修正後："])
def test_a_new_version_is_not(above: str) -> None:
    assert not is_taken_back(above)


def test_a_danda_ends_a_sentence() -> None:
    assert sentences("load हटाओ। धन्यवाद") == ["load हटाओ।", "धन्यवाद"]


def test_a_word_behind_a_file_in_a_script_that_parts_none_is_seen() -> None:
    assert holds("shop/cart.pyからloadを削除してください。", "lose")


def test_a_word_of_hindi_goes_on_in_its_vowel_signs() -> None:
    assert holds("इसे हटा दो", "lose")
    assert not holds("का", "deed")
