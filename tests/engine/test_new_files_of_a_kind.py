"""Files that are new, and define what others of their kind define, too (SEMANTICS 2, Which file)."""

from __future__ import annotations

import pytest

from .helpers import Session

OLD = "import argparse\nimport csv\n\n\ndef parse_args():\n    return argparse.ArgumentParser().parse_args()\n\n\ndef main():\n    read(parse_args())\n\n\nif __name__ == '__main__':\n    main()\n"
NEW = OLD.replace("read(parse_args())", "args = parse_args()\n    write(args)")
VIEW = "CREATE VIEW open_orders AS\nSELECT id\nFROM orders\nWHERE status <> 'done';\n"
AGAIN = "CREATE OR REPLACE VIEW open_orders AS\nSELECT id\nFROM orders\nWHERE status = 'new';\n"


@pytest.fixture
def chat(session: Session) -> Session:
    return session.ask(f"scripts/import_all.py\n```python\n{OLD}```\n\ndb/001.sql\n```sql\n{VIEW}```\nThese are mine.")


@pytest.mark.parametrize(
    "prompt",
    [
        "Now write scripts/export_all.py, which prints a CSV.",
        "Create scripts/export_all.py, similar to scripts/import_all.py, which prints a CSV.",
    ],
)
def test_the_one_code_of_an_answer_is_the_file_that_is_asked_for(chat: Session, prompt: str) -> None:
    chat.ask(
        prompt, f"Here is the script:\n\n```python\n{NEW}```\n\nRun it:\n\n```sh\npython scripts/export_all.py\n```"
    )
    assert chat.holds("scripts/import_all.py", OLD) and chat.holds("scripts/export_all.py", NEW)


@pytest.mark.parametrize(
    "prompt",
    [
        "Write db/002.sql that makes open_orders leave out shipped ones.",
        "open_orders should leave out shipped ones. Write a new migration for it, `db/002.sql`.",
        "open_orders should leave out shipped ones. Create a migration for that (db/002.sql)",
    ],
)
def test_so_is_a_migration(chat: Session, prompt: str) -> None:
    chat.ask(prompt, f"Sure:\n\n```sql\n{AGAIN}```")
    assert chat.holds("db/001.sql", VIEW) and chat.holds("db/002.sql", AGAIN)


def test_it_is_what_the_sentence_above_says_to_add(chat: Session) -> None:
    state = chat.ask("open_orders should be new ones.", f"Add a migration, `db/002.sql`:\n\n```sql\n{AGAIN}```").state()
    assert chat.holds("db/001.sql", VIEW) and "db/002.sql::open_orders" in state


@pytest.mark.parametrize("said", ["", "Thanks, scripts/import_all.py works. "])
def test_of_one_without_a_name_nothing_is_known(chat: Session, said: str) -> None:
    before = chat.ask("Thanks.").state()
    assert chat.ask(f"{said}Now write a second script that exports.", f"Here:\n\n```python\n{NEW}```").state() == before


def test_what_the_prompt_has_changed_is_still_its_own_file(chat: Session) -> None:
    chat.ask("Let main of scripts/import_all.py write the args.", f"Here:\n\n```python\n{NEW}```")
    assert chat.holds("scripts/import_all.py", NEW)


def test_beside_a_new_file_the_rest_of_an_answer_goes_where_it_belongs(chat: Session) -> None:
    prompt = "Write scripts/text.py, which has helpers. Let scripts/import_all.py use it."
    chat.ask(prompt, f"```python\ndef slug(s):\n    return s.lower()\n```\n\nAnd:\n\n```python\n{NEW}```")
    assert chat.holds("scripts/import_all.py", NEW) and "scripts/text.py::slug" in chat.state()
