"""A shell script's simple commands by tree-sitter. Runs in the parser's process."""

from __future__ import annotations

import re

from tree_sitter import Node

from tslp_litellm.syntax.commands import Command, Word
from tslp_litellm.syntax.parsing import parse

_SURE = frozenset({"program", "list", "pipeline", "redirected_statement", "command", "compound_statement"})
_STEADY = frozenset(
    {"cd", "pushd", "mkdir", "touch", "cat", "tee", "echo", "printf", "cp", "mv", "rm", "chmod", "ls", "true"}
)
"""Commands that say so when they fail."""
_WRITES = frozenset({">", ">|", ">>", "&>", "&>>"})
_PATTERN = re.compile(r"[*?]")
_ESCAPED = re.compile(r"\\(.)", re.S)
_IN_QUOTES = re.compile(r'\\([$`"\\\n])')
COMMANDS_MAX = 200


def commands(source: bytes) -> list[Command] | None:
    """The simple commands of a script, in order; None where it can't be read."""
    tree = parse("bash", source + b"\n")
    if tree is None or tree.root_node.has_error:
        return None
    found: list[Command] = []
    try:
        _collect(tree.root_node, found, sure=True)
    except RecursionError:
        return None
    if len(found) > COMMANDS_MAX:
        return None
    if found:
        found[-1].last = sum(child.type != "comment" for child in tree.root_node.named_children) == 1
    return found


def _collect(node: Node, found: list[Command], *, sure: bool, shows: bool = True) -> None:
    """The commands of a node. `shows`: the script's exit status shows whether this part of it failed."""
    if node.type == "command":
        found.append(_command(node, sure))
    elif node.type == "redirected_statement":
        _redirected(node, found, sure, shows)
    elif node.type == "list":
        both, before = any(child.type == "&&" for child in node.children), len(found)
        _collect(node.named_children[0], found, sure=sure, shows=shows and both)
        goes_on = both and (shows or all(command.name in _STEADY for command in found[before:]))
        for child in node.named_children[1:]:
            _collect(child, found, sure=sure and goes_on, shows=shows)
    elif node.type not in ("heredoc_redirect", "file_redirect", "comment"):
        children = [child for child in node.named_children if child.type != "comment"]
        for child in children:
            _collect(
                child,
                found,
                sure=sure and node.type in _SURE,
                shows=shows and node.type in _SURE and child == children[-1],
            )


def _redirected(node: Node, found: list[Command], sure: bool, shows: bool) -> None:
    before = len(found)
    body = node.child_by_field_name("body")
    if body is not None:
        _collect(body, found, sure=sure, shows=shows)
    target = found[-1] if len(found) > before else Command(sure=sure)
    if len(found) == before:
        found.append(target)
    if body is not None and body.type not in ("command", "list", "pipeline"):
        target = Command(sure=sure)
        found.append(target)
    for child in node.children:
        if child.type == "file_redirect":
            _redirect(child, target)
        elif child.type == "heredoc_redirect":
            _heredoc(child, target, found, sure)


def _redirect(node: Node, command: Command) -> None:
    sign = next((child.type for child in node.children if child.type in _WRITES), None)
    if sign is None or any(c.type == "file_descriptor" and c.text == b"2" for c in node.children):
        return
    destination = node.child_by_field_name("destination")
    command.output.append((_word(destination) if destination is not None else Word(None), sign.endswith(">>")))


def _heredoc(node: Node, command: Command, found: list[Command], sure: bool) -> None:
    """A here-document: redirections and pipelines that follow its start on the same line stand inside its node."""
    start = next((c for c in node.children if c.type == "heredoc_start"), None)
    body = next((c for c in node.children if c.type == "heredoc_body"), None)
    quoted = start is not None and start.text is not None and start.text[:1] in (b"'", b'"', b"\\")
    plain = body is None or quoted or not any(b in (body.text or b"") for b in (b"$", b"`", b"\\"))
    tabs = any(c.type == "<<-" for c in node.children) and body is not None and b"\t" in (body.text or b"")
    text = (body.text or b"").decode(errors="replace") if body is not None else ""
    command.input = text if plain and not tabs else None
    for child in node.children:
        if child.type == "file_redirect":
            _redirect(child, command)
        elif child.is_named and not child.type.startswith("heredoc"):
            before = len(found)
            _collect(child, found, sure=sure)
            if child.type == "pipeline" and len(found) > before:
                found[before].input = command.input


def _command(node: Node, sure: bool) -> Command:
    words = [_word(child) for child in node.named_children if child.type not in _NO_WORDS]
    made = Command(words, sure=sure)
    for child in node.children:
        if child.type == "file_redirect":
            _redirect(child, made)
    return made


_NO_WORDS = frozenset({"variable_assignment", "file_redirect", "heredoc_redirect", "herestring_redirect", "comment"})


def _word(node: Node) -> Word:
    text = (node.text or b"").decode(errors="replace")
    match node.type:
        case "command_name" if node.named_child_count == 1:
            return _word(node.named_children[0])
        case "word" | "number":
            return Word(_ESCAPED.sub(r"\1", text), _is_pattern(text) or text.startswith("~"))
        case "raw_string":
            return Word(text[1:-1])
        case "string" if all(child.type == "string_content" for child in node.named_children):
            return Word(_IN_QUOTES.sub(r"\1", text[1:-1]))
        case "concatenation":
            parts = [_word(child) for child in node.named_children]
            if any(part.text is None for part in parts) or _gaps(node):
                return Word(None)
            bare = "".join(
                "_" if child.type in ("string", "raw_string") else part.text or ""
                for child, part in zip(node.named_children, parts, strict=True)
            )
            return Word("".join(part.text or "" for part in parts), _is_pattern(bare) or any(p.glob for p in parts))
        case _:
            return Word(None)


def _is_pattern(text: str) -> bool:
    """Whether the shell would take a bare word for a pattern of file names; in doubt it would."""
    pairs = (("[", "]"), ("{", "}"))
    return bool(_PATTERN.search(text)) or any(0 <= text.find(a) < text.rfind(b) for a, b in pairs)


def _gaps(node: Node) -> bool:
    """Whether a concatenation has text between its parts that is no node of its own."""
    return sum(child.end_byte - child.start_byte for child in node.named_children) != node.end_byte - node.start_byte
