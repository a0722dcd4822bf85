"""Answers in several fences, and parts of files as models that are asked for no form write them."""

from __future__ import annotations

import pytest

from .helpers import Session

GEO = "PI = 3.14\n\n\ndef area(r):\n    return PI * r * r\n\n\ndef perimeter(r):\n    return 2 * PI * r\n"
MINE = "def area(r):\n    return PI * r ** 2\n"
CHECKED = "def area(r):\n    if r < 0:\n        raise ValueError(r)\n    return PI * r * r\n"


def python(text: str, above: str = "") -> str:
    return f"{above}\n\n```python\n{text}```\n" if above else f"```python\n{text}```\n"


def fenced(path: str, text: str) -> str:
    return f"{path}\n```\n{text}```\n"


@pytest.fixture
def geo(session: Session) -> Session:
    return session.ask(fenced("geo.py", GEO))


class TestWhatIsAskedFor:
    @pytest.mark.parametrize("above", ["This is my `area` now:", "Here is my new area:"])
    @pytest.mark.parametrize("behind", ["Is there anything to improve?", "What do you think?"])
    def test_a_sentence_that_leads_to_code_by_its_name_is_a_label(self, geo: Session, above: str, behind: str) -> None:
        state = geo.ask(f"{above}\n\n{python(MINE)}\n{behind}", python(CHECKED)).state()
        assert geo.holds("geo.py::area", MINE.strip()) and state["geo.py"] != "DIRTY"

    def test_where_the_other_sentences_ask_for_more_it_counts(self, geo: Session) -> None:
        geo.ask(f"Here is my area:\n\n{python(MINE)}\nIt should check r.", python(CHECKED))
        assert geo.holds("geo.py::area", CHECKED.strip())

    def test_what_was_shown_to_one_who_merely_asked_is_in_play_in_the_next_turn(self, geo: Session) -> None:
        geo.ask("How could area check r?", python(CHECKED))
        assert not geo.holds("geo.py::area", CHECKED.strip())
        geo.ask("Nice, please use that.", python(CHECKED, "Sure:"))
        assert geo.holds("geo.py::area", CHECKED.strip())

    def test_what_the_user_says_that_he_applied_is_of_unknown_text(self, geo: Session) -> None:
        geo.ask("How could `area` check r?", python(CHECKED))
        assert geo.ask("I applied your change to `area`.").state()["geo.py::area"] == "DIRTY"


class TestConstants:
    def test_one_that_the_prompt_names_may_come_with_its_import(self, geo: Session) -> None:
        state = geo.ask("In geo.py, use math.pi for PI.", python("import math\n\nPI = math.pi\n")).state()
        assert geo.holds("geo.py::PI", "PI = math.pi") and state["geo.py"] == "DIRTY"

    def test_a_new_one_beside_one_that_is_there_is_no_usage_example(self, geo: Session) -> None:
        state = geo.ask("Add the TAU constant to geo.py.", python("PI = 3.14\nTAU = 2 * PI\n")).state()
        assert geo.holds("geo.py::TAU", "TAU = 2 * PI") and state["geo.py"] == "DIRTY" != state["geo.py::PI"]

    def test_other_values_beside_statements_are_one(self, geo: Session) -> None:
        before = geo.state()
        assert geo.ask("How do I print `area`? Show me PI.", python("PI = 3\nprint(area(2))\n")).state() == before

    def test_one_with_left_out_keys_and_others_is_of_unknown_text(self, session: Session) -> None:
        config = "export const config = {\n  url: 'x',\n  retries: 3,\n};\n\nexport function url() {\n  return config.url;\n}\n"
        session.ask(fenced("c.ts", config))
        state = session.ask(
            "Raise the retries to 5.", "```ts\nexport const config = {\n  // ...\n  retries: 5,\n};\n```\n"
        ).state()
        assert state["c.ts::config"] == state["c.ts"] == "DIRTY" != state["c.ts::url"]

    def test_one_that_does_not_parse_is_none(self, session: Session) -> None:
        before = session.ask(fenced("c.py", "LIMITS = [1, 2]\n\n\ndef f():\n    return LIMITS\n")).state()
        answer = python("LIMITS = [1, 2, 3\n\n\ndef f():\n    return LIMITS\n")
        assert session.ask("Add 3 to LIMITS.", answer).state()["c.py::LIMITS"] == before["c.py::LIMITS"]


JAVA = (
    "public class Account {\n    private int balance;\n\n    public static class Entry {\n        final String kind;\n\n"
    "        Entry(String kind) {\n            this.kind = kind;\n        }\n    }\n}\n"
)
ENTRY = (
    "public static class Entry {\n    final String kind;\n    final long at = 1;\n\n    Entry(String kind) {\n"
    "        this.kind = kind;\n    }\n}\n"
)


class TestMembers:
    @pytest.mark.parametrize("label", ["", "**Account.java**\n\n"])
    def test_a_type_inside_another_one_is_its_member(self, session: Session, label: str) -> None:
        session.ask(fenced("Account.java", JAVA)).ask("Add a timestamp to Entry.", f"{label}```java\n{ENTRY}```\n")
        assert session.holds("Account.java", JAVA.replace("kind;\n\n", "kind;\n        final long at = 1;\n\n"))

    def test_its_constructor_alone_is_of_the_inner_one(self, session: Session) -> None:
        made = "Entry(String kind) {\n    this.kind = kind.trim();\n}\n"
        session.ask(fenced("Account.java", JAVA)).ask("Trim kind in Entry.", f"```java\n{made}```\n")
        assert session.holds("Account.java", JAVA.replace("= kind;", "= kind.trim();"))

    def test_all_of_a_type_inside_another_one_is_known(self, session: Session) -> None:
        text = (
            "class Book:\n    class Meta:\n        ordering = ['id']\n\n    def title(self):\n        return self.t\n"
        )
        session.ask(fenced("m.py", text))
        session.ask("Order by name in Meta of Book.", python("class Meta:\n    ordering = ['name']\n"))
        assert session.holds("m.py", text.replace("'id'", "'name'"))

    def test_a_body_is_no_version_of_what_is_only_declared(self, session: Session) -> None:
        store = "public interface Store {\n    List<Todo> findAll();\n}\n"
        mine = "public class Mine implements Store {\n    @Override\n    public List<Todo> findAll() {\n        return todos;\n    }\n}\n"
        session.ask(fenced("Store.java", store) + "\n" + fenced("Mine.java", mine))
        new = "@Override\npublic List<Todo> findAll() {\n    return List.copyOf(todos);\n}\n"
        session.ask("findAll should return an unmodifiable list.", f"```java\n{new}```\n")
        assert session.holds("Mine.java", mine.replace("todos;", "List.copyOf(todos);"))
        assert session.holds("Store.java", store)
        session.ask("findAll should return an array.", "```java\nTodo[] findAll();\n```\n")
        assert session.holds("Store.java", store.replace("List<Todo>", "Todo[]"))

    def test_a_new_one_is_of_the_type_that_the_sentence_above_names(self, session: Session) -> None:
        text = "class Cache:\n    def get(self, key):\n        return 1\n\n\nclass Client:\n    def fetch(self, url):\n        return 2\n"
        session.ask(fenced("net.py", text))
        answer = python("def clear(self):\n    self.data.clear()\n", "Add a `clear` method to `Cache`:")
        answer += python("def post(self, url):\n    return 3\n", "And a `post` method to `Client`:")
        state = session.ask("I need a way to empty the cache, and to post with the client.", answer).state()
        assert {name for name, one in state.items() if one == "DIRTY"} == {"net.py", "net.py::Cache", "net.py::Client"}
        assert {"net.py::Cache.clear", "net.py::Client.post"} <= state.keys()

    def test_a_new_one_outside_of_its_type_is_of_the_file_that_has_it(self, session: Session) -> None:
        text = 'package cache\n\ntype Store interface {\n\tGet() string\n}\n\ntype memory struct{}\n\nfunc (m *memory) Get() string {\n\treturn ""\n}\n'
        session.ask(fenced("store.go", text))
        answer = "```go\ntype Store interface {\n\tGet() string\n\tDelete()\n}\n```\n\n```go\nfunc (m *memory) Delete() {\n}\n```\n"
        state = session.ask("Add a Delete method to the Store interface and implement it.", answer).state()
        assert state["store.go"] == "DIRTY" not in (state["store.go::memory.Delete"], state["store.go::Store"])

    def test_a_new_one_that_may_be_of_several_types_leaves_those_in_doubt_that_lack_it(self, session: Session) -> None:
        text = "interface Repo {\n    fun all(): Int\n}\n\nclass Memory : Repo {\n    override fun all(): Int = 1\n}\n"
        session.ask(fenced("R.kt", text))
        answer = "```kotlin\ninterface Repo {\n    fun all(): Int\n    fun delete(id: Int)\n}\n```\n"
        answer += "\n```kotlin\noverride fun delete(id: Int) {\n    drop(id)\n}\n```\n"
        state = session.ask("Add delete(id) to Repo and Memory.", answer).state()
        assert {name for name, one in state.items() if one == "DIRTY"} == {"R.kt", "R.kt::Memory"}


class TestWhatIsAdded:
    def test_it_is_of_the_file_to_which_the_sentence_above_adds_it(self, geo: Session) -> None:
        answer = python("def ring(a, b):\n    return area(a) - area(b)\n", "In `geo.py`, add this function:")
        state = geo.ask("I need the area of a ring, too.", answer).state()
        assert state["geo.py"] == "DIRTY" != state["geo.py::ring"]

    def test_a_question_adds_nothing(self, geo: Session) -> None:
        before = geo.state()
        answer = python("def ring(a, b):\n    return area(a) - area(b)\n", "In `geo.py`, add this function:")
        assert geo.ask("How would I get the area of a ring?", answer).state() == before


class TestSteps:
    def test_left_out_code_is_no_version(self, session: Session) -> None:
        text = "class Stack:\n    def __init__(self):\n        self.items = []\n\n    def push(self, x):\n        self.items.append(x)\n"
        new = f"{text}        return self\n"
        session.ask(fenced("stack.py", text))
        part = "def push(self, x):\n    # ... same as before\n    return self\n"
        session.ask("Stack.push should return self.", python(part, "Change it:") + python(new, "The file:"))
        assert session.holds("stack.py", new)

    def test_a_step_that_holds_all_lines_of_the_one_before_is_the_next_one(self, geo: Session) -> None:
        first = "def area(r, scale=1):\n    return PI * r * r * scale\n"
        second = "def area(r, scale=1):\n    if r < 0:\n        raise ValueError(r)\n    return PI * r * r * scale\n"
        geo.ask("Let `area` take a scale and check r.", python(first, "**Step 1**") + python(second, "**Step 2**"))
        assert geo.holds("geo.py", GEO.replace("def area(r):\n    return PI * r * r\n", second))

    def test_two_others_are_versions(self, geo: Session) -> None:
        other = CHECKED.replace("raise ValueError(r)", "return 0")
        state = geo.ask("Let `area` check r.", python(CHECKED, "This:") + python(other, "Or this:")).state()
        assert state["geo.py::area"] == "DIRTY"


class TestOfUnknownText:
    """What answers alone left of unknown text is known again by the next complete one."""

    LINES = python("if r < 0:\n    raise ValueError(r)\n", "Add this at the start of `area`:")

    def test_a_definition(self, geo: Session) -> None:
        assert geo.ask("`area` should check r.", self.LINES).state()["geo.py::area"] == "DIRTY"
        new = CHECKED.replace("(r):\n", '(r):\n    """Area of a circle."""\n', 1)
        state = geo.ask("Add a docstring to `area`.", python(new)).state()
        assert geo.holds("geo.py::area", new.strip()) and state["geo.py"] == "DIRTY"

    def test_a_file(self, geo: Session) -> None:
        whole = GEO.replace("def area(r):\n    return PI * r * r\n", CHECKED)
        geo.ask("`area` should check r.", self.LINES).ask(
            "Give me the complete geo.py.", f"### geo.py\n\n{python(whole)}"
        )
        assert geo.holds("geo.py", whole)

    def test_what_the_user_changed_is_not(self, geo: Session) -> None:
        geo.ask("I changed `area` in geo.py.")
        assert geo.ask("Add a check to `area`.", python(CHECKED)).state()["geo.py::area"] == "DIRTY"


class TestWhatIsReplaced:
    CACHE = (
        "import json\nimport os\n\nFILE = 'c'\n\n\ndef _read(path):\n    return json.load(open(path))\n\n\n"
        "def load():\n    return _read(FILE) if os.path.exists(FILE) else {}\n\n\ndef other():\n    return 1\n"
    )
    NEW = "import json\nfrom pathlib import Path\n\nPATH = Path('c')\n\n\ndef load():\n    return json.loads(PATH.read_text())\n"

    def test_what_all_that_used_it_uses_no_more_is_in_doubt(self, session: Session) -> None:
        session.ask(fenced("cache.py", self.CACHE))
        state = session.ask("Rewrite cache.py with pathlib.", f"`cache.py`\n{python(self.NEW)}").state()
        assert {name for name, one in state.items() if one == "DIRTY"} == {
            "cache.py",
            "cache.py::FILE",
            "cache.py::_read",
        }

    def test_a_name_that_the_answer_uses_in_another_file_is_taken(self, session: Session) -> None:
        a, b = (
            "import json\n\n\ndef _read(p):\n    return json.load(p)\n",
            "from a import _read\n\n\ndef load():\n    return _read(1)\n",
        )
        session.ask(fenced("a.py", a) + "\n" + fenced("b.py", b) + "\n_read should be public.", "Call it read_json.")
        answer = "".join(
            f"**{path}**\n\n{python(text.replace('_read', 'read_json'))}\n" for path, text in (("a.py", a), ("b.py", b))
        )
        state = session.ask("Yes, rename it to read_json in both files.", answer).state()
        assert state["a.py::_read"] == "DIRTY" != state["b.py::load"]


def test_lines_of_a_function_without_its_head_are_of_it(session: Session) -> None:
    text = "import csv\n\n\ndef run(path):\n    rows = []\n    for row in csv.reader(path):\n        rows.append(row)\n    return rows\n\n\ndef main():\n    run('a')\n"
    session.ask(fenced("pipe.py", text))
    lines = "    for row in csv.reader(path):\n        if not row:\n            continue\n        rows.append(row)\n"
    state = session.ask("In pipe.py, run should skip empty rows.", python(lines)).state()
    assert state["pipe.py::run"] == "DIRTY" != state["pipe.py::main"]
