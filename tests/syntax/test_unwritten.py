"""Functions that hold nothing but a comment where a value must come out."""

from __future__ import annotations

import pytest

from tslp_litellm.syntax.languages import language_named
from tslp_litellm.syntax.measuring import measure
from tslp_litellm.syntax.outline import Outline
from tslp_litellm.syntax.unwritten import unwritten


def seen(language: str, text: str) -> Outline:
    return measure(language_named(language), text.encode())


UNWRITTEN = {
    "go": "package a\n\nfunc (t *T) Parse(s string, f func(int) int) ([]string, error) {\n\t// wie besprochen\n}\n",
    "rust": "pub fn parse(s: &str) -> Vec<String> {\n    // comme convenu\n}\n",
    "swift": "func parse(s: String) throws -> [String] {\n    // comme convenu\n}\n",
    "typescript": "export function parse(s: string): Promise<string[]> {\n  // see above\n  // and below\n}\n",
    "tsx": "class A {\n  f(a: (b: number) => void): Map<string, number> {\n    /* see above */\n  }\n}\n",
    "kotlin": "fun parse(s: String): List<String> {\n    // see above\n}\n",
    "php": "<?php\nfunction parse(string $s): ?array {\n    // see above\n}\n",
    "java": "class A {\n    public static List<String> parse(String s) {\n        // see above\n    }\n}\n",
    "csharp": "class A {\n    string? Parse(string s) {\n        // see above\n    }\n}\n",
    "c": "struct node *parse(char *s) {\n    /* see above */\n}\n",
}


@pytest.mark.parametrize("language", UNWRITTEN)
def test_a_value_must_come_out(language: str) -> None:
    text = UNWRITTEN[language]
    assert unwritten(seen(language, text), None)
    assert not unwritten(seen(language, text), seen(language, text))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("go", "package a\n\nfunc Stop(f func(int) int) {\n\t// nothing to stop\n}\n"),
        ("go", 'package a\n\nfunc Name() string {\n\t// never changes\n\treturn "a"\n}\n'),
        ("rust", "fn drop(&mut self, f: impl Fn(u32) -> u32) {\n    // nothing\n}\n"),
        ("swift", "func stop() -> Void {\n    // nothing\n}\n"),
        ("typescript", "function noop(a: string): void {\n  // nothing\n}\n"),
        ("typescript", "async function noop(): Promise<void> {\n  // nothing\n}\n"),
        ("typescript", "class A {\n  constructor(private a: string) {\n    // nothing\n  }\n}\n"),
        ("kotlin", "fun stop(f: (Int) -> Int) {\n    // nothing\n}\n"),
        (
            "java",
            "public class A {\n    public A() {\n        // nothing\n    }\n    void stop() {\n        // none\n    }\n}\n",
        ),
        (
            "csharp",
            "class A {\n    public A() {\n        // nothing\n    }\n    async Task Stop() {\n        // none\n    }\n}\n",
        ),
        ("c", "int main(void) {\n    /* nothing */\n}\n"),
        ("python", "def f() -> int:\n    # one\n    return 1\n"),
    ],
)
def test_what_gives_back_nothing_may_do_nothing(language: str, text: str) -> None:
    assert not unwritten(seen(language, text), None)
