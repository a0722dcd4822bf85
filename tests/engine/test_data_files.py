"""Data, prose, scripts and components, answered without a label."""

from __future__ import annotations

import pytest

from .helpers import Session

FILES = {
    "package.json": ("json", '{\n  "name": "shop",\n  "scripts": {\n    "build": "tsc"\n  }\n}\n', '"tsc"', '"tsc -b"'),
    "docker-compose.yml": (
        "yaml",
        "services:\n  web:\n    image: nginx\n    ports:\n      - 80:80\n",
        "80:80",
        "8080:80",
    ),
    "style.css": ("css", ".a {\n  color: red;\n}\n\n.b {\n  color: blue;\n}\n", "blue", "green"),
    "index.html": ("html", "<html>\n<body>\n<h1>Hi</h1>\n</body>\n</html>\n", "Hi", "Hello"),
    "Dockerfile": ("dockerfile", "FROM python:3.11\nWORKDIR /app\nCOPY . .\n", "3.11", "3.12"),
    "build.sh": ("bash", "#!/bin/sh\nset -e\npython build.py\necho done\n", "build.py", "make.py"),
    "pyproject.toml": ("toml", '[project]\nname = "shop"\nversion = "1.0"\n', "1.0", "1.1"),
    "README.md": ("markdown", "# Shop\n\nA shop.\n\n## Usage\n\nRun shop.py.\n", "shop.py", "cart.py"),
    "requirements.txt": ("text", "flask==2.0\nrequests==2.31\n", "2.31", "2.32"),
    "settings.ini": ("ini", "[server]\nport = 80\nhost = x\n", "80", "8080"),
}


def fence(text: str, word: str) -> str:
    return f"```{word}\n{text}```\n"


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize("has_word", [True, False])
def test_the_file_in_play_that_is_shown_whole(session: Session, path: str, has_word: bool) -> None:
    word, text, old, new = FILES[path]
    session.ask(f"{path}\n{fence(text, word)}\nJust say ok.")
    session.ask(f"Please use {new} in {path}.", f"Sure:\n\n{fence(text.replace(old, new), word if has_word else '')}")
    assert session.holds(path, text.replace(old, new))
    session.ask(f"My {path} looks like this now, is that ok?\n\n{fence(text, word)}")
    assert session.holds(path, text)


@pytest.mark.parametrize(
    ("asked", "shown", "word"),
    [
        ("Please use tsc -b in the build script.", '"tsc -b"', "json"),  # no file is named
        ("What would package.json look like with tsc -b?", '"tsc -b"', "json"),  # it merely asks
        ("Please use tsc -b in package.json.", '"tsc -b"', "text"),  # said to be no JSON
        ("Please use tsc -b in package.json and tsconfig.json.", '"tsc -b"', "bash"),
    ],
)
def test_else_it_is_nobodys(session: Session, asked: str, shown: str, word: str) -> None:
    _, text, old, _ = FILES["package.json"]
    session.ask(f"package.json\n{fence(text, 'json')}\nJust say ok.").ask("Hello.")
    session.ask(asked, fence(text.replace(old, shown), word))
    assert session.holds("package.json", text)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Now write settings.prod.ini, please.", "Sure:\n\n```ini\n{}```\n"),  # a new file
        ("The server says:\n\n```ini\n{}```\n\nIs settings.ini ok?", "Yes."),  # output that the user shows
    ],
)
def test_lines_of_something_else(session: Session, asked: str, answer: str) -> None:
    _, text, old, new = FILES["settings.ini"]
    session.ask(f"settings.ini\n{fence(text, 'ini')}\nJust say ok.")
    other = text.replace(old, new)
    session.ask(asked.format(other), answer.format(other))
    assert session.holds("settings.ini", text)


README = FILES["README.md"][1]


@pytest.mark.parametrize(
    ("answer", "new"),
    [
        (
            "Here is the updated README.md:\n\n```markdown\n{}\n## License\n\nMIT\n```\n",
            README + "\n## License\n\nMIT\n",
        ),
        ("Here is the updated `README.md`:\n```text\n{}MIT\n```\n", README + "MIT\n"),
        ("Add this at the end:\n\n```markdown\n## License\n\nMIT\n```\n", README),
        ("It renders like this:\n\n```text\nShop\nA shop.\n```\n", README),
    ],
)
def test_prose_by_the_sentence_above_or_by_its_lines(session: Session, answer: str, new: str) -> None:
    session.ask(f"README.md\n{fence(README, 'markdown')}\nJust say ok.")
    session.ask("Add a license section to README.md.", answer.format(README))
    assert session.holds("README.md", new)


COMPONENT = (
    "<script setup>\nimport {{ ref }} from 'vue';\n\nconst open = ref(false);\n\nfunction toggle() {{\n"
    '  open.value = !open.value;{}\n}}\n</script>\n\n<template>\n  <div @click="toggle">Hi</div>\n</template>\n'
)


@pytest.mark.parametrize("word", ["html", "vue", "javascript", ""])
@pytest.mark.parametrize("whole", [True, False])
def test_a_component_whose_fence_says_html(session: Session, word: str, whole: bool) -> None:
    """Models write `html` above what a `.vue` file holds: all of it, or its script alone."""
    old, new = COMPONENT.format(""), COMPONENT.format("\n  console.log(open.value);")
    session.ask(f"src/Menu.vue\n{fence(old, 'vue')}\nJust say ok.")
    shown = new if whole else new.partition("\n<template>")[0]
    session.ask("Make `toggle` in src/Menu.vue log.", f"Here it is:\n\n{fence(shown, word)}")
    assert session.holds("src/Menu.vue", new)


SCRIPT = "#!/bin/bash\nset -e\nbuild() {\n  python build.py\n}\nbuild\n"


@pytest.mark.parametrize("lines", [slice(None), slice(2, 5)])
def test_a_script_or_a_function_of_one_is_no_command(session: Session, lines: slice) -> None:
    session.ask(f"build.sh\n{fence(SCRIPT, 'bash')}\nJust say ok.")
    new = SCRIPT.replace("build.py", "make.py")
    session.ask("Let build in build.sh run make.py.", fence("".join(new.splitlines(True)[lines]), "bash"))
    assert session.holds("build.sh", new)


@pytest.mark.parametrize("word", ["bash", ""])
@pytest.mark.parametrize("above", ["#!/bin/bash\nset -e\n", "#!/bin/bash\nset -e\n# Builds it.\n\n"])
@pytest.mark.parametrize("name", ["build() {", "function build() {", "function build {"])
def test_a_function_needs_no_word_above_its_fence(session: Session, word: str, above: str, name: str) -> None:
    """Small models leave the word off; the remark above a function makes it no command."""
    old = above + f"{name}\n  python build.py\n}}\n\nlint() {{\n  ruff check\n}}\n\nbuild\nlint\n"
    new = old.replace("build.py", "make.py")
    for shown in (new.partition("set -e\n")[2].partition("\n\nlint()")[0] + "\n", new):
        session.ask(f"tools/build.sh\n{fence(old, 'bash')}\nJust say ok.")
        session.ask("Let build in tools/build.sh run make.py.", f"Here it is:\n\n{fence(shown, word)}")
        assert session.holds("tools/build.sh", new)


@pytest.mark.parametrize("prompt", ["Let build in build.sh run make.py.", "What does build in build.sh do?"])
@pytest.mark.parametrize(
    "said",
    [
        "./build.sh --all\n",
        "# Then run it:\n./build.sh\n",
        "#!/bin/bash\n./build.sh --all\n",
        "build\n",
        "building...\nbuild () done\n",
        "build: ok\n",
        "build() {\n  return make();\n}\n",
    ],
)
def test_commands_output_and_another_language_are_no_script(session: Session, said: str, prompt: str) -> None:
    script = "class Site {\n  build() {\n    return 1;\n  }\n}\n"
    session.ask(f"build.sh\n{fence(SCRIPT, 'bash')}\nsite.js\n{fence(script, 'js')}\nJust say ok.")
    session.ask(prompt, f"Like this:\n\n{fence(said, '')}")
    assert session.holds("build.sh", SCRIPT)


@pytest.mark.parametrize(
    "said", ["./build.sh --all\n", "#!/bin/sh\n./build.sh --all\n", "set -e\npython make.py\necho done\n"]
)
def test_commands_are_no_script_and_another_script_is_another(session: Session, said: str) -> None:
    word, text, *_ = FILES["build.sh"]
    session.ask(f"build.sh\n{fence(text, word)}\nJust say ok.")
    session.ask("Let build.sh run make.py.", fence(said, "bash"))
    assert session.holds("build.sh", text)
    assert session.ask("Thanks.").prompt == "Thanks."


def test_a_part_of_it_is_nobodys(session: Session) -> None:
    word, text, *_ = FILES["style.css"]
    session.ask(f"style.css\n{fence(text, word)}\nJust say ok.")
    session.ask("Make b green in style.css.", fence(".b {\n  color: green;\n}\n", word))
    assert session.holds("style.css", text)


@pytest.mark.parametrize("path", [path for path in FILES if path not in ("README.md", "requirements.txt", "build.sh")])
@pytest.mark.parametrize("above", ["This is my {}:", "Here is {}", "my {}:", "Das ist meine {}."])
def test_a_file_of_data_that_the_user_calls_his(session: Session, path: str, above: str) -> None:
    word, text, *_ = FILES[path]
    assert session.ask(f"{above.format(path)}\n\n{fence(text, word)}\nJust say ok.").holds(path, text)


@pytest.mark.parametrize(
    ("above", "word"),
    [("Add this to my style.css:", "css"), ("I get this with style.css:", "css"), ("In style.css:", "css"),
     ("This is my style.css:", "text"), ("Part of my style.css:", "css")],
)  # fmt: skip
def test_what_is_not_said_to_be_the_file_is_none(session: Session, above: str, word: str) -> None:
    assert session.ask(f"{above}\n\n{fence('.c { color: red; }' + chr(10), word)}").state() == {}
