"""What an export may write."""

import pytest

from tslp_litellm.cli.safe_paths import unsafe

ELSEWHERE = ("/a", "~/a", "a/../b", "..", "./a", "a//b", "C:/x", "c:x", "a/", "", ".\u200b./a", "a/\u2060../b")
ODD = ("a\\b", "a\nb", "a\x00", "nul", "d/COM1.txt", "con:x", "a\u2028b", "a./b", "b /c", "GIT~1/hooks/x", "BASHRC~1")
RUNS = (
    ".git/hooks/pre-commit",
    "sub/.GIT/config",
    ".g\u200cit/config",
    ".gi\ufefft",
    "\uff0egit/config",
    ".git:x",
    "\u200b.git/x",
    ".bashrc",
    ".Bash_Profile",
    ".profile",
    ".zshenv",
    ".envrc",
    ".gitmodules",
    ".gitconfig",
    ".ssh/authorized_keys",
    ".config/autostart/a.desktop",
    ".vscode/tasks.json",
    ".claude/settings.json",
    ".mcp.json",
    ".husky/pre-commit",
    ".nvim.lua",
    ".something-new.json",
    ".github",
    ".gitignore/hooks",
    "..a",
)
SAFE = (
    "a.py",
    "a/b.py",
    "a..b/c",
    "é/✓.py",
    "👩‍💻.md",
    "nullable.py",
    "con-fig.py",
    "a b",
    "git/config",
    ".env",
    ".gitignore",
    "sub/.editorconfig",
    ".github/workflows/ci.yml",
)


@pytest.mark.parametrize("path", ELSEWHERE)
def test_what_leads_elsewhere(path: str) -> None:
    assert unsafe(path) in ("its path is absolute", "its path leads out of the folder")


@pytest.mark.parametrize("path", ODD)
def test_what_some_system_reads_differently(path: str) -> None:
    assert unsafe(path) == "its path is no safe file name"


@pytest.mark.parametrize("path", RUNS)
def test_what_something_may_run(path: str) -> None:
    assert unsafe(path) == "something may run what has such a hidden name"


@pytest.mark.parametrize("path", SAFE)
def test_what_may_be_written(path: str) -> None:
    assert unsafe(path) is None
