"""Tool calls written as text, and their results: every form, and what only looks like one."""

import json
from typing import Any

import pytest

from tslp_litellm.clients.makers import attempt
from tslp_litellm.clients.text_calls import expand
from tslp_litellm.dialects.values import Carrier, Edit, FileChange, Insertion, Replacement, Shown
from tslp_litellm.wire.turn import Item, ItemKind, Role

T = Carrier.TOOL_EDIT
DASHES = "------- SEARCH\nx\n=======\ny\n+++++++ REPLACE"
BLOCK = "<<<<<<< SEARCH\n:start_line:2\n-------\nx\n=======\ny\n>>>>>>> REPLACE"


def said(text: str, message: int = 1) -> Item:
    return Item(Role.ASSISTANT, ItemKind.TEXT, text, message)


def asked(text: str, message: int = 2) -> Item:
    return Item(Role.USER, ItemKind.TEXT, text, message)


def calls_in(text: str) -> list[tuple[str, Any]]:
    return [(i.name, json.loads(i.text)) for i in expand([said(text)]) if i.kind is ItemKind.CALL]


def changes_in(text: str) -> list[FileChange]:
    made = [attempt(i) for i in expand([said(text)]) if i.kind is ItemKind.CALL]
    return [change for one in made if one for change in one.changes]


def wrote(text: str, path: str = "a.py") -> list[FileChange]:
    return [Shown(path, text, Carrier.WRITE, whole=True)]


SWAP = Edit("a.py", (Replacement("x\n", "y\n", lines=True),), T)

TEXTS: list[tuple[str, list[FileChange]]] = [
    # Cline 3 and Roo, XML
    ("<write_to_file>\n<path>a.py</path>\n<content>\nx = 1\n</content>\n</write_to_file>", wrote("x = 1\n")),
    (
        "<write_to_file>\n<path>a.py</path>\n<content>\nx = 1\n</content>\n<line_count>1</line_count>\n</write_to_file>",
        wrote("x = 1\n"),
    ),
    (
        "<write_to_file>\n<path>a.py</path>\n<content>\n```python\nx = 1\n```\n</content>\n</write_to_file>",
        wrote("x = 1\n"),
    ),
    (
        "<write_to_file>\n<path>a.xml</path>\n<content>\n<content>\nx\n</content>\n</content>\n</write_to_file>",
        wrote("<content>\nx\n</content>\n", "a.xml"),
    ),
    ("<write_to_file>\n<path>a.py</path>\n<content>\n    x = 1\n</content>\n</write_to_file>", wrote("    x = 1\n")),
    (f"I will.\n\n<replace_in_file>\n<path>a.py</path>\n<diff>\n{DASHES}\n</diff>\n</replace_in_file>", [SWAP]),
    (
        f"<apply_diff>\n<path>a.py</path>\n<diff>\n{BLOCK}\n</diff>\n</apply_diff>",
        [Edit("a.py", (Replacement("x\n", "y\n", lines=True, line=2),), T)],
    ),
    (
        f"<apply_diff>\n<args>\n<file>\n<path>a.py</path>\n<diff>\n<content><![CDATA[\n{DASHES}\n]]></content>\n<start_line>1</start_line>\n</diff>\n</file>\n"
        f"<file>\n<path>b.py</path>\n<diff>\n<content>\n{DASHES}\n</content>\n</diff>\n</file>\n</args>\n</apply_diff>",
        [SWAP, Edit("b.py", SWAP.steps, T)],
    ),
    (
        "<insert_content>\n<path>a.py</path>\n<line>3</line>\n<content>\nx\n</content>\n</insert_content>",
        [Edit("a.py", (Insertion("x", 3),), T)],
    ),
    (
        "<insert_content>\n<path>a.py</path>\n<line>0</line>\n<content>\nx\n</content>\n</insert_content>",
        [Edit("a.py", (Insertion("x\n"),), T)],
    ),
    (
        "<search_and_replace>\n<path>a.py</path>\n<search>x</search>\n<replace>y</replace>\n</search_and_replace>",
        [Edit("a.py", (Replacement("x", "y", everywhere=True),), T)],
    ),
    # OpenHands, SWE-agent
    (
        "<function=str_replace_editor>\n<parameter=command>create</parameter>\n<parameter=path>a.py</parameter>\n<parameter=file_text>\nx = 1\n</parameter>\n</function>",
        wrote("x = 1\n"),
    ),
    (
        "<function=str_replace_editor>\n<parameter=command>str_replace</parameter>\n<parameter=path>a.py</parameter>\n<parameter=old_str>\nx\n</parameter>\n<parameter=new_str>\ny\n</parameter>\n</function",
        [Edit("a.py", (Replacement("x", "y"),), T)],
    ),
    (
        "<function=str_replace_editor>\n<parameter=command>create</parameter>\n<parameter=path>a.py</parameter>\n<parameter=file_text>x = 1</parameter>\n",
        wrote("x = 1\n"),
    ),
    # Continue
    (
        "```tool\nTOOL_NAME: create_new_file\nBEGIN_ARG: filepath\na.py\nEND_ARG\nBEGIN_ARG: contents\nx = 1\n\ny = 2\nEND_ARG\n```",
        wrote("x = 1\n\ny = 2\n"),
    ),
    (
        '```tool\ntool_name: create_new_file\nBEGIN_ARG: filepath\n"a.py"\nEND_ARG\nBEGIN_ARG: contents\n"x = 1\\n"\nEND_ARG\n```',
        wrote("x = 1\n"),
    ),
    # Hermes
    (
        '<tool_call>\n{"name": "Write", "arguments": {"file_path": "a.py", "content": "x\\n"}}\n</tool_call>',
        wrote("x\n"),
    ),
    # avante
    (
        "<FILEPATH>a.py</FILEPATH>\n<SEARCH>\nx\n</SEARCH>\n<REPLACE>\ny\n</REPLACE>",
        [Edit("a.py", (Replacement("x", "y"),), T)],
    ),
]


@pytest.mark.parametrize(("text", "changes"), TEXTS)
def test_calls(text: str, changes: list[FileChange]) -> None:
    assert changes_in(text) == changes


@pytest.mark.parametrize(
    "text",
    [
        "Use `<write_to_file>` for that.",
        "<write_to_file></write_to_file>",
        "<write_to_file>\n</write_to_file>",
        "<function=x></function>",
        "```tool\nTOOL_NAME: create_new_file\n```",
        "```tool\nBEGIN_ARG: filepath\na.py\nEND_ARG\n```",
        "<tool_call>{broken}</tool_call>",
        '<tool_call>["x"]</tool_call>',
        '<tool_call>{"name": 3, "arguments": {}}</tool_call>',
        "<FILEPATH>a.py</FILEPATH>\n<SEARCH>\nx",
        "<think>\n<write_to_file>\n<path>a.py</path>\n<content>\nx\n</content>\n</write_to_file>\n</think>\nNo.",
        "",
    ],
)
def test_what_is_no_call_is_passed_on(text: str) -> None:
    assert list(expand([said(text)])) == [said(text)]


def test_a_write_that_is_not_closed_is_no_whole_file() -> None:
    assert changes_in("<write_to_file>\n<path>a.py</path>\n<content>\nx = 1\n") == []


def test_the_same_text_is_the_same_call() -> None:
    text = TEXTS[0][0]
    first, again, other = (expand([said(t)])[-1].call_id for t in (text, text, text.replace("x = 1", "x = 2")))
    assert first == again != other


def test_what_is_said_around_calls_stays() -> None:
    one, two = TEXTS[0][0], TEXTS[5][0]
    items = expand([said(f"Before.\n{one}\nBetween.\n{two}\nAfter.")])
    assert items[0].kind is ItemKind.TEXT
    assert [word for word in ("Before.", "Between.", "I will.", "After.") if word not in items[0].text] == []
    assert "write_to_file" not in items[0].text
    assert [i.name for i in items[1:]] == ["write_to_file", "replace_in_file"]


RESULTS = [
    (TEXTS[0][0], "[write_to_file for 'a.py'] Result:\nThe content was successfully saved to a.py."),
    (TEXTS[0][0], "[write_to_file] Result:\nThe content was successfully saved to a.py."),
    (TEXTS[11][0], "EXECUTION RESULT of [str_replace_editor]:\nFile created successfully at: a.py"),
    (TEXTS[14][0], "Tool output for create_new_file tool call:\n\nFile created successfuly"),
    (TEXTS[16][0], "<tool_response>\nFile created successfully at: a.py\n</tool_response>"),
]


HEREDOC = "cat > a.py <<'EOF'\nx = [1]\nprint('] Result')\nEOF"
RESULTS += [
    (
        f"<execute_command>\n<command>{command}</command>\n</execute_command>",
        f"[execute_command for '{command}'] Result:\n{said}",
    )
    for command in ("ls", HEREDOC, f"{HEREDOC}\n\nrm 'b.py'")
    for said in ("Command executed.", "Command executed.\nOutput:\nx] Result: 1\n")
]


@pytest.mark.parametrize(("call", "answer"), RESULTS)
def test_results(call: str, answer: str) -> None:
    items = [i for i in expand([said(call), asked(answer)]) if i.text.strip()]
    made, result = items[-2], items[-1]
    assert (made.kind, result.kind) == (ItemKind.CALL, ItemKind.RESULT)
    assert result.call_id == made.call_id
    assert result.role is Role.TOOL
    assert answer.strip().removesuffix("</tool_response>").rstrip().endswith(result.text.strip())


def test_a_result_in_a_part_of_its_own() -> None:
    items = expand([said(TEXTS[0][0]), asked("[write_to_file for 'a.py'] Result:"), asked("Saved.")])
    assert [(i.kind, i.text) for i in items[2:]] == [(ItemKind.RESULT, "Saved.")]


SURROUNDINGS = "<environment_details>\n# Current Mode\nACT MODE\n</environment_details>"


@pytest.mark.parametrize("between", ["\n", "\n\n"])
@pytest.mark.parametrize("head", ["[write_to_file for 'a.py'] Result:\n", ""])
def test_the_surroundings_behind_a_result_are_none_of_it(head: str, between: str) -> None:
    said_before = [said(TEXTS[0][0])] + ([] if head else [asked("[write_to_file for 'a.py'] Result:")])
    items = expand([*said_before, asked(f"{head}Saved.{between}{SURROUNDINGS}")])
    assert [(i.kind, i.role, i.text) for i in items[2:]] == [
        (ItemKind.RESULT, Role.TOOL, "Saved.\n"),
        (ItemKind.TEXT, Role.USER, SURROUNDINGS),
    ]


def test_surroundings_alone_are_no_result() -> None:
    items = expand([said(TEXTS[0][0]), asked(f"[write_to_file for 'a.py'] Result:\n{SURROUNDINGS}")])
    assert [(i.kind, i.text) for i in items[2:]] == [(ItemKind.RESULT, ""), (ItemKind.TEXT, SURROUNDINGS)]


def test_results_go_to_the_first_open_call_of_their_name() -> None:
    one, two = TEXTS[0][0], TEXTS[0][0].replace("a.py", "b.py")
    answer = "[write_to_file for '{}'] Result:\nok"
    items = expand([said(one + "\n" + two), asked(answer.format("a.py")), asked(answer.format("b.py"), 3)])
    calls = [i.call_id for i in items if i.kind is ItemKind.CALL]
    assert [i.call_id for i in items if i.kind is ItemKind.RESULT] == calls
    assert len(set(calls)) == 2


@pytest.mark.parametrize("answer", ["[read_file for 'b.py'] Result:\nx", "Thanks.", "EXECUTION RESULT of [other]:\nx"])
def test_other_user_texts_stay(answer: str) -> None:
    assert expand([said(TEXTS[0][0]), asked(answer)])[-1] == asked(answer)


def test_a_result_without_a_call_stays() -> None:
    items = [said("Hello."), asked("[write_to_file for 'a.py'] Result:\nok")]
    assert list(expand(items)) == items


def test_a_text_without_a_mark_of_a_call_is_not_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tslp_litellm.clients.text_calls.spoken", pytest.fail)
    said = Item(Role.ASSISTANT, ItemKind.TEXT, "if a < b or `Map<string>`: no call\n```python\nx\n```")
    assert expand([said]) == (said,)
