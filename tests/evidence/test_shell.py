"""Shell scripts: what they do to files, and whether their exit status tells."""

import pytest

from tslp_litellm.evidence.shell import EVERYTHING, path_shown, read_script
from tslp_litellm.evidence.values import (
    Carrier,
    Drift,
    Edit,
    FileChange,
    Insertion,
    Removal,
    Replacement,
    Shown,
    Transfer,
)

C = Carrier.SHELL


def wrote(path: str, text: str) -> Shown:
    return Shown(path, text, C, whole=True)


def gone(*paths: str, tree: bool = False) -> list[FileChange]:
    return [Removal(path, C, tree) for path in paths]


def drift(*paths: str) -> list[FileChange]:
    return [Drift(paths, C)]


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
    ("mkdir -p src && cat > src/a.py <<'EOF'\nx\nEOF\npython src/a.py", [wrote("src/a.py", "x\n")]),
    ("cat > 'a b.py' <<'EOF'\nx\nEOF", [wrote("a b.py", "x\n")]),
    ("cat > /w/a.py <<'EOF'\nx\nEOF", [wrote("/w/a.py", "x\n")]),
    ("echo 'x = 1' > a.py", [wrote("a.py", "x = 1\n")]),
    ("echo x = 1 > a.py", [wrote("a.py", "x = 1\n")]),
    ("printf 'a\\nb\\n' > a.py", [wrote("a.py", "a\nb\n")]),
    ("> a.py", [wrote("a.py", "")]),
    (": > a.py", [wrote("a.py", "")]),
    ("cat >> a.py <<'EOF'\nx\nEOF", [Edit("a.py", (Insertion("x\n", exact=True),), C)]),
    ("echo x >> a.py", [Edit("a.py", (Insertion("x\n", exact=True),), C)]),
    ("echo x | tee -a a.py", drift("a.py")),
    # writes of unknown text
    ("cat > a.py <<EOF\n$x\nEOF", drift("a.py")),
    ("cat > a.py <<EOF\n`x`\nEOF", drift("a.py")),
    ("cat > a.py <<EOF\nx\\\ny\nEOF", drift("a.py")),
    ("cat > a.py <<-'EOF'\n\tx\n\tEOF", drift("a.py")),
    ("echo -e 'a\\tb' > a.py", drift("a.py")),
    ("echo $X > a.py", drift("a.py")),
    ("echo *.py > a.py", drift("a.py")),
    ("printf '%s' x > a.py", drift("a.py")),
    ("cat b.py > a.py", drift("a.py")),
    ("make > log.txt 2>&1", drift("log.txt")),
    ("cat > $X <<'EOF'\nx\nEOF", [EVERYTHING]),
    ("cd $X && cat > a.py <<'EOF'\nx\nEOF", [EVERYTHING]),
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
    ("git -C src rm a.py", gone("a.py")),
    ("rm src/*.py", drift("src/")),
    ("rm *.py", [EVERYTHING]),
    ("rm $FILE", [EVERYTHING]),
    ("mv a.py b.py", [Transfer("a.py", "b.py", C)]),
    ("mv a.py lib/", [Transfer("a.py", "lib/a.py", C)]),
    ("mv a.py b.py lib", [Transfer("a.py", "lib/a.py", C), Transfer("b.py", "lib/b.py", C)]),
    ("git mv a.py b.py", [Transfer("a.py", "b.py", C)]),
    ("cp a.py b.py", [Transfer("a.py", "b.py", C, keep=True)]),
    ("cp -r a b", drift("b", "a")),
    # edits
    ("sed -i 's/a/b/' a.py", drift("a.py")),
    ("sed -i '' 's/a/b/' a.py", drift("a.py")),
    ("sed -i -e 's/a/b/' -e 's/c/d/' a.py b.py", drift("a.py", "b.py")),
    ("sed -Ei.bak 's/a/b/' src/a.py", drift("src/a.py")),
    ("perl -pi -e 's/a/b/' a.py", drift("a.py")),
    ("npx prettier --write src/a.ts", drift("src/a.ts")),
    ("black .", [EVERYTHING]),
    ("ruff check --fix", [EVERYTHING]),
    ("ruff format src/a.py", drift("src/a.py")),
    ("cargo fmt", [EVERYTHING]),
    ("python - <<'EOF'\nopen('b.py', mode='w')\nEOF", drift("b.py")),
    ("python -c \"from pathlib import Path; Path('a.py').write_text('x')\"", drift("a.py", ".write_text")),
    ("npm run lint:fix", [EVERYTHING]),
    ("git checkout -- a.py", drift("a.py")),
    ("git restore src/a.py", drift("src/a.py")),
    ("git checkout main", [EVERYTHING]),
    ("git stash", [EVERYTHING]),
    ("patch -p1 < fix.diff", [EVERYTHING]),
    ("find . -name '*.py' -delete", [EVERYTHING]),
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
    ("true || rm a.py", drift("a.py")),
    ("! rm a.py", drift("a.py")),
    ("f() { mv a.py b.py; }", drift("a.py", "b.py")),
    ("for f in a b; do rm a.py; done", drift("a.py")),
    ("(cd src && rm a.py); rm b.py", [EVERYTHING, EVERYTHING]),
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
    ("echo x > /tmp/a.py", []),
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
    assert list(read_script(script).changes) == changes


def test_a_script_begins_in_a_folder() -> None:
    assert read_script("rm a.py", "/w").changes == (Removal("/w/a.py", C),)
    assert read_script("cd b; mv c d", "a").changes == (Transfer("a/b/c", "a/b/d", C),)
    assert read_script("sed -i s/a/b/ x", "a").changes == (Drift(("a/x",), C),)


@pytest.mark.parametrize(
    ("script", "certain"),
    [
        ("rm a.py", True),
        ("cd src && rm a.py", True),
        ("mv a.py b.py", True),
        ("cat > a.py <<'EOF'\nx\nEOF", True),
        (f"apply_patch <<'EOF'\n{PATCH}*** End Patch\nEOF", True),
        ("cat > a.py <<'EOF'\nx\nEOF\nls", False),
        ("cd src; rm a.py", False),
        ("rm a.py b.py", False),
        ("rm -r src", False),
        ("rm a.py && false", False),
        ("rm a.py || true", False),
        ("! rm a.py", False),
        ("sed -i 's/a/b/' a.py", False),
        ("eslint --fix a.js", False),
        ("make > log.txt", False),
        ("rm 'a.py", False),
    ],
)
def test_whether_failure_means_that_nothing_was_done(script: str, certain: bool) -> None:
    assert read_script(script).certain is certain


@pytest.mark.parametrize(
    ("script", "path"),
    [
        ("cat a.py", "a.py"),
        ("cat 'a b.py'", "a b.py"),
        ("cat -- a.py", "a.py"),
        ("/bin/cat /w/a.py", "/w/a.py"),
        ("cat a.py\n", "a.py"),
        ("cat a.py b.py", None),
        ("cat -n a.py", None),
        ("cat *.py", None),
        ("cat $X", None),
        ("cat a.py | head", None),
        ("cat a.py > b.py", None),
        ("cat <<'EOF'\nx\nEOF", None),
        ("cat a.py && ls", None),
        ("ls; cat a.py", None),
        ("head -5 a.py", None),
        ("sed -n '1,5p' a.py", None),
        ("cat 'a.py", None),
        ("", None),
    ],
)
def test_scripts_that_only_show_a_file(script: str, path: str | None) -> None:
    assert path_shown(script) == path


def test_a_file_shown_from_a_folder() -> None:
    assert path_shown("cat a.py", "src") == "src/a.py"
    assert path_shown("cat /a.py", "src") == "/a.py"
