"""What prompts ask for by name."""

import pytest

from tslp_litellm.resolution.intent import Intent
from tslp_litellm.syntax.symbols import Kind


def loses(prompt: str, symbol: str = "title_case", kind: Kind | None = None) -> bool:
    return Intent(prompt, "src/fmt.py").asks_to_lose(symbol, kind)


@pytest.mark.parametrize(
    "prompt",
    [
        "Remove title_case from fmt.py, nobody calls it.",
        "Please delete `title_case`.",
        "remove title_case",
        "Please delete the function title_case and slug",
        "Can you get rid of title_case?",
        "Could you please remove the `title_case` helper, it's no longer used?",
        "Would you mind removing title_case?",
        "I'd like you to remove the title_case function from the module.",
        "Get rid of title_case() and keep clean.",
        "Rename title_case to to_title.",
        "Rename clean to squeeze and title_case to titled.",
        "Replace title_case with to_title everywhere.",
        "Inline title_case into its only caller.",
        "Move title_case to strings.py",
        "In fmt.py, remove title_case and add type hints to clean.",
        "src/fmt.py: remove title_case",
        "Delete the functions `slug`, `title_case`, and `foo`.",
        "Make clean faster. Also remove title_case.",
        "Make clean faster and remove title_case.",
        "Remove title_case because it is unused and update the tests.",
        "Remove title_case. The tests should still pass.",
        "Remove `title_case`. Don't touch anything else.",
        "Remove title_case; keep everything else as is.",
        "title_case is not used any more: delete it",
        "title_case is dead code. Remove it please.",
        "1. Add a docstring to clean\n2. Remove title_case\n",
        "Please make the following changes:\n- Remove title_case\n- make clean faster",
        "Entferne title_case.",
        "Supprime la fonction title_case.",
        "删除 title_case",
        "title_caseを削除してください",
    ],
)
def test_a_loss_asked_for_by_name(prompt: str) -> None:
    assert loses(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "Make clean faster in fmt.py.",
        "Remove the unused function.",
        "Improve title_case.",
        "Remove title_case_old.",
        "Remove my_title_case.",
        "Delete `clean`, and make title_case faster.",
        # negations, conditions, and what takes it back
        "Don't remove title_case.",
        "Do not delete or rename title_case!",
        "Never drop title_case.",
        "Rewrite it without removing title_case.",
        "Remove clean, not title_case",
        "Remove clean and keep title_case",
        "Remove everything but title_case",
        "Remove title_case or clean",
        "Remove title_case if nobody uses it",
        "Remove title_case\nonly if unused",
        "Remove title_case. No wait, keep it.",
        "Remove title_case and put it back later",
        "Entferne title_case nicht.",
        # questions, reports, suppositions, quotations
        "What breaks if I remove title_case?",
        "Should I remove title_case?",
        "Remove title_case? No, keep it.",
        "Remove title_case. Would that break anything?",
        "Who deleted title_case in the last release, and why was title_case removed from the docs?",
        "You deleted title_case by mistake.",
        "I removed title_case yesterday.",
        "If you remove title_case, tests fail",
        "To clean up, one could remove title_case.",
        "Suppose I said the following. Remove title_case.",
        "He said: remove title_case",
        "The reviewer wrote:\n- remove title_case\n- add tests\nIs that right?",
        "> Remove title_case",
        '"Remove title_case" is what the linter says.',
        # other objects, other places
        "Remove the debug print from `title_case`",
        "Remove the call to `title_case`",
        "Remove title_case calls",
        "Remove title_case's docstring",
        "Remove the parameter s from title_case",
        "Add a helper and call it from `title_case`.",
        "Add a button to open and delete title_case",
        "Remove title_case from clean",
        "Remove title_case from other.py",
        "Remove other.py::title_case",
        "Move `title_case` below `clean`.",
        "Move title_case to src/fmt.py",
    ],
)
def test_no_such_thing_was_asked(prompt: str) -> None:
    assert not loses(prompt)


def test_members_are_asked_for_by_their_last_name() -> None:
    assert loses("Remove the method Cart.total", "Cart.total")
    assert loses("Remove Cart.total", "Cart.total#2")
    assert loses("delete `total`", "Cart.total")
    assert loses("delete `total` from Cart", "Cart.total")
    assert not loses("delete `total` from Order", "Cart.total")
    assert loses("The helper Fmt.title_case is unused, remove it.", "Fmt.title_case")


def test_who_removes_a_type_removes_what_is_in_it() -> None:
    assert loses("Remove the class Cart", "Cart.total")
    assert not loses("Remove Cart.total", "Cart")


def test_a_thing_called_what_it_is_not_is_another_one() -> None:
    assert loses("Remove the function total", "total", Kind.FUNCTION)
    assert not loses("Remove the variable total", "total", Kind.FUNCTION)
    assert not loses("Remove the title", "title", Kind.FUNCTION), "some title"


def test_a_rename_needs_both_names() -> None:
    assert Intent("Yes, rename wait_for to await_job in job.py.", "job.py").asks_to_rename("wait_for", "await_job")
    assert not Intent("Rename wait_for.").asks_to_rename("wait_for", "await_job")
    assert not Intent("I get a KeyError when I load a key that is not set.").asks_to_rename("get", "load")
    assert not Intent("Why did you rename wait_for to await_job?").asks_to_rename("wait_for", "await_job")


@pytest.mark.parametrize(
    "prompt",
    [
        "Thanks. Now please add a docstring to clean in fmt.py.",
        "Add type hints to fmt.py.",
        "Great! Can you document fmt.py?",
        "Now in fmt.py, rename clean to squeeze.",
        "I'd like you to extend fmt.py with a slug function.",
        "- improve the names in `fmt.py`",
        "Jetzt ändere fmt.py, bitte.",
        "修改 fmt.py",
        "Rewrite fmt.py",
        "Now make fmt.py faster",
        "Now simplify fmt.py please, and add a test.",
    ],
)
def test_a_further_change(prompt: str) -> None:
    assert Intent(prompt).asks_for_change("fmt.py")


@pytest.mark.parametrize("rest", ["be", "alone", "go", "never break", "executable", "a priority", "other than it is"])
def test_what_a_file_is_let_or_made_is_in_known_words(rest: str) -> None:
    assert not Intent(f"Let fmt.py {rest}.").asks_for_change("fmt.py")
    assert not Intent(f"Make fmt.py {rest}.").asks_for_change("fmt.py")


@pytest.mark.parametrize(
    "prompt",
    [
        "Thanks.",
        "Add a docstring to clean.",
        "What does fmt.py return?",
        "Should I add tests to fmt.py?",
        "I use fmt.py every day.",
        "Don't change fmt.py.",
        "Add a test, but leave fmt.py as it is, do not touch it.",
        "Fix fmt.py: something is missing.",
        "Change fmt.py again, you dropped a function.",
        "Import fmt.py in main.py.",
        "Add a docstring to other/fmt.py.",
        "Let me read fmt.py first.",
        "Let me fix fmt.py myself",
        "Add a README that explains fmt.py",
        "Use fmt.py as the example in the talk.",
        "Add a link to fmt.py",
        "Write a test for fmt.py",
        "Add a test that imports fmt.py",
        "Run fmt.py",
        "Update the docs for fmt.py",
        "Change fmt.py tests",
        "Rename clean to squeeze in fmt.py and in other.py",
    ],
)
def test_no_change_to_the_file(prompt: str) -> None:
    assert not Intent(prompt).asks_for_change("fmt.py")


@pytest.mark.parametrize(
    "prompt",
    ["Remove the duplicate `shout`.", "Remove the old `shout`.", "Remove the second `shout`.", "Remove the newer `shout`.",
     "Lösche die alte Funktion `shout`.", "E.g. delete `shout`.", "Z. B. lösche `shout`.", "P. ex. supprime `shout`."],
)  # fmt: skip
def test_what_may_mean_another_one_or_an_example_is_no_leave(prompt: str) -> None:
    assert not Intent(prompt, "a.py").asks_to_lose("shout")


@pytest.mark.parametrize("prompt", ["Remove the unused `shout`.", "Great job. Remove `shout`.", "Ok. Remove `shout`."])
def test_what_means_the_thing_itself_is_leave(prompt: str) -> None:
    assert Intent(prompt, "a.py").asks_to_lose("shout")
