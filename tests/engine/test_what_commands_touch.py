"""Commands in a workspace of several languages: which of its files are of unknown text behind one (SEMANTICS 2)."""

from __future__ import annotations

import pytest

from .helpers import Session
from .test_shell_calls import fence, framed, in_turn, run

FILES = {
    "src/cart.py": "def gross(amount):\n    return amount * 2\n",
    "tests/test_cart.py": "def test_gross():\n    assert True\n",
    "store.go": 'package store\n\nfunc Lookup(k string) string {\n\treturn k+"x"\n}\n',
    "pkg/cache.go": "package cache\n\nfunc Size() int {\n\treturn 1+1\n}\n",
    "web/app.ts": "export const a = 1;\n",
    "src/lib.rs": "pub fn one() -> u8 {\n    1\n}\n",
}
GO = {"store.go", "pkg/cache.go"}


@pytest.fixture
def shop(session: Session) -> Session:
    return session.ask("".join(fence(path, text) for path, text in FILES.items())).forget()


def dirty(session: Session) -> set[str]:
    state = session.state()
    return {path for path in FILES if state[path] == "DIRTY"}


def play(session: Session, client: str, command: str, output: str, code: int = 0) -> set[str]:
    tool, result = framed(client, command, output, code)
    return dirty(run(session, command, result, tool))


@in_turn(
    "command, output, found",
    [
        ("go fmt ./...", "store.go\n", {"store.go"}),
        ("go fmt", "store.go\n", {"store.go"}),
        ("go vet ./... && go fmt ./... && go test ./...", "pkg/cache.go\nok  \tp\t0.01s\n", {"pkg/cache.go"}),
        ("cd pkg && go fmt ./...", "cache.go\n", {"pkg/cache.go"}),
        ("go fmt ./... > /dev/null", "", GO),
        ("go fmt ./pkg/... > /dev/null", "", {"pkg/cache.go"}),
        ("go fmt ./... && go test ./...", "ok  \tp\t0.01s\n", GO),
        ("cargo clippy --fix --allow-dirty", "    Finished dev profile\n", {"src/lib.rs"}),
        ("deno lint --fix", "Checked 1 file\n", {"web/app.ts"}),
        ("go fmt -n ./...", "gofmt -l -w ./store.go\n", set()),
        ("gofmt -l .", "store.go\n", set()),
        ("go vet ./...", "", set()),
        ("cargo clippy", "    Finished dev profile\n", set()),
        ("deno lint", "Checked 1 file\n", set()),
    ],
)
def test_formatters(shop: Session, client: str, command: str, output: str, found: set[str]) -> None:
    assert play(shop, client, command, output) == found


def test_a_formatter_that_lists_what_it_formats_and_lists_nothing(shop: Session) -> None:
    assert not play(shop, "Claude Code", "go fmt ./...", "")
    assert play(shop, "Claude Code", "rector process src", "1 file has been changed by Rector\n") == set(FILES)


DONE = "[main 12ab34c] wip\n 1 file changed, 2 insertions(+)\n"
NO_COMMIT = "FAILED tests/test_cart.py::test_gross - AssertionError: what is said of it is lo...\n1 failed in 0.10s\n"


@in_turn(
    "command, output, code, found",
    [
        ("pytest -q && git add -A && git commit -m wip", "2 passed in 0.10s\n" + DONE, 0, set()),
        ("pytest && git commit -am wip", f"tests/test_cart.py .... [100%]\n\n2 passed in 0.1s\n{DONE}", 0, set()),
        ("go test ./... && git add . && git commit -m wip", "ok  \tp\t0.01s\n" + DONE, 0, set()),
        ("cargo test 2>&1 | tail -3 && git commit -am wip", "test result: ok. 1 passed\n" + DONE, 0, set()),
        ("git status -sb && git add -A && git commit -m wip", "## main...origin/main\n" + DONE, 0, set()),
        ("pytest -q && git commit -am wip", NO_COMMIT, 1, set()),
        (
            "pytest -q && git commit -am wip",
            "2 passed\nruff-format....Failed\n- files were modified by this hook\n\n1 file reformatted: src/cart.py\n",
            1,
            {"src/cart.py"},
        ),
        (
            "npm test && git commit -am wip",
            "1 passed\n✔ Preparing lint-staged...\n✔ Applying modifications from tasks...\n" + DONE,
            0,
            set(FILES),
        ),
        ("git add -A && git commit -m wip", "Dateien werden aufgeräumt\n" + DONE, 0, set(FILES)),
        ("pytest -q > /dev/null && git commit -am wip", "Dateien werden aufgeräumt\n" + DONE, 0, set(FILES)),
    ],
)
def test_a_commit_behind_other_commands(
    shop: Session, client: str, command: str, output: str, code: int, found: set[str]
) -> None:
    assert play(shop, client, command, output, code) == found


TS = {"web/app.ts"}


@in_turn(
    "command, output, found",
    [
        ("find . -name __pycache__ -exec rm -rf {} +", "", set()),
        ("find . -type d -name '__pycache__' -exec rm -rf {} \\;", "", set()),
        ("find . -name '*.pyc' -o -name .cache -exec rm -rf {} +", "", set()),
        ("find . -path ./node_modules -prune -o -name '*.ts' -exec sed -i s/1/2/ {} +", "", TS),
        ("find . -name test_cart.py -delete", "", {"tests/test_cart.py"}),
        ("find . -name 'pkg' -exec rm -rf {} +", "", {"pkg/cache.go"}),
        ("find . \\( -name '*.ts' -o -name '*.rs' \\) -exec sed -i s/1/2/ {} +", "", TS | {"src/lib.rs"}),
        ("find . ! -name '*.pyc' -delete", "", set(FILES)),
        ("find src -name '*.pyc' -o -type f -delete", "", {"src/cart.py", "src/lib.rs"}),
        ("find . -iname CART.PY -delete", "", set(FILES)),
        ("find . -name 'a b.py' -delete", "", set(FILES)),
        ("git checkout src/", "Updated 1 path from the index\n", {"src/cart.py", "src/lib.rs"}),
        ("git checkout src", "Updated 1 path from the index\n", {"src/cart.py", "src/lib.rs"}),
        ("git checkout ./web", "", TS),
        ("git checkout src pkg", "Updated 2 paths from the index\n", {"src/cart.py", "src/lib.rs", "pkg/cache.go"}),
        ("git checkout feature/src", "Switched to branch 'feature/src'\n", set(FILES)),
        ("git checkout main; git checkout src", "Updated 1 path from the index\n", set(FILES)),
        ("git clean -fd", "Removing src/tmp.txt\nRemoving build/\n", set()),
        ("git clean -fd", "Removing web/\n", TS),
        ("cd pkg && git clean -fx", "Removing cache.go\n", {"pkg/cache.go"}),
        ("git clean -nd", "Would remove web/\n", set()),
        ("git clean -fdq", "", set(FILES)),
        ("patch -p1 < /tmp/fix.patch", "patching file src/cart.py\n", {"src/cart.py"}),
        ("patch -p1 -i x.diff", "patching file web/app.ts\nHunk #1 succeeded at 3 (offset 1 line).\n", TS),
        ("patch -p1 < x.diff", "patching file b.go (renamed from store.go)\n", {"store.go"}),
        ("patch -d pkg -p1 < x.diff", "patching file cache.go\n", {"pkg/cache.go"}),
        ("patch -p1 -s < x.diff", "", set(FILES)),
        ("patch -p1 --dry-run < x.diff", "checking file src/cart.py\n", set()),
        ("sd gross net src/cart.py", "", {"src/cart.py"}),
        ("sd -p gross net src/cart.py", "", set()),
        ("dos2unix web/app.ts", "dos2unix: converting file web/app.ts to Unix format...\n", TS),
        ("2to3 -w src", "", {"src/cart.py", "src/lib.rs"}),
        ("fastmod gross net", "", set(FILES)),
    ],
)
def test_commands_that_name_what_they_change(
    shop: Session, client: str, command: str, output: str, found: set[str]
) -> None:
    assert play(shop, client, command, output) == found


WRITTEN = "cd pkg && cat > x.py <<'EOF'\nprint(1)\nEOF\npython3 x.py"


@in_turn(
    "command, output, found",
    [
        (WRITTEN, "1\n", set()),
        ("cd pkg && ls\npython3 x.py", "1\n", set()),
        ("cd pkg && ls; sed -i s/1/2/ cache.go", "cache.go\n", {"pkg/cache.go"}),
    ],
)
def test_a_folder_that_a_list_enters(shop: Session, client: str, command: str, output: str, found: set[str]) -> None:
    assert play(shop, client, command, output) == found


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("cd pkg || cd web; python3 x.py", "1\n"),
        ("if cd pkg; then ls; fi; python3 x.py", "1\n"),
        ("cd pkg 2>/dev/null && ls; python3 x.py", "1\n"),
        ("cd pkg && ls\npython3 x.py", "bash: line 1: cd: pkg: No such file or directory\n"),
    ],
)
def test_a_folder_that_a_list_may_not_enter(shop: Session, command: str, output: str) -> None:
    assert play(shop, "Claude Code", command, output) == set(FILES)


@in_turn(
    "command, output, found",
    [
        ("go run store.go", "hi\n", set()),
        ("go run -race ./pkg", "hi\n", set()),
        ("go run ./pkg/cache.go web/app.ts", "hi\n", TS),
        ("go run store.go pkg/cache.go -v", "hi\n", set()),
        ("go run *.go", "hi\n", set()),
        ("go run .", "wrote web/app.ts\n", TS),
        ("dart run src/lib.rs", "hi\n", set()),
        ("zig run src/lib.rs -- web/app.ts", "hi\n", TS),
        ("cargo run -- web/app.ts", "hi\n", TS),
        ("gofmt -w store.go", "", {"store.go"}),
        ("go build ./...", "", set()),
    ],
)
def test_a_program_that_runs_is_not_what_it_is_given(
    shop: Session, client: str, command: str, output: str, found: set[str]
) -> None:
    assert play(shop, client, command, output) == found
