"""Programs that run others: in which folder, and what may run behind an option that nobody knows."""

import pytest

from tslp_litellm.shell import Outcome, evaluate
from tslp_litellm.shell.effects import Effect, Ran, Removed, Written, touched
from tslp_litellm.shell.targets import At, Like


def effects(script: str) -> tuple[Effect, ...]:
    return evaluate(script, Outcome.SUCCESS, "").effects


@pytest.mark.parametrize(
    "script",
    [
        "env -C sub rm a.py",
        "env -Csub rm a.py",
        "env --chdir=sub A=1 rm a.py",
        "env -i --chdir sub rm a.py",
        "sudo -u me -D sub rm a.py",
        "conda run --cwd sub rm a.py",
        "uv run --directory sub rm a.py",
    ],
)
def test_a_folder_that_an_option_names(script: str) -> None:
    assert effects(script) == (Removed("sub/a.py", tree=False),)


@pytest.mark.parametrize(
    "script",
    [
        "sudo -E -u root rm a.py",
        "nice -n 5 rm a.py",
        "nice -5 rm a.py",
        "timeout -k5 --signal=KILL 10 rm a.py",
        "stdbuf -oL rm a.py",
        "env - A=1 rm a.py",
        "command -p rm a.py",
        "npx -y rm a.py",
        "direnv exec . rm a.py",
    ],
)
def test_options_that_change_neither_what_runs_nor_where(script: str) -> None:
    assert effects(script) == (Removed("a.py", tree=False),)


@pytest.mark.parametrize(
    "script",
    [
        "sudo -i rm a.py",
        "sudo --chroot=x rm a.py",
        "env -S 'rm a.py'",
        "env '--split-string=rm a.py'",
        "npx -c 'rm a.py'",
        "uv run --new rm a.py",
        "uv run --new value rm a.py",
        "time -o a.py ls",
        "nix develop -c rm a.py",
        "devcontainer exec black .",
        "watchexec -- black .",
        "docker run --rm -v $PWD:/app img black /app",
        "mmv '*.py' '#1.bak'",
        "ast-grep run -p x -r y -U",
    ],
)
def test_behind_an_option_that_nobody_knows_anything_runs_anywhere(script: str) -> None:
    done = effects(script)
    assert all(not isinstance(effect, (Removed, Written)) for effect in done)
    assert any(
        t == At("a.py") or (isinstance(t, Like) and t.matches("any/a.py")) for effect in done for t in touched(effect)
    )


@pytest.mark.parametrize(
    "script", ["command -v rm a.py", "conda install black", "uv run --new pytest", "sudo", "uv run -m pytest"]
)
def test_what_only_reads(script: str) -> None:
    assert effects(script) == ()


def test_a_module_is_run_as_python_runs_it() -> None:
    ran = [effect for effect in effects("uv run -m tools.fix") if isinstance(effect, Ran)]
    assert [effect.targets for effect in ran] == [(At("tools/fix.py"),), (At("tools/fix/__main__.py"),)]
