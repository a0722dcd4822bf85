"""`python -m benchmarks.uses`: what an entity uses, held to jedi, to TypeScript's compiler and to real histories."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click
from tabulate import tabulate

from benchmarks.uses import oracles, packages
from benchmarks.uses.judging import Judged, Package, Resolved, judge, read

PRECISION_MIN = 0.995
PARTS = ("python", "typescript")
Row = list[object]


@click.command()
@click.option("--only", multiple=True, type=click.Choice(PARTS), help="These parts.")
@click.option("--package", "wanted", multiple=True, help="These packages.")
@click.option("--missed", is_flag=True, help="List what was missed, too.")
def main(only: tuple[str, ...], wanted: tuple[str, ...], missed: bool) -> None:
    """Print tables of precision and recall; exit status 1 where an edge is by name alone or too many are wrong."""
    bad = False
    for part in only or PARTS:
        try:
            rows = list(_measured(part, wanted, missed))
        except packages.MissingError as problem:
            click.echo(f"{part}: not measured: {problem}")
            continue
        click.echo(
            _table(("package", "files", "right", "wrong", "unknown", "precision", "recall", "by name alone"), rows)
        )
        bad = bad or any(row[-1] for row in rows) or _precision(rows) < PRECISION_MIN
    raise SystemExit(bad)


def _measured(part: str, wanted: Sequence[str], missed: bool) -> Iterator[Row]:
    with tempfile.TemporaryDirectory(prefix="tslp-uses-") as name:
        folder = Path(name).resolve()
        for package, texts in (packages.python if part == "python" else packages.typescript)(folder).items():
            if not wanted or package in wanted:
                read_as = read(texts)
                found = judge(read_as, _resolved(part, folder, package, texts, read_as))
                _list({"wrong": found.wrong, "unknown": found.unknown, "missed": found.missed if missed else ()})
                yield _row(package, len(texts), found, read_as.by_name_alone())


def _resolved(part: str, folder: Path, name: str, texts: dict[str, str], package: Package) -> Iterable[Resolved]:
    if part == "python":
        tops = {symbol.leaf for seen in package.outlines.values() for symbol in seen.symbols if symbol.parent is None}
        members = {used.rpartition(".")[2] for _, used in package.edges() if "." in used.partition("::")[2]}
        return oracles.by_jedi(folder, texts, tops | members)
    modules = folder / "node_modules"
    return oracles.by_compiler(modules / name / "src", modules, texts)


def _row(name: str, files: int, found: Judged, alone: int) -> Row:
    counts = len(found.right), len(found.wrong), len(found.unknown)
    return [name, files, *counts, f"{found.precision:.2%}", f"{found.recall:.1%}", alone]


def _precision(rows: Sequence[Row]) -> float:
    right, wrong = (sum(int(str(row[at])) for row in rows) for at in (2, 3))
    return right / max(1, right + wrong)


def _list(edges: dict[str, Iterable[tuple[str, str]]]) -> None:
    for kind, some in edges.items():
        for user, used in sorted(some):
            click.echo(f"{kind}: {user} -> {used}")


def _table(head: Sequence[str], rows: Sequence[Row]) -> str:
    return str(tabulate(rows, head, tablefmt="github", disable_numparse=True)) + "\n"


if __name__ == "__main__":
    main()
