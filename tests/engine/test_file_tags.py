"""Tags out of which builders of applications write files (SEMANTICS 2, Clients that apply text themselves)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .helpers import Session

OLD, NEW = "export const X = 1;\nexport const Y = 1;\n", "export const X = 2;\nexport const Y = 1;\n"
SHOWN = f"src/a.ts\n```ts\n{OLD}```\n"
TAGS = [
    '<dyad-write path="src/a.ts" description="Sets X">\n{}</dyad-write>',
    '<boltArtifact id="a" title="A">\n<boltAction type="file" filePath="src/a.ts">\n{}</boltAction>\n</boltArtifact>',
    "<lov-write file_path='src/a.ts'>\n{}</lov-write>",
    '<file path="src/a.ts">\n```ts\n{}```\n</file>',
]


@pytest.mark.parametrize("tag", TAGS)
def test_a_tracked_file_is_of_unknown_text(session: Session, tag: str) -> None:
    session.ask(SHOWN).ask("Set X to 2.", "I set it.\n\n" + tag.format(NEW) + "\n\nDone.")
    assert session.state()["src/a.ts"] == session.state()["src/a.ts::X"] == "DIRTY"


@pytest.mark.parametrize(
    "tag",
    [
        '<dyad-delete path="src/a.ts"></dyad-delete>',
        '<dyad-delete path="src/a.ts"/>',
        '<dyad-rename from="src/a.ts" to="src/c.ts"></dyad-rename>',
    ],
)
def test_a_tag_that_says_that_a_file_goes_needs_no_body(session: Session, tag: str) -> None:
    assert session.ask(SHOWN).ask("Away with it.", f"Gone.\n\n{tag}\n").state()["src/a.ts"] == "DIRTY"


@pytest.mark.parametrize("tag", TAGS)
def test_a_file_that_nobody_knows_does_not_come(session: Session, tag: str) -> None:
    assert session.ask("Write it.", tag.format(NEW)).state() == {}


@pytest.mark.parametrize(
    "said",
    [
        TAGS[0].format(OLD),
        TAGS[0].format(""),
        '<dyad-write path="src/b.ts">\n' + NEW + "</dyad-write>",
        '<a href="src/a.ts">src/a.ts</a>',
        "A builder would write:\n\n```xml\n" + TAGS[0].format(NEW) + "\n```\n",
        'Say `<dyad-write path="src/a.ts">` and what follows.',
        '<img src="src/a.ts" />',
    ],
)
def test_what_says_nothing(session: Session, said: str) -> None:
    assert session.ask(SHOWN).ask("And?", said).holds("src/a.ts", OLD)


def test_a_client_that_edits_by_tools_only_talks(sessions: Callable[..., Session]) -> None:
    session = sessions(tools=("edit_file",))
    assert session.ask(SHOWN).ask("Set X to 2.", TAGS[0].format(NEW)).holds("src/a.ts", OLD)
