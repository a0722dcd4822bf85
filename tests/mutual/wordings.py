"""Generators of what clients may say: templates over synonyms, negations, languages, and JSON shapes.

Each takes a source of chance and the path of the call, and gives one text. The words are chosen here, apart from the
tables of the package: what both happen to hold is no proof of anything.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

Wording = Callable[[Random, str], str]

_VERBS = [
    "written",
    "saved",
    "updated",
    "applied",
    "stored",
    "changed",
    "edited",
    "modified",
    "replaced",
    "patched",
    "persisted",
    "committed",
]
_INFINITIVES = [
    "write",
    "save",
    "update",
    "apply",
    "store",
    "change",
    "edit",
    "modify",
    "replace",
    "patch",
    "persist",
    "commit",
]
_SUBJECTS = [
    "The file",
    "{p}",
    "Your edit",
    "The change",
    "The requested change",
    "Edit",
    "The patch",
    "It",
    "The write",
    "The content of {p}",
    "The replacement",
    "`{p}`",
    "File {p}",
    "The update to {p}",
    "This modification",
]
_NOT = [
    "was not",
    "wasn't",
    "could not be",
    "couldn't be",
    "has not been",
    "hasn't been",
    "cannot be",
    "was never",
    "is not",
]
_CAN_NOT = [
    "Could not",
    "Cannot",
    "Can't",
    "Unable to",
    "Failed to",
    "Was not able to",
    "Refusing to",
    "I did not",
    "Won't",
]
_REASONS = [
    "disk full",
    "no match",
    "the text does not match",
    "permission denied",
    "the anchor is ambiguous",
    "read-only",
    "quota exceeded",
    "the file was updated meanwhile",
    "it is locked by another process",
    "hash mismatch",
    "the previous save succeeded, this one did not",
    "timeout",
    "ENOSPC",
    "conflict",
    "validation",
    "stale handle",
]
_FOREIGN_FAILURES = [
    "错误：在文件中找不到要替换的文本。",
    "写入失败：{p}",
    "Fehler: Die Datei {p} konnte nicht geschrieben werden.",
    "Échec de l'écriture de {p}.",
    "No se pudo guardar {p}.",
    "Не удалось записать файл {p}.",
    "ファイル {p} に書き込めませんでした。",
    "Impossibile salvare {p}.",
    "Não foi possível salvar {p}.",
    "{p} 저장 실패",
    "Nie udało się zapisać {p}.",
]
_FOREIGN_SUCCESSES = [
    "已成功写入 {p}",
    "文件 {p} 已更新。",
    "Die Datei {p} wurde erfolgreich gespeichert.",
    "Le fichier {p} a été mis à jour.",
    "Archivo {p} guardado correctamente.",
    "Файл {p} успешно сохранён.",
    "{p} を保存しました。",
    "{p} salvato.",
    "{p} 저장됨",
]


def _one(chance: Random, words: list[str], path: str) -> str:
    return chance.choice(words).replace("{p}", path)


def failure(chance: Random, path: str) -> str:
    """A tool says that it did not do what was asked."""
    verb, reason = chance.choice(_VERBS), _one(chance, _REASONS, path)
    subject = _one(chance, _SUBJECTS, path)
    return chance.choice(
        [
            f"{subject} {chance.choice(_NOT)} {verb}: {reason}.",
            f"{subject} {chance.choice(_NOT)} successfully {verb} ({reason})",
            f"{chance.choice(_CAN_NOT)} {chance.choice(_INFINITIVES)} {path}: {reason}",
            f"{subject} was {chance.choice(['unsuccessful', 'rejected', 'rolled back', 'discarded', 'skipped', 'a no-op'])}: {reason}",
            f"0 of {chance.randint(1, 9)} {chance.choice(['edits', 'changes', 'hunks'])} {verb} successfully",
            f"Nothing was {verb} in {path} ({reason}).",
            f"No {chance.choice(['changes', 'edits', 'lines'])} were {verb}; {reason}.",
            f"Error {chance.randint(100, 599)}: {reason}",
            f"{chance.choice(['ERROR', 'Fatal', 'Exception', 'OSError', 'FAILED', 'Oops', '✗', '❌', '[error]'])}: {reason}",
            f"{path} {chance.choice(['is unchanged', 'remains as it was', 'stays untouched', 'keeps its old content'])}: {reason}.",
            f"{subject} {chance.choice(_NOT)} {verb}. {chance.choice(['A backup was saved successfully.', 'Retry later.', ''])}",
            f"Would have {verb} {path}, but {reason}.",
            _one(chance, _FOREIGN_FAILURES, path),
        ]
    )


def failed_json(chance: Random, path: str) -> str:
    """The same in JSON, in some shape."""
    said = failure(chance, path)
    rows: list[dict[str, object]] = [
        {
            "path": path,
            chance.choice(["applied", "ok", "success", "written", "saved", "updated", "changed"]): False,
        },
        {"status": chance.choice(["failed", "error", "FAILED", "denied", "conflict", "noop", "pending", "queued"])},
        {"error": said},
        {"errors": [said], "path": path},
        {"error": {"code": chance.randint(1, 99), "message": said}},
        {"result": {"success": False, "message": said}},
        {"replacements": 0, "path": path},
        {"editsApplied": 0, "editsTotal": chance.randint(1, 5)},
        {"isError": True, "content": said},
        {"exit_code": chance.randint(1, 255), "output": said},
        {"path": path, "message": said},
        {"message": said, "success": chance.choice([False, None])},
    ]
    row = chance.choice(rows)
    if chance.random() < 0.5:
        row["message"] = said
    return json.dumps([row] if chance.random() < 0.2 else row, ensure_ascii=chance.random() < 0.5)


def denial(chance: Random, path: str) -> str:
    """A person, a policy or a sandbox did not allow it."""
    who = chance.choice(
        [
            "The user",
            "User",
            "A reviewer",
            "The operator",
            "Policy",
            "The sandbox",
            "An administrator",
            "Your organization",
        ]
    )
    how = chance.choice(
        [
            "denied",
            "rejected",
            "declined",
            "refused",
            "blocked",
            "did not approve",
            "said no to",
            "vetoed",
            "cancelled",
            "does not allow",
        ]
    )
    what = chance.choice(
        ["this edit", f"writing {path}", "the tool call", "this change", "the operation", f"changes to {path}"]
    )
    tail = chance.choice(
        ["", ".", ". The file was not modified.", ": please ask first.", ". (The last version was saved.)", "!"]
    )
    return chance.choice(
        [
            f"{who} {how} {what}{tail}",
            f"{what.capitalize()} was {chance.choice(['denied', 'rejected', 'declined', 'not approved', 'not permitted'])} by {who.lower()}{tail}",
            f"Permission {chance.choice(['denied', 'refused', 'not granted', 'withheld'])}: {what}{tail}",
            f"{chance.choice(['Approval', 'Confirmation', 'Consent'])} was not given for {what}{tail}",
            f"This command is not allowed in {chance.choice(['plan', 'read-only', 'the current', 'ask'])} mode{tail}",
            json.dumps({"approved": False, "feedback": f"{who} {how} {what}"}),
        ]
    )


def success(chance: Random, path: str) -> str:
    """A tool says that it did it, in words that no table holds; things that went wrong beside it among them."""
    verb = chance.choice(_VERBS)
    beside = chance.choice(
        [
            "No errors.",
            "0 problems found.",
            "The formatter could not run.",
            "Tests were not run.",
            "Nothing else changed.",
            "Lint failed.",
            "No backup was made.",
            "Not formatted.",
            "Type check failed with 3 errors.",
            "Do not forget to test.",
        ]
    )
    subject = _one(chance, ["All good, {p}", "Finished: {p}", "Great! {p}", "The content of {p}", "Your {p}"], path)
    return chance.choice(
        [
            f"{subject} is {verb} now. {beside}",
            f"{beside} {subject} was {verb}.",
            f"{verb.capitalize()} {path}, {beside[0].lower()}{beside[1:]}",
            f"No problem, all {verb}.",
            f"{chance.choice(['Saved', 'Written', 'Updated'])}. {beside}",
            f"{path}: {chance.randint(1, 99)} lines {verb}",
            f"{path} {chance.choice(['looks as you asked', 'has its new content', 'is on disk', 'is in place', 'is up to date now'])}. {beside}",
            f"Edited {path} and {chance.choice(['formatted it', 'sorted its imports', 'fixed 2 more places', 'added a header'])}.",
            _one(chance, _FOREIGN_SUCCESSES, path),
            json.dumps({"result": f"{path} {verb}", "note": beside}),
            json.dumps({"path": path, "sha": f"{chance.getrandbits(64):016x}"}),
            json.dumps({"ok": True, "applied": 1, "requested": 2}),
        ]
    )


def partial(chance: Random, path: str) -> str:
    """A tool did some of several parts."""
    done, total = 1, 2
    verb = chance.choice(_VERBS)
    return chance.choice(
        [
            f"{chance.choice(['Successfully', 'Partially'])} {verb} {done} of {total} edits in {path}.",
            f"Edit 1 {verb}. Edit 2 failed: no match.",
            f"Edit 1 was {verb}, edit 2 was not.",
            f"{verb.capitalize()} {path} (1 of 2 hunks; 1 rejected)",
            f"Error: edit 2 does not match. Edit 1 was {verb}.",
            f"Could not apply edit 2; edit 1 has been {verb}.",
            f"Not all edits were {verb} to {path}: 1 skipped.",
            f"Applied 1 edit to {path}",
            json.dumps({"applied": 1, "failed": 1}),
            json.dumps({"success": True, "applied": 1, "total": 2}),
            json.dumps({"success": False, "applied": 1, "error": "edit 2: no match"}),
            json.dumps([{"success": True, "edit": 1}, {"success": False, "edit": 2, "error": "no match"}]),
            json.dumps({"status": "partial", "path": path}),
        ]
    )


def note(chance: Random, path: str) -> str:
    """What a tool says in place of a file's text."""
    where = chance.choice([path, f"`{path}`", f"/w/{path}", "this file", "the file", "the requested file"])
    ended = chance.choice(["", "", ".", "\n", ".\n"])
    kind = chance.choice(["image", "binary", "PNG", "PDF", "archive", "empty"])
    lines = [
        f"There is no {where} here (did you mean docs/{path}?)",
        f"{where} {chance.choice(['not found', 'does not exist', 'is missing', 'could not be opened', 'was deleted', 'is a directory'])}",
        f"Request {chance.choice(['timed out', 'failed', 'aborted', 'was cancelled', 'exceeded the quota'])}",
        f"{chance.choice(['Access', 'Permission', 'Read'])} {chance.choice(['denied', 'refused', 'forbidden'])}: {where}",
        f"({kind} file)",
        f"[{kind} omitted]",
        f"<{kind} data>",
        f"File is {kind}",
        f"{kind} file read successfully",
        f"[{chance.choice(['content', 'earlier read', 'result', 'output'])} {chance.choice(['removed', 'cleared', 'pruned', 'hidden'])} to save context]",
        f"{where} is {chance.choice(['unchanged', 'the same as before', 'already in your context', 'too large to read', 'ignored'])}",
        f"Error {chance.randint(400, 599)}: cannot read {where}",
        f"Please {chance.choice(['try again later', 'ask the user for access', 'use search instead', 'narrow the range'])}",
        f"The tool is {chance.choice(['busy', 'disabled', 'rate limited', 'not available in this mode'])}",
        "ok",
        "null",
        "None",
        "done",
        "timeout",
        "true",
        json.dumps({"error": f"{where} not found"}),
        json.dumps({"success": False, "message": "no access"}),
        json.dumps({"status": "error", "code": 404}),
        "Datei nicht gefunden",
        "文件不存在",
        "Le fichier est vide",
        "El archivo no existe",
        "Файл не найден",
    ]
    said = chance.choice(lines)
    if chance.random() < 0.25:
        said += f".\n{chance.choice(lines)}"
    return said + ended


def cut(chance: Random, text: str) -> str:
    """A text of a file with some of its lines left out, and a line that says so."""
    lines = text.rstrip("\n").split("\n")
    at = chance.randint(1, len(lines) - 1)
    number = chance.randint(2, 900)
    word = chance.choice(["omitted", "truncated", "skipped", "hidden", "not shown", "elided", "clipped", "removed"])
    unit = chance.choice(["lines", "more lines", "bytes", "characters", "tokens"])
    said = chance.choice(
        [
            f"... {number} {unit} {word} ...",
            f"[{number} {unit} {word}]",
            f"# ... {number} {unit} {word} ...",
            f"… {number} {unit} {word} …",
            f"[... {word} {number} of {number + 90} lines ...]",
            f"<{number} {unit} {word}>",
            f"({number} {unit} {word} for brevity)",
            f"[output {word}]",
            f"--- {number} {unit} {word} ---",
            f"[File {word}: showing {at} of {number} total lines.]",
        ]
    )
    return "\n".join([*lines[:at], *chance.choice([[], [""]]), said, *chance.choice([[], lines[-1:]])]) + "\n"


def listing(chance: Random, path: str) -> str:
    """A folder in place of a file."""
    names = [
        f"{chance.choice(['a', 'main', 'util', 'x1', 'index'])}{n}.{chance.choice(['py', 'ts', 'md', 'json'])}"
        for n in range(chance.randint(4, 12))
    ]
    mark = chance.choice(["", "- ", "* ", "├── ", "[FILE] ", "│   "])
    head = chance.choice(["", f"Contents of {path}:\n", "docs/\n", "total 8\n", "Directory listing:\n"])
    return head + "\n".join(mark + chance.choice(["", "src/"]) + name for name in names) + chance.choice(["", "\n"])


def unknown_tool(chance: Random, path: str) -> tuple[str, dict[str, object]]:
    """A call of a tool that nobody knows, which may change a file."""
    verb = chance.choice(
        [
            "write",
            "edit",
            "put",
            "apply",
            "modify",
            "rewrite",
            "refactor",
            "rename",
            "format",
            "fix",
            "set",
            "upsert",
            "transform",
            "migrate",
            "inline",
            "extract",
        ]
    )
    thing = chance.choice(
        [
            "text",
            "document",
            "source",
            "symbol",
            "code",
            "buffer",
            "content",
            "body",
            "resource",
            "block",
            "range",
        ]
    )
    server = chance.choice(["", "mcp__ide__", "mcp__acme__", "jetbrains__", "acme.", "mcp_acme_"])
    key = chance.choice(
        ["path", "file", "filePath", "pathInProject", "relative_path", "target", "uri", "document", "target_file"]
    )
    more: dict[str, object] = chance.choice(
        [
            {"content": "NEW = 1\n"},
            {"text": "NEW = 1\n", "position": 3},
            {"old": "A = 1", "new": "NEW = 1"},
            {"symbol": "A", "to": "NEW"},
            {"edits": [{"from": 1, "to": 2, "text": "NEW = 1\n"}]},
            {"body": "NEW = 1\n", "name_path": "A"},
            {"patch": "@@ -1 +1 @@\n-A = 1\n+NEW = 1\n"},
        ]
    )
    return f"{server}{verb}_{thing}", {key: path, **more}
