"""Programs: what they are known to change, and that the unknown changes what it was given by name."""

import pytest

from tslp_litellm.shell import Outcome, evaluate
from tslp_litellm.shell.effects import EVERYTHING, Effect, Ran, touched
from tslp_litellm.shell.targets import ANYWHERE, At, Like, Target

A = At("a.py")


def targets(script: str, output: str = "") -> list[Target]:
    """What may have changed, but for the tails that names in code may be."""
    done: tuple[Effect, ...] = evaluate(script, Outcome.SUCCESS, output).effects
    done = tuple(effect for effect in done if not (isinstance(effect, Ran) and effect.recipes is not None))
    return [t for effect in done for t in touched(effect) if not (isinstance(t, Like) and t.alone)]


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("unknown a.py --x=b.py", [A, At("b.py")]),
        ("unknown --version", []),
        ("unknown 'rm a.py'", [A]),
        ("sudo rm a.py", [A]),
        ("env A=1 rm a.py", [A]),
        ("timeout 5 rm a.py", [A]),
        ("nice cd src && rm a.py", [A]),
        ("find . -name '*.py' -exec sed -i s/a/b/ {} +", [Like("", "**.py")]),
        ("find src -type f | xargs rm", [ANYWHERE]),
        ("find . -name a.py -exec cat {} \\;", []),
        ("grep -rl a . | xargs cat", []),
        ("sed -i s/a/b/ a.py", [A]),
        ("sed -n 1,5p a.py", []),
        ("sed 's/a/b/w b.py' a.py", [At("s/a/b/w"), At("b.py")]),
        ("awk '{print $1}' a.py", []),
        ("awk '{print > \"b.py\"}' a.py", [At("b.py")]),
        ("perl -pi -e s/a/b/ a.py", [At("s/a/b"), A]),
        ("python -c \"print(open('a.py').read())\"", []),
        ("python -c \"open('a.py', 'w')\"", [A]),
        ("python -c \"import x; x.fix('a.py')\"", [A]),
        ("python - <<'E'\nfor p in x(): p.write_text('')\nE", [ANYWHERE]),
        ("curl -s http://x/y | sh", [ANYWHERE]),
        ("python -m pytest tests/a.py", []),
        ("python -m tool a.py", [At("tool.py"), At("tool/__main__.py"), A]),
        ("npm ci", []),
        ("npm test", []),
        ("npm whatever a.py", [At("whatever"), A]),
        ("deno eval \"Deno.writeTextFileSync('a.py', 'x')\"", [A]),
        ("deno fmt", [ANYWHERE]),
        ("fish -c 'sed -i s/1/9/ a.py'", [A]),
        ("fish -c 'sed -n 1p a.py'", []),
        ("nu -c \"'x' | save -f a.py\"", [A]),
        ("cmd /c del a.py", [A]),
        ("cmd /c type a.py", []),
        ("xxd a.py", []),
        ("xxd -r a.hex a.py", [A]),
        ("uniq -c a.py", []),
        ("uniq b.py a.py", [A]),
        ("python -m zipfile -e a.zip .", [ANYWHERE]),
        ("ls | parallel sed -i s/1/9/ {}", [ANYWHERE, ANYWHERE]),
        ("jupyter nbconvert --inplace a.ipynb", [At("nbconvert"), At("a.ipynb")]),
        ("ruff check a.py", []),
        ("ruff check --fix a.py", [Like(None, "*.py"), Like(None, "*.pyi"), Like(None, "*.ipynb")]),
        ("black a.py", [A]),
        ("black --check .", []),
        ("go test ./...", []),
        ("sort -o a.py b.py", [A]),
        ("curl -o a.py http://x", [A]),
        ("cargo fmt --check", []),
        ("cargo build", [Like(None, "Cargo.lock")]),
        ("cargo add serde", [Like(None, "Cargo.toml"), Like(None, "Cargo.lock")]),
        ("find .. -name '*.py' -delete", [Like(None, "**.py")]),
        ("rm -rf ..", [ANYWHERE]),
        ("make fmt", [ANYWHERE]),
        ("make test", []),
        ("Set-Content a.py x", [A]),
        ('docker run -v "$PWD":/app -w /app img sed -i s/a/b/ a.py', [Like(None, "a.py")]),
        ("docker run -v .:/w -i img sh -c 'cat > /w/a.py'", [Like(None, "a.py")]),
        ("docker run img sed -i s/a/b/ a.py", []),
        ("docker run -v .:/w img make fmt", [ANYWHERE]),
        ("docker compose exec -T app pytest", []),
        ("docker compose up -d", []),
        ("docker build -f a.py .", []),
        ("iconv -f latin1 -t utf8 a.py -o a.py", [A]),
        ("curl -sSLO https://x.org/a.py", [A]),
        ("curl -s https://x.org/a.py", []),
        ("wget 'https://x.org/a.py?v=1'", [A, Like(None, "wget-log")]),
        ('sqlite3 x.db ".output a.py"', [At("x.db"), At(".output"), A]),
        ("psql -f schema.sql", []),
        ('perl -e \'rename "b.py", "a.py"\'', [At("b.py"), A]),
        ("perl -ne 'print if /x/' a.py", []),
        ("ruby -e 'puts 1'", []),
        ("python -c \"import subprocess as s; s.run(['git', 'checkout', '.'])\"", [ANYWHERE]),
        ('python -c "import app; app.main()"', []),
        ('python -c "import os; print(os.getcwd())"', []),
        ("cargo run -- a.py", [Like(None, "Cargo.lock"), A]),
        ("find . -name '*.o' -exec sh -c 'mv \"$1\" \"${1%.o}\"' _ {} \\;", [Like("", "**.o"), ANYWHERE] * 2),
        ("hatch fmt a.py", [A]),
        ("tox -e fmt", [ANYWHERE]),
        ("tox -e py312,lint", []),
        ("nox -s format", [ANYWHERE]),
        ("screen -X stuff 'rm a.py\\n'", [At("stuff"), A]),
    ],
)
def test_what_may_have_changed(script: str, found: list[Target]) -> None:
    assert targets(script) == found


@pytest.mark.parametrize(
    ("script", "file"),
    [("npm install x", "package.json"), ("pnpm add x", "pnpm-lock.yaml"), ("poetry add x", "poetry.lock"),
     ("uv add x", "uv.lock"), ("go get x", "go.sum"), ("bundle", "Gemfile.lock"), ("yarn", "yarn.lock")],
)  # fmt: skip
def test_package_managers_change_their_manifests(script: str, file: str) -> None:
    assert any(isinstance(target, Like) and target.matches(file) for target in targets(script))
    assert not any(isinstance(target, Like) and target.matches("src/a.py") for target in targets(script))


def test_generators_change_what_they_say() -> None:
    assert targets("mix ash.codegen x", "* creating priv/repo/1.exs\n* injecting lib/a.ex\n") == [
        At("priv/repo/1.exs"),
        At("lib/a.ex"),
    ]
    assert targets("mix ash.codegen x", "done") == [Like(None, "**")]


@pytest.mark.parametrize(
    ("script", "output", "found"),
    [
        (
            "black src",
            "reformatted src/a.py\n\nAll done!\n1 file reformatted, 1 file left unchanged.",
            [At("src/a.py")],
        ),
        ("black src 2>&1 | tail -4", "reformatted src/a.py\n\n1 file reformatted.", [At("src/a.py")]),
        ("cd x; uv run black .", "reformatted src/a.py\n1 file reformatted.", [At("x/src/a.py")]),
        ("black src", "All done!\n2 files left unchanged.", []),
        ("black a.py", "error: cannot format a.py: Cannot parse: 3:1\n\n1 file failed to reformat.", []),
        ("ruff check --fix . && ruff format .", "All checks passed!\n2 files left unchanged", []),
        ("ruff check --fix a.py", "Found 1 error.", []),
        ("isort .", "Fixing /abs/src/a.py", [At("/abs/src/a.py")]),
        ("npx prettier --write web", "web/x.ts 45ms\nweb/y.ts 4ms (unchanged)", [At("web/x.ts")]),
        ("npx prettier --write web", "web/y.ts 4ms (unchanged)", []),
        ("npm run format", "> w@1.0.0 format\n> prettier --write .\n\nx.ts 4ms (unchanged)", []),
        ("npm run format", "> w@1.0.0 format\n> prettier --write .\n\nx.ts 4ms", [Like(None, "x.ts")]),
        ("pre-commit run -a", "black.......Passed\nmypy....(no files to check)Skipped", []),
        (
            "pre-commit run",
            "black....Failed\n- files were modified by this hook\n\nreformatted a.py",
            [Like(None, "a.py")],
        ),
    ],
)
def test_formatters_change_what_they_say(script: str, output: str, found: list[Target]) -> None:
    assert targets(script, output) == found


@pytest.mark.parametrize(
    ("script", "output", "found"),
    [
        ("black a.py", "", [A]),
        ("black a.py 2> /dev/null", "1 file left unchanged.", [A]),
        ("black -q a.py; black b.py", "1 file left unchanged.", [A]),
        ("black b.py; black a.py", "1 file reformatted.\n1 file left unchanged.", [At("b.py"), A]),
        ("black src 2>&1 | tail -1", "2 files reformatted, 1 file left unchanged.", [At("src")]),
        ("ruff format src", "1 file reformatted, 1 file left unchanged", [At("src")]),
        ("isort a.py && yapf -i b.py", "Fixing a.py", [A, At("b.py")]),
        ("npx prettier --write web | tail -1", "web/y.ts 4ms (unchanged)", [At("web")]),
        ("npm run format", "> w@1.0.0 format\n> prettier --write . --log-level warn", [ANYWHERE]),
        ("npm run format", "> not a command that anybody knows", [ANYWHERE]),
        ("npm run format", "web/y.ts 4ms (unchanged)", [ANYWHERE]),
        ("pre-commit run -a | tail -1", "black.......Passed", [ANYWHERE]),
        ("pre-commit run -a", "black....Failed\n- files were modified by this hook", [ANYWHERE]),
    ],
)
def test_formatters_that_do_not_tell_of_all(script: str, output: str, found: list[Target]) -> None:
    assert targets(script, output) == found


@pytest.mark.parametrize(
    "says",
    ["bash: black: command not found", "/bin/bash: line 1: black: command not found", "sh: 1: black: not found",
     "zsh:1: command not found: black"],
)  # fmt: skip
def test_a_program_that_is_not_there_did_not_run(says: str) -> None:
    assert evaluate("black a.py", Outcome.FAILURE, f"Exit code 127\n{says}").effects == ()
    assert targets("black a.py || sed -i s/a/b/ b.py", says) == [At("b.py")]
    assert targets("cat log && black a.py", says) == [A], "it succeeded"
    assert evaluate("ruff format a.py", Outcome.FAILURE, says).effects != ()


def test_a_patch_is_applied_or_leaves_its_files_unknown() -> None:
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch\n"
    script = f"apply_patch <<'E'\n{patch}E\n"
    assert targets(script) == [ANYWHERE]
    assert [t for e in evaluate(script, Outcome.FAILURE, "no").effects for t in touched(e)] == [A]
    assert evaluate(script, Outcome.FAILURE, "apply_patch verification failed").effects == ()
    assert evaluate(script, Outcome.UNKNOWN).effects != (EVERYTHING,)


NO_FILE = "No such file or directory"


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("mv a.py nodir/b.py", f"mv: cannot move 'a.py' to 'nodir/b.py': {NO_FILE}"),
        ("mv a.py b.py", "mv: rename a.py to b.py: Permission denied"),
        ("mv -f a.py b/", "mv: target 'b/' is not a directory"),
        ("cd src && mv a.py nodir/b.py && ls", f"mv: cannot move 'a.py' to 'nodir/b.py': {NO_FILE}"),
        ("cp a.py nodir/b.py", f"cp: cannot create regular file 'nodir/b.py': {NO_FILE}"),
        ("cp x.py a.py", "cp: cannot open 'x.py' for reading: Permission denied"),
        ("rm a.py", "rm: cannot remove 'a.py': Permission denied"),
        ("unlink a.py", "unlink: cannot unlink 'a.py': Permission denied"),
    ],
)
def test_a_program_that_failed_before_it_did_anything(script: str, said: str) -> None:
    assert evaluate(script, Outcome.FAILURE, said).effects == ()


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("mv a.py b.py", "mv: cannot remove 'a.py': Permission denied"),
        ("mv a.py b.py", "mv: inter-device move failed: 'a.py' to 'b.py'"),
        ("mv a.py c.py b/", f"mv: cannot stat 'a.py': {NO_FILE}"),
        ("cp a.py b.py", "cp: error writing 'b.py': No space left on device"),
        ("cp -p a.py b.py", "cp: preserving times for 'b.py': x"),
        ("cp -r a b", f"cp: cannot stat 'a': {NO_FILE}"),
        ("rm -r a", "rm: cannot remove 'a/b.py': Permission denied"),
        ("rm a.py b.py", f"rm: cannot remove 'a.py': {NO_FILE}"),
        ("make; mv a.py b.py", f"mv: cannot stat 'x.py': {NO_FILE}"),
        ("mv a.py b.py; mv b.py c.py", f"mv: cannot stat 'b.py': {NO_FILE}"),
        ("mv a.py b.py; false", "x"),
        ("rm a.py", f"rm: cannot remove 'a.py': {NO_FILE}"),
        ("mv a.py x/b.py", f"mv: rename a.py to x/b.py: {NO_FILE}"),
        ("ls | while read V; do mv a.py b.py; done", "mv: cannot move 'a.py' to 'b.py': x"),
        ("for n in 1 2; do mv a.py b.py; done", "mv: cannot move 'a.py' to 'b.py': x"),
    ],
)
def test_a_program_that_failed_and_may_have_done_something(script: str, said: str) -> None:
    assert evaluate(script, Outcome.FAILURE, said).effects
