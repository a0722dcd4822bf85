"""Names as a language writes them, read as names of ours: dotted, without namespaces, quotes or type arguments.

A query captures a name as `@name`, or as `@name.<reading>` where its text needs one of the readings below.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_TYPE_ARGUMENTS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")
_OPERATOR = re.compile(r"(?:^|::)\s*operator\b.*$", re.DOTALL)
_QUOTES = "\"'`[]"


def plain(text: str) -> str:
    """A type's name without its arguments and white space: `Map<K, V>` is `Map`."""
    while (bare := _TYPE_ARGUMENTS.sub("", text)) != text:
        text = bare
    return "".join(text.split())


def qualified(text: str) -> str:
    """`shop::Cart<T>::add` is `Cart.add`: what stands in front is a namespace if it begins in lower case.

    The scope right before the name is taken for a type, for so it is in nearly every definition out of its class.
    """
    operator = _OPERATOR.search(text)
    rest = text[: operator.start()] if operator else text
    scopes = [part for part in plain(rest).split("::") if part]
    name = "operator" + _spaced(operator.group().split("operator", 1)[1]) if operator else scopes.pop()
    while len(scopes) > 1 and not scopes[0][:1].isupper():
        del scopes[0]
    return ".".join([*scopes, name])


def qualified_type(text: str) -> str:
    """`shop::Outer::Inner` is `Outer.Inner`: a type's scopes in lower case are namespaces, all of them."""
    *scopes, name = plain(text).split("::")
    return ".".join([scope for scope in scopes if scope[:1].isupper()] + [name])


def _spaced(sign: str) -> str:
    """`==` for an operator's sign; a type or a word keeps its space (`operator bool`)."""
    sign = " ".join(sign.split())
    return " " + sign if re.match(r"\w", sign) else sign


def last(text: str) -> str:
    """`shop.cart` is `cart`; quotes are no part of it."""
    return text.strip().rsplit(".", 1)[-1].strip(_QUOTES)


READINGS: dict[str, Callable[[str], str]] = {
    "name": str.strip,
    "name.plain": plain,
    "name.qualified": qualified,
    "name.qualified_type": qualified_type,
    "name.last": last,
    "name.dotted": lambda text: plain(text).replace("?", "").replace(":", "."),
    "name.operator": lambda text: "operator" + _spaced(text),
    "name.destructor": lambda text: "~" + text,
    "name.attribute": lambda text: "@" + text,
    "name.test": lambda text: ".".join(part.strip() for part in text.strip("()").split(",")),
}
