"""A folder's files as a user's own word: `import`."""

from __future__ import annotations

import os
from pathlib import Path

import click

from tslp_litellm.cli.configured import config_option, gateway_url, kept_key
from tslp_litellm.cli.terminal import Negative, Unreachable, listed, note, safe, say
from tslp_litellm.reach import forms, showing
from tslp_litellm.reach.calls import DEFAULT_URL, Gateway, RefusedError, UnansweredError
from tslp_litellm.state.values import artifact_hash


@click.command("import")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--only", metavar="PATTERN", multiple=True, help="Only such names in DIR, as `src/*.py`; repeatable.")
@click.option("--dry-run", is_flag=True, help="Say which files would be shown.")
@click.option(
    "--url",
    envvar="TSLP_URL",
    metavar="URL",
    callback=gateway_url,
    default=DEFAULT_URL,
    show_default=True,
    help="The gateway. [TSLP_URL]",
)
@click.option("--key", metavar="KEY", help="A key of it; TSLP_KEY's if not given.")
@click.option("--workspace", "-w", envvar="TSLP_WORKSPACE", help="DIR itself if not given, as clients state it.")
@config_option
def import_(
    folder: Path,
    only: tuple[str, ...],
    dry_run: bool,
    url: str,
    key: str | None,
    workspace: str | None,
    config: Path,
) -> None:
    """Show a running gateway the source files in DIR, as if you had pasted them: their texts are known from then on.

    Hidden files, dependencies, what is built, large files and unknown languages are left out. Exit status 1 where a
    file is not known as it is afterwards.
    """
    folder = folder.resolve()
    found = dict(showing.files(folder, only))
    texts = {path: text for path, text in found.items() if text is not None}
    left_out = [safe(path) for path, text in found.items() if text is None]
    if left_out:
        note(f"Left out, too large or no UTF-8: {listed(left_out)}.")
    if dry_run or not texts:
        say("\n".join(map(safe, texts)) or f"There are no source files in {safe(str(folder))}.")
        return
    by_hand = {"TSLP_URL": url, "TSLP_WORKSPACE": workspace or "", **({"TSLP_KEY": key} if key else {})}
    gateway = Gateway.of({"TSLP_KEY": kept_key(config) or "", **os.environ, **by_hand})
    other = show(gateway, folder, texts)
    if other:
        raise Negative(f"Not known as they are: {listed(map(safe, other))}. `tslp why FILE` says why.")
    say(f"{len(texts)} files are known in workspace {safe(workspace or str(folder))}.")


def show(gateway: Gateway, folder: Path, texts: dict[str, str]) -> list[str]:
    """Show files; the names of those that are not known as they are then."""
    try:
        for prompt in showing.prompts(texts):
            said = {"role": "user", "content": prompt}
            gateway.relay([forms.system(showing.CLIENT, str(folder)), said], (), showing.CLIENT)
        return [path for path, text in texts.items() if _known(gateway, folder, path) != artifact_hash(text)]
    except (RefusedError, UnansweredError) as error:
        raise Unreachable(safe(str(error))) from None


def _known(gateway: Gateway, folder: Path, path: str) -> str | None:
    """The artifact of a file whose text is known."""
    try:
        where = gateway.workspace or str(folder)
        found = gateway.get("entity", showing.CLIENT, entity=path, workspace=where).get("current") or {}
    except RefusedError as error:
        if "HTTP 404" in str(error):
            return None
        raise
    return str(found["artifact"]) if found.get("freshness") == "CLEAN" else None
