"""What commands did to tracked files, by what a client says of them (SEMANTICS 2, Shell)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from .helpers import Session

CART = "RATE = 3\n\n\ndef total(items):\n    return sum(items) * RATE\n"
UTIL = "def slug(s):\n    return s.lower()\n\n\ndef shout(s):\n    return s.upper()\n"
WHOLE = {"src/cart.py": CART, "src/util.py": UTIL}


def fence(path: str, text: str) -> str:
    return f"{path}\n```python\n{text}```\n"


def run(session: Session, command: str, result: str = "", tool: str = "bash") -> Session:
    call = {"name": tool, "arguments": {"command": command, "description": "Run"}}
    session.ask("Go on.", None, {"c1": call})
    return session.ask(None, "Done.", results={"c1": result}).forget()


def doubted(session: Session) -> set[str]:
    """The tracked files of unknown text; every other one is as it was shown."""
    state = session.state()
    dirty = {path for path in WHOLE if state[path] == "DIRTY"}
    assert all(session.holds(path, text) for path, text in WHOLE.items() if path not in dirty)
    return dirty


@pytest.fixture
def shop(session: Session) -> Session:
    return session.ask("".join(fence(path, text) for path, text in WHOLE.items())).forget()


@pytest.mark.parametrize(
    "commands",
    [
        ["cp /tmp/n.py src/util.py"],
        ["mv /tmp/n.py src/util.py"],
        ["cp /tmp/util.py src/"],
        ["install -m 644 /tmp/n.py src/util.py"],
        ["install /tmp/n.py src/util.py"],
        ["sed 's/lower/title/' src/util.py > /tmp/x.py && mv /tmp/x.py src/util.py"],
        ["sed 's/lower/title/' src/util.py > /tmp/x.py", "mv /tmp/x.py src/util.py"],
        ["printf 'Q = 1\\n' > /tmp/z && mv /tmp/z src/util.py"],
        ["cat > /tmp/n.py <<'EOF'\nQ = 1\nEOF\ncp /tmp/n.py src/util.py"],
        ["cp /home/me/n.py src/util.py"],
        ["cp /var/tmp/n.py ./src/util.py"],
        ["cp /var/tmp/n.py /p/src/util.py"],
        ["cp ~/n.py src/util.py"],
    ],
)
@pytest.mark.parametrize("tool", ["bash", "Bash"])
def test_a_copy_from_elsewhere_over_a_tracked_file(shop: Session, commands: list[str], tool: str) -> None:
    for command in commands:
        run(shop, command, "", tool)
    assert doubted(shop) == {"src/util.py"}


def test_a_copy_to_elsewhere_changes_nothing(shop: Session) -> None:
    run(shop, "cp src/util.py /tmp/util.py && cp /tmp/util.py /tmp/other.py")
    assert not doubted(shop)


FRAMES = {
    "Claude Code": ("Bash", "{output}", "Exit code {code}\n{output}"),
    "Continue": ("Bash", "{output}", "Error (exit code {code}): {output}"),
    "Codex": (
        "exec_command",
        *["Chunk ID: e4bb\nWall time: 0.1 seconds\nProcess exited with code {code}\nOutput:\n{output}"] * 2,
    ),
    "Roo": (
        "execute_command",
        *["Command executed in terminal within working directory '/p'. Exit code: {code}\nOutput:\n{output}"] * 2,
    ),
    "Qwen Code": (
        "run_shell_command",
        *[
            "Command: {command}\nDirectory: (root)\nOutput: {stripped}\nError: (none)\nExit Code: {code}\nSignal: (none)\n"
            "Background PIDs: (none)\nProcess Group PGID: 4711"
        ]
        * 2,
    ),
    "Cline 3": ("execute_command", *["Command executed.\nOutput:\n{output}"] * 2),
    "Cline 4": (
        "run_commands",
        '[{{"query": "c", "result": {json}, "success": true}}]',
        '[{{"query": "c", "result": "", "error": {failed}, "success": false}}]',
    ),
    "opencode": ("bash", "{output}", "{output}"),
}
"""Each client's shell tool, and what it makes of a command's output: of one that succeeded, and of one that failed."""


def in_turn(names: str, cases: Sequence[tuple[Any, ...]]) -> pytest.MarkDecorator:
    """Each case as two of the clients show it, in turn; as the others do in `make check`."""
    pairs = [
        pytest.param(client, *case, marks=() if (m - n) % len(FRAMES) in (0, 3) else pytest.mark.slow)
        for n, case in enumerate(cases)
        for m, client in enumerate(FRAMES)
    ]
    return pytest.mark.parametrize(f"client, {names}", pairs)


def framed(client: str, command: str, output: str, code: int = 0) -> tuple[str, str]:
    """The tool, and its result."""
    tool, done, failed = FRAMES[client]
    words = {
        "command": command,
        "output": output,
        "stripped": output.rstrip("\n") or "(empty)",
        "code": code,
        "json": json.dumps(output),
        "failed": json.dumps(f"Command failed with exit code {code}\n{output}"),
    }
    return tool, (failed if code else done).format(**words)


def play(session: Session, client: str, command: str, output: str, code: int = 0) -> set[str]:
    """What a command of a client makes doubtful."""
    tool, result = framed(client, command, output, code)
    return doubted(run(session, command, result, tool))


@pytest.mark.parametrize("client", FRAMES)
class TestFrames:
    @pytest.mark.parametrize(
        ("command", "output", "code"),
        [
            ("git commit -am x", "[master c1e29fb] x\n 1 file changed, 1 insertion(+), 1 deletion(-)\n", 0),
            ('git commit -am "x\n\nMore: of it"', "[master c1e29fb] x\n 1 file changed, 1 insertion(+)\n", 0),
            ("git commit -m x", "On branch master\nnothing to commit, working tree clean\n", 1),
            ("git add -A && git commit -m x", "[feature/x 1234abc] x\n 2 files changed, 4 insertions(+)\n", 0),
        ],
    )
    def test_a_commit_changes_nothing(self, shop: Session, client: str, command: str, output: str, code: int) -> None:
        assert not play(shop, client, command, output, code)

    def test_its_hooks_may(self, shop: Session, client: str) -> None:
        said = "ruff-format....Failed\n- files were modified by this hook\n\n1 file reformatted: src/util.py\n"
        assert play(shop, client, "git commit -am x", said, 1) == {"src/util.py"}

    @pytest.mark.parametrize(
        ("output", "code", "found"),
        [
            ("reformatted src/util.py\n\nAll done!\n1 file reformatted, 1 file left unchanged.\n", 0, {"src/util.py"}),
            ("All done!\n2 files left unchanged.\n", 0, set()),
            ("bash: line 1: black: command not found\n", 127, set()),
        ],
    )
    def test_a_formatter(self, shop: Session, client: str, output: str, code: int, found: set[str]) -> None:
        assert play(shop, client, "black src", output, code) == found

    @pytest.mark.parametrize(
        ("command", "output", "found"),
        [
            ("git pull", "Fast-forward\n src/util.py | 2 +-\n 1 file changed, 1 insertion(+)\n", {"src/util.py"}),
            (
                "git merge x",
                "Updating 1..2\nFast-forward\n .../util.py | 2 --\n 1 file changed, 2 deletions(-)\n",
                {"src/util.py"},
            ),
            ("git stash pop", "On branch main\nChanges:\n\tmodified:   src/util.py\n\nDropped x\n", {"src/util.py"}),
            ("git checkout main", "Already on 'main'\n", set()),
            ("git pull", "From x\n * branch main -> FETCH_HEAD\nSuccessfully rebased and updated.\n", set(WHOLE)),
        ],
    )
    def test_git(self, shop: Session, client: str, command: str, output: str, found: set[str]) -> None:
        assert play(shop, client, command, output) == found


NEW = "def slug(s):\n    return s.title()\n"


@pytest.mark.parametrize(
    ("command", "held"),
    [
        (f"cat > src/util.py <<'EOF'\n{NEW}EOF", {"src/util.py": NEW}),
        ("rm src/util.py", {"src/util.py": None}),
        ("mv src/util.py src/text.py", {"src/util.py": None, "src/text.py": UTIL}),
        ("test -f src/none.py && rm src/util.py", {"src/util.py": "DIRTY"}),
    ],
)
def test_a_command_that_was_written_as_text(shop: Session, command: str, held: dict[str, str | None]) -> None:
    shop.ask("Go on.", f"<execute_command>\n<command>{command}</command>\n</execute_command>")
    shop.ask(f"[execute_command for '{command}'] Result:\nCommand executed.")
    state = shop.state()
    for path, text in held.items():
        assert state.get(path) == text if text in (None, "DIRTY") else shop.holds(path, text or "")


@pytest.mark.parametrize(
    "command", ["mv src lib", "git mv src lib", "git mv -v src/ lib", "cd src && mv ../src ../lib"]
)
def test_a_folder_is_moved_with_its_files(shop: Session, command: str) -> None:
    run(shop, command, "Renaming src to lib\n" if "-v" in command else "")
    assert "src/util.py" not in shop.state() and shop.holds("lib/util.py", UTIL) and shop.holds("lib/cart.py", CART)


@pytest.mark.parametrize("command", ["mv src lib", "mkdir -p lib/a && mv src lib", "mkdir lib && git mv src lib"])
def test_a_folder_is_moved_into_one_that_is_there(shop: Session, command: str) -> None:
    if "mkdir" not in command:
        shop.ask(fence("lib/own.py", CART)).forget()
    run(shop, command)
    assert "src/util.py" not in shop.state() and shop.holds("lib/src/util.py", UTIL)
    assert "lib/util.py" not in shop.state() and ("mkdir" in command or shop.holds("lib/own.py", CART))


@pytest.mark.parametrize("command", ["mv src lib; true", "[ -d lib ] || mkdir lib; mv src lib", "mv src/util.py lib"])
def test_what_is_moved_to_nobody_knows_where_has_no_text(shop: Session, command: str) -> None:
    run(shop, command, "mv: cannot stat 'x'" if command.endswith("true") else "")
    assert not any(path.startswith("lib") and held != "DIRTY" for path, held in shop.state().items())
    assert shop.state().get("src/util.py") in (None, "DIRTY")


FIX = "from pathlib import Path\np = Path('src/util.py')\np.write_text(p.read_text().replace('lower', 'title'))\n"


def here(path: str, text: str = FIX) -> str:
    return f"cat > {path} <<'EOF'\n{text}EOF\n"


@pytest.mark.parametrize(
    "command",
    [
        here("fix.py") + "python3 fix.py",
        here("fix.py") + "python3 fix.py && rm fix.py",
        here("fix.py", "#!/usr/bin/env python3\n" + FIX) + "chmod +x fix.py && ./fix.py",
        here("/tmp/fix.py") + "python3 /tmp/fix.py",
        "cd /p && " + here("/tmp/fix.py") + "python3 /tmp/fix.py; rm -f /tmp/fix.py",
        here("/tmp/fix.sh", "cd src\nsed -i s/lower/title/ util.py\n") + "bash /tmp/fix.sh",
    ],
)
@pytest.mark.parametrize("client", ["Claude Code", "Roo", "Cline 3", "opencode", "Qwen Code"])
@pytest.mark.parametrize("code", [0, 1])
def test_a_script_that_is_written_and_run_at_once(shop: Session, command: str, client: str, code: int) -> None:
    output = "Traceback (most recent call last):\nValueError: no\n" if code else ""
    assert play(shop, client, command, output, code) == {"src/util.py"}


TMP = {"name": "Write", "arguments": {"file_path": "/tmp/fix.py", "content": FIX}}
CREATED = "File created successfully at: /tmp/fix.py"


def ask(session: Session, *calls: tuple[dict[str, Any], str]) -> Session:
    """One answer with some calls, and their results."""
    session.ask("Go on.", None, {f"c{n}": call for n, (call, _) in enumerate(calls)})
    return session.ask(None, "Done.", results={f"c{n}": result for n, (_, result) in enumerate(calls)})


def bash(command: str) -> dict[str, Any]:
    return {"name": "Bash", "arguments": {"command": command}}


RUN = (bash("python3 /tmp/fix.py"), "")


@pytest.mark.parametrize("write", [(TMP, CREATED), (bash(here("/tmp/fix.py")), "")])
@pytest.mark.parametrize("apart", [True, False])
def test_a_script_that_was_written_before(shop: Session, write: Any, apart: bool) -> None:
    for calls in [[write], [RUN]] if apart else [[write, RUN]]:
        ask(shop, *calls)
    assert doubted(shop) == {"src/util.py"}


def test_two_calls_of_one_answer_in_the_root(shop: Session) -> None:
    write = {"name": "Write", "arguments": {"file_path": "fix.py", "content": FIX}}
    ask(shop, (write, "File created successfully at: fix.py"), (bash("python3 fix.py"), ""))
    assert doubted(shop) == {"src/util.py"}


def test_what_was_edited_since_counts_and_what_was_overwritten_does_not(shop: Session) -> None:
    edit = {"file_path": "/tmp/fix.py", "old_string": "src/util.py", "new_string": "src/cart.py"}
    other = {"name": "Write", "arguments": {"file_path": "/tmp/fix.py", "content": "print(1)\n"}}
    ask(shop, (TMP, CREATED))
    ask(shop, (other, "The file /tmp/fix.py has been updated successfully."))
    ask(shop, ({"name": "Edit", "arguments": edit}, "The file /tmp/fix.py has been updated successfully."))
    ask(shop, RUN)
    assert doubted(shop) == {"src/cart.py"}


JOINED = "import os\np = os.path.join('src', 'util.py')\nt = open(p).read()\nopen(p, 'w').write(t.replace('a', 'b'))\n"
EACH = "from pathlib import Path\nfor n in ['util.py', 'cart.py']:\n    p = Path('src') / n\n    p.write_text(p.read_text())\n"
FILLED = "d = 'src'\nopen(f'{d}/util.py', 'w').write('x')\n"


@pytest.mark.parametrize(
    ("code", "meant"), [(JOINED, {"src/util.py"}), (EACH, {"src/util.py", "src/cart.py"}), (FILLED, {"src/util.py"})]
)
@pytest.mark.parametrize(
    "form", ["python3 - <<'EOF'\n{}EOF\n", 'python3 -c "{}"', here("/tmp/x.py", "{}") + "python3 /tmp/x.py"]
)
def test_a_path_that_code_puts_together(shop: Session, form: str, code: str, meant: set[str]) -> None:
    run(shop, form.replace("{}", code), "", "Bash")
    assert doubted(shop) == meant


def test_a_name_that_two_files_end_in_is_neither(shop: Session) -> None:
    shop.ask(fence("lib/util.py", "A = 1\n")).forget()
    run(shop, f"python3 - <<'EOF'\n{JOINED}EOF\n", "", "Bash")
    assert not doubted(shop) and shop.holds("lib/util.py", "A = 1\n")


BOTH = {"src/util.py", "src/cart.py"}


class TestNeedlessDoubt:
    @in_turn(
        "command, output, code, meant",
        [
            ("git checkout HEAD src/util.py", "Updated 1 path from 8d2f\n", 0, {"src/util.py"}),
            ("git checkout -q HEAD~2 src/util.py", "", 0, {"src/util.py"}),
            ("git checkout main", "Switched to branch 'main'\n", 0, BOTH),
            (
                "git checkout nosuchbranch",
                "error: pathspec 'nosuchbranch' did not match any file(s) known to git\n",
                1,
                set(),
            ),
            (
                "git checkout main && git checkout nosuch",
                "Switched to branch 'main'\nerror: pathspec 'nosuch' did not match any file(s) known to git\n",
                1,
                BOTH,
            ),
            (
                "git pull",
                "There is no tracking information for the current branch.\nPlease specify which branch you want to "
                "merge with.\nSee git-pull(1) for details.\n\n    git pull <remote> <branch>\n\n",
                1,
                set(),
            ),
            ("git pull", "Already up to date.\n", 0, set()),
            ("git pull", "Updating 1..2\nFast-forward\n src/util.py | 2 +-\n 1 file changed\n", 0, BOTH),
            ("sed -i 's/lower/title/' src/{util,cart}.py", "", 0, BOTH),
            ("sed -i 's/lower/title/' src/{util,other}.py", "", 0, {"src/util.py"}),
            ("sed -i 's/lower/title/' {src,lib}/{other,util}.py", "", 0, {"src/util.py"}),
            ("sed -n '40,60p' src/util.py", "", 0, set()),
            (
                "python3 src/cart.py",
                'Traceback (most recent call last):\n  File "/p/src/cart.py", line 8, in <module>\n    total(1)\n'
                '  File "/p/src/cart.py", line 5, in total\n    return sum(items) * RATE\nTypeError: no\n',
                1,
                set(),
            ),
        ],
    )
    def test_what_changes(
        self, shop: Session, client: str, command: str, output: str, code: int, meant: set[str]
    ) -> None:
        assert play(shop, client, command, output, code) == meant


def test_lines_behind_the_end(shop: Session) -> None:
    run(shop, "sed -n '40,60p' src/util.py", "(Bash completed with no output)", "Bash")
    assert not doubted(shop)
