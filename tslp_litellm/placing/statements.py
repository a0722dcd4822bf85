"""Top-level statements of a part of a file that take the place of the file's own: the same main guard with another
body, the same route with another handler. Pure functions."""

from __future__ import annotations

import re

from tslp_litellm.parser.budget import spend
from tslp_litellm.syntax.left_out import placeholders
from tslp_litellm.syntax.outline import Outline
from tslp_litellm.syntax.symbols import line_end, line_start, squeeze

EXPORTS = re.compile(r"\s*(?:export\s*\{|export default\b|(?:module\.)?exports\b)")
"""What a file gives away: a part shows of that what it holds itself."""
_BLOCK = re.compile(r"(?:if|unless|for|while|with|switch)\b[^:{]*")
_GIVES = re.compile(r"(?:[\w$.:@-]|\[[^\[\]]*\])+\s*=(?![=>])")
_CALLS = re.compile(r"(?P<name>(?:await\s+)?[\w$.:@>?-]+)[\s(]\s*")
_LITERAL = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`|:\w+")
_NAMED = re.compile(r"[\w$]+\s*[=:](?![=:])")
Tokens = tuple[str, ...]
_TOKEN = re.compile(r"\w+|[^\s\w;,\"'`]")


def restates(seen: Outline, base: Outline) -> bool:
    """Whether a statement of a part is another text of one that a file has: it begins alike, up to its first argument;
    a call without arguments begins as any other of its name.

    >>> from tslp_litellm.parser import outline
    >>> from tslp_litellm.syntax.languages import language_named
    >>> texts = ["get('/a', one);\\nrun();", "get('/a', two);", "get('/b', two);", 'get("/a", one)', "run(1)"]
    >>> app, *parts = [outline(language_named("javascript"), text) for text in texts]
    >>> [restates(part, app) for part in parts]
    [True, False, False, True]
    """
    if seen.by_pattern or base.by_pattern:
        return False
    old, there = base.loose - base.preamble, set[Tokens]()
    begun = dict[Tokens, set[Tokens]]()
    for statement in old:
        name, argument = _head(statement)
        begun.setdefault(name, set()).add(argument)
        there.add(_tokens(statement))
    new = [_head(one) for one in _complete(seen, base) if _tokens(one) not in there]
    known = [(argument, begun[name]) for name, argument in new if name and name in begun]
    return any(argument in others or not argument or () in others for argument, others in known)


def _complete(seen: Outline, base: Outline) -> list[str]:
    """The statements of a part without left-out code, and without what it exports."""
    lines = {(line_start(seen.text, at), line_end(seen.text, at)) for at in placeholders(seen, base)}
    said = [squeeze(seen.text[start:end].decode()).strip() for start, end in lines]
    found = [one for one in seen.loose - seen.preamble if not EXPORTS.match(one)]
    for line in said:
        spend()
        found = [one for one in found if line not in one]
    return found


def _head(statement: str) -> tuple[Tokens, Tokens]:
    """The tokens of what a statement begins with, and those of the first argument of a call, unless that is named."""
    if (found := _BLOCK.match(statement) or _GIVES.match(statement)) is not None:
        return _tokens(found.group()), ()
    if (found := _CALLS.match(statement)) is None:
        return (), ()
    argument = _first_argument(statement[found.end() :])
    return _tokens(found["name"]), () if _NAMED.match(argument) else _tokens(argument)


def _first_argument(text: str) -> str:
    if (found := _LITERAL.match(text)) is not None:
        return found.group()
    depth = 0
    for n, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0 or (sign == "," and not depth):
            return text[:n]
    return text


def _tokens(text: str) -> Tokens:
    return tuple(_TOKEN.findall(text))
