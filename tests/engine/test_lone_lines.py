"""Lines of an answer that define nothing by themselves: a route, a call, one line of a function."""

from __future__ import annotations

import pytest

from .helpers import Session

EXPRESS = (
    "const express = require('express');\nconst app = express();\n\n"
    "app.get('/users', (req, res) => {\n  res.json([]);\n});\n\napp.listen(3000);\n"
)
TS = (
    "import { db } from './db';\n\nexport function getUser(id: number) {\n  return db.find(id);\n}\n\n"
    "export function greet(name: string): string {\n  return 'Hello ' + name;\n}\n"
)
PY = (
    "import sys\n\n\ndef load(path):\n    with open(path) as f:\n        data = f.read()\n    return data.split()\n\n\n"
    "def greet(name):\n    return 'Hello ' + name\n\n\nif __name__ == '__main__':\n    print(greet(sys.argv[1]))\n"
)
GO = (
    'package main\n\nfunc load(path string) (string, error) {\n\tdata, err := read(path)\n\tif err != nil {\n'
    '\t\treturn "", err\n\t}\n\treturn data, nil\n}\n\nfunc main() {\n\tfmt.Println("start")\n}\n'
)  # fmt: skip
JAVA = (
    "class Account {\n    private int balance = 0;\n\n    void deposit(int amount) {\n        balance += amount;\n"
    "    }\n\n    int get() {\n        return balance;\n    }\n}\n"
)
RUBY = "require 'sinatra'\n\nset :port, 4567\n\ndef names\n  ['a']\nend\n\nget '/users' do\n  names.to_s\nend\n"
RUST = (
    "fn load(path: &str) -> String {\n    let data = std::fs::read_to_string(path).unwrap();\n"
    '    data.trim().to_string()\n}\n\nfn main() {\n    println!("{}", load("a"));\n}\n'
)
PHP = (
    "<?php\n\nrequire 'vendor/autoload.php';\n\n$app = new App();\n\nfunction names() {\n    return ['a'];\n}\n\n"
    "$app->get('/users', function ($req, $res) {\n    return $res->json([]);\n});\n\n$app->run();\n"
)
C = (
    "#include <stdio.h>\n\nint fact(int n) {\n    if (n < 1) return 1;\n    return n * fact(n - 1);\n}\n\n"
    'int main(void) {\n    printf("%d\\n", fact(3));\n    return 0;\n}\n'
)
FILES = {
    "index.php": PHP, "a.c": C, "web.py": "from flask import Flask\n\napp = Flask('web')\napp.debug = True\n",
    "server.js": EXPRESS, "src/user.ts": TS, "load.py": PY, "main.go": GO, "Account.java": JAVA, "web.rb": RUBY,
    "main.rs": RUST,
}  # fmt: skip


def fence(text: str, above: str = "Change it:", word: str = "") -> str:
    return f"{above}\n\n```{word}\n{text}\n```\n"


def doubted(session: Session, path: str, prompt: str, answer: str) -> set[str]:
    """What is DIRTY afterwards: the file itself by its path, definitions by their names; nothing else has changed."""
    before = session.ask(f"{path}\n```\n{FILES[path]}```").state()
    after = session.ask(prompt, answer).state()
    assert all(artifact in ("DIRTY", before.get(entity)) for entity, artifact in after.items())
    return {entity.rpartition("::")[2] for entity, artifact in after.items() if artifact == "DIRTY"}


GUARD = "if __name__ == '__main__':\n    for name in sys.argv[1:]:\n        print(greet(name))"
ROUTE = "app.get('/users', (req, res) => {\n  res.json(db.users());\n});"


@pytest.mark.parametrize(
    ("path", "prompt", "answer", "inside"),
    [
        ("server.js", "return the users from the db in server.js", fence(ROUTE, "Update the route:", "js"), ""),
        ("server.js", "return the users from the db", fence(ROUTE, "In `server.js`, change the route:"), ""),
        ("server.js", "return the users from the db", fence(ROUTE, "**server.js**", "js"), ""),
        ("server.js", "use the db", fence(f"// ... existing code ...\n\n{ROUTE}\n\n// ...", "", "js server.js"), ""),
        ("server.js", "run server.js on port 8080", fence("app.listen(8080);", "Change the last line to:"), ""),
        ("server.js", "parse json in server.js", fence("app.use(express.json());", "Add this:", "js"), ""),
        ("server.js", "parse json in server.js", fence("app.use(express.json());", "", "js"), ""),
        ("server.js", "GET /users in server.js must use the db", fence(ROUTE, "", "js"), ""),
        ("server.js", "log in server.js", fence("const m = require('morgan');\napp.use(m('dev'));", "Add:", "js"), ""),
        ("server.js", "add a route to server.js", fence(ROUTE, "Add this before `app.listen`:", "js"), ""),
        ("server.js", "add a route to server.js", fence(ROUTE, "Insert it in server.js before app.listen:", "js"), ""),
        ("load.py", "greet all in load.py", fence(GUARD, "", "python"), ""),
        ("load.py", "log in load.py", fence("import logging", "Add this at the top of `load.py`:", "python"), ""),
        ("load.py", "NameError: logging in load()", fence("import logging", "You forgot an import:", "python"), ""),
        ("src/user.ts", "use zod in greet()", fence("import { z } from 'zod';", "Add the import:"), ""),
        ("main.go", "count lines in main.go", fence('import "bufio"', "It needs another import:", "go"), ""),
        ("main.rs", "sort in main.rs", fence("use std::collections::BTreeMap;", "At the top:", "rust"), ""),
        ("src/user.ts", "greet() should say Hi", fence("return 'Hi ' + name;", "Change the return in `greet`:"), "greet"),
        ("src/user.ts", "find by name in src/user.ts", fence("return db.find({ name: id });", word="ts"), "getUser"),
        ("src/user.ts", "greet() should say Hi", fence("return 'Hi ' + name;", "src/user.ts", "ts"), "greet"),
        ("load.py", "open it as utf-8 in load()", fence("with open(path, encoding='utf-8') as f:"), "load"),
        ("load.py", "split by comma in load.py", fence("    return data.split(',')", word="python"), "load"),
        ("load.py", "greet() must not greet nobody", fence("if not name:\n    return ''", "Add to `greet`:"), "greet"),
        ("main.go", "wrap the error in load()", fence("if err != nil {\n\treturn \"\", wrap(err)\n}", word="go"), "load"),
        ("main.go", "say ready in main.go", fence('fmt.Println("ready")', "The line in `main`:"), "main"),
        (
            "Account.java", "deposit in Account takes no debts", fence("balance += Math.max(0, amount);", word="java"),
            "Account Account.deposit",
        ),
        ("web.rb", "use port 80 in web.rb", fence("set :port, 80", word="ruby"), ""),
        ("web.rb", "answer in json", fence("get '/users' do\n  names.to_json\nend", word="ruby"), ""),
        (
            "index.php", "return names from index.php",
            fence("$app->get('/users', function ($req, $res) {\n    return $res->json(names());\n});", word="php"), "",
        ),
        ("a.c", "fact() must not overflow", fence("return (long) n * fact(n - 1);", "Mend `fact`:", "c"), "fact"),
        ("main.rs", "don't panic in load()", fence("let data = std::fs::read_to_string(path).unwrap_or_default();"), "load"),
        ("main.rs", "don't trim in load()", fence("data.to_string()", "Change the end of `load`:", "rust"), "load"),
    ],
)  # fmt: skip
def test_what_they_go_into_is_of_unknown_text(
    session: Session, path: str, prompt: str, answer: str, inside: str
) -> None:
    assert doubted(session, path, prompt, answer) == {path, *inside.split()}


@pytest.mark.parametrize(
    ("path", "prompt", "answer"),
    [
        ("server.js", "what does app.listen do in server.js?", fence("app.listen(8080);", word="js")),
        ("server.js", "explain server.js", fence(ROUTE, word="js")),
        ("server.js", "clean up server.js", fence("app.listen(3000) // as it was", "This stays:", "js")),
        ("server.js", "clean up server.js", fence("app.listen(3000);", "server.js", "js")),
        ("server.js", "run server.js on 8080", fence("app.listen(8080);", "For example:", "js")),
        ("server.js", "run server.js on 8080", fence("PORT=8080 node server.js", "Run:", "bash")),
        ("server.js", "run server.js on 8080", fence("listening on 8080", "It prints:")),
        ("server.js", "test server.js", fence("request(app).get('/users').expect(200);", "A test:", "js")),
        ("server.js", "test server.js", fence("const res = await request(app).get('/users');", "So:", "js")),
        ("server.js", "get the users of server.js", fence("const r = await fetch('/users');", "In the page:", "js")),
        ("web.py", "test web.py", fence("from web import app\n\napp.testing = True", "", "python")),
        ("server.js", "create page.js for the users", fence("app.listen(8080);", "In it:", "js")),
        ("src/user.ts", "make greet() polite", fence("console.log(greet('Bob'));", "Call it:", "ts")),
        ("src/user.ts", "make greet() polite", fence("greet('Bob');", "src/user.ts", "ts")),
        ("src/user.ts", "use greet()", fence("import { greet } from './user';", "Add this:", "ts")),
        ("load.py", "add utf-8 to load.py", fence("open(path)", "This is the code as it was before:", "python")),
        ("load.py", "use load.py", fence("import load", "In the other program add:", "python")),
        ("load.py", "clean up load.py", fence("import sys", "This stays:", "python")),
        ("load.py", "what does load.py need for logs?", fence("import logging", "This:", "python")),
        ("load.py", "how would I read utf-8 in load()?", fence("with open(path, encoding='utf-8') as f:")),
        ("load.py", "how would load.py greet all?", fence(GUARD, "", "python")),
        ("load.py", "mend greet()", fence(GUARD, "", "python")),
        ("load.py", "use load() for me", fence("words = load('a.txt')\nprint(len(words))", "So:", "python")),
        ("load.py", "make greet() better", fence("return 'Hi ' + name", "", "python")),
        ("main.go", "use load()", fence('data, err := load("x")\nif err != nil {\n\tpanic(err)\n}', "So:", "go")),
        ("Account.java", "use Account", fence("Account a = new Account();\na.deposit(5);", "Like this:", "java")),
        ("index.php", "use names()", fence("foreach (names() as $n) {\n    echo $n;\n}", "So:", "php")),
        ("a.c", "make fact() quick", fence('printf("%d\\n", fact(5));', "Try:", "c")),
        ("main.rs", "use load()", fence('let data = load("b");\nprintln!("{}", data);', "Like this:", "rust")),
    ],
)  # fmt: skip
def test_what_only_speaks_of_it_changes_nothing(session: Session, path: str, prompt: str, answer: str) -> None:
    assert doubted(session, path, prompt, answer) == set()


def test_beside_the_whole_definition_they_explain_it(session: Session) -> None:
    new = "def greet(name):\n    return 'Hi ' + name.strip()\n"
    answer = fence(new, "Change it:", "python") + fence("return 'Hi ' + name", "The line that greets:", "python")
    session.ask(f"load.py\n```python\n{PY}```").ask("greet() in load.py should say Hi", answer)
    assert session.holds("load.py", PY.replace("'Hello ' + name", "'Hi ' + name.strip()"))


def test_beside_another_change_of_the_file_they_count(session: Session) -> None:
    new = "def greet(name):\n    return 'Hi ' + name\n"
    answer = fence(new, "Change `greet`:", "python") + fence("return data.split(',')", "and in `load`:", "python")
    session.ask(f"load.py\n```python\n{PY}```").ask("Mend greet() and load() in load.py", answer)
    state = session.state()
    assert state["load.py"] == state["load.py::load"] == "DIRTY" != state["load.py::greet"]


BESIDE = [
    (
        "load.py", "def greet(name):\n    return 'Hi ' + name\n",
        GUARD, 'if __name__ == "__main__":\n    print(greet(sys.argv[1]))\n',
    ),
    ("index.php", "function names() {\n    return ['b'];\n}\n", "$app->run('fast');", "$app->post('/users', 'add');"),
    ("web.rb", "def names\n  ['b']\nend\n", "get '/users' do\n  names.to_json\nend", "get '/all' do\n  names\nend"),
    (
        "server.js", "function names() {\n  return ['b'];\n}\n", ROUTE,
        "// Example usage\n" + ROUTE.replace("db", "here"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("path", "new", "again", "other"), BESIDE)
@pytest.mark.parametrize("labelled", [True, False])
def test_beside_a_definition_one_of_the_files_own_leaves_its_text_unknown(
    session: Session, path: str, new: str, again: str, other: str, labelled: bool
) -> None:
    name, word = ("greet" if "greet" in new else "names"), path.rpartition(".")[2]
    text = FILES[path] if name in FILES[path] else FILES[path].replace("\n\n", "\n\n" + new.replace("b", "a") + "\n", 1)
    session.ask(f"{path}\n```\n{text}```")
    session.ask(f"Change {name}", fence(f"{new}\n{other}", path if labelled else "So:", word))
    assert session.state()[path] != "DIRTY"
    session.ask(
        f"Change {name}",
        fence(f"{new.replace('b', 'c').replace('Hi', 'Ho')}\n{again}", path if labelled else "So:", word),
    )
    state = session.state()
    assert state[path] == "DIRTY" != state[f"{path}::{name}"]


def test_two_parts_of_one_file_both_count(session: Session) -> None:
    answer = fence("return data.split(',')", "In `load`:", "python") + fence("return 'Hi'", "In `greet`:", "python")
    assert doubted(session, "load.py", "Mend greet() and load()", answer) == {"load.py", "load", "greet"}


def test_an_import_is_of_the_file_that_the_sentence_names(session: Session) -> None:
    session.ask(f"a.py\n```python\n{PY}```\n\nb.py\n```python\ndef other():\n    return 1\n```")
    session.ask("log in a.py and b.py", fence("import logging", "Add to `b.py`:", "python"))
    assert session.state()["b.py"] == "DIRTY" and session.holds("a.py", PY)


def test_lines_that_are_said_to_stand_there_and_do_not_are_no_new_ones(session: Session) -> None:
    answer = fence("return data.split(',')", "Replace", "python") + fence("yield from data", "with", "python")
    assert doubted(session, "load.py", "Let load() yield", answer) == set()


@pytest.mark.parametrize(
    ("path", "text", "part"),
    [
        ("index.ts", 'export { A } from "./A";\nexport { B } from "./B";\n', 'export { C } from "./C";'),
        ("mod.rs", "pub mod store;\n\npub use store::Store;\n", "pub mod cache;"),
        (
            "a.test.ts",
            'import { a } from "./a";\n\ntest("a", () => {\n  a(1);\n});\n',
            'test("a", () => {\n  a(2);\n});',
        ),
    ],
)
@pytest.mark.parametrize("label", [True, False])
def test_code_without_definitions_is_in_doubt_like_any_other(
    session: Session, path: str, text: str, part: str, label: bool
) -> None:
    answer = fence(part, path if label else f"Change {path}:", path.rpartition(".")[2])
    session.ask(f"{path}\n```\n{text}```").ask(f"change {path}", answer)
    assert session.state() == {path: "DIRTY"}


@pytest.mark.parametrize(
    ("path", "text", "part"),
    [
        ("a.css", "body {\n  margin: 0;\n}\n\n.b {\n  color: red;\n}\n\n.c {\n  color: blue;\n}\n", ".b {\n  color: green;\n}"),
        ("a.json", '{\n  "port": 3000,\n  "host": "a",\n  "tls": false\n}\n', '{\n  "port": 4000\n}'),
        ("a.yaml", "port: 3000\nhost: a\ntls: no\n", "port: 4000"),
        ("a.md", "# A\n\nOne line.\n\n## B\n\nAnother line.\n", "One line more."),
        (
            "A.vue", "<template>\n  <p>{{ n }}</p>\n</template>\n\n<script>\nexport default {\n  data() {\n    return { n: 1 };\n  },\n};\n</script>\n",
            "<template>\n  <p><b>{{ n }}</b></p>\n</template>",
        ),
    ],
)  # fmt: skip
@pytest.mark.parametrize("label", [True, False])
def test_of_a_file_without_definitions_they_prove_nothing(
    session: Session, path: str, text: str, part: str, label: bool
) -> None:
    answer = fence(part, path if label else f"Change {path}:", path.rpartition(".")[2])
    session.ask(f"{path}\n```\n{text}```").ask(f"change {path}", answer)
    assert session.holds(path, text)
