"""A function that is new to a type, shown alone, in languages that have functions outside of types, too."""

from __future__ import annotations

import textwrap

import pytest

from .helpers import Session

FILES = {
    "app/NotesModel.kt": (
        "package com.acme\n\nclass NotesModel(private val dao: Dao) {\n\n    fun refresh() {\n        dao.load()\n    }\n\n"
        "    fun add(text: String) {\n        dao.insert(text)\n    }\n}\n",
        "    fun remove(text: String) {\n        dao.delete(text)\n        refresh()\n    }\n",
    ),
    "Sources/NotesModel.swift": (
        "import Foundation\n\nfinal class NotesModel {\n    private var notes: [String] = []\n\n"
        "    func add(_ text: String) {\n        notes.append(text)\n    }\n}\n",
        "    func remove(at index: Int) {\n        notes.remove(at: index)\n    }\n",
    ),
    "src/NotesModel.java": (
        "package com.acme;\n\npublic class NotesModel {\n    private final Db db;\n\n    public NotesModel(Db db) {\n"
        "        this.db = db;\n    }\n\n    public void add(String text) {\n        db.insert(text);\n    }\n}\n",
        "    public void remove(String text) {\n        db.delete(text);\n    }\n",
    ),
    "src/NotesModel.cs": (
        "namespace Acme;\n\npublic class NotesModel\n{\n    private readonly Db db;\n\n    public void Add(string text)\n"
        "    {\n        db.Insert(text);\n    }\n}\n",
        "    public void remove(string text)\n    {\n        db.Delete(text);\n    }\n",
    ),
    "notes/model.py": (
        "import db\n\n\nclass NotesModel:\n    def __init__(self):\n        self.notes = []\n\n    def add(self, text):\n"
        "        self.notes.append(text)\n",
        "    def remove(self, text):\n        self.notes.remove(text)\n",
    ),
    "src/notes.ts": (
        "import { Db } from './db';\n\nexport class NotesModel {\n  notes: string[] = [];\n\n  add(text: string): void {\n"
        "    this.notes.push(text);\n  }\n}\n",
        "  remove(text: string): void {\n    this.notes.splice(this.notes.indexOf(text), 1);\n  }\n",
    ),
    "lib/notes.rb": (
        "require 'db'\n\nclass NotesModel\n  def add(text)\n    @notes << text\n  end\nend\n",
        "  def remove(text)\n    @notes.delete(text)\n  end\n",
    ),
    "src/NotesModel.php": (
        "<?php\n\nnamespace Acme;\n\nclass NotesModel\n{\n    private array $notes = [];\n\n"
        "    public function add(string $text): void\n    {\n        $this->notes[] = $text;\n    }\n}\n",
        "    public function remove(int $n): void\n    {\n        unset($this->notes[$n]);\n    }\n",
    ),
    "src/notes.rs": (
        "use crate::db;\n\npub struct NotesModel {\n    notes: Vec<String>,\n}\n\nimpl NotesModel {\n"
        "    pub fn add(&mut self, text: String) {\n        self.notes.push(text);\n    }\n}\n",
        "    pub fn remove(&mut self, n: usize) {\n        self.notes.remove(n);\n    }\n",
    ),
    "src/notes.dart": (
        "import 'db.dart';\n\nclass NotesModel {\n  final notes = <String>[];\n\n  void add(String text) {\n    notes.add(text);\n  }\n}\n",
        "  void remove(String text) {\n    notes.remove(text);\n  }\n",
    ),
    "src/Notes.scala": (
        "package acme\n\nclass NotesModel(db: Db) {\n  def add(text: String): Unit = {\n    db.insert(text)\n  }\n}\n",
        "  def remove(text: String): Unit = {\n    db.delete(text)\n  }\n",
    ),
}


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize(
    ("prompt", "above"),
    [
        ("now removing in the model", "{path}"),
        ("Add a remove function to NotesModel", "{path}"),
        ("Add a remove function to NotesModel", "In `NotesModel`:"),
        ("Add a remove function to NotesModel", "Add this:"),
        ("Add a remove function to `NotesModel`", "Add this:"),
    ],
)
def test_it_is_a_member_and_its_type_and_file_are_in_doubt(
    session: Session, path: str, prompt: str, above: str
) -> None:
    text, new = FILES[path]
    session.ask(f"{path}\n```\n{text}```").ask(prompt, f"{above.format(path=path)}\n\n```\n{new}```")
    state = session.state()
    assert f"{path}::NotesModel.remove" in state
    assert f"{path}::remove" not in state
    outside = path.endswith(".rs")  # members of an `impl` are no part of the type's text
    assert (state[path], state[f"{path}::NotesModel"] == "DIRTY") == ("DIRTY", not outside)


@pytest.mark.parametrize("path", ["app/NotesModel.kt", "Sources/NotesModel.swift", "src/NotesModel.php"])
@pytest.mark.parametrize(
    ("prompt", "above", "member"),
    [
        ("now removing in the model", "{path}", False),
        ("Add a remove function", "{path}", False),
        ("Add a remove function to NotesModel", "{path}", True),
        ("Add a remove function", "In `NotesModel`:", True),
    ],
)
def test_at_the_margin_it_is_one_where_words_name_its_type(
    session: Session, path: str, prompt: str, above: str, member: bool
) -> None:
    text, new = FILES[path]
    new = textwrap.dedent(new).replace("public ", "")
    session.ask(f"{path}\n```\n{text}```").ask(prompt, f"{above.format(path=path)}\n\n```\n{new}```")
    state = session.state()
    assert (f"{path}::NotesModel.remove" in state, f"{path}::remove" in state) == (member, not member)
    assert (state[path], state[f"{path}::NotesModel"] == "DIRTY") == ("DIRTY", member)


TWO = "class Cart(val items: List<Item>) {\n    fun total() = 1\n}\n\nclass Order {\n    fun send() {\n    }\n}\n"


@pytest.mark.parametrize(
    ("above", "known"), [("a.kt", False), ("In `Order`:\n\na.kt", True), ("**Order**\n\na.kt", True)]
)
def test_of_two_types_the_one_that_is_named_is_meant(session: Session, above: str, known: bool) -> None:
    session.ask(f"a.kt\n```\n{TWO}```").ask("now clearing", f"{above}\n\n```\n    fun clear() {{\n    }}\n```")
    assert ("a.kt::Order.clear" in session.state()) is known


def test_a_second_one_is_of_the_same_type(session: Session) -> None:
    path = "app/NotesModel.kt"
    text, new = FILES[path]
    session.ask(f"{path}\n```\n{text}```").ask("now removing", f"{path}\n\n```\n{new}```")
    session.ask("now counting", f"{path}\n\n```\n    fun count(): Int {{\n        return dao.count()\n    }}\n```")
    assert {f"{path}::NotesModel.remove", f"{path}::NotesModel.count"} <= session.state().keys()


def test_one_that_takes_the_type_is_none_of_its_members(session: Session) -> None:
    path = "app/NotesModel.kt"
    session.ask(f"{path}\n```\n{FILES[path][0]}```")
    session.ask(
        "Add a function that prints a NotesModel",
        f"{path}\n\n```\nfun show(m: NotesModel) {{\n    m.refresh()\n}}\n```",
    )
    assert f"{path}::show" in session.state()
