"""What people and models leave out of what they show: PHP's opening tag, a Python body behind a comment."""

from __future__ import annotations

import re

from tslp_litellm.syntax.languages import Language

_TAG = "<?php\n\n"  # as PSR-12 has it
_CODE = re.compile(
    r"\s*(?:\$\w|#\[|/[/*]|(?:abstract|class|const|declare|enum|final|function|interface|namespace|private|protected"
    r"|public|readonly|require|return|static|trait|use)\b)"
)


def opened(language: Language | None, text: str) -> str:
    """A text as a file of its language: PHP with its opening tag; what may be a template, and any other, as it is.

    >>> from tslp_litellm.syntax.languages import language_named
    >>> opened(language_named("php"), "function f() {}")
    '<?php\\n\\nfunction f() {}'
    """
    if language is None or language.name != "php" or "<?" in text or not _CODE.match(text):
        return text
    return _TAG + text.lstrip("\r\n")


def unopened(language: Language, text: str) -> str:
    """PHP without its opening tag; any other text as it is."""
    return text[5:].lstrip("\r\n") if language.name == "php" and text.startswith("<?php\n") else text


_HEAD = re.compile(r"(?P<indent>[ \t]*)(?:async[ \t]+)?(?:def|class)\b.*:[ \t]*(?:#.*)?\Z")
_REMARK = re.compile(r"(?P<indent>[ \t]*)#")


def filled(text: str) -> str:
    """Python with `...` behind a comment that is all of a body: small models leave code out so, and none of what they
    show parses then.

    >>> filled("def f():\\n    # unchanged")
    'def f():\\n    # unchanged\\n    ...'
    """
    out, head, remark, behind = list[str](), None, None, 0
    for line in [*text.split("\n"), "pass"]:
        found = _REMARK.match(line)
        if found is not None and head is not None and len(found["indent"]) > len(head):
            remark, behind = found["indent"], len(out) + 1
        elif line.strip() and found is None:
            if head is not None and remark is not None and len(line) - len(line.lstrip()) <= len(head):
                out.insert(behind, f"{remark}...")
            begins = _HEAD.match(line)
            head, remark = begins["indent"] if begins is not None else None, None
        out.append(line)
    return "\n".join(out[:-1])
