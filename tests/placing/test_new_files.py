"""What a prompt wants made, by the paths that it puts it into."""

from __future__ import annotations

import pytest

from tslp_litellm.placing.new_files import NewFile, alike, is_theirs, leaves_in, new_files, paths_named, paths_put


@pytest.mark.parametrize(
    ("prose", "path"),
    [
        ("Write a small todo app in Python, in todo.py. Tasks are saved in tasks.json.", "todo.py"),
        ("Write a todo app in todo.py that saves to tasks.json.", "todo.py"),
        ("Add a file src/storage.ts that saves a cart to localStorage.", "src/storage.ts"),
        ("Make me a parser in parse.py.", "parse.py"),
        ("Please add a module called parse.py for that.", "parse.py"),
        ("Please create utils/text.py, it has the helpers.", "utils/text.py"),
        ("Can you write a limiter in limiter.go?", "limiter.go"),
        ("Now write tests for add_task and load_tasks in test_todo.py with pytest.", "test_todo.py"),
        ("Schreibe einen Parser in parse.py.", "parse.py"),
    ],
)
def test_a_file_is_wanted(prose: str, path: str) -> None:
    found = {file.path: file for file in new_files(prose, None)}
    assert found[path] == NewFile(path, part=False, names=frozenset())


@pytest.mark.parametrize(
    ("prose", "names"),
    [
        ("Write a function in a.py that reverses a string.", set()),
        ("Write a function `rev` in a.py.", {"rev"}),
        ("Implement the method Cart.add in a.py.", {"add"}),
    ],
)
def test_a_part_of_a_file_is_wanted(prose: str, names: set[str]) -> None:
    assert new_files(prose, None) == [NewFile("a.py", part=True, names=frozenset(names))]


@pytest.mark.parametrize(
    "prose",
    [
        "Fix the parser in a.py.",
        "Add logging to a.py.",
        "Make the parser in a.py faster.",
        "I have a parser in a file called a.py.",
        "How would I write a parser in a.py?",
        "Write a parser like a.py has.",
        "Write a parser in a.py and a lexer in b.py.",
        "Write a parser.",
    ],
)
def test_none_is_wanted(prose: str) -> None:
    assert new_files(prose, None) == []


def test_a_file_and_its_tests_in_one_sentence_are_two() -> None:
    found = new_files("Can you write a parser in parse.py and tests in test_parse.py?", None)
    assert [file.path for file in found] == ["parse.py", "test_parse.py"]


@pytest.mark.parametrize(
    ("path", "other", "expected"),
    [
        ("a.py", "b.py", True),
        ("a.js", "b.ts", True),
        ("a.py", "a.go", False),
        ("a.py", "a.json", False),
        ("a.py", "test_a.py", False),
        ("cart.ts", "cart.test.ts", False),
        ("limiter.go", "limiter_test.go", False),
        ("Cart.java", "CartTest.java", False),
        ("src/contest.py", "src/latest.py", True),
    ],
)
def test_files_alike(path: str, other: str, expected: bool) -> None:
    assert alike(path, other) is expected


def test_a_path_that_is_asked_for_itself() -> None:
    assert paths_put("Create a new file src/a.py, and put it into b.py", None) == {"src/a.py": True, "b.py": False}


@pytest.mark.parametrize(
    ("prompt", "itself"),
    [
        ("erstelle a/b.py mit einer Funktion f", True),
        ("crée a/b.py avec une fonction f", True),
        ("écris f dans a/b.py", False),
        ("añade una función f en a/b.py", False),
        ("escreva f em a/b.py", False),
        ("scrivi f nel file a/b.py", False),
        ("dodaj f w a/b.py", False),
        ("напиши f в a/b.py", False),
        ("a/b.py dosyasına f fonksiyonu ekle", False),
        ("a/b.py içinde f yaz", False),
        ("新建a/b.py，写一个f函数", True),
        ("把f写在a/b.py", False),
        ("在a/b.py里写f函数", False),
        ("a/b.pyを作ってf関数を書いて", True),
        ("`a/b.py`にfを書いて", False),
        ("a/b.py에 f 함수를 추가해줘", False),
        ("a/b.py में f जोड़ो", False),
    ],
)
def test_a_word_of_place_may_stand_behind_the_path(prompt: str, itself: bool) -> None:
    assert paths_put(prompt, None) == {"a/b.py": itself}
    assert paths_named(prompt, None) == {"a/b.py"}


@pytest.mark.parametrize("prompt", ["gofmt -w a/b.py", "there is no a/b.py", "a/b.pyから消して"])
def test_other_words_put_nothing_there(prompt: str) -> None:
    assert paths_put(prompt, None) == {}


def test_a_file_of_the_users_own() -> None:
    assert is_theirs("这是我的文件a/b.py：", "a/b.py")
    assert not is_theirs("修改a/b.py", "a/b.py")


def test_the_last_parts_of_names() -> None:
    assert leaves_in("Let `Cart.add` of cart.py use round_up, Total too.") == {"add", "round_up"}
