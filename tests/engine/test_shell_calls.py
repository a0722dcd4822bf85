"""What commands did to tracked files, by what a client says of them (SEMANTICS 2, Shell)."""

from __future__ import annotations

import json

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
