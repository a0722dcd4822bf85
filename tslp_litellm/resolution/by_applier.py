"""A client that applies edits out of the model's text itself, each as far as it can (SEMANTICS 2, Clients that apply
text themselves): what is then on the disk is judged by the gates; what they refuse, or nobody can follow, is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from tslp_litellm.dialects.paths import may_be_path
from tslp_litellm.dialects.values import Applied, Block, Carrier, Edit
from tslp_litellm.parser import outline
from tslp_litellm.parser.budget import spend
from tslp_litellm.resolution.by_model import candidate
from tslp_litellm.resolution.candidates import Judged
from tslp_litellm.resolution.common import source_of
from tslp_litellm.resolution.context import Context
from tslp_litellm.resolution.edits import applied
from tslp_litellm.resolution.files import dirty, language_of
from tslp_litellm.resolution.loose_match import RefusedError, UnfollowedError, hunked, searched
from tslp_litellm.resolution.operations import About, written
from tslp_litellm.resolution.unit_of_work import UnitOfWork
from tslp_litellm.state.events import BESIDE, Op
from tslp_litellm.state.names import normalise_path
from tslp_litellm.state.values import FileState, Origin, Source

Texts = dict[str, str | None]
"""Path -> the text after the blocks so far; None: unknown."""
Place = Callable[[str, str, Block], str | None]
"""A block in a text of a file: the text after it, None where it is refused."""


def judge_applied(unit: UnitOfWork, taken: Applied, context: Context) -> None:
    """The files as the client leaves them."""
    doubtful = {path for raw in taken.doubtful if (path := normalise_path(raw, context.root)) is not None}
    try:
        after = _after(unit, taken, context)
    except RefusedError:
        after = {}
    for path, text in after.items():
        state = unit.file(path)
        if text is None or path in doubtful:
            unit.change(dirty(state, "applied-unfollowed"), origin=Origin.MODEL, carrier=taken.form)
        elif text != state.text() and (state.tracked or may_be_path(path)):
            source = source_of(state, outline(language_of(state), text)) if taken.form is Carrier.FENCE else Source.EDIT
            candidate(unit, state, text, context, taken.form, source)
    for path in doubtful - after.keys():
        unit.change(dirty(unit.file(path), "applied-unfollowed"), origin=Origin.MODEL, carrier=taken.form)


def proposed_on_disk(judged: Sequence[Judged], path: str) -> str | None:
    """The artifact that the last answer about a file brought, which the client then had on its disk, but the gates
    refused; None where anything has been said about the file since."""
    moves = [move for _, moves, _ in judged for move in moves if move.entity == path and move.op not in BESIDE][-2:]
    reasons = [move.reason for move in moves]
    ops = [move.op for move in moves]
    return moves[-1].artifact if ops == [Op.DIRTY, Op.PROPOSE] and reasons[0] == "applied-unproven" else None


def confirmed(unit: UnitOfWork, edit: Edit, proposed: str, context: Context, about: About) -> bool:
    """Whether the client's own diff says that a refused text is what it now has; then it is the truth."""
    path = normalise_path(edit.path, context.root)
    state = unit.file(path) if path is not None else None
    if state is None or state.file is None or state.file.clean:
        return False
    if applied(state.file.text, edit.steps, placed=True) != proposed:
        return False
    written(unit, state, proposed, about, context, Source.EDIT)
    return True


def _after(unit: UnitOfWork, taken: Applied, context: Context) -> Texts:
    blocks = [(path, block) for block in taken.blocks if (path := normalise_path(block.path, context.root))]
    if taken.form is Carrier.FENCE:
        return {path: block.new for path, block in blocks}
    listed = [path for raw in taken.chat.files or () if (path := normalise_path(raw, context.root))]
    if taken.form is Carrier.UDIFF:
        return _each(unit, blocks, listed, lambda text, _path, block: hunked(text, block.old, block.new))
    fence = taken.chat.opening, taken.chat.closing

    def place(text: str, path: str, block: Block) -> str | None:
        return searched(text, path, block.old, block.new, fence)

    return _each(unit, _redirected(unit, blocks, listed, place), listed, place)


def _each(unit: UnitOfWork, blocks: Iterable[tuple[str, Block | None]], listed: Collection[str], place: Place) -> Texts:
    """The files after the blocks, each by itself; a block that is None may have gone there, or not.

    One that does not fit is refused where the request lists the file's text; elsewhere the disk may hold another one.
    """
    after: Texts = {}
    for path, block in blocks:
        spend()
        text = after[path] if path in after else _base(unit.file(path))
        try:
            placed = place(text, path, block) if text is not None and block is not None else None
        except UnfollowedError:
            text = placed = None
        if placed is not None or text is None or block is None or path not in listed:
            after[path] = placed
    return after


def _base(state: FileState) -> str | None:
    """The text on the client's disk, with the line ends that it reads and writes; a file that nobody knows is new."""
    text = state.text() if state.tracked else ""
    return text.replace("\r\n", "\n").replace("\r", "\n") if text is not None else None


def _redirected(
    unit: UnitOfWork, blocks: Iterable[tuple[str, Block]], listed: Sequence[str], place: Place
) -> list[tuple[str, Block | None]]:
    """The blocks with the files they go to: one that does not fit in its own goes to another of the chat that it fits
    in, as they all were before the answer; in no order that could be known, if these are several."""
    found: list[tuple[str, Block | None]] = []
    for path, block in blocks:
        spend()
        stays = not block.old.strip() or _fits(unit, path, block, place)
        others = [] if stays else [p for p in listed if p != path and _fits(unit, p, block, place)]
        if len(others) > 1:
            found += [(other, None) for other in others]
        else:
            found.append((others[0] if others else path, block))
    return found


def _fits(unit: UnitOfWork, path: str, block: Block, place: Place) -> bool:
    text = _base(unit.file(path))
    try:
        return text is not None and place(text, path, block) is not None
    except UnfollowedError:
        return True
