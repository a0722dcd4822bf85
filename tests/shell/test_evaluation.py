"""What scripts do: certainty, folder and status through every construct."""

import pytest

from tslp_litellm.shell import Outcome, changed_by, evaluate, shown_by
from tslp_litellm.shell.effects import EVERYTHING, Appended, Dirtied, Effect, Moved, Ran, Removed, Written
from tslp_litellm.shell.targets import UNKNOWN, At, Folder, Like

X = Written("a", "x\n")
D = Dirtied((At("a"),))
FAILED = Outcome.FAILURE


def effects(script: str, outcome: Outcome = Outcome.SUCCESS, output: str | None = "") -> list[Effect]:
    return list(evaluate(script, outcome, output).effects)


@pytest.mark.parametrize(
    ("script", "done"),
    [
        ("echo x > a", [X]),
        ("true && echo x > a", [X]),
        ("false && echo x > a; true", []),
        ("false || echo x > a", [X]),
        ("true || echo x > a", []),
        ("test -f b && echo x > a; true", [D]),
        ("test -f b && echo x > a", [X]),
        ("if true; then echo x > a; else echo y > a; fi", [X]),
        ("if test -f b; then echo x > a; fi", [D]),
        ("for f in a b; do echo x > $f; done", [X, Written("b", "x\n")]),
        ("for f in a b; do rm $f; break; done; echo x > a", [Removed("a"), Dirtied((At("b"),)), X]),
        ("for i in 1; do test -f b && break; for j in 1; do :; done; echo x > a; done; echo end", [D]),
        ("for i in 1; do test -f b && continue; while false; do :; done; echo x > a; done; echo end", [D]),
        ("f() { for j in 1; do :; done; }; for i in 1; do test -f b && break; f; echo x > a; done; echo end", [D]),
        ("set -u\n( echo $NO; echo x > a ); true", [D]),
        ("bash -uc 'echo $NO; echo x > a' || true", [D]),
        ("set -u\necho $NO; echo x > a", [X]),
        ("for f in *; do echo x > a; done", [D]),
        ("while read f; do echo x > a; done < b", [D]),
        ("case $1 in b) echo x > a;; *) rm b;; esac", [D, Dirtied((At("b"),))]),
        ("f() { echo $1 > a; }; f x", [X]),
        ("f() { return; echo x > a; }; f || echo x > b", [D, Dirtied((Like(None, "b"),))]),
        ("(cd b; echo x > a); echo x > a", [Written("b/a", "x\n"), X]),
        ("{ echo x; } > a", [X]),
        ("echo x | tee a", [X]),
        ("echo x | cat > a", [X]),
        ("echo x > a | true", [X]),
        ("{ echo y; echo x > a; } | true", [D]),
        ("bash -c 'echo $0 > a' x", [D]),
        ("bash -c 'echo $1 > a' b x", [X]),
        ("bash -ec 'cd b; echo x > a'", [Written("b/a", "x\n")]),
        ("bash <<'E'\necho x > a\nE", [X]),
        ("eval 'echo x > a'", [X]),
        ("eval $X", [EVERYTHING]),
        ("$X a", [EVERYTHING]),
        ("x=a; echo x > $x", [X]),
        ("x=$(echo a); echo x > $x", [X]),
        ("x=$(rm b)", [Removed("b")]),
        ("echo x > a &", [D, D]),
        ("trap 'rm a' EXIT", [Dirtied((Like(None, "a"),)), Dirtied((Like(None, "a"),))]),
        ("exit 1; echo x > a", []),
        ("test -f b || exit 1; echo x > a", [X]),
        ("test -f b || exit 0; echo x > a", [D]),
        ("set -e; test -f b; echo x > a", [X]),
        ("set -e; test -f b && true; echo x > a", [X]),
        ("echo $((1/0)); echo x > a", [D]),
        ("ln -s a b; echo x > b", [Dirtied((At("a"), At("b"))), Dirtied((At("b/a"),)), Dirtied((At("b"),))]),
        ("echo x &> a", [D, D]),
        ("echo x >> a; echo x >> a", [Appended("a", "x\n"), Appended("a", "x\n")]),
        ("cat > a <<< x; cat $b > a", [D]),
        ("if then", [EVERYTHING]),
        ("a=aa;" + "a=$a$a;" * 40 + "echo $a > a", [D]),
    ],
)  # fmt: skip
def test_constructs(script: str, done: list[Effect]) -> None:
    assert effects(script) == done


@pytest.mark.parametrize(
    ("script", "outcome", "output", "done"),
    [
        ("echo x > a; pytest", FAILED, "", [X]),
        ("echo x > a; pytest", FAILED, None, [D]),
        ("echo x > a; pytest", FAILED, "bash: a: Permission denied", [D]),
        ("pytest; echo x > a", FAILED, "", [D]),
        ("echo x > a && false", FAILED, "", [X]),
        ("echo x > a 2>/dev/null; true", Outcome.SUCCESS, "", [X]),
        ("{ echo x > a; } 2>/dev/null; true", Outcome.SUCCESS, "", [D]),
        ("echo x > a", Outcome.UNKNOWN, "", [D]),
        ("cd b; echo x > a", Outcome.SUCCESS, None, [Dirtied((Like(None, "a"),))]),
        ("cd b || exit 1; echo x > a", Outcome.SUCCESS, None, [Written("b/a", "x\n")]),
        ("cd b && echo x > a", Outcome.SUCCESS, None, [Written("b/a", "x\n")]),
        ("echo x > a", FAILED, "", [D]),
        ("echo x > a", FAILED, "awaiting approval", [D]),
        ("echo x > a", Outcome.RAN, "", [X]),
        ("echo x > a", Outcome.RAN, "zugriff verweigert", [D]),
        ("mkdir -p b && echo x > a", Outcome.RAN, "", [X]),
        ("echo x > a && pytest", Outcome.RAN, "1 failed", [X]),
        ("[ -f b ] && echo x > a", Outcome.RAN, "", [D]),
        ("diff b c && echo x > a", Outcome.RAN, "", [D]),
        ("read -t1 y && echo x > a", Outcome.RAN, "", [D]),
        ("cd b || true; echo x > a", Outcome.RAN, "", [Dirtied((Like(None, "a"),))]),
        ("mv a.py b.py", FAILED, "mv: cannot stat 'a.py': No such file", [Dirtied((At("a.py"), At("b.py")))]),
    ],
)
def test_outcomes(script: str, outcome: Outcome, output: str | None, done: list[Effect]) -> None:
    assert effects(script, outcome, output) == done


@pytest.mark.parametrize(
    ("script", "folder"),
    [("cd a", "a"), ("cd a; cd -", ""), ("pushd a", None), ("(cd a)", ""), ("cd $X", None),
     ("test -f b && cd a; true", None), ("cd a; cd ..", ""), ("cd /w", "/w"), ("cd", None)],
)  # fmt: skip
def test_the_folder_that_a_script_ends_in(script: str, folder: str | None) -> None:
    assert evaluate(script, Outcome.SUCCESS, "").folder == Folder(folder)


def test_a_script_that_is_not_followed_to_its_end_may_have_done_anything() -> None:
    assert evaluate("f() { f; f; }; f", Outcome.SUCCESS, "").effects == (EVERYTHING,)
    assert evaluate("rm 'a", Outcome.SUCCESS, "").folder == UNKNOWN


def test_what_a_script_in_a_file_may_have_changed() -> None:
    quoted = Like(None, "a.py", alone=True)
    assert changed_by("fix.py", "# fix.py\nopen('a.py', 'w')", "")[0] == (At("a.py"), quoted)
    assert At("x") in changed_by("fix.sh", "for f in x; do rm $f; done", "")[0]
    assert changed_by("fix.py", "open('a.py')", None)[0] == (Like(None, "a.py"), quoted)


def test_scripts_that_only_show_a_file() -> None:
    assert shown_by("cat a.py") == ("a.py", 0)
    assert shown_by("cat a.py > b.py") is None


def test_what_files_of_scripts_ran() -> None:
    assert effects("python tools/fix.py") == [Ran((At("tools/fix.py"),), "")]
    assert effects("./fix.sh a.py") == [Ran((At("fix.sh"),), ""), Dirtied((At("a.py"),))]
    assert effects("mv a.py b.py") == [Moved("a.py", "b.py")]
