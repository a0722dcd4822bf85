"""Shell calls as evidence: their scripts' effects as changes of files, by what the client says of them."""

import pytest

from tslp_litellm import shell
from tslp_litellm.clients.shell import (
    EVERYTHING,
    attempted,
    begins_anew,
    by_definitions,
    carried_out,
    changes_of,
    defines,
    folder_after,
    may_define,
    may_move,
    path_shown,
    proposed,
)
from tslp_litellm.dialects.values import (
    Attempt,
    Carrier,
    Drift,
    Edit,
    FileChange,
    Insertion,
    Outcome,
    Removal,
    Replacement,
    Shown,
    Transfer,
    Verdict,
)
from tslp_litellm.shell.targets import Like

C = Carrier.SHELL


def wrote(path: str, text: str) -> Shown:
    return Shown(path, text, C, whole=True)


def gone(*paths: str, tree: bool = False) -> list[FileChange]:
    return [Removal(path, C, tree) for path in paths]


def drift(*paths: str) -> list[FileChange]:
    return [Drift(paths, C)]


def quoted(name: str) -> list[FileChange]:
    return [Drift((name,), C, (Like(None, name, alone=True),))]


def fits(*like: tuple[str | None, str]) -> list[FileChange]:
    return [Drift((), C, tuple(Like(*one) for one in like))]


def ran(script: str) -> FileChange:
    return Drift((), C, scripts=(script,), run_in="")


PYTHON = ("**.py", "**.pyi", "**.ipynb")


PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch\n"
PATCHED = Edit("a.py", (Replacement("x\n", "y\n", lines=True),), C)

SCRIPTS: list[tuple[str, list[FileChange]]] = [
    # writes
    ("cat > a.py <<'EOF'\nx = $y\nEOF", [wrote("a.py", "x = $y\n")]),
    ('cat <<"EOF" > a.py\nx\nEOF\n', [wrote("a.py", "x\n")]),
    ("cat <<\\EOF > a.py\nx\nEOF\n", [wrote("a.py", "x\n")]),
    ("cat <<EOF > a.py\nx = 1\nEOF", [wrote("a.py", "x = 1\n")]),
    ("cat > a.py <<'EOF'\nEOF", [wrote("a.py", "")]),
    ("cat - > a.py <<'EOF'\nx\nEOF", [wrote("a.py", "x\n")]),
    ("tee a.py <<'EOF'\nx\nEOF", [wrote("a.py", "x\n")]),
    ("sudo tee a.py > /dev/null <<'EOF'\nx\nEOF", [wrote("a.py", "x\n")]),
    ("cat <<'EOF' | tee a.py > /dev/null\nx\nEOF", [wrote("a.py", "x\n")]),
    ("cd src && cat > a.py <<'EOF'\nx\nEOF", [wrote("src/a.py", "x\n")]),
    ("mkdir -p src && cat > src/a.py <<'EOF'\nx\nEOF\npython src/a.py", [wrote("src/a.py", "x\n"), ran("src/a.py")]),
    ("cat > 'a b.py' <<'EOF'\nx\nEOF", [wrote("a b.py", "x\n")]),
    ("cat > /w/a.py <<'EOF'\nx\nEOF", [wrote("/w/a.py", "x\n")]),
    ("echo 'x = 1' > a.py", [wrote("a.py", "x = 1\n")]),
    ("echo x = 1 > a.py", [wrote("a.py", "x = 1\n")]),
    ("printf 'a\\nb\\n' > a.py", [wrote("a.py", "a\nb\n")]),
    ("> a.py", [wrote("a.py", "")]),
    (": > a.py", [wrote("a.py", "")]),
    ("cat >> a.py <<'EOF'\nx\nEOF", [Edit("a.py", (Insertion("x\n", exact=True),), C)]),
    ("echo x >> a.py", [Edit("a.py", (Insertion("x\n", exact=True),), C)]),
    ("echo x | tee -a a.py", [Edit("a.py", (Insertion("x\n", exact=True),), C)]),
    # writes of unknown text
    ("cat > a.py <<EOF\n$x\nEOF", drift("a.py")),
    ("cat > a.py <<EOF\n`x`\nEOF", drift("a.py")),
    ("cat > a.py <<EOF\nx\\\ny\nEOF", [wrote("a.py", "xy\n")]),
    ("cat > a.py <<-'EOF'\n\tx\n\tEOF", [wrote("a.py", "x\n")]),
    ("echo -e 'a\\tb' > a.py", drift("a.py")),
    ("echo $X > a.py", drift("a.py")),
    ("echo *.py > a.py", drift("a.py")),
    ("printf '%s' x > a.py", [wrote("a.py", "x")]),
    ("printf '%d' 1 > a.py", drift("a.py")),
    ("cat b.py > a.py", drift("a.py")),
    ("grep x b > log.txt 2>&1", drift("log.txt")),
    ("cat > $X <<'EOF'\nx\nEOF", [EVERYTHING]),
    ("cd $X && cat > a.py <<'EOF'\nx\nEOF", fits((None, "a.py"))),
    # removals and moves
    ("rm a.py", gone("a.py")),
    ("rm -f a.py b.py", gone("a.py", "b.py")),
    ("rm -- -a.py", gone("-a.py")),
    ("rm 'a'\\''b.py' a\\ b.py", gone("a'b.py", "a b.py")),
    ("rm -rf src/", gone("src", tree=True)),
    ("unlink a.py", gone("a.py")),
    ("git rm -q a.py", gone("a.py")),
    ("cd src\nrm a.py", gone("src/a.py")),
    ("cd /w/src && rm a.py", gone("/w/src/a.py")),
    ("git -C src rm a.py", gone("src/a.py")),
    ("rm src/*.py", fits(("src", "*.py"))),
    ("rm *.py", fits(("", "*.py"))),
    ("rm $FILE", [EVERYTHING]),
    ("mv a.py b.py", [Transfer("a.py", "b.py", C)]),
    ("mv a.py lib/", [Transfer("a.py", "lib/a.py", C)]),
    ("mv a.py b.py lib", [Transfer("a.py", "lib/a.py", C), Transfer("b.py", "lib/b.py", C)]),
    ("git mv a.py b.py", [Transfer("a.py", "b.py", C)]),
    ("cp a.py b.py", [Transfer("a.py", "b.py", C, keep=True)]),
    ("cp -r a b", drift("b", "b/a")),
    # edits
    ("sed -i 's/a/b/' a.py", drift("a.py")),
    ("sed -i '' 's/a/b/' a.py", drift("a.py")),
    ("sed -i -e 's/a/b/' -e 's/c/d/' a.py b.py", drift("a.py", "b.py")),
    ("sed -Ei.bak 's/a/b/' src/a.py", drift("src/a.py")),
    ("perl -pi -e 's/a/b/' a.py", drift("s/a/b", "a.py")),
    ("npx prettier --write src/a.ts", drift("src/a.ts")),
    ("black .", fits(*(("", name) for name in PYTHON))),
    ("ruff check --fix", fits(*((None, name.removeprefix("*")) for name in PYTHON))),
    ("ruff format src/a.py", drift("src/a.py")),
    ("cargo fmt", fits((None, "*.rs"))),
    ("python - <<'EOF'\nopen('b.py', mode='w')\nEOF", quoted("b.py")),
    ("python -c \"from pathlib import Path; Path('a.py').write_text('x')\"", quoted("a.py")),
    ("npm run lint:fix", [EVERYTHING]),
    ("git checkout -- a.py", drift("a.py")),
    ("git restore src/a.py", drift("src/a.py")),
    ("git checkout main", [EVERYTHING]),
    ("git stash", [EVERYTHING]),
    ("patch -p1 < fix.diff", [EVERYTHING]),
    ("find . -name '*.py' -delete", fits(("", "**.py"))),
    # patches
    (f"apply_patch <<'EOF'\n{PATCH}EOF\n", [PATCHED]),
    (f"apply_patch <<EOF\n{PATCH}EOF\n", [PATCHED]),
    (f"apply_patch '{PATCH}'", [PATCHED]),
    (f"bash -lc \"apply_patch <<'EOF'\n{PATCH}EOF\n\"", [PATCHED]),
    (f"cd src && apply_patch <<'EOF'\n{PATCH}EOF", [Edit("src/a.py", PATCHED.steps, C)]),
    ("apply_patch <<'EOF'\nnot a patch\nEOF", [EVERYTHING]),
    # a command that may not have run
    ("if [ -f a.py ]; then rm a.py; fi", drift("a.py")),
    ("test -f a.py && rm a.py; ls", drift("a.py")),
    ("test -f a.py && rm a.py", gone("a.py")),
    ("true || rm a.py", []),
    ("! rm a.py", drift("a.py")),
    ("f() { mv a.py b.py; }", []),
    ("f() { mv a.py b.py; }; f", [Transfer("a.py", "b.py", C)]),
    ("for f in a.py b.py; do rm $f; done", gone("a.py", "b.py")),
    ("for f in $X; do rm a.py; done", drift("a.py")),
    ("(cd src && rm a.py); rm b.py", gone("src/a.py", "b.py")),
    # nothing
    ("ls -la", []),
    ("cat a.py", []),
    ("cat a.py | grep x", []),
    ("sed -n '1,20p' a.py", []),
    ("git status && git diff", []),
    ("git rm --cached a.py", []),
    ("git add -A && git commit -m 'rm a.py'", []),
    ("ruff check .", []),
    ("black --check .", []),
    ("echo x 2> /dev/null", []),
    ("echo x > /dev/null", []),
    ("echo x > /tmp/a.py", [wrote("/tmp/a.py", "x\n")]),
    ("python -c \"print(open('a.py').read())\"", []),
    ("# rm a.py", []),
    ("", []),
    # what can't be read
    ("rm 'a.py", [EVERYTHING]),
    ("Set-Content a.py 'x'", drift("a.py")),
    ("del a.py", drift("a.py")),
]


@pytest.mark.parametrize(("script", "changes"), SCRIPTS)
def test_changes(script: str, changes: list[FileChange]) -> None:
    assert list(changes_of(script, "", shell.Outcome.SUCCESS, "")) == changes


def test_a_script_begins_in_a_folder() -> None:
    assert attempted([("rm a.py", "/w")]) == (Removal("/w/a.py", C),)
    assert attempted([("cd b; mv c.py d.py", "a")]) == (Transfer("a/b/c.py", "a/b/d.py", C),)
    assert attempted([("rm a.py", None)]) == (Drift((), C, (Like(None, "a.py"),)),)


def test_files_of_no_workspace_are_not_proposed() -> None:
    assert proposed((wrote("/tmp/a.py", "x"), wrote("a.py", "x"), EVERYTHING)) == (wrote("a.py", "x"), EVERYTHING)
    across = (Transfer("/tmp/a.py", "a.py", C), Transfer("a.py", "/tmp/a.py", C))
    assert proposed((*across, Transfer("/tmp/a.py", "/tmp/b.py", C))) == across


def outcome(script: str, verdict: Verdict, output: str) -> Outcome:
    scripts = ((script, ""),)
    made = Attempt("c", "bash", attempted(scripts), "shell", scripts=scripts)
    return carried_out(Outcome(made, verdict), output)


WRITE = "cat > a.py <<'EOF'\nx\nEOF\n"


@pytest.mark.parametrize(
    ("script", "verdict", "output", "done"),
    [
        (WRITE, Verdict.SUCCESS, "", [wrote("a.py", "x\n")]),
        (WRITE + "pytest -q", Verdict.FAILURE, "1 failed", [wrote("a.py", "x\n")]),
        (WRITE + "pytest -q", Verdict.FAILURE, "bash: a.py: Read-only file system", drift("a.py")),
        (WRITE + "pytest -q", Verdict.FAILURE, "... [200 lines truncated] ...", drift("a.py")),
        ("pytest -q\n" + WRITE, Verdict.FAILURE, "1 failed", drift("a.py")),
        (WRITE, Verdict.UNKNOWN, "", drift("a.py")),
        ("sed -i s/a/b/ a.py", Verdict.FAILURE, "", drift("a.py")),
        ("cat > a.py <<'E' && false\nx\nE", Verdict.FAILURE, "", [wrote("a.py", "x\n")]),
    ],
)
def test_what_was_done_by_what_the_client_says(
    script: str, verdict: Verdict, output: str, done: list[FileChange]
) -> None:
    found = outcome(script, verdict, output)
    assert (list(found.attempt.changes), found.verdict) == (done, Verdict.SUCCESS)


def test_a_denied_call_did_nothing() -> None:
    found = outcome(WRITE, Verdict.DENIED, "")
    assert (found.verdict, found.attempt.changes) == (Verdict.DENIED, (wrote("a.py", "x\n"),))


def test_a_patch_that_was_refused_did_nothing() -> None:
    found = outcome(f"apply_patch <<'EOF'\n{PATCH}EOF\n", Verdict.FAILURE, "apply_patch verification failed: x")
    assert (found.verdict, found.attempt.changes) == (Verdict.FAILURE, (PATCHED,))


def test_what_failed_beside_other_changes_is_undone() -> None:
    found = outcome("echo x > a.py; false && rm b.py; rm c.py", Verdict.FAILURE, "rm: cannot remove 'c.py': Busy")
    assert list(found.attempt.changes) == [wrote("a.py", "x\n"), *drift("c.py")]
    assert list(found.undone) == gone("c.py")


@pytest.mark.parametrize(
    ("tool", "arguments", "anew"),
    [
        ("Bash", ["command"], False),
        ("Bash", ["command", "description"], False),
        ("bash", ["command", "description"], True),
        ("shell", [], True),
        ("sh", [], None),
    ],
)
def test_whether_a_tools_calls_begin_anew(tool: str, arguments: list[str], anew: bool | None) -> None:
    assert begins_anew(tool, arguments) is anew


@pytest.mark.parametrize(
    ("script", "said", "output", "folder"),
    [
        ("cd src", shell.Outcome.SUCCESS, "", "src"),
        ("cd src", shell.Outcome.FAILURE, "bash: cd: src: No such file or directory", None),
        ("cd src && pytest", shell.Outcome.SUCCESS, "", "src"),
        ("(cd src)", shell.Outcome.SUCCESS, "", ""),
        ("cd src", shell.Outcome.SUCCESS, "Shell cwd was reset to /w", "/w"),
        ("cd $X", shell.Outcome.SUCCESS, "", None),
        ("cd src", shell.Outcome.UNKNOWN, "", None),
        ("cd src; exit", shell.Outcome.SUCCESS, "", None),
        ("ls", shell.Outcome.FAILURE, "", ""),
    ],
)
def test_the_folder_after_a_script(script: str, said: shell.Outcome, output: str, folder: str | None) -> None:
    assert folder_after(script, "", said, output) == folder


def test_scripts_that_may_leave_their_shell_elsewhere() -> None:
    assert may_move("x; cd a")
    assert may_move(". ./env")
    assert not may_move("rm a.py ./b")


@pytest.mark.parametrize(
    ("script", "shown"),
    [
        ("cat a.py", ("a.py", 0)),
        ("cat 'a b.py'", ("a b.py", 0)),
        ("cat -- a.py", ("a.py", 0)),
        ("/bin/cat /w/a.py", ("/w/a.py", 0)),
        ("cat a.py\n", ("a.py", 0)),
        ("cat a.py b.py", None),
        ("cat -n a.py", None),
        ("cat *.py", None),
        ("cat $X", None),
        ("cat a.py | head", None),
        ("cat a.py > b.py", None),
        ("cat <<'EOF'\nx\nEOF", None),
        ("cat a.py && ls", None),
        ("ls; cat a.py", None),
        ("head -5 a.py", ("a.py", 5)),
        ("sed -n '1,5p' a.py", ("a.py", 5)),
        ("sed -n '2,5p' a.py", None),
        ("tail -5 a.py", None),
        ("cat 'a.py", None),
        ("", None),
    ],
)
def test_scripts_that_only_show_a_file(script: str, shown: tuple[str, int] | None) -> None:
    assert path_shown(script) == shown


def test_a_file_shown_from_a_folder() -> None:
    assert path_shown("cat a.py", "src") == ("src/a.py", 0)
    assert path_shown("cat /a.py", "src") == ("/a.py", 0)


@pytest.mark.parametrize(
    ("script", "told"),
    [("f(){ rm a.py; }", True), ("alias f='rm a.py'", True), ("trap 'rm a.py' DEBUG", True),
     ("PROMPT_COMMAND='rm a.py'", True), ("export F=a.py", False), ("cat > a.py <<'E'\ndef f() {}\nE", False)],
)  # fmt: skip
def test_whether_a_script_defines_what_words_mean(script: str, told: bool) -> None:
    assert (may_define(script) and defines(script)) is told


def test_what_definitions_may_have_changed() -> None:
    assert by_definitions(["f(){ rm a.py; }", "f b.py"], "") == drift("a.py", "b.py")
