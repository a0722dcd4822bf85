"""What became of a tool call: every client's words for success, failure, denial, part and doubt."""

import json

import pytest

from tslp_litellm.clients.makers import attempt
from tslp_litellm.clients.outcomes import LINES_MAX, outcome, shell_outcome, stated_exit, verdict_of
from tslp_litellm.dialects.values import Attempt, Carrier, Drift, Edit, Outcome, Refusal, Replacement, Shown, Verdict
from tslp_litellm.shell import Outcome as ShellOutcome
from tslp_litellm.wire.turn import Item, ItemKind, Role

P = "/w/src/a.py"
SUCCESS = [
    # Claude Code
    f"File created successfully at: {P}",
    f"File created successfully at: {P} (file state is current in your context — no need to Read it back)",
    f"The file {P} has been updated successfully.",
    f"The file {P} has been updated. All occurrences of 'x' were successfully replaced with 'y'.",
    f"The file {P} has been updated. All occurrences were successfully replaced. (file state is current in your context)",
    f"The file {P} has been updated. Here's the result of running `cat -n` on a snippet of the edited file:\n     1→x",
    f'Applied 2 edits to {P}:\n1. Replaced "x = 1\n---\ny" with "x = 2\n---\ny"\n2. Replaced "f(" with "g("',
    f'Applied 1 edit to {P}:\n1. Replaced "x" with ""',
    # opencode, Kilo
    "Edit applied successfully.",
    'Edit applied successfully.\n\nLSP errors detected in this file, please fix:\n<diagnostics file="a.py">\nERROR [3:1] x\n</diagnostics>',
    "Wrote file successfully.",
    "Success. Updated the following files:\nM src/a.py",
    # Codex
    "Exit code: 0\nWall time: 0.2 seconds\nOutput:\nSuccess. Updated the following files:\nM src/a.py\n",
    '{"output":"Success. Updated the following files:\\nA src/a.py\\n","metadata":{"exit_code":0,"duration_seconds":0.2}}',
    # Cline 4
    json.dumps({"query": f"edit:{P}", "result": f"Edited {P}\n```diff\n-2: a\n+2: b\n```", "success": True}),
    json.dumps({"query": f"edit:{P}", "result": f"File created successfully at: {P}", "success": True}),
    json.dumps({"query": f"edit:{P}", "result": f"Inserted content at line 3 in {P}.", "success": True}),
    json.dumps(
        {"query": "apply_patch", "result": "Successfully applied patch to the following files:\nA", "success": True}
    ),
    # pi
    f"Successfully replaced 1 block(s) in {P}.",
    # Cline 3
    "The content was successfully saved to src/a.py.\n\nHere is the full, updated content of the file that was saved:",
    # Roo
    '{"path":"src/a.py","operation":"created","notice":"You do not need to re-read the file"}',
    '{"path":"src/a.py","operation":"modified","notice":"You do not need to re-read the file"}',
    "<file_write_result>\n<path>src/a.py</path>\n<operation>modified</operation>\n</file_write_result>",
    "Successfully deleted src/a.py",
    '{"status":"approved","feedback":"nice"}',
    # Continue
    "Successfully edited file:///w/src/a.py",
    "File created successfuly",
    "Successfully created file: /w/src/a.py",
    "Successfully wrote to file: /w/src/a.py\nDiff:\n",
    # OpenHands, SWE-agent
    f"File created successfully at: {P}",
    f"The file {P} has been edited. Here's the result of running `cat -n` on a snippet of {P}:\n    10\tx\nReview the changes and make sure they are as expected (correct indentation, no duplicate lines, etc). Edit the file again if necessary.",
    f"Last edit to {P} undone successfully. Here's the result of running `cat -n` on {P}:\n     1\tx",
    "File updated. Please review the changes and make sure they are correct.",
    # goose
    "Created src/a.py (3 lines)",
    "Wrote src/a.py (3 lines)",
    "Edited src/a.py (3 lines -> 5 lines)",
    # Zed
    "Edited src/a.py:\n\n```diff\n@@ -1 +1 @@\n-a\n+b\n```",
    # Copilot
    "File created at /w/src/a.py",
    "The following files were successfully edited:\n/w/src/a.py",
    "The edit to /w/src/a.py was applied successfully.\nThe edit resulted in the following lint errors:\nerror x",
    # Gemini, Qwen
    f"Successfully created and wrote to new file: {P}.",
    f"Successfully overwrote file: {P}.",
    f"Created new file: {P} with provided content.",
    f"Successfully modified file: {P} (1 replacements). Here is the updated code:\nx",
    f"The file: {P} has been updated. Showing lines 1-6 of 7 from the edited file:\n\n---\n\nx",
    # Crush
    "<result>\nContent replaced in file: a.py\n</result>\n",
    "<result>\nFile created: a.py\n</result>",
    "<result>\nContent deleted from file: a.py\n</result>",
    # avante, CodeCompanion
    "true",
    "Edited `src/a.py` with 1 change",
    "Created `src/a.py`",
]
FAILURE = [
    # Claude Code
    "<tool_use_error>String to replace not found in file.\nString: x</tool_use_error>",
    "<tool_use_error>Found 2 matches of the string to replace, but replace_all is false. To replace all occurrences, set replace_all to true.</tool_use_error>",
    "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>",
    "<tool_use_error>File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.</tool_use_error>",
    "No changes to make: old_string and new_string are exactly the same.",
    "<tool_use_error>File does not exist.</tool_use_error>",
    "<tool_use_error>Sibling tool call errored</tool_use_error>",
    # opencode
    "oldString not found in content",
    "Could not find oldString in the file. It must match exactly, including whitespace, indentation, and line endings.",
    "Found multiple matches for oldString. Provide more surrounding context to make the match unique.",
    "File /w/a.py not found",
    "No changes to apply: oldString and newString are identical.",
    "File /w/a.py has been modified since it was last read.",
    # Codex
    "apply_patch verification failed: Failed to find expected lines in /w/a.py:\nx",
    "apply_patch verification failed: invalid hunk at line 3, Update file hunk for path 'a.py' is empty",
    "apply_patch verification failed: invalid patch: The first line of the patch must be '*** Begin Patch'",
    "Exit code: 1\nWall time: 0 seconds\nOutput:\nboom",
    "execution error: sandbox",
    # Cline 4
    json.dumps(
        {
            "query": f"edit:{P}",
            "result": "",
            "error": f"Editor operation failed: No replacement performed: text not found in {P}.",
            "success": False,
        }
    ),
    json.dumps(
        {
            "query": f"edit:{P}",
            "result": "",
            "error": f"Editor operation failed: No replacement performed: multiple occurrences of text found in {P}.",
            "success": False,
        }
    ),
    "Parameter `old_text` is required when editing an existing file without `insert_line`",
    "Editor input too large: 7000 characters",
    "apply_patch failed: Patch could not be applied because 2 hunk(s) did not match the current file content.",
    # Cline 3
    "The tool execution failed with the following error:\n<error>\nThe SEARCH block:\nx\n...does not match anything in the file.\n</error>",
    "Tool [write_to_file] was not executed because a tool has already been used in this message.",
    # Roo
    '{"status":"error","message":"The tool execution failed","error":"No match found for \'old_string\' in a.py."}',
    "No match found in file: a.py\n\n<error_details>\nx\n</error_details>",
    "Unable to apply diff to file: a.py\n\n<error_details>\nx",
    "No sufficiently similar match found at line: 12 (83% similar, needs 100%)\n\nDebug Info:\n",
    "File does not exist at path: a.py\n\n<error_details>",
    "Occurrence count mismatch in file: a.py",
    "No changes needed for 'a.py'",
    "Content appears to be truncated (file has 20 lines but was predicted to have 200 lines), and found comments indicating omitted code (e.g., '// rest of code unchanged', '/* previous code */').",
    # Continue
    "Failed to edit file:///w/a.py. To continue working with the file, read it again to see the most up-to-date contents",
    "Error editing file: failed to apply changes to file.",
    "File a.py already exists. Use the edit tool to edit this file",
    "There was an error calling the tool.",
    'Edit at index 0: string not found in file: "x"',
    'Edit at index 0: string "x" appears 2 times in the file',
    # OpenHands, SWE-agent
    "No replacement was performed, old_str `x` did not appear verbatim in /w/a.py.",
    "ERROR:\nNo replacement was performed. Multiple occurrences of old_str `x` in lines [1, 2]. Please ensure it is unique.",
    "Invalid `path` parameter: /w/a.py. File already exists at: /w/a.py. Cannot overwrite files using command `create`.",
    "Invalid `path` parameter: a.py. The path a.py does not exist. Please provide a valid path.",
    "Parameter `file_text` is required for command: create.",
    "Your proposed edit has introduced new syntax error(s). Please read this error message carefully\nYour changes have NOT been applied.",
    # goose
    "No match found for the specified text.\n\nDid you mean:\n```\nx\n```\n\nFile preview:\n```\n   1: x\n```",
    "Found 3 matches. Please provide more context",
    "Failed to read a.py: gone",
    # Zed
    "No edits were made.",
    "The file a.py has been modified since you last read it. Please read the file again",
    "This file has unsaved changes. Ask the user whether they want to keep or discard those changes.",
    # Copilot
    "File already exists. You must use an edit tool to modify it.",
    "Could not find matching text to replace. Try making your search string more specific",
    "Multiple matches found for the text",
    # Gemini, Qwen
    "Failed to edit, 0 occurrences found for old_string in /w/a.py. No edits made.",
    "Failed to edit, Expected 1 occurrence but found 2 for old_string in file: /w/a.py",
    "Failed to edit. Found 2 occurrences for old_string in /w/a.py but replace_all was not enabled.",
    "File not found: /w/a.py",
    "No changes to apply. The old_string and new_string are identical.",
    "File /w/a.py has not been read in this session.",
    "`content` contains an omission placeholder (for example 'rest of methods ...'). Provide complete file content.",
    # Crush
    "old_string not found in file. Make sure it matches exactly",
    "you must read the file before editing it. Use the View tool first",
    "file a.py has been modified since it was last read",
    "new content is the same as old content. No changes made.",
    # avante
    '{"error":"no match"}',
]
DENIED = [
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.",
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nThe file has been updated successfully. No!",
    "The user rejected permission to use this specific tool call.",
    "The user rejected permission to use this specific tool call with the following feedback: no",
    "patch rejected by user",
    "exec command rejected by user",
    "The user denied this edit. The file was NOT modified and still contains its original content.",
    "User denied the tool execution",
    "Tool execution was cancelled because the user sent a follow-up message. The user provided the following feedback:\n<feedback>\nwait\n</feedback>",
    "The user denied this operation. The file was not updated, and maintains its original contents.",
    "The user denied this operation. The file was not created.",
    "The user denied this patch operation.",
    "The user denied this operation and provided the following feedback:\n<feedback>\nno\n</feedback>",
    '{"status":"denied","message":"The user denied this operation."}',
    '{"status":"denied","feedback":"no"}',
    "Changes were rejected by the user.",
    "Delete operation was rejected by the user.",
    "The user cancelled this tool call.",
    "Action rejected: User rejected the action",
    "The user has declined to run this tool. DO NOT attempt to call this tool again.",
    "Edit cancelled by user",
    "[Operation Cancelled] Reason: User did not allow tool call",
    "user denied permission",
    "User declined, reason: no",
    'User rejected the changes for `a.py`, with the reason "no"',
    "The user rejected the execution of the `create_file` tool",
    # refused by permission, before anything was done
    "Permission to use Edit has been denied.",
    "Permission to use Edit has been denied because Claude Code is running in don't ask mode. IMPORTANT: You *may* try",
    "Permission to use Bash with command sed -i s/10/20/ src/a.py\necho done has been denied.",
    f"Permission to edit {P} has been denied.",
    "Permission for this action has been denied. Reason: x",
    f"Claude requested permissions to write to {P}, but you haven't granted it yet.",
    "Claude requested permissions to use Bash, but you haven't granted it yet.",
    "This command requires approval",
    "This Bash command contains multiple operations. The following part requires approval: rm a.py",
    "Output redirection to '/x/a.py' was blocked. For security, Claude Code may only write to files in the allowed working directories for this session: '/w'.",
    "File is in a directory that is denied by your permission settings.",
    "Error: The user has specified a rule which prevents you from using this specific tool call. Here are some of the relevant rules []",
    'exec_command failed for `/bin/bash -lc \'rm -f a.py\'`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }',
    'Qwen Code requires permission to use "edit", but that permission was declined. Matching deny rule: "edit".',
    'Tool execution for "Edit" requires user confirmation, which is not supported in non-interactive mode.',
    json.dumps(
        {
            "query": f"edit:{P}",
            "result": "",
            "error": "The user denied this edit. The file was NOT modified.",
            "success": False,
        }
    ),
]
UNKNOWN = [f"Applied 2 edits to {P}:\n1 of 2 failed", "", "Hm.", "No tool output", "Running in the background"]


SHELL = Attempt("c", "bash", (), "shell")


def result(text: str, error: bool = False) -> Item:
    return Item(Role.TOOL, ItemKind.RESULT, text, call_id="c", is_error=error)


@pytest.mark.parametrize("text", SUCCESS)
def test_success(text: str) -> None:
    assert verdict_of(result(text)) is Verdict.SUCCESS


@pytest.mark.parametrize("text", FAILURE)
def test_failure(text: str) -> None:
    assert verdict_of(result(text)) is Verdict.FAILURE
    assert verdict_of(result(text, error=True)) is Verdict.FAILURE


@pytest.mark.parametrize("text", DENIED)
def test_denied(text: str) -> None:
    assert verdict_of(result(text)) is Verdict.DENIED
    assert verdict_of(result(text, error=True)) is Verdict.DENIED


@pytest.mark.parametrize("text", DENIED)
def test_a_command_that_was_denied_did_not_run(text: str) -> None:
    assert verdict_of(result(text, error=True), SHELL) is Verdict.DENIED


@pytest.mark.parametrize(
    "text",
    [
        "Exit code 1\nsed: couldn't open temporary file ./sedx: Permission denied",
        "Permission to acme/app.git denied to me.\nfatal: unable to access",
        "step 1\nThis command requires approval",
        json.dumps([{"query": "a", "result": "ok", "success": True}, {"query": "b", "result": "", "error": "User denied the tool execution", "success": False}]),
        json.dumps([{"query": "a", "result": "", "error": "exit 1", "success": False}, {"query": "b", "result": "", "error": "User denied the tool execution", "success": False}]),
    ],
)  # fmt: skip
def test_a_command_of_which_a_part_may_have_run(text: str) -> None:
    assert verdict_of(result(text, error=True), SHELL) is not Verdict.DENIED


@pytest.mark.parametrize("text", UNKNOWN)
def test_unknown(text: str) -> None:
    assert verdict_of(result(text)) is Verdict.UNKNOWN


@pytest.mark.parametrize("text", SUCCESS)
def test_an_error_flag_outweighs_the_text(text: str) -> None:
    assert verdict_of(result(text, error=True)) is Verdict.FAILURE


@pytest.mark.parametrize(
    "text",
    [
        f"The file: {P} has been updated. Showing lines 1-3 of 9 from the edited file:\n\n---\n\n    raise ValueError('x does not exist')\n",
        f"Successfully modified file: {P} (1 replacements). Here is the updated code:\n    return 'already exists'\n",
        f"The file {P} has been updated. Here's the result of running `cat -n` on a snippet of the edited file:\n     1→# Permission denied by nobody\n     2→are identical\n",
        f"The file {P} has been edited. Here's the result of running `cat -n` on a snippet of {P}:\n     1\tError: cannot\n",
        f"Edited {P}:\n\n```diff\n@@ -1 +1 @@\n-a\n+The user denied this operation\n```",
        "Successfully edited /w/a.py\nDiff:\nIndex: /w/a.py\n@@ -1 +1 @@\n-x\n+File not found\n",
        json.dumps(
            {"query": f"edit:{P}", "result": f"Edited {P}\n```diff\n+2: Multiple matches\n```", "success": True}
        ),
    ],
)
def test_file_text_in_a_result_is_no_verdict(text: str) -> None:
    assert verdict_of(result(text)) is Verdict.SUCCESS


def test_a_verdict_is_all_that_the_client_says() -> None:
    body = "x = 1\n" * LINES_MAX
    assert verdict_of(result(body + "File not found: a.py")) is Verdict.UNKNOWN
    assert verdict_of(result("Wrote file successfully.\n" + body)) is Verdict.UNKNOWN
    assert verdict_of(result(f"Wrote file successfully.\n```\n{body}```")) is Verdict.SUCCESS


@pytest.mark.parametrize(
    ("verdict", "text"),
    [
        (Verdict.SUCCESS, ""),
        (Verdict.SUCCESS, "(no output)"),
        (Verdict.SUCCESS, "(Bash completed with no output)"),
        (Verdict.SUCCESS, "Chunk ID: 1\nWall time: 0.0 seconds\nProcess exited with code 0\nOutput:\n"),
        (Verdict.SUCCESS, '[{"query":"rm a","result":"","success":true}]'),
        (Verdict.SUCCESS, "Command: rm a\nDirectory: (root)\nOutput: (empty)\nError: (none)\nExit Code: 0\nSignal: 0"),
        (Verdict.SUCCESS, '{"returncode": 0, "output": "done"}'),
        (Verdict.SUCCESS, "<returncode>0</returncode>\n<output>\n</output>"),
        (Verdict.FAILURE, "Exit code: 1\nWall time: 0 seconds\nOutput:\n"),
        (Verdict.FAILURE, "Process exited with code 127\nOutput:\n"),
        (Verdict.FAILURE, "Exit code 2\nls: x"),
        (Verdict.FAILURE, '{"output":"","metadata":{"exit_code":1,"duration_seconds":0.2}}'),
        (Verdict.FAILURE, "<returncode>1</returncode>\n<output>\n</output>"),
        (Verdict.FAILURE, "rm: cannot remove 'a.py': No such file or directory"),
        (Verdict.FAILURE, "fatal: not a git repository"),
        (Verdict.FAILURE, '[{"query":"rm a","result":"","success":false}]'),
        (Verdict.FAILURE, "Command: x\nOutput: (empty)\nExit Code: 1"),
        (Verdict.FAILURE, "apply_patch verification failed: Failed to find expected lines"),
        (Verdict.DENIED, "exec command rejected by user"),
        (Verdict.DENIED, "The user doesn't want to proceed with this tool use. The tool use was rejected"),
        (Verdict.UNKNOWN, "Command timed out after 120 s"),
        (Verdict.UNKNOWN, "Process running with session ID 7"),
        (Verdict.UNKNOWN, "Command running in the background with ID: b1"),
    ],
)
def test_shell_results(verdict: Verdict, text: str) -> None:
    assert verdict_of(result(text), SHELL) is verdict


@pytest.mark.parametrize(
    ("said", "tool", "text"),
    [
        (ShellOutcome.SUCCESS, "anything", "Process exited with code 0\nOutput:\n"),
        (ShellOutcome.SUCCESS, "anything", '{"returncode": 0, "output": "done"}'),
        (ShellOutcome.RAN, "Bash", "(Bash completed with no output)"),
        (ShellOutcome.RAN, "Bash", "hello"),
        (ShellOutcome.RAN, "bash", ""),
        (ShellOutcome.RAN, "execute_command", "Command executed."),
        (ShellOutcome.RAN, "execute_command", "Command executed.\nOutput:\nhello"),
        (ShellOutcome.SUCCESS, "execute_command", "Command executed successfully (exit code 0)."),
        (ShellOutcome.SUCCESS, "execute_command", "Command executed successfully (exit code 0).\nOutput:\nhello"),
        (ShellOutcome.FAILURE, "execute_command", "Command failed with exit code 2.\nOutput:\nhello"),
        (ShellOutcome.UNKNOWN, "execute_command", "Command executed. It is still going on."),
        (ShellOutcome.UNKNOWN, "execute_command", ""),
        (ShellOutcome.UNKNOWN, "bash", "hello"),
        (ShellOutcome.UNKNOWN, "anything", ""),
        (ShellOutcome.UNKNOWN, "Bash", '{"stdout": "", "stderr": "permission problem"}'),
        (ShellOutcome.UNKNOWN, "Bash", "Command timed out"),
        (ShellOutcome.FAILURE, "Bash", "Exit code 1"),
        (ShellOutcome.FAILURE, "anything", '{"exitCode": 2, "stdout": ""}'),
    ],
)
def test_what_a_result_says_of_a_script(said: ShellOutcome, tool: str, text: str) -> None:
    assert shell_outcome(result(text), tool) is said


def test_a_tool_known_by_an_argument_shows_bare_output() -> None:
    assert shell_outcome(result("hello"), "bash", ["command", "description"]) is ShellOutcome.RAN


def outcome_of(text: str, *, name: str = "Write", error: bool = False, **arguments: object) -> Outcome:
    given = arguments or {"file_path": "a.py", "content": "x = 1\n"}
    made = attempt(Item(Role.ASSISTANT, ItemKind.CALL, json.dumps(given), name=name, call_id="c"))
    assert made is not None
    return outcome(made, result(text, error))


@pytest.mark.parametrize(
    "text",
    [
        "<tool_use_error>File has been modified since read, either by the user or by a linter.</tool_use_error>",
        "File /w/a.py has been modified since it was last read.",
        "The file a.py has been modified since you last read it. Please read the file again",
        "The file a.py has been updated successfully.\nThe user modified your proposed changes before accepting them.",
        '{"path":"a.py","operation":"modified"}But unable to apply all diff parts to file: a.py. Use the read_file tool',
    ],
)
def test_a_file_that_was_not_as_expected_has_moved(text: str) -> None:
    assert outcome_of(text).moved


def test_nothing_moves_by_a_denial_or_a_plain_result() -> None:
    assert not outcome_of("The user denied this operation. It has been modified since.").moved
    assert not outcome_of("Wrote file successfully.").moved


@pytest.mark.parametrize(
    "text", ["File created successfully at: a.py", "Created a.py (1 lines)", '{"operation":"created"}']
)
def test_a_new_file(text: str) -> None:
    assert outcome_of(text).created
    assert not outcome_of(text, error=True).created


def test_a_stated_file_text_is_part_of_the_outcome() -> None:
    text = 'The content was successfully saved to a.py.\n\n<final_file_content path="a.py">\ny = 1\n\n</final_file_content>\n'
    done = outcome_of(text, name="write_to_file", path="a.py", content="x")
    assert done.verdict is Verdict.SUCCESS
    assert [(s.path, s.text) for s in done.stated if isinstance(s, Shown)] == [("a.py", "y = 1\n")]


def test_a_repaired_result_states_nothing() -> None:
    made = Attempt("c", "write_to_file", (Shown("a.py", "x", Carrier.WRITE, whole=True),))
    text = 'saved\n<final_file_content path="a.py">\ny = 1\n\n</final_file_content>'
    done = outcome(made, Item(Role.TOOL, ItemKind.RESULT, text, exact=False))
    assert done.stated == ()


def test_a_diff_in_the_result_is_stated() -> None:
    text = "Successfully edited /w/a.py\nDiff:\nIndex: /w/a.py\n===\n--- /w/a.py\n+++ /w/a.py\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n"
    done = outcome_of(text, name="Edit", file_path="/w/a.py", old_string="a\n", new_string="b\n")
    assert done.stated == (
        Edit(
            "/w/a.py",
            (Replacement("a\nc\n", "b\nc\n", lines=True, line=1, keeps_end=True),),
            Carrier.REPORT,
            stated=True,
        ),
    )
    assert not any(isinstance(change, Drift) for change in done.stated)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("OK: wrote 6 bytes to a.py", Verdict.SUCCESS),
        ("Successfully wrote 6 characters to a.py.", Verdict.SUCCESS),
        ("a.py has been updated successfully", Verdict.SUCCESS),
        ("File saved: /w/a.py", Verdict.SUCCESS),
        ("OK: wrote 9 bytes to a.py", Verdict.SUCCESS),
        ("OK: wrote 0 bytes to a.py", Verdict.UNKNOWN),
        ("Successfully created and wrote to new file.", Verdict.SUCCESS),
        ("The file has been updated.", Verdict.SUCCESS),
        ("File deleted.", Verdict.UNKNOWN),
        ("The file was not updated.", Verdict.FAILURE),
        ("OK: wrote 6 bytes to b.py", Verdict.UNKNOWN),
        ("OK: wrote 6 bytes to a.py, formatted it", Verdict.UNKNOWN),
        ("Deleted a.py", Verdict.UNKNOWN),
        ("File created successfully at: /w/b.py", Verdict.UNKNOWN),
        ('{"path": "b.py", "operation": "modified"}', Verdict.UNKNOWN),
        ("a.py was not saved", Verdict.FAILURE),
        ('{"applied": false}', Verdict.FAILURE),
        ("0 of 1 edits were applied", Verdict.FAILURE),
        ("Formatter failed.", Verdict.UNKNOWN),
    ],
)
def test_words_of_clients_that_nobody_knows(text: str, verdict: Verdict) -> None:
    assert outcome_of(text).verdict is verdict


def test_a_diff_alone_is_a_client_s_word_for_what_it_did() -> None:
    diff = "```diff\nIndex: a.py\n===\n--- a.py\toriginal\n+++ a.py\tmodified\n@@ -1 +1 @@\n-x\n+y\n```\n\n"
    edit = {"path": "a.py", "edits": [{"oldText": "x", "newText": "y"}]}
    assert outcome_of(diff, name="mcp__filesystem__edit_file", **edit).verdict is Verdict.SUCCESS
    assert (
        outcome_of(diff.replace("a.py", "b.py"), name="mcp__filesystem__edit_file", **edit).verdict is Verdict.UNKNOWN
    )
    call = Item(Role.ASSISTANT, ItemKind.CALL, json.dumps({**edit, "dryRun": True}), name="mcp__filesystem__edit_file")
    assert attempt(call) is None


DONE_WITH = ['"dry_run": true', '"simulated": true', '"noop": true', '"awaiting_approval": true', '"persisted": false']
DONE_WITH += ['"rolledBack": true', '"conflict": true', '"partial": true', '"bytes": 0', '"approved": false']
DONE_WITH += ['"message": "will be written after approval"', '"fnord": 1', '"fnord": null', '"formatted": true']


@pytest.mark.parametrize("more", DONE_WITH)
def test_a_field_that_nobody_knows_proves_nothing(more: str) -> None:
    assert outcome_of(f'{{"success": true, {more}}}').verdict is Verdict.UNKNOWN
    assert outcome_of(f'{{"success": false, {more}}}').verdict is not Verdict.SUCCESS
    assert outcome_of(f'[{{"success": true}}, {{"success": true, {more}}}]').verdict is Verdict.UNKNOWN
    assert outcome_of(f'{{"success": true, "metadata": {{{more}}}}}').verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(
    "text",
    [
        '{"success": true, "path": "a.py", "error": null, "bytes": 6}',
        '{"ok": true, "message": "Successfully wrote to a.py"}',
        '{"status": "success", "edits": 1, "total": 1}',
        '{"result": "ok"}',
    ],
)
def test_fields_that_are_all_known(text: str) -> None:
    assert outcome_of(text).verdict is Verdict.SUCCESS
    assert outcome_of(text + " but not saved").verdict is Verdict.UNKNOWN
    assert outcome_of(f"[{text}, 1]").verdict is Verdict.UNKNOWN


def test_a_failure_that_claims_something_is_unknown() -> None:
    assert outcome_of('{"success": false, "message": "disk full"}').verdict is Verdict.FAILURE
    assert outcome_of('{"success": false, "message": "the first part was saved"}').verdict is Verdict.UNKNOWN
    assert outcome_of('{"success": false, "stage": 2}').verdict is Verdict.UNKNOWN
    assert outcome_of('{"metadata": {"success": true}, "success": false}').verdict is Verdict.UNKNOWN


PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** Update File: b.py\n@@\n-x\n+y\n*** End Patch"


@pytest.mark.parametrize(
    ("listed", "verdict"),
    [
        ("a.py\nb.py", Verdict.SUCCESS),
        ("a.py", Verdict.UNKNOWN),
        ("a.py\nb.py\nNote: Patch applied with fuzz factor 2", Verdict.UNKNOWN),
    ],
)
def test_a_list_of_files_is_that_of_the_call(listed: str, verdict: Verdict) -> None:
    said = f"Successfully applied patch to the following files:\n{listed}"
    assert outcome_of(said, name="apply_patch", input=PATCH).verdict is verdict


@pytest.mark.parametrize(
    ("listed", "verdict"),
    [("M b.py", Verdict.SUCCESS), ("R a.py -> b.py", Verdict.SUCCESS), ("M c.py", Verdict.UNKNOWN)],
)
def test_a_file_that_is_moved_is_listed_by_its_new_path(listed: str, verdict: Verdict) -> None:
    move = "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n@@\n-x\n+y\n*** End Patch"
    said = f"Success. Updated the following files:\n{listed}\n"
    assert outcome_of(said, name="apply_patch", input=move).verdict is verdict


def test_every_form_is_asked() -> None:
    edit = {"path": "a.py", "before": "x", "after": "y"}
    assert outcome_of("Edited a.py (1 lines -> 1 lines)", name="edit", **edit).verdict is Verdict.SUCCESS
    assert outcome_of("Edited b.py (1 lines -> 1 lines)", name="edit", **edit).verdict is Verdict.UNKNOWN
    zed = {"path": "a.py", "mode": "edit", "edits": [{"old_text": "x", "new_text": "y"}]}
    said = "Edited a.py:\n\n```diff\n@@ -1 +1 @@\n-x\n+y\n```"
    assert outcome_of(said, name="streaming_edit_file", **zed).verdict is Verdict.SUCCESS


NUDGE = "The TodoWrite tool hasn't been used recently. Here are the existing contents of your todo list:\n\n[1. a.py]"


@pytest.mark.parametrize("done", ["The file a.py has been updated successfully.", "Wrote file successfully."])
@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        (NUDGE, Verdict.SUCCESS),
        ("<new-diagnostics>a.py:\n  [Line 5:12] x</new-diagnostics>", Verdict.SUCCESS),
        ("The TodoWrite tool hasn't been used recently. The edit of a.py was taken back.", Verdict.UNKNOWN),
        ("Note: a.py was modified, either by the user or by a linter.", Verdict.UNKNOWN),
        ("PostToolUse hook: all was reverted", Verdict.UNKNOWN),
        ("Alles zurückgesetzt.", Verdict.UNKNOWN),
    ],
)
def test_reminders_behind_a_success(done: str, said: str, verdict: Verdict) -> None:
    frame = f"\n\n<system-reminder>\n{said}\n</system-reminder>"
    assert outcome_of(done + frame).verdict is verdict
    assert outcome_of(f"{done}{frame}\n\n<system-reminder>\n{NUDGE}\n</system-reminder>\n").verdict is verdict


def test_diagnostics_behind_a_success() -> None:
    said = "Wrote file successfully.\n\n<new-diagnostics>x failed</new-diagnostics>"
    assert outcome_of(said).verdict is Verdict.SUCCESS
    crush = "<result>\nFile successfully written: a.py\n</result>\n\n<file_diagnostics>\nError: x\n</file_diagnostics>\n<diagnostic_summary>\n1 errors\n</diagnostic_summary>\n"
    assert outcome_of(crush).verdict is Verdict.SUCCESS


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        (
            "<tool_use_error>String to replace not found in file.\nString: Found 2 matches</tool_use_error>",
            Refusal.ABSENT,
        ),
        ("<tool_use_error>Found 2 matches of the string to replace, but replace_all is false.", Refusal.SEVERAL),
        ("<tool_use_error>File does not exist.</tool_use_error>", Refusal.GONE),
        ("new content is the same as old content. No changes made.", Refusal.SAME),
        ("<tool_use_error>File has not been read yet. Read it first before writing to it.", Refusal.OTHER),
        ("EACCES: permission denied, open '/w/a.py'", Refusal.OTHER),
        ("Error: EROFS: read-only file system, open '/w/a.py'", Refusal.OTHER),
        ("Failed to write a.py: Permission denied (os error 13)", Refusal.OTHER),
        ("Error: nicht möglich", Refusal.UNKNOWN),
        ("The user denied this operation.", None),
        ("Wrote file successfully.", None),
    ],
)
def test_why_a_call_failed(text: str, refusal: Refusal | None) -> None:
    assert outcome_of(text).refusal is refusal


LISTED_PATCH = (
    "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** Add File: b.py\n+y\n*** Delete File: c.py\n"
    "*** Update File: d.py\n*** Move to: e.py\n@@\n-x\n+y\n*** End Patch"
)


@pytest.mark.parametrize(
    ("listed", "verdict"),
    [
        ("M a.py\nA b.py\nD c.py\nM e.py", Verdict.SUCCESS),
        ("M a.py\nA b.py\nD c.py\nR e.py", Verdict.SUCCESS),
        ("D a.py\nA b.py\nD c.py\nM e.py", Verdict.UNKNOWN),
        ("A a.py\nA b.py\nD c.py\nM e.py", Verdict.UNKNOWN),
        ("M a.py\nD b.py\nD c.py\nM e.py", Verdict.UNKNOWN),
        ("M a.py\nA b.py\nM c.py\nM e.py", Verdict.UNKNOWN),
    ],
)
def test_a_list_of_files_says_of_each_what_the_call_does(listed: str, verdict: Verdict) -> None:
    said = f"Success. Updated the following files:\n{listed}\n"
    assert outcome_of(said, name="apply_patch", input=LISTED_PATCH).verdict is verdict


@pytest.mark.parametrize(
    ("listed", "verdict"),
    [
        ("a.py\nb.py\nc.py: [deleted]\nd.py -> e.py", Verdict.SUCCESS),
        ("a.py: [deleted]\nb.py\nc.py: [deleted]\nd.py -> e.py", Verdict.UNKNOWN),
        ("a.py\nb.py\nc.py\nd.py -> e.py", Verdict.SUCCESS),
        ("a.py -> e.py\nb.py\nc.py: [deleted]\nd.py", Verdict.UNKNOWN),
    ],
)
def test_a_list_that_says_so_in_marks(listed: str, verdict: Verdict) -> None:
    said = f"Successfully applied patch to the following files:\n{listed}\n"
    assert outcome_of(said, name="apply_patch", input=LISTED_PATCH).verdict is verdict


@pytest.mark.parametrize(
    "said",
    [
        "Exit Code: 3\nand more",
        "(exit code: 3)\n",
        "[Command finished with exit code 3]",
        "Return code: 3",
        "exited with 3.",
        "EXIT STATUS 3",
    ],
)
def test_an_exit_status_behind_a_long_output(said: str) -> None:
    assert stated_exit("collected 3 items\n" * 200 + said) == 3
    assert stated_exit("İ" * 200 + "\n" + said) == 3
    assert stated_exit("it will exit code by code\n" * 200 + said) == 3
    assert stated_exit("it will exit code by code\n" * 200) is None


def test_the_exit_status_that_a_result_begins_with_counts_before_one_in_its_output() -> None:
    assert stated_exit("Exit code 1\nExit Code: 0\n") == 1
    assert stated_exit("\nExit code 1\n\nsrc/a.py") is None
