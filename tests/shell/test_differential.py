"""Scripts that a real bash runs: what is left with a known text holds that text on the disk."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tslp_litellm.shell import Outcome, evaluate

from .book import GONE, Book
from .scripts import FILES, Scripts

BASH = shutil.which("bash")
PATH = "/usr/bin:/bin"
pytestmark = pytest.mark.skipif(BASH is None or os.name != "posix", reason="needs bash")
FEW, MANY = 15, 5000
RIGHT_MIN = 0.95


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _environment(home: Path) -> dict[str, str]:
    return {
        "PATH": PATH,
        "HOME": str(home),
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "t",
        "GIT_AUTHOR_EMAIL": "t@t",
        "GIT_COMMITTER_NAME": "t",
        "GIT_COMMITTER_EMAIL": "t@t",
    }


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("shell") / "template"
    for path, text in FILES.items():
        (made / path).parent.mkdir(parents=True, exist_ok=True)
        (made / path).write_text(text)
    env = _environment(made)
    for words in (["init", "-q", "--template="], ["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run(["git", *words], cwd=made, env=env, check=True)
    return made


def _run(script: str, template: Path, root: Path) -> tuple[int, str, Path]:
    """Exit status and output of a script that a real bash ran in a folder of its own, inside another one."""
    shutil.rmtree(root, ignore_errors=True)
    work = root / "outer" / "work"
    shutil.copytree(template, work)
    (root / "home").mkdir()
    done = subprocess.run(
        [BASH or "bash", "-c", script], cwd=work, env=_environment(root / "home"), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, preexec_fn=_limit, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout.decode(errors="replace"), work


def _on_disk(work: Path, path: str) -> str | None:
    file = Path(os.path.normpath(work / path))
    try:
        return file.read_text(errors="replace")
    except OSError:
        return None


def _faults(script: str, template: Path, root: Path) -> Iterator[str]:
    code, output, work = _run(script, template, root)
    outcome = Outcome.SUCCESS if code == 0 else Outcome.FAILURE
    for said, heard in ((outcome, output), (outcome, None), (Outcome.UNKNOWN, None)):
        book = Book(FILES).apply(evaluate(script, said, heard).effects)
        for path, text in book.files.items():
            found = _on_disk(work, path)
            if text is not None and (found is not None if text == GONE else found != text):
                yield f"{said} {heard!r}: {path} is {found!r}, believed {text!r}\n{script}"


def _check(seeds: range, template: Path, root: Path) -> None:
    found = [fault for seed in seeds for fault in _faults(Scripts(seed).script(), template, root)]
    assert not found, f"{len(found)} faults, the shortest: " + min(found, key=len)


def test_what_is_left_clean_is_what_the_disk_holds(template: Path, tmp_path: Path) -> None:
    _check(range(FEW), template, tmp_path / "run")


@pytest.mark.slow
def test_what_is_left_clean_is_what_the_disk_holds_in_many_scripts(template: Path, tmp_path: Path) -> None:
    _check(range(FEW, FEW + MANY), template, tmp_path / "run")


def kept(seeds: range, template: Path, root: Path) -> float:
    """Of the files that plain scripts changed in which nothing failed, the share whose text is known and right."""
    right = changed = 0
    for seed in seeds:
        script = Scripts(seed, plain=True).script()
        code, output, work = _run(script, template, root)
        if code or "No such file" in output:
            continue
        book = Book(FILES).apply(evaluate(script, Outcome.SUCCESS, output).effects)
        for file in work.rglob("*"):
            path = str(file.relative_to(work))
            if path.startswith(".git/") or not file.is_file() or file.read_text() == FILES.get(path):
                continue
            changed += 1
            right += book.files.get(path) == file.read_text()
    assert changed
    return right / changed


def test_plain_scripts_keep_their_files_known(template: Path, tmp_path: Path) -> None:
    share = kept(range(FEW), template, tmp_path / "run")
    assert share >= RIGHT_MIN, share
