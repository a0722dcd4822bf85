"""Git: which of its commands change the work tree."""

import pytest

from tslp_litellm.shell import Outcome, evaluate
from tslp_litellm.shell.effects import EVERYTHING, Dirtied, Effect, Moved, Removed, touched
from tslp_litellm.shell.targets import ANYWHERE, At, Like, Target

SOME = [Dirtied((At("a.py"),))]
ALL = [EVERYTHING]


@pytest.mark.parametrize(
    ("script", "done"),
    [
        ("git rm a.py", [Removed("a.py")]),
        ("git -C src rm a.py", [Removed("src/a.py")]),
        ("git -C $X rm a.py", [Dirtied((Like(None, "a.py"),))]),
        ("git -C src -C .. rm a.py", [Removed("a.py")]),
        ("git rm --cached a.py", []),
        ("git rm '*.py'", [Dirtied((Like(None, "*.py"),))]),
        ("git mv a.py b.py", [Moved("a.py", "b.py")]),
        ("git -C src mv a.py b.py", [Moved("src/a.py", "src/b.py")]),
        ("git status", []),
        ("git commit -m x", []),
        ("git diff --output=a.py", SOME),
        ("git checkout -- a.py", SOME),
        ("git checkout a.py", SOME),
        ("git checkout main", ALL),
        ("git checkout feature/x", ALL),
        ("git checkout -b x", []),
        ("git switch -c x", []),
        ("git checkout .", ALL),
        ("git restore a.py", SOME),
        ("git restore --staged a.py", []),
        ("git restore --source HEAD~1 a.py", SOME),
        ("git reset --hard", ALL),
        ("git reset HEAD a.py", []),
        ("git stash", ALL),
        ("git stash list", []),
        ("git pull", ALL),
        ("git apply --check x.diff", []),
        ("git apply x.diff", ALL),
        ("git unheard-of", ALL),
        ("git --work-tree=x checkout -- a.py", ALL),
    ],
)
def test_what_git_changes(script: str, done: list[Effect]) -> None:
    assert list(evaluate(script, Outcome.SUCCESS, "").effects) == done


@pytest.mark.parametrize(
    ("output", "found"),
    [
        ("[main abc1234] x\n 1 file changed, 2 insertions(+)\nwhatever", []),
        ("black....................Passed\nmypy....(no files to check)Skipped\n[main abc1234] x", []),
        ("On branch main\nnothing to commit, working tree clean", []),
        ("black....Failed\n- files were modified by this hook\nreformatted a.py", [Like(None, "a.py")]),
        ("ruff-format....Failed\n- hook id: ruff-format\n- files were modified by this hook", [ANYWHERE]),
        ("✔ Applying modifications from tasks...\n[main abc1234] x", [ANYWHERE]),
        ("Dateien werden aufgeräumt\n[main abc1234] x", [ANYWHERE]),
    ],
)
def test_what_the_hooks_of_a_commit_may_have_changed(output: str, found: list[Target]) -> None:
    done = evaluate("git add -A && git commit -m x", Outcome.SUCCESS, output).effects
    assert [target for effect in done for target in touched(effect)] == found
    assert evaluate("git commit --no-verify -m x", Outcome.SUCCESS, output).effects == ()
