"""What may have been run of an answer: whatever it sets off from its prose and is no file's text."""

from __future__ import annotations

import pytest

from tslp_litellm.clients.text_parts import Part, parts_in, script_of

SED = "sed -i 's/a/b/' a.py"


def parts(text: str) -> list[Part]:
    return list(parts_in(text, frozenset({"file_content"}), frozenset({"own_command"})))


@pytest.mark.parametrize(
    "text",
    [
        f"```bash\n{SED}\n```",
        f"1. So:\n   ```sh\n   {SED}\n   ```",
        f"~~~zsh\n{SED}\n~~~",
        f"```own_command\n{SED}\n```",
        f"```\n{SED}\n```",
        f"<run>{SED}</run>",
        f"[[EXEC]]{SED}[[/EXEC]]",
        f"[EXEC] {SED}",
        f"[[EXEC]]\n{SED}\n[[/EXEC]]",
        f"RUN: {SED}",
        f"!{SED}",
        f"Run `{SED}` for that.",
        f"So:\n\n    {SED}\n",
        f"Action: terminal\nAction Input: {SED}",
    ],
)
def test_commands(text: str) -> None:
    (part,) = parts(text)
    assert (part.tool, part.arguments["command"].strip()) == ("bash", SED)


@pytest.mark.parametrize("text", ["```py\nx = 1\n```<end_code>", "<code>\nx = 1\n</code>", "```tool_code\nx = 1\n```"])
def test_programs(text: str) -> None:
    assert parts(text) == [Part("bash", {"command": script_of("python", "x = 1\n")})]


@pytest.mark.parametrize(
    ("text", "tool", "arguments"),
    [
        ('Action: put\nAction Input: {"to": "a.py"}', "put", {"to": "a.py"}),
        ('```json\n{"action": "put", "action_input": {"to": "a.py"}}\n```', "put", {"to": "a.py"}),
        ('<tool>{"name": "put", "arguments": {"to": "a.py"}}</tool>', "put", {"to": "a.py"}),
        ("```save a.py\nx = 1\n```", "carry_out", {"paths": ["a.py"]}),
        ('{"tool": "put", "args": {"to": "a.py"}}', "put", {"to": "a.py"}),
        ("Action: edit_file\nAction Input: a.py, 1 -> 2", "carry_out", {"paths": ["a.py"]}),
        ('<put to="a.py">x = 1</put>', "carry_out", {"paths": ["a.py"]}),
        ("<change>\na.py: 1 -> 2\n</change>", "carry_out", {"paths": ["a.py"]}),
        ("%%writefile a.py\nx = 1", "carry_out", {"paths": ["a.py"]}),
        ('api.write_file("a.py", "x")', "carry_out", {"paths": ["a.py"]}),
    ],
)
def test_calls(text: str, tool: str, arguments: dict[str, object]) -> None:
    assert parts(text) == [Part(tool, arguments)]


@pytest.mark.parametrize(
    "text",
    [
        "Look at `a.py`, it is fine.",
        "a.py\n```python\nx = 1\n```",
        "```python\n# a.py\nx = 1\n```",
        "```python a.py\nx = 1\n```",
        '```json\n{"main": "a.py"}\n```',
        "Action: read_file\nAction Input: a.py",
        '<file_content path="a.py">x = 1</file_content>',
        "<read_file>a.py</read_file>",
        "make sure that a.py is there",
    ],
)
def test_what_is_none(text: str) -> None:
    assert parts(text) == []
