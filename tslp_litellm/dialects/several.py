"""Several files in one fence, parted by comments that are only a path (SEMANTICS 2, Which file, Label)."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

from tslp_litellm.dialects.fences import Fence
from tslp_litellm.dialects.lines import join_lines, split_lines
from tslp_litellm.dialects.paths import Hint, hint_in_first_line, imports, language_of_info
from tslp_litellm.parser import outline
from tslp_litellm.parser.budget import spend
from tslp_litellm.syntax.languages import Nature, language_of_path

FILES_MAX = 100
"""A fence with more of such comments is not parted: each part is parsed."""


def files_in(block: Fence) -> list[Fence]:
    """A fence whose first line is a comment that is only a path, parted before each such comment with another path of
    the same language; as it is where a part would hold no code. Only the first keeps the words of the info string.

    >>> text = "# a.py\\ndef a(): pass\\n\\n# b.py\\ndef b(): pass\\n"
    >>> [part.body for part in files_in(Fence("python a.py", text, 0, 6, closed=True))]
    ['# a.py\\ndef a(): pass\\n', '# b.py\\ndef b(): pass\\n']
    """
    lines = split_lines(block.body)
    heads = _heads(lines)
    if not 1 < len(heads) <= FILES_MAX:
        return [block]
    ends = [*heads[1:], len(lines)]
    bodies = [join_lines(lines[at:end]).rstrip() + "\n" for at, end in zip(heads, ends, strict=True)]
    if not all(map(_holds_code, bodies)):
        return [block]
    bodies[-1] = join_lines(lines[heads[-1] :])
    language = language_of_info(block.info)
    info = language.name if language is not None else ""
    return [replace(block, body=body, info=info if n else block.info) for n, body in enumerate(bodies)]


def _heads(lines: list[str]) -> list[int]:
    """The numbers of the lines at which files begin. What may be a title begins one only below another such."""
    first = _label(lines[0]) if lines else None
    language = language_of_path(first.path) if first is not None else None
    if first is None or language is None or language.nature not in (Nature.CODE, Nature.DATA):
        return []
    heads, seen = [0], {first.path}
    for n, line in enumerate(lines[1:], 1):
        spend()
        label = _label(line)
        other = language_of_path(label.path) if label is not None and label.path not in seen else None
        if label is not None and other is not None and other.kin == language.kin and label.founds >= first.founds:
            heads.append(n)
            seen.add(label.path)
    return heads


def _label(line: str) -> Hint | None:
    """What a comment names that begins a line and holds nothing but a path."""
    found = hint_in_first_line(f"{line}\n") if line[:1].strip() else None
    return found[0] if found is not None else None


def _holds_code(body: str) -> bool:
    """Whether there is more below a path than comments, and no import of that very file."""
    head, _, text = body.partition("\n")
    label = _label(head)
    seen = outline(language_of_path(label.path), text) if label is not None else None
    if label is None or seen is None or imports(text, label.path):
        return False
    ends = [0, *accumulate((comment.end for comment in seen.comments), max)]
    starts = [*(comment.start for comment in seen.comments), len(seen.text)]
    return any(seen.text[at:start].strip() for at, start in zip(ends, starts, strict=True))
