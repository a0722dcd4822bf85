"""Several files in one sentence, and as many fences below it: `Here are a.ts and b.ts:` (SEMANTICS 2, Which file)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import takewhile

from tslp_litellm.dialects.fences import Fence
from tslp_litellm.dialects.paths import Hint, looks_like_path
from tslp_litellm.words.sentences import listed, sentences

_WORD = re.compile(r"[^\s,、]+|[,、]")
_AROUND = "`\"'*_:：()"


def paths_listed(sentence: str) -> list[str]:
    """The paths in which a sentence ends, where they are several.

    >>> paths_listed("Here are `a.ts`, b.ts and c.ts:"), paths_listed("I moved it from a.ts to b.ts:")
    (['a.ts', 'b.ts', 'c.ts'], [])
    """
    found, joined = list[str](), True
    for word in reversed(_WORD.findall(sentence)):
        bare = word.strip(_AROUND)
        if bare and joined and looks_like_path(bare):
            found, joined = [bare, *found], False
        elif found and (word in ",、&" or _joins().fullmatch(word)):
            joined = True
        elif bare:
            break
    return found if len(found) > 1 else []


@cache
def _joins() -> re.Pattern[str]:
    return re.compile(listed("joins"), re.I)


def named_in_turn(blocks: Sequence[Fence], lines: Sequence[str]) -> dict[int, Hint]:
    """What each of some fences is called, by its place, where nothing stands between them and the sentence above the
    first one lists as many paths."""
    begins = [0, *(block.last + 1 for block in blocks)]
    between = ["\n".join(lines[begin : block.first]) for begin, block in zip(begins, blocks, strict=False)]
    found = dict[int, Hint]()
    for n, said in enumerate(between):
        paths = [path for sentence in sentences(said)[-1:] for path in paths_listed(sentence)]
        behind = takewhile(lambda text: not text.strip(), between[n + 1 :]) if paths else ()
        if len(paths) == 1 + sum(1 for _ in behind):
            found |= {n + at: Hint(path) for at, path in enumerate(paths)}
    return found
