"""A mention of something that was moved or renamed means what it is now (SEMANTICS 10); who still uses the old name is
listed until nobody does."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

import pytest
from sqlalchemy import Connection

from tslp_litellm.state.values import KeptUse
from tslp_litellm.store import uses

from .helpers import Session

CART = "import math\n\n\ndef total(items):\n    return math.fsum(items)\n\n\ndef size(items):\n    return len(items)\n"
RENAMED = CART.replace("total", "sum_total")
API = "from .cart import total\n\n\ndef checkout(items):\n    return total(items)\n"


def fence(path: str, text: str) -> str:
    return f"{path}\n```python\n{text}```\n"


def shell(session: Session, command: str) -> Session:
    call: dict[str, Any] = {"name": "bash", "arguments": {"command": command}}
    session.ask("Do it.", None, calls={"c": call})
    return session.ask(None, "Done.", results={"c": ""})


@pytest.fixture
def shop(session: Session) -> Session:
    return session.ask("These are mine:\n\n" + fence("src/cart.py", CART) + fence("src/api.py", API))


def test_a_renamed_function_is_found_by_its_old_name(shop: Session) -> None:
    shop.ask("Rename `total` to `sum_total` in src/cart.py.", fence("src/cart.py", RENAMED))
    shop.forget().ask("What does `total` need?")
    assert shop.hydrated == ["src/cart.py::sum_total"]
    assert "- src/cart.py::total is src/cart.py::sum_total now" in shop.prompt
    assert "were removed" not in shop.prompt


@pytest.mark.parametrize("new", ["sumup", "sum_total"])
def test_beside_its_file_it_is_meant_alone(shop: Session, new: str) -> None:
    shop.ask(f"Rename `total` to {new} in src/cart.py.", fence("src/cart.py", CART.replace("total", new)))
    shop.forget().ask(f"Rename `total` to {new} in src/cart.py.")
    assert shop.hydrated == [f"src/cart.py::{new}"]
    assert shop.forget().ask("What does `total` do in src/api.py?").hydrated == ["src/api.py", f"src/cart.py::{new}"]


def test_twins_that_are_renamed_in_their_own_files_went_to_no_other_one(session: Session) -> None:
    twins = {
        name: f"import db\n\n\ndef load(key):\n    return db.get(key)\n\n\ndef {name}(x):\n    return x.{name}\n"
        for name in ("user", "order")
    }
    session.ask("Write both.", "".join(fence(f"src/{name}.py", text) for name, text in twins.items()))
    renamed = {name: text.replace("load", f"load_{name}") for name, text in twins.items()}
    said = "".join(fence(f"src/{name}.py", text) for name, text in renamed.items())
    prompt = session.ask("Clean up src/user.py and src/order.py.", said).ask("Go on.").prompt
    assert prompt.count("[STATE NOTICE]") == 2 and "previous output renames" not in prompt
    assert all(f"removes src/{name}.py::load and brings src/{name}.py::load_{name}" in prompt for name in twins)


def test_and_by_one_older_still(shop: Session) -> None:
    shop.ask("Rename `total` to `sum_total` in src/cart.py.", fence("src/cart.py", RENAMED))
    again = RENAMED.replace("sum_total", "grand_total")
    shop.ask("Rename `sum_total` to `grand_total` in src/cart.py.", fence("src/cart.py", again))
    assert shop.forget().ask("What does `total` need?").hydrated == ["src/cart.py::grand_total"]


def test_a_moved_file_is_found_by_its_old_path(shop: Session) -> None:
    shell(shop, "mv src/cart.py src/basket.py")
    shop.forget().ask("Explain src/cart.py.")
    assert shop.hydrated == ["src/basket.py"]
    assert shop.forget().ask("Explain `src/cart.py::size`.").hydrated == ["src/basket.py::size"]


class TestLongAgo:
    """Once no tombstone is listed any more."""

    @pytest.fixture
    def talk(self, shop: Session) -> Callable[[], Session]:
        def play() -> Session:
            for n in range(12):
                shop.forget().ask(f"Talk {n}.", "Yes.")
            return shop.forget()

        return play

    @pytest.mark.parametrize("said", ["`src/cart.py::total`", "`total`", "`total` in src/cart.py"])
    def test_an_old_name_is_followed(self, shop: Session, talk: Callable[[], Session], said: str) -> None:
        shop.ask("Rename `total` to `sum_total` in src/cart.py.", fence("src/cart.py", RENAMED))
        talk().ask(f"What does {said} do?")
        assert "src/cart.py::sum_total" in shop.hydrated
        assert "- src/cart.py::total is src/cart.py::sum_total now" in shop.prompt

    def test_an_old_path_is_followed(self, shop: Session, talk: Callable[[], Session]) -> None:
        shell(shop, "mv src/cart.py src/basket.py")
        for said, lives in (("src/cart.py", "src/basket.py"), ("`src/cart.py::size`", "src/basket.py::size")):
            assert talk().ask(f"Explain {said}.").hydrated == [lives]
            assert "moved or renamed; what is meant is what they are now" in shop.prompt

    def test_what_was_removed_is_not_told_any_more(self, shop: Session, talk: Callable[[], Session]) -> None:
        shell(shop, "rm src/cart.py")
        assert "were removed" in shop.forget().ask("What does `src/cart.py::total` do?").prompt
        talk().ask("What does `src/cart.py::total` do?")
        assert "src/cart.py::total" not in shop.prompt.replace("`src/cart.py::total`", "")


@pytest.mark.parametrize(
    "text",
    [
        CART.partition("\n\n\ndef total")[0] + "\n\n\ndef size(items):\n    return len(items)\n",  # gone
        RENAMED.replace("fsum(items)", "fsum(items) + 1"),  # renamed and changed: who knows
        RENAMED + "\n\ndef add_total(items):\n    return math.fsum(items)\n",  # two that may be it
    ],
)
def test_what_is_not_surely_the_same_is_removed(shop: Session, text: str) -> None:
    shell(shop, f"cat > src/cart.py <<'END'\n{text}END")
    shop.forget().ask("What does `total` need?")
    assert "src/cart.py::total\n" in shop.prompt
    assert "were removed" in shop.prompt
    assert "is what they are now" not in shop.prompt


def test_who_still_uses_the_old_name_is_listed_until_nobody_does(shop: Session) -> None:
    shop.ask("Rename `total` to `sum_total` in src/cart.py.", fence("src/cart.py", RENAMED))
    for _ in range(2):  # in that conversation's prompts, whatever they mention
        prompt = shop.ask("What is a good name for a cat?", "Tom.").prompt
        assert "src/cart.py::total is src/cart.py::sum_total now. These entities still use it" in prompt
        assert "- src/api.py::checkout\n" in prompt
    new = API.replace("total", "sum_total")
    assert "still use" not in shop.ask("This is mine now:\n\n" + fence("src/api.py", new)).prompt
    assert "still use" not in shop.ask("And for a dog?", "Rex.").prompt


@pytest.mark.parametrize("by", ["decision", "earlier decision", "going on", "audit"])
def test_whatever_made_it_the_truth(shop: Session, by: str) -> None:
    def offered() -> Session:
        shop.ask("Give a cat's name.", "Tom.")
        return shop.ask("Clean src/cart.py up.", fence("src/cart.py", RENAMED))

    if by == "audit":
        (asked,) = offered().questions
        assert shop.audit(asked, "completed") == "promoted"
    elif by == "going on":
        offered().ask("Now document `size` in src/cart.py.", "Well.")
    else:
        decide(offered())
    if by == "earlier decision":
        shell(shop.forget(), f"cat > src/cart.py <<'END'\n{CART}END")
        assert shop.holds("src/cart.py", CART)
        offered().ask("Continue.")
        assert "decided earlier" in shop.prompt
    assert "src/cart.py::total" not in shop.state()
    for _ in range(2):
        assert "- src/api.py::checkout\n" in shop.ask("What is a good name for a cat?", "Tom.").prompt


def decide(session: Session) -> None:
    found = re.search(r"Only the user decides, by the line: (.+)", session.ask("Continue.").prompt)
    assert found is not None
    session.ask(found[1])


@pytest.mark.parametrize("by", ["model", "tool"])
def test_a_new_import_ends_a_use_though_its_user_is_the_same(shop: Session, by: str) -> None:
    shop.ask("Rename `total` to `sum_total` in src/cart.py.", fence("src/cart.py", RENAMED))
    assert "- src/api.py::checkout\n" in shop.ask("What is a good name for a cat?", "Tom.").prompt
    new = API.replace("import total", "import sum_total as total")
    if by == "model":
        shop.ask("Mend the import in src/api.py.", fence("src/api.py", new))
    else:
        shell(shop, f"cat > src/api.py <<'END'\n{new}END")
    assert shop.holds("src/api.py", new)
    assert "still use" not in shop.ask("And for a dog?", "Rex.").prompt


def test_also_when_an_answer_is_given_anew(shop: Session) -> None:
    shop.ask("Rename `total` to `sum_total` in src/cart.py.", fence("src/cart.py", RENAMED))
    shop.ask("What is a good name for a cat?", "Tom.")
    for prompt in ("What is a good name for a cat?", "And for a dog?", "What is a good name for a bird?"):
        shop.messages = shop.messages[:-2]
        assert "- src/api.py::checkout\n" in shop.ask(prompt, "Jack.").prompt
    assert "- src/api.py::checkout\n" in shop.ask("And for a fish?", "Nemo.").prompt


def test_but_not_where_that_undoes_the_rename(shop: Session) -> None:
    shop.ask("Rename `total` to `sum_total` in src/cart.py.", fence("src/cart.py", RENAMED))
    shop.messages = shop.messages[:-2]
    shop.ask("What is a good name for a cat, by the way?", "Tom.")
    assert "still use" not in shop.prompt
    assert "still use" not in shop.ask("And for a dog?", "Rex.").prompt


def test_elsewhere_only_where_the_file_is_mentioned(shop: Session) -> None:
    shop.ask("Rename `total` to `sum_total` in src/cart.py.", fence("src/cart.py", RENAMED))
    assert "still use" not in shop.forget().ask("What is a good name for a cat?", "Tom.").prompt
    assert "- src/api.py::checkout\n" in shop.forget().ask("What does `sum_total` need?").prompt


REPORT = "from .cart import total\n\n\ndef report(items):\n    return str(total(items))\n"


def test_who_else_uses_it_is_told_where_a_user_is_mentioned(shop: Session) -> None:
    shop.ask("This is mine, too:\n\n" + fence("src/report.py", REPORT))
    shop.ask("Rename `total` to `sum_total` in src/cart.py.", fence("src/cart.py", RENAMED))
    prompt = shop.forget().ask("Explain `checkout`.").prompt
    assert "src/api.py::checkout uses:\n- src/cart.py::total is src/cart.py::sum_total now; it was: def tot" in prompt
    assert "src/cart.py::total is src/cart.py::sum_total now. These entities still use it" in prompt
    assert "- src/report.py::report\n" in prompt
    assert "- src/api.py::checkout\n" not in prompt  # told above


def test_a_user_of_which_there_is_no_room_to_tell_is_listed(sessions: Callable[..., Session]) -> None:
    shop = sessions(dependencies_tokens_max=5)
    shop.ask("These are mine:\n\n" + fence("src/cart.py", CART) + fence("src/api.py", API))
    shop.ask("Rename `total` to `sum_total` in src/cart.py.", fence("src/cart.py", RENAMED))
    prompt = shop.forget().ask("Explain `checkout`.").prompt
    assert "it was: " not in prompt
    assert "- src/api.py::checkout\n" in prompt


def test_of_very_many_users_some_are_looked_at_and_none_is_forgotten(shop: Session) -> None:
    shop.ask("Rename `total` to `sum_total` in src/cart.py.", fence("src/cart.py", RENAMED))
    crowd = [KeptUse(f"a/m.py::f{n}", "src/cart.py::gone", "import", "", "") for n in range(uses.GONE_MAX + 500)]
    with shop.database.writing() as connection:
        real = uses.of_paths(connection, 1, ["src/api.py"])
        keep(connection, crowd, {use.entity for use in real})
        assert len(uses.of_gone(connection, 1, ["src/cart.py"])) == uses.GONE_MAX
    shop.ask("What is a good name for a cat?", "Tom.")
    with shop.database.writing() as connection:
        keep(connection, real, {use.entity for use in crowd})
    assert "- src/api.py::checkout\n" in shop.ask("And for a dog?", "Rex.").prompt


def keep(connection: Connection, rows: Sequence[KeptUse], replaced: Collection[str]) -> None:
    head = uses.head(connection, 1)
    uses.write(connection, 1, head, gone=(), known={}, replaced=replaced, rows=rows, parts={})


@pytest.mark.parametrize("said", ["src/basket.py::total", "src/basket.py"])
def test_who_uses_what_lived_in_another_file_is_told_where_it_lives_now(shop: Session, said: str) -> None:
    shell(shop, "mv src/cart.py src/basket.py")
    prompt = shop.forget().ask(f"Explain `{said}`.").prompt
    assert "src/cart.py::total is src/basket.py::total now. These entities still use it by its old name" in prompt
    assert "- src/api.py::checkout\n" in prompt


def test_also_where_that_file_was_known_before(shop: Session) -> None:
    shop.ask("This is mine, too:\n\n" + fence("src/basket.py", "import math\n\n\ndef count(items):\n    return 1\n"))
    total = "\n\ndef total(items):\n    return math.fsum(items)\n"
    less, more = CART.replace(total, ""), "import math\n\n\ndef count(items):\n    return 1\n" + total
    shell(shop, f"cat > src/cart.py <<'END'\n{less}END\ncat > src/basket.py <<'END'\n{more}END")
    assert "- src/api.py::checkout\n" in shop.forget().ask("Explain `src/basket.py::total`.").prompt


def test_a_moved_file_was_shown(shop: Session) -> None:
    shell(shop, "mv src/cart.py src/basket.py").forget()
    prompt = shop.ask("Explain `checkout`.").prompt
    assert "- src/cart.py::total is src/basket.py::total now; it was: def total(items):" in prompt
    assert "never shown" not in prompt
    shop.forget().ask("This is mine now:\n\n" + fence("src/api.py", API + "\n\ndef size():\n    return 1\n")).forget()
    assert "never shown" not in shop.ask("Explain `checkout`.").prompt


def dirtied(session: Session, path: str) -> Session:
    shell(session, f"sed -i s/items/things/ {path}")
    assert session.state()[path] == "DIRTY"
    return session


def test_what_lives_where_the_text_is_not_known_is_looked_for_no_further(session: Session) -> None:
    session.ask("These are mine:\n\n" + fence("src/cart.py", CART) + fence("src/old.py", CART))
    shell(shell(session, "mv src/old.py src/older.py"), "mv src/cart.py src/old.py")
    assert session.forget().ask("What does `src/cart.py::total` need?").hydrated == ["src/old.py::total"]
    dirtied(session, "src/old.py").forget().ask("What does `src/cart.py::total` need?")
    assert session.hydrated == []
    assert "src/older.py" not in session.prompt


def test_who_uses_it_as_far_as_known_is_no_known_user(shop: Session) -> None:
    dirtied(shop, "src/api.py").forget()
    shop.ask("Rename `total` to `sum_total` in src/cart.py.", fence("src/cart.py", RENAMED))
    assert "still use" not in shop.ask("What is a good name for a cat?", "Tom.").prompt


class TestUnread:
    """While the Ledger was not read for the uses as far as it goes."""

    @pytest.fixture
    def lagging(self, shop: Session, monkeypatch: pytest.MonkeyPatch) -> Session:
        monkeypatch.setattr(shop.engine, "bring_up", lambda _key: False)
        return shop

    def test_a_user_that_has_changed_is_not_said_to_use_the_old_name(self, lagging: Session) -> None:
        new = API.replace("total", "sum_total")
        lagging.ask("Rename `total` to `sum_total` in src/cart.py.", fence("src/cart.py", RENAMED))
        assert "- src/api.py::checkout\n" in lagging.ask("And for a cat?", "Tom.").prompt
        lagging.ask("This is mine now:\n\n" + fence("src/api.py", new))
        assert "still use" not in lagging.ask("And for a dog?", "Rex.").prompt

    def test_what_was_removed_is_remembered_until_its_users_are_known(
        self, session: Session, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        session.ask("This is mine:\n\n" + fence("src/cart.py", CART))
        monkeypatch.setattr(session.engine, "bring_up", lambda _key: False)
        session.ask("This is mine:\n\n" + fence("src/api.py", API))
        session.ask("Rename `total` to `sum_total` in src/cart.py.", fence("src/cart.py", RENAMED))
        session.ask("What is a good name for a cat?", "Tom.")
        monkeypatch.undo()
        renamed = RENAMED.replace("sum_total", "all_total")  # an event that the uses are read at
        session.ask("Rename `sum_total` to `all_total` in src/cart.py.", fence("src/cart.py", renamed))
        assert "src/cart.py::total is src/cart.py::all_total now" in session.ask("And for a dog?", "Rex.").prompt

    def test_a_file_that_was_shown_is_not_said_to_be_unknown(
        self, session: Session, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        session.ask("This is mine:\n\n" + fence("src/api.py", API))
        monkeypatch.setattr(session.engine, "bring_up", lambda _key: False)
        session.ask("This is mine:\n\n" + fence("src/cart.py", CART)).forget()
        assert "never shown" not in session.ask("Explain `checkout`.").prompt

    def test_nor_what_a_newer_text_asks_for_no_more(self, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
        session.ask("This is mine:\n\n" + fence("src/api.py", API)).forget()
        assert "never shown: `total` of `.cart`" in session.ask("Explain `checkout`.").prompt
        monkeypatch.setattr(session.engine, "bring_up", lambda _key: False)
        new = API.partition("\n\n\n")[2].replace("total", "len")
        session.ask("This is mine now:\n\n" + fence("src/api.py", new)).forget()
        assert "never shown" not in session.ask("Explain `checkout`.").prompt
