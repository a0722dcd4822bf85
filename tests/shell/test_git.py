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
        ("git checkout -q -b x", []),
        ("git switch --quiet -c x", []),
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


SHORT = " .../{old => new}/a.py | 2 +-\n ...ng_name.py | 4 ++--\n b.py => c.py | 0\n x.png | Bin 0 -> 9 bytes\n"
STATUS = (
    "On branch main\nChanges not staged for commit:\n  (use ...)\n\tmodified:   src/a.py\n\trenamed:    b.py -> c.py\n"
)


@pytest.mark.parametrize(
    ("script", "output", "found"),
    [
        (
            "git pull",
            "Updating 1a2b3c4..5d6e7f8\nFast-forward\n src/a.py | 2 +-\n 1 file changed, 1 insertion(+)",
            ["src/a.py"],
        ),
        (
            "git merge f",
            "Merge made by the 'ort' strategy.\n a.py | 9 +++\n 1 file changed, 9 insertions(+)\n create mode 1 a.py",
            ["a.py"],
        ),
        (
            "git -C x merge f",
            f"Fast-forward\n{SHORT} 4 files changed, 6 insertions(+)",
            ["old/a.py", "new/a.py", "*ng_name.py", "b.py", "c.py", "x.png"],
        ),
        (
            "git stash pop",
            f"{STATUS}\nno changes added to commit\nDropped refs/stash@{{0}}",
            ["src/a.py", "b.py", "c.py"],
        ),
        ("git stash apply", "On branch main\nUntracked files:\n\t../x.py\n", ["x.py"]),
    ],
)
def test_git_changes_what_it_lists(script: str, output: str, found: list[str]) -> None:
    assert list(evaluate(script, Outcome.SUCCESS, output).effects) == [Dirtied(tuple(Like(None, one) for one in found))]


@pytest.mark.parametrize(
    ("script", "output"),
    [
        ("git pull", "Fast-forward\n src/a.py | 2 +-\n 2 files changed, 2 insertions(+)"),
        ("git pull", "Fast-forward\n a.py | 2 +-\n 1 file changed"),
        ("git pull | tail -1", " 1 file changed, 1 insertion(+)"),
        ("git pull", 'Fast-forward\n "src/\\303\\244.py" | 2 +-\n 1 file changed, 2 insertions(+)'),
        ("git pull --rebase", "Successfully rebased and updated refs/heads/main."),
        ("git pull -q; git diff --stat HEAD~1", " a.py | 2 +-\n 1 file changed, 1 insertion(+)"),
        ("git merge f", "Auto-merging a.py\nCONFLICT (content): Merge conflict in a.py\nAutomatic merge failed"),
        ("git stash pop", "Dropped refs/stash@{0}"),
        ("git stash", "Saved working directory and index state WIP on main: 1a2b3c4 x"),
        ("git stash && git pull && git stash pop", "No local changes to save\nFrom x"),
        ("git checkout main", "Switched to branch 'main'"),
        ("git checkout .", "Updated 2 paths from the index"),
        ("git rebase -f main", "Current branch main is up to date, rebase forced."),
    ],
)
def test_git_that_does_not_tell_of_all_files(script: str, output: str) -> None:
    effects = evaluate(script, Outcome.SUCCESS, output).effects
    assert ANYWHERE in [target for effect in effects for target in touched(effect)]


@pytest.mark.parametrize(
    ("script", "output"),
    [
        ("git checkout main", "Already on 'main'\nYour branch is up to date with 'origin/main'."),
        ("git switch main", "Already on 'main'"),
        ("git checkout .", "Updated 0 paths from the index"),
        ("git pull --rebase", "Current branch main is up to date."),
        ("git rebase main", "Current branch main is up to date."),
        ("git stash", "No local changes to save"),
        ("git stash pop", "No stash entries found."),
        ("git pull", "fatal: not a git repository (or any of the parent directories): .git"),
        ("git reset --hard", "fatal: not a git repository (or any of the parent directories): .git"),
        ("git mv a.py b.py", "fatal: not under version control, source=a.py, destination=b.py"),
        ("git mv a.py x/b.py", "fatal: renaming 'a.py' failed: x, source=a.py, destination=x/b.py"),
        ("git rm a.py", "fatal: pathspec 'a.py' did not match any files"),
        ("git rm a.py", "error: the following file has local modifications:\n    a.py"),
        ("git restore a.py", "error: pathspec 'a.py' did not match any file(s) known to git"),
        ("git apply x.diff", "error: patch failed: a.py:1\nerror: a.py: patch does not apply"),
        ("git apply x.diff; echo done", "error: corrupt patch at line 7\ndone"),
        ("git commit --amend --no-edit", "[main 123abcd] x\n Date: Mon Nov 30 03:00:00 2026 +0000\n 1 file changed"),
    ],
)
def test_git_that_says_that_nothing_happened(script: str, output: str) -> None:
    assert evaluate(script, Outcome.UNKNOWN, output).effects == ()


@pytest.mark.parametrize(
    "script",
    ["git apply --reject x.diff", "git apply -3 x.diff", "git apply x.diff; git apply y.diff", "git mv a.py b.py"],
)
def test_what_failed_and_may_have_been_done_or_found_no_file(script: str) -> None:
    said = "error: patch failed: a.py:1\nfatal: bad source, source=a.py, destination=b.py"
    assert evaluate(script, Outcome.FAILURE, said).effects


PATCH = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-A = 1\n+A = 2\n"
GONE = "diff --git a/x/b.py b/x/b.py\ndeleted file mode 100644\n--- a/x/b.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-B = 1\n"
RENAMED = "diff --git a/a.py b/c.py\nsimilarity index 100%\nrename from a.py\nrename to c.py\n"


@pytest.mark.parametrize(
    ("script", "found"),
    [
        (f"git apply <<'EOF'\n{PATCH}EOF", ["a.py"]),
        (f"git apply --index - <<'EOF'\n{PATCH}{GONE}EOF", ["a.py", "x/b.py"]),
        (f"git apply <<'EOF'\n{RENAMED}EOF", ["a.py", "c.py"]),
        (f"cat > /tmp/x.diff <<'EOF'\n{PATCH}EOF\ngit apply -v /tmp/x.diff && rm /tmp/x.diff", ["a.py"]),
    ],
)
def test_a_patch_changes_the_files_that_it_names(script: str, found: list[str]) -> None:
    effects = evaluate(script, Outcome.SUCCESS, "").effects
    assert Dirtied(tuple(Like(None, one) for one in found)) in effects and EVERYTHING not in effects


@pytest.mark.parametrize(
    "script",
    [
        f"git apply -p0 <<'EOF'\n{PATCH}EOF",
        f"git apply --directory=x <<'EOF'\n{PATCH}EOF",
        "git apply <<'EOF'\nGIT binary patch\nEOF",
        "git apply < x.diff",
        f"test -f x.diff || cat > x.diff <<'EOF'\n{PATCH}EOF\ngit apply x.diff",
        'git apply <<\'EOF\'\n--- "a/\\303\\244.py"\n+++ "b/\\303\\244.py"\nEOF',
    ],
)
def test_a_patch_that_may_change_any_file(script: str) -> None:
    assert EVERYTHING in evaluate(script, Outcome.SUCCESS, "").effects


@pytest.mark.parametrize(
    ("script", "output", "effects"),
    [
        ("git rm a.py", "rm 'a.py'\n", (Removed("a.py"),)),
        ("git mv -v a.py b.py", "Renaming a.py to b.py\n", (Moved("a.py", "b.py"),)),
        ("git mv a.py b.py && git status --short", "R  a.py -> b.py\n", (Moved("a.py", "b.py"),)),
        (
            "git mv a.py b.py && git status",
            "Changes to be committed:\n\trenamed:  a.py -> b.py",
            (Moved("a.py", "b.py"),),
        ),
        ("git rm -q a.py; ls", "b.py\n", (Removed("a.py"),)),
        ("git mv a.py b.py; ls", "error: x\nc.py\n", (Dirtied((At("a.py"), At("b.py"))),)),
        ("git mv a.py b.py; ls", "致命错误：坏的源\nc.py\n", (Dirtied((At("a.py"), At("b.py"))),)),
        ("git rm a.py; ls", "usage: git rm [-f | --force]\nc.py\n", (Dirtied((At("a.py"),)),)),
        ("git commit -q -am x && git log --oneline", "12ab345 x\n34cd567 y\n", ()),
        ("git add -A && git commit -q -m x && git push", "To github.com:x/y.git\n   1a..2b  main -> main\n", ()),
    ],
)
def test_what_git_says_of_what_it_did(script: str, output: str, effects: tuple[Effect, ...]) -> None:
    assert evaluate(script, Outcome.RAN, output).effects == effects


def test_what_the_hooks_of_a_quiet_commit_say() -> None:
    output = "black....................................................................Failed\nreformatted a.py\n"
    assert evaluate("git commit -q -m x", Outcome.RAN, output).effects == (Dirtied((Like(None, "a.py"),)),)
