"""Commands for the shells of Windows, and programs that are run as modules: what they may have changed."""

import pytest

from tslp_litellm.clients.shell import changes_of
from tslp_litellm.dialects.values import Drift
from tslp_litellm.shell import Outcome
from tslp_litellm.shell.targets import Like


def dirtied(script: str) -> tuple[set[str], set[str]]:
    """The paths, and the ends of paths in unknown folders."""
    drifts = [change for change in changes_of(script, "", Outcome.RAN, "") if isinstance(change, Drift)]
    return {p for d in drifts for p in d.paths}, {t.tail for d in drifts for t in d.like if isinstance(t, Like)}


@pytest.mark.parametrize(
    "script",
    [
        '[System.IO.File]::WriteAllText("$PWD\\src\\a.py", "X = 2")',
        '[IO.File]::WriteAllText("${PWD}\\src\\a.py", "X = 2")',
        '[IO.File]::WriteAllText("$(Get-Location)\\src\\a.py", "X = 2")',
        'Set-Content "%CD%\\src\\a.py" "X = 2"',
        'cmd /c "del src\\a.py"',
        "cmd /c del src\\a.py",
        'cmd /C "echo X = 2 > src\\a.py"',
        "powershell -Command \"(Get-Content src\\a.py) -replace '1','2' | Set-Content src\\a.py\"",
    ],
)
def test_a_path_within_quotation_marks(script: str) -> None:
    assert "src/a.py" in dirtied(script)[0]


@pytest.mark.parametrize("folder", ["$root", "$env:USERPROFILE\\p", "%USERPROFILE%"])
def test_a_folder_that_is_not_told(folder: str) -> None:
    paths, tails = dirtied(f'[IO.File]::WriteAllText("{folder}\\src\\a.py", "X = 2")')
    assert any(tail.endswith("src/a.py") for tail in tails) and not any(path.endswith("a.py") for path in paths)


@pytest.mark.parametrize("script", ['cmd /c "type src\\a.py"', 'pwsh -c "Get-Content src\\a.py"', "cmd /c dir"])
def test_what_only_reads(script: str) -> None:
    assert dirtied(script) == (set(), set())


@pytest.mark.parametrize("program", ["protoc", "python -m grpc_tools.protoc", "python3 -m grpc_tools.protoc"])
def test_a_generator_that_is_run_as_a_module(program: str) -> None:
    paths, tails = dirtied(f"{program} -I. --python_out=. proto/x.proto")
    assert "*_pb2.py" in tails and paths <= {"proto/x.proto"}
