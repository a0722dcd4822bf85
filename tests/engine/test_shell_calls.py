"""What commands did to tracked files, by what a client says of them (SEMANTICS 2, Shell)."""

from __future__ import annotations

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
