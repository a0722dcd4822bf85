"""Whole chats of people who do not write English."""

from __future__ import annotations

import pytest

from .helpers import Session

LOAD = "def load(path):\n    return open(path).read()\n"
SAVE = "def save(path, text):\n    open(path, 'w').write(text)\n"
IO = f"import os\n\n\n{LOAD}\n\n{SAVE}"
READS = "def load(path):\n    return path.read_text()\n"
CLIP = "def clip(text):\n    return text[:20]\n"


def fence(text: str) -> str:
    return f"```python\n{text}```\n"


@pytest.fixture
def io(session: Session) -> Session:
    return session.ask(f"src/io.py\n{fence(IO)}")


@pytest.mark.parametrize(
    "label",
    [
        "Das ist src/io.py jetzt:",
        "Ecco il file src/io.py aggiornato:",
        "Bu benim src/io.py dosyam:",
        "src/io.py dosyası:",
        "src/io.py 파일 내용:",
        "यह मेरी फ़ाइल src/io.py है:",
        "「src/io.py」",
        "Datei: src/io.py",
        "Fichier : src/io.py",
    ],
)
def test_a_path_and_a_word_or_two_and_a_colon_is_a_label(session: Session, label: str) -> None:
    assert session.ask(f"{label}\n\n{fence(IO)}").holds("src/io.py", IO)


@pytest.mark.parametrize(
    "prompt", ["loadを説明して", "load 설명해줘", "Kannst du mir load() erklären?", "pls explain load()"]
)
def test_an_explanation_changes_nothing(io: Session, prompt: str) -> None:
    assert io.ask(prompt, fence(READS)).holds("src/io.py", IO)


@pytest.mark.parametrize(
    "prompt", ["能不能把`load`改一下？", "`load`を修正してもらえますか？", "Możesz zmienić `load`?"]
)
def test_a_polite_question_changes_it(io: Session, prompt: str) -> None:
    assert io.ask(prompt, fence(READS)).holds("src/io.py", IO.replace(LOAD, READS))


@pytest.mark.parametrize("prompt", ["把`save`删掉", "`save` bitte entfernen", "Удали функцию `save`, она не нужна"])
def test_what_is_asked_to_go_goes(io: Session, prompt: str) -> None:
    left = IO[: IO.index("\n\ndef save")]
    assert io.ask(prompt, f"src/io.py\n{fence(left)}").holds("src/io.py", left)
    assert "src/io.py::save" not in io.state()


@pytest.mark.parametrize("prompt", ["src/io.pyに`clip`を追加して", "ajoute une fonction `clip` dans src/io.py"])
def test_what_is_put_into_a_file_is_of_it(io: Session, prompt: str) -> None:
    state = io.ask(prompt, fence(CLIP)).state()
    assert state["src/io.py::clip"] != "DIRTY"
    assert state["src/io.py"] == "DIRTY"


@pytest.mark.parametrize("prompt", ["新建src/text.py，写一个clip函数", "erstelle src/text.py mit einer Funktion clip"])
def test_what_is_put_into_a_new_file_is_all_of_it(io: Session, prompt: str) -> None:
    assert io.ask(prompt, fence(CLIP)).holds("src/text.py", CLIP)


@pytest.mark.parametrize("prompt", ["ich hab `load` geändert", "我改了`load`", "`load`を変更しました"])
def test_what_the_user_says_that_he_changed_is_unknown(io: Session, prompt: str) -> None:
    assert io.ask(prompt).state()["src/io.py"] == "DIRTY"


@pytest.mark.parametrize("above", ["Voici l'ancienne version :", "这是旧版本：", "Было:"])
def test_an_old_version_is_none(io: Session, above: str) -> None:
    assert io.ask(f"{above}\n\n{fence(READS)}").holds("src/io.py", IO)


@pytest.mark.parametrize("prompt", ["nein, lass es so wie es war", "deshazlo", "no, leave it as it was"])
def test_who_keeps_what_was_has_it(io: Session, prompt: str) -> None:
    io.ask("Let `load` take a Path.", fence(READS))
    assert io.ask(prompt).state()["src/io.py"] == "DIRTY"
