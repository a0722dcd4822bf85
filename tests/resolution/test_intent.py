"""What prompts ask for by name (SEMANTICS 3, gate B 1)."""

import pytest

from tslp_litellm.resolution.intent import Intent


def loses(prompt: str, symbol: str = "title_case") -> bool:
    return Intent(prompt, "src/fmt.py").asks_to_lose(symbol)


@pytest.mark.parametrize(
    "prompt",
    [
        "Remove title_case from fmt.py, nobody calls it.",
        "Please delete `title_case`.",
        "请删除title_case函数",
        "Rimuovi la funzione title_case",
        "remove title_case",
        "Please delete the function title_case and slug",
        "Can you get rid of title_case?",
        "Get rid of title_case() and keep_clean.",
        "Rename title_case to to_title.",
        "Replace title_case with to_title everywhere.",
        "Inline title_case into its only caller.",
        "Move title_case to strings.py",
        "In fmt.py, remove title_case and add type hints to clean.",
        "src/fmt.py: remove title_case",
        "Remove src/fmt.py::title_case.",
        "Delete the functions `slug`, `title_case`, and `foo`.",
        "Make clean faster. Also remove title_case.",
        "1. Add a docstring to clean\n2. Remove title_case\n",
        "Remove `title_case`. Don't touch anything else.",
        "Entferne title_case.",
        "Supprime la fonction title_case.",
        "title_case is pointless, remove it please",
        "title_case isn't used any more, you can drop it.",
        "The function `title_case` is dead code. Please remove it.",
        "title_case in a.py isn't used any more. Remove it please.",
        "I don't need title_case any more, delete it",
        "We no longer use `title_case`. Remove it.",
        "`title_case` and `clean_all` are not used. Remove them.",
        "title_case, clean_all and trim_all aren't used, drop them",
        "title_case is a bad name, rename it to to_title.",
        "Entferne bitte die Funktion title_case aus src/fmt.py, ich brauche sie nicht mehr.",
        "Kannst du title_case löschen?",
        "title_case bitte entfernen",
        "Supprime title_case, elle ne sert pas.",
        "¿Puedes eliminar title_case?",
        "Remova a função title_case de src/fmt.py, não preciso mais dela.",
        "Elimina la funzione title_case da src/fmt.py, non serve più.",
        "Usuń funkcję title_case, nie jest potrzebna.",
        "Удали функцию title_case, она не нужна",
        "title_case'i sil",
        "把title_case删掉",
        "删除文件中的title_case函数",
        "src/fmt.pyからtitle_case関数を削除してください。",
        "src/fmt.py에서 title_case 함수를 삭제해줘.",
        "src/fmt.py से title_case फ़ंक्शन हटा दो, अब ज़रूरत नहीं है।",
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
        "Remove title_case_old.",
        "Remove my_title_case.",
        "Don't remove title_case.",
        "不要删除title_case",
        "Remove clean and keep title_case",
        "Remove title_case if nobody uses it",
        "What breaks if I remove title_case?",
        "Should I remove title_case?",
        "You deleted title_case by mistake.",
        "I removed title_case yesterday.",
        "Remove the debug print from `title_case`",
        "In title_case the token is logged, remove it please",
        "title_case logs the token, remove it from there",
        "title_case is fine. clean_all is not used, remove it.",
        "title_case is odd, but don't remove it",
        "title_case has a useless print. Remove it.",
        "title_case takes an argument that isn't used, drop it",
        "title_case is fine, but clean_all is slow, drop it",
        "The argument of title_case is not used, so drop it.",
        "We don't need the argument of title_case, drop it.",
        "We don't need clean_all like title_case, drop it.",
        "I don't want you to touch title_case, rename it or drop it.",
        "title_case prints something. Remove it.",
        "title_case has two prints that are not used. Remove them.",
        "Remove the call to `title_case`",
        "Remove title_case's docstring",
        "Remove title_case from other.py",
        "Remove other.py::title_case",
        "Move title_case to src/fmt.py",
        "Move title_case up.",
        "Remove all of the things that were ever written in title_case.",
        "Entferne title_case nicht.",
        "title_case bitte nicht löschen",
        "Den Fehler in title_case entfernen",
        "Kommentare aus der Funktion title_case entfernen",
        "Ne supprime pas title_case",
        "Не удаляй title_case",
        "不要把title_case删掉",
        "把title_case里的print删掉",
        "title_caseのprintを削除して",
        "title_caseを削除しないで",
        "古い関数を削除して、title_caseを修正して",
        "title_case에서 print 삭제해줘",
    ],
)
def test_no_such_thing_was_asked(prompt: str) -> None:
    assert not loses(prompt)


def test_a_plain_word_counts_only_just_behind() -> None:
    assert loses("Please tidy src/fmt.py: delete shout.", "shout")
    assert loses("Delete the function shout.", "shout")
    assert not loses("Remove what makes it shout.", "shout")
    assert loses("Remove what makes it `shout`.", "shout"), "at most four words later, where it is marked as a name"


def test_members_are_asked_for_by_their_last_name() -> None:
    assert loses("Remove the method Cart.total", "Cart.total")
    assert loses("Remove Cart.total", "Cart.total#2")
    assert loses("delete `total` from Cart", "Cart.total")
    assert not loses("delete `total` from Order", "Cart.total")
    assert not loses("delete `total` from Order", "total")


def test_who_removes_a_type_removes_what_is_in_it() -> None:
    assert loses("Remove the class Cart", "Cart.total")
    assert not loses("Remove Cart.total", "Cart")


@pytest.mark.parametrize("new", ["Cart.put", "put", "Cart.go", "Basket.put"])  # `.go` is an extension, too
@pytest.mark.parametrize("where", ["", " in src/fmt.py", " everywhere in fmt.py"])
@pytest.mark.parametrize("mark", ["`", ""])
def test_a_member_is_no_path(new: str, where: str, mark: str) -> None:
    prompt = f"Rename {mark}Cart.add{mark} to {mark}{new}{mark}{where}."
    assert loses(prompt, "Cart.add")
    assert Intent(prompt, "src/fmt.py").asks_to_rename("Cart.add", new)
    assert not loses(prompt, "Cart.size")
    assert not loses(prompt, "Cart")


@pytest.mark.parametrize(
    ("prompt", "lost"),
    [
        ("Remove `Cart.add` and `Cart.put`.", {"Cart.add", "Cart.put"}),
        ("Remove `Cart.add` and keep `Cart.put`.", set()),  # whoever keeps something is not read for what goes
        ("Remove Cart::add.", {"Cart.add"}),
        ("Delete Cart->add and Cart#put.", {"Cart.add", "Cart.put"}),
        ("Replace `Cart.add` for Python 3.12.", {"Cart.add"}),
        ("Remove `Cart.add` from cart.py.", set()),
        ("Remove `load` from utils.io.", set()),
        ("Remove `load` from src/io/.", set()),
        ("Remove load.py.", set()),
        ("Move `Cart.add` to `Basket.put`.", set()),  # no other file
        ("Remove Cart.", {"Cart", "Cart.add", "Cart.put"}),
    ],
)
def test_what_goes_and_what_is_only_beside_it(prompt: str, lost: set[str]) -> None:
    assert {name for name in ("Cart", "Cart.add", "Cart.put", "load") if loses(prompt, name)} == lost


def test_a_rename_needs_both_names() -> None:
    assert Intent("Yes, rename wait_for to await_job in job.py.", "job.py").asks_to_rename("wait_for", "await_job")
    assert not Intent("Rename wait_for.").asks_to_rename("wait_for", "await_job")
    assert Intent("wait_for should be called await_job.").asks_to_rename("wait_for", "await_job")
    assert not Intent("I get a KeyError when I load a key that is not set.").asks_to_rename("get", "load")
    assert not Intent("Add a helper and call it from `slug`.").asks_to_rename("slug", "helper")
    assert not Intent("Why did you rename wait_for to await_job?").asks_to_rename("wait_for", "await_job")


def test_the_main_guard() -> None:
    assert Intent("Remove the main guard.").asks_to_lose_guard()
    assert not Intent("Add a main guard.").asks_to_lose_guard()


def test_mentions_are_words_of_their_own() -> None:
    assert Intent("Let `GetKey` refuse it").mentions("GetKey")
    assert Intent("Make total faster").mentions("Cart.total")
    assert not Intent("Make subtotal faster").mentions("Cart.total")


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("Remove `title` from src/fmt.py.", True),
        ("Delete title.", True),
        ("Please get rid of the method `title`", True),
        ("Rename `title` in src/fmt.py to `heading`.", False),
        ("Inline `title`, it is used once.", False),
        ("Never delete `title`.", False),
        ("Rename `slug` to `title`, then delete `title`.", True),
    ],
)
def test_only_what_is_to_go_for_good_is_removed(prompt: str, expected: bool) -> None:
    assert Intent(prompt, "src/fmt.py").asks_to_remove("title") is expected


@pytest.mark.parametrize(
    "prompt",
    [
        "Renombra value a valor en stock.py.",
        "Benenne `value` in stock.py in `valor` um.",
        "Renomme value en valor.",
        "Ersetze value durch valor.",
    ],
)
def test_a_rename_in_other_languages(prompt: str) -> None:
    intent = Intent(prompt, "stock.py")
    assert intent.asks_for_new_name("Item.value", "Item.valor")
    assert not intent.asks_to_remove("Item.value")
