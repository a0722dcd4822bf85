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
        ("git format-patch -1", [Dirtied((Like(None, "**.patch"),))]),
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


@pytest.mark.parametrize(
    ("script", "output", "done"),
    [
        ("git pull", "Already up to date.\n", []),
        ("git pull --rebase origin main", "Current branch main is up to date.", []),
        ("git merge dev", "Already up-to-date.", []),
        ("git stash", "No local changes to save", []),
        ("git pull", "", ALL),
        ("git pull", "Already up to date.\nformatting ...", ALL),
        ("git checkout dev", "Already up to date.", ALL),
        ("git pull && git stash pop", "Already up to date.", ALL),
    ],
)
def test_git_says_that_there_was_nothing_to_do(script: str, output: str, done: list[Effect]) -> None:
    assert list(evaluate(script, Outcome.SUCCESS, output).effects) == done


UPDATING = "Updating a1b2..c3d4\nFast-forward\n"
SUM = " 1 file changed, 1 insertion(+), 1 deletion(-)\n"


@pytest.mark.parametrize(
    "output", [UPDATING, "From github.com:a/b\n   1a2b..3c4d  main       -> origin/main\n" + UPDATING]
)
def test_a_pull_changes_what_it_counts(output: str) -> None:
    run = evaluate("git pull", Outcome.SUCCESS, output + " src/b.md | 2 +-\n" + SUM)
    assert list(run.effects) == [Dirtied((Like(None, "src/b.md"), At("src/b.md"), At("b.md")))]


@pytest.mark.parametrize(
    "output",
    [
        UPDATING,
        UPDATING + " b.md | 2 +-\n",
        UPDATING + " b.md | 2 +-\n" + SUM.replace("1 file ", "2 files "),
        UPDATING + " .../b.md | 2 +-\n" + SUM,
        UPDATING + " src/{a.py => b.py} | 0\n" + SUM,
        UPDATING + "formatting\n b.md | 2 +-\n" + SUM,
        "Auto-merging a.py\nCONFLICT (content): Merge conflict in a.py\n",
    ],
)
def test_a_pull_that_does_not_count_all_may_change_any(output: str) -> None:
    assert list(evaluate("git merge x", Outcome.SUCCESS, output).effects) == ALL
