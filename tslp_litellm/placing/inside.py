"""Code that goes somewhere inside a function, shown without it: it uses what only stands in there (SEMANTICS 2)."""

from __future__ import annotations

import re

from tslp_litellm.syntax.languages import Language
from tslp_litellm.syntax.outline import Kind, Outline

FAMILY = "ecma"
"""Components are functions that hold others. Elsewhere the names inside of one are those of any."""
_HELD = re.compile(
    r"^[ \t]+(?:(?:async\s+)?function\b[\s*]*(?P<function>\w+)"
    r"|(?:const|let|var)\s+(?P<names>\w+|\[[^\]\n]*\]|\{[^}\n]*\})\s*(?::[^=\n]*)?=\s*"
    r"(?:(?:await\s+)?(?:\w+\.)?use[A-Z]\w*\s*[<(]|(?:async\s*)?(?:function\b|\w+\s*=>|\([^()\n]*\)\s*(?::[^=\n]*)?=>)))",
    re.M,
)
"""What hooks give, and functions: `const [open, setOpen] = useState(false)`, `const close = () => {`."""
_HOOK = re.compile(r"\buse[A-Z]\w*\s*[<(]")
_HOOK_ALONE = re.compile(rf"^(?:(?:const|let|var)\s[^=\n]+=\s*+)?(?:\w++\.)?{_HOOK.pattern}", re.M)
_DECLARED = re.compile(r"\b(?:function\b[\s*]*|class\s+|(?:const|let|var)\s+)(\w+|\[[^\[\]\n]*\]|\{[^{}\n]*\})")
_PARAMETERS = re.compile(r"(?<!\w)(\w+)\s*=>|\(([^()]*)\)\s*(?::[^={\n]*)?(?:=>|\{)|\(\s*\{([^{}]*)\}")
_STRING = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_NAME = re.compile(r"(?<![\w$.])[A-Za-z_$][\w$]*")
_KEY = re.compile(r"(?<![\w$])[\w$]+\??:(?!:)")
TEXT_CHARS_MAX = 50_000
"""A longer text is no part of a component; what is shown in a fence may be anything."""


def used_inside(language: Language, text: str, base: Outline) -> str | None:
    """The one function of a file whose own functions or hooks' values a text uses, which does not define them; what
    calls a hook outside of any goes into the one that does, too.

    >>> from tslp_litellm.parser import outline
    >>> from tslp_litellm.syntax.languages import language_named
    >>> ecma = language_named("javascript")
    >>> app = outline(ecma, "function App() {\\n  const [n, setN] = useState(0);\\n  return n;\\n}\\n")
    >>> used_inside(ecma, "const reset = () => setN(0);\\n", app), used_inside(ecma, "const n = 1;\\n", app)
    ('App', None)
    """
    if language.family != FAMILY or language.components or len(text) > TEXT_CHARS_MAX:
        return None
    plain = _STRING.sub("''", text)
    declaring = [*_DECLARED.findall(plain), *(" ".join(found) for found in _PARAMETERS.findall(plain))]
    declared = {name for found in declaring for name in _NAME.findall(found)}
    top = base.top_level()
    free = set(_NAME.findall(_KEY.sub(" ", plain))) - declared - {symbol.name for symbol in top}
    may_hold = {s.name: base.slice(s) for s in top if s.kind in (Kind.FUNCTION, Kind.VALUE)}
    if _HOOK_ALONE.search(plain):  # hooks are called inside of components only
        may_hold = {name: one for name, one in may_hold.items() if _HOOK.search(one)}
        if len(may_hold) == 1:
            return next(iter(may_hold))
    used = {name: free & _held(one) for name, one in may_hold.items()}
    every = set[str]().union(*used.values())
    holders = [name for name, names in used.items() if names and names == every]
    return holders[0] if len(holders) == 1 else None


def _held(text: str) -> set[str]:
    return {name for m in _HELD.finditer(text) for name in _NAME.findall(m["function"] or m["names"] or "")}
