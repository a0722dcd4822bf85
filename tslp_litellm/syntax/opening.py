"""PHP's opening tag, which people and models leave out of what they show."""

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
