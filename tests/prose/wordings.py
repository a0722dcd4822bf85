"""Wordings that nobody listed: templates over synonyms, tenses, negations, questions, places and languages.

Each class is a generator of prompts, or of lines above a fence, that prove nothing. `plain` are requests in so many
words, to see what is refused needlessly.
"""

from __future__ import annotations

import random
from collections.abc import Callable

Draw = random.Random
Wording = Callable[[Draw, str], str]
"""A prompt about a name."""

BASE = [
    "remove",
    "delete",
    "drop",
    "kill",
    "eliminate",
    "get rid of",
    "nuke",
    "yank",
    "retire",
    "prune",
    "strip",
    "purge",
    "wipe",
    "rip out",
    "cut",
    "scrap",
    "zap",
    "trash",
    "rename",
    "inline",
    "move",
    "replace",
]
PAST = [
    "removed",
    "deleted",
    "dropped",
    "killed",
    "eliminated",
    "got rid of",
    "nuked",
    "renamed",
    "lost",
    "erased",
    "replaced",
    "moved",
    "inlined",
]
GERUND = ["removing", "deleting", "dropping", "killing", "getting rid of", "renaming", "inlining", "replacing"]
PEOPLE = [
    "you",
    "we",
    "I",
    "they",
    "somebody",
    "my colleague",
    "the linter",
    "the last commit",
    "Claude",
    "the intern",
    "the refactoring tool",
]
WHEN = [
    "by mistake",
    "yesterday",
    "last week",
    "in the last release",
    "again",
    "by accident",
    "without asking",
    "in v2",
    "three commits ago",
    "when merging",
    "",
]
OTHERS = [
    "the debug print",
    "the second parameter",
    "the docstring",
    "a call",
    "all comments",
    "the loop",
    "the log line",
    "the try block",
    "the default value",
    "two lines",
    "dead code",
    "trailing whitespace",
    "every assert",
    "the type hints",
    "unused imports",
    "the `print` calls",
    "`x`",
    "the decorator",
    "the early return",
]
FROM = ["from", "in", "inside", "within", "out of", "around", "near", "above", "below"]
MODALS = ["should", "could", "would", "might", "may", "must", "can"]
CONDITIONS = [
    "if nobody uses it",
    "unless it is exported",
    "only if the tests pass",
    "when you are done",
    "once v2 is out",
    "as soon as the API is frozen",
    "provided that it is unused",
    "in case it is dead",
    "assuming nothing imports it",
    "after asking me",
    "but not yet",
    "if and only if it is private",
    "later",
    "tomorrow",
    "at some point",
    "someday",
]
RETRACTIONS = [
    "No, wait, keep it.",
    "Just kidding.",
    "Actually, don't.",
    "Scratch that.",
    "Never mind.",
    "On second thought, leave it.",
    "Hmm, no.",
    "But not yet.",
    "Or should it stay?",
    "Is that a good idea?",
    "What would break?",
    "I'm not sure, though.",
    "That was a joke.",
    "Forget it.",
    "Undo that.",
    "It is used elsewhere.",
    "Do you agree?",
    "Would that be wise?",
]
ASKING = [
    "What breaks if I",
    "What happens when we",
    "Is it safe to",
    "Should I",
    "Why would anybody",
    "How do I",
    "Can I",
    "Do you think I should",
    "Would it be wise to",
    "Who would",
    "When should we",
    "Does it make sense to",
    "Shall we",
    "Is there a reason to",
    "What if we",
    "Could it hurt to",
    "Am I allowed to",
    "Would you",
    "How can one",
]
SAYING = [
    "He said:",
    "The reviewer wrote:",
    "The ticket says:",
    "From the changelog:",
    "My notes:",
    "Lint output:",
    "The commit message was:",
    "Somebody suggested:",
    "Quoted from the docs:",
    "The old plan was:",
    "Alice:",
    "Error:",
]
SUPPOSING = [
    "Suppose I said:",
    "Imagine that you had to",
    "If I asked you to",
    "Consider a user who wants to",
    "Assume the task were to",
    "Pretend that I told you to",
    "For example, one might",
    "Hypothetically, you would",
    "Given a request to",
    "Let's say that we",
]
PURPOSES = [
    "To {v} {n}, one needs care.",
    "In order to {v} {n} we would need a migration.",
    "Before you {v} {n}, show me its callers.",
    "Instead of {g} {n}, make it faster.",
    "Without {g} {n}, make it faster.",
    "Rather than {v} {n}, deprecate it.",
    "I wrote a script to {v} {n}.",
    "Explain how to {v} {n}.",
    "Write a test that would fail if you {v} {n}.",
    "There is a plan to {v} {n}.",
    "Let me {v} {n} myself.",
    "I will {v} {n} later.",
    "It is too early to {v} {n}.",
    "Nothing happens when I {v} {n}.",
    "Add a command to {v} {n} from the list.",
    "List the reasons to {v} {n}.",
    "Document why we {v} {n}.",
    "The button to {v} {n} is broken.",
]
NEGATIONS = [
    "Don't {v} {n}.",
    "Do not {v} {n}!",
    "Never {v} {n}.",
    "Please don't {v} {n}.",
    "You must not {v} {n}.",
    "Under no circumstances {v} {n}.",
    "There is no need to {v} {n}.",
    "Not {n}, {v} the other one.",
    "I would not {v} {n}.",
    "Whatever you do, don't {v} {n}.",
    "Avoid {g} {n}.",
    "Refrain from {g} {n}.",
    "Stop {g} {n}.",
    "{n} must stay, don't {v} it.",
    "Nobody should {v} {n}.",
    "Neither {v} nor rename {n}.",
    "No one may {v} {n}.",
    "Please make sure not to {v} {n}.",
    "{v} nothing from {n}.",
    "{v} everything but {n}.",
    "{v} everything except {n}.",
    "{v} all others, not {n}.",
]
FOREIGN = [
    "Lösche {n} nicht.",
    "Bitte {n} nicht entfernen.",
    "Warum wurde {n} gelöscht?",
    "Soll ich {n} löschen?",
    "Entferne die Ausgabe aus {n}.",
    "Du hast {n} gelöscht.",
    "Entferne {n}, wenn es unbenutzt ist.",
    "Ne supprime pas {n}.",
    "Pourquoi as-tu supprimé {n} ?",
    "Supprime le print de {n}.",
    "Dois-je supprimer {n} ?",
    "Tu as supprimé {n} par erreur.",
    "No elimines {n}.",
    "¿Por qué eliminaste {n}?",
    "¿Puedo borrar {n}?",
    "Elimina el print de {n}.",
    "Has borrado {n} sin querer.",
    "Non rimuovere {n}.",
    "Perché hai rimosso {n}?",
    "Não remova {n}.",
    "Por que você removeu {n}?",
    "Не удаляй {n}.",
    "Почему ты удалил {n}?",
    "不要删除 {n}",
    "为什么删除 {n}？",
    "你删除了 {n}",
    "从 {n} 中删除打印语句",
    "{n}を削除しないでください",
    "なぜ{n}を削除しましたか",
    "{n}를 삭제하지 마세요",
    "왜 {n}를 삭제했나요?",
    "Verwijder {n} niet.",
    "Nie usuwaj {n}.",
    "{n} silme.",
]
GREETINGS = ["", "", "", "Thanks. ", "Please note: ", "By the way, ", "OK. ", "Hi! ", "Great work. ", "So, "]
AFTER = ["", "", "", " Thanks!", " Also add type hints to clean.", " Make clean faster.", " Run the tests."]


def written(draw: Draw, name: str) -> str:
    return draw.choice(
        [
            name,
            f"`{name}`",
            f"{name}()",
            f"the function {name}",
            f"the {name} helper",
            f"`{name}()`",
            f"the method `{name}`",
        ]
    )


def _filled(template: str, draw: Draw, name: str) -> str:
    v = draw.choice(BASE)
    text = template.format(n=written(draw, name), v=v, g=draw.choice(GERUND))
    return text[0].upper() + text[1:]


def question(draw: Draw, name: str) -> str:
    return (
        f"{draw.choice(ASKING)} {draw.choice(BASE)} {written(draw, name)}{draw.choice(['', ' ' + draw.choice(WHEN)])}?"
    )


def report(draw: Draw, name: str) -> str:
    who, did, when = draw.choice(PEOPLE), draw.choice(PAST), draw.choice(WHEN)
    form = draw.choice(
        [
            "{w} {d} {n} {t}.",
            "{n} was {d} {t}.",
            "{n} has been {d} {t}.",
            "It seems that {w} {d} {n} {t}.",
            "Why has {n} been {d} {t}?",
            "{w} already {d} {n}.",
            "Somebody had {d} {n} before {w} came.",
            "{n} got {d} {t}.",
            "{w} keeps getting {n} {d}.",
            "{w} wanted to have {n} {d}.",
            "{n} will be {d} soon.",
        ]
    )
    text = form.format(w=who, d=did, n=written(draw, name), t=when).replace(" .", ".").replace(" ?", "?")
    return text[0].upper() + text[1:]


def negation(draw: Draw, name: str) -> str:
    return _filled(draw.choice(NEGATIONS), draw, name)


def purpose(draw: Draw, name: str) -> str:
    return _filled(draw.choice(PURPOSES), draw, name)


def condition(draw: Draw, name: str) -> str:
    verb, joint = draw.choice(BASE), draw.choice([" ", ", ", " - ", "\n", " — "])
    return f"{verb.capitalize()} {written(draw, name)}{joint}{draw.choice(CONDITIONS)}."


def retraction(draw: Draw, name: str) -> str:
    joint = draw.choice([". ", "... ", "! ", ".\n\n", "? ", ".\n"])
    return f"{draw.choice(BASE).capitalize()} {written(draw, name)}{joint}{draw.choice(RETRACTIONS)}"


def other_object(draw: Draw, name: str) -> str:
    verb, thing = draw.choice(BASE), draw.choice(OTHERS)
    return f"{verb.capitalize()} {thing} {draw.choice(FROM)} {written(draw, name)}."


def part_of_it(draw: Draw, name: str) -> str:
    part = draw.choice(
        [
            "calls",
            "tests",
            "docstring",
            "parameters",
            "usages",
            "comments",
            "overloads",
            "imports",
            "body",
            "examples",
            "cache",
            "errors",
            "logic",
            "prefix",
            "dependency on os",
            "callers",
        ]
    )
    form = draw.choice(
        [
            "{v} {n} {p}.",
            "{v} {n}'s {p}.",
            "{v} the {p} of {n}.",
            "{v} all {p} of {n}.",
            "{v} any {p} for {n}.",
            "{v} the {n} {p}.",
        ]
    )
    return form.format(v=draw.choice(BASE).capitalize(), n=draw.choice([name, f"`{name}`"]), p=part)


def hearsay(draw: Draw, name: str) -> str:
    what = f"{draw.choice(BASE)} {written(draw, name)}"
    return draw.choice(
        [
            f"{draw.choice(SAYING)} {what}.",
            f"> {what.capitalize()}.",
            f'"{what.capitalize()}." is what I was told.',
            f"{draw.choice(SAYING)}\n- {what}\n- add tests",
            f"# {what.capitalize()}\n\nWhat do you think?",
            f"    {what}",
            f"The title is “{what}”.",
        ]
    )


def supposition(draw: Draw, name: str) -> str:
    return f"{draw.choice(SUPPOSING)} {draw.choice(BASE)} {written(draw, name)}."


def wish(draw: Draw, name: str) -> str:
    form = draw.choice(
        [
            "{w} {m} {v} {n}.",
            "It {m} be good to {v} {n}.",
            "{w} {m} have to {v} {n}.",
            "Maybe {v} {n}.",
            "Perhaps we {m} {v} {n}.",
            "{w} thought about {g} {n}.",
            "One {m} {v} {n}.",
            "{w} am thinking of {g} {n}.",
        ]
    )
    modal = draw.choice(["could", "would", "might", "may", "might perhaps"])
    who = draw.choice(["we", "I", "they", "somebody", "one"])
    text = form.format(w=who, m=modal, v=draw.choice(BASE), n=written(draw, name), g=draw.choice(GERUND))
    return text[0].upper() + text[1:]


def other_place(draw: Draw, name: str) -> str:
    place = draw.choice(
        [
            "other.py",
            "src/api/views.py",
            "the README",
            "`clean`",
            "the docs",
            "the exports of api.py",
            "the tests",
            "`tests/test_x.py`",
            "the allow list",
            "the menu",
            "PyPI",
            "the database",
            "production",
            "the `__all__` list of api.py",
            "config.yaml",
        ]
    )
    return f"{draw.choice(BASE).capitalize()} {written(draw, name)} {draw.choice(['from', 'in', 'out of'])} {place}."


def foreign(draw: Draw, name: str) -> str:
    return draw.choice(FOREIGN).format(n=draw.choice([name, f"`{name}`"]))


def alternative(draw: Draw, name: str) -> str:
    form = draw.choice(
        [
            "{v} {n} or clean.",
            "Either {v} {n} or make it work.",
            "{v} clean and keep {n}.",
            "{v} clean, but leave {n} alone.",
            "{v} clean instead of {n}.",
            "{v} {n}, or don't.",
            "{v} clean; {n} stays.",
            "{v} clean. Keep {n}.",
        ]
    )
    return form.format(v=draw.choice(BASE[:6]).capitalize(), n=written(draw, name))


NO_LOSS: dict[str, Wording] = {
    f.__name__: f
    for f in (
        question,
        report,
        negation,
        purpose,
        condition,
        retraction,
        other_object,
        part_of_it,
        hearsay,
        supposition,
        wish,
        other_place,
        foreign,
        alternative,
    )
}


def no_loss(kind: str, draw: Draw, name: str) -> str:
    prompt = NO_LOSS[kind](draw, name)
    before = draw.choice(GREETINGS) if "\n" not in prompt and not prompt.startswith((" ", ">", "#")) else ""
    return before + prompt + (draw.choice(AFTER) if kind not in ("hearsay", "retraction") else "")


# -- no further change to a file

NO_CHANGE = [
    "Let me {read} {f}{tail}",
    "I {like} {f}{tail}",
    "{Write} a {doc} that explains {f}{tail}",
    "{Write} a {doc} about {f}{tail}",
    "Use {f} {asx}{tail}",
    "Run {f}{tail}",
    "What does {f} do?",
    "Why is {f} so long?",
    "Explain {f}{tail}",
    "Show me {f}{tail}",
    "Who changed {f}?",
    "You {changed} {f} without asking.",
    "Don't {change} {f}.",
    "{Change} the {doc} for {f}.",
    "{Change} the tests of {f}.",
    "Import {f} from main.py.",
    "Move on, {f} is fine.",
    "{Change} {f} back.",
    "{Change} {f} again, it was wrong.",
    "Should I {change} {f}?",
    "{Change} {f} if you must.",
    "{Change} everything but {f}.",
    "Link {f} in the {doc}.",
    "Commit {f}{tail}",
    "Open {f} and read it.",
    "Compare {f} to other.py.",
    "{Change} other.py like {f}.",
    "{Write} {f}'s tests.",
    "Copy {f} to other.py.",
    "Before you {change} {f}, tell me more.",
    "If you {change} {f}, tell me.",
    "The {doc} {mentions} {f}.",
    "Is {f} done?",
    "Revert {f}.",
    "Undo what you did to {f}.",
    "{Change} nothing in {f}.",
    "{f} is {fine}.",
    "Thanks for {f}.",
    "I {changed} {f} myself.",
    "Could we {change} {f} some day?",
    "Review {f}{tail}",
    "Summarize {f}{tail}",
    "Ändere {f} nicht.",
    "Warum hast du {f} geändert?",
    "Ne modifie pas {f}.",
    "不要修改 {f}",
    "Was macht {f}?",
]


def no_change(draw: Draw, name: str) -> str:
    change = draw.choice(["change", "rewrite", "refactor", "update", "improve", "fix", "simplify", "extend"])
    written_so = {
        "read": draw.choice(["read", "look at", "check", "open", "try", "test", "run", "fix", "think about"]),
        "like": draw.choice(["like", "use", "read", "wrote", "need", "love", "know", "have"]),
        "Write": draw.choice(["Write", "Add", "Create", "Draft", "Make"]),
        "doc": draw.choice(
            ["README", "docs page", "changelog", "diagram", "talk", "comment in api.py", "wiki page", "slide"]
        ),
        "asx": draw.choice(
            ["as the example", "as a template", "for the demo", "in the talk", "to test the parser", "as input"]
        ),
        "changed": draw.choice(["changed", "rewrote", "broke", "touched", "edited", "updated"]),
        "change": change,
        "Change": change.capitalize(),
        "mentions": draw.choice(["mentions", "links to", "imports", "describes"]),
        "fine": draw.choice(["fine", "good", "great now", "too long", "unused", "ready", "broken", "what I wanted"]),
        "tail": draw.choice([".", " first.", ", please.", " now.", " for me.", "!"]),
        "f": draw.choice([name, f"`{name}`"]),
    }
    return draw.choice(["", "", "Thanks. ", "OK. "]) + draw.choice(NO_CHANGE).format(**written_so)


# -- sentences that prove no path

NO_FILE = [
    "Here's a {thing} for {f}:",
    "Running {f} {prints}:",
    "{Do} {f} {doing}:",
    "Add this to {f}:",
    "The {old} version of {f} was:",
    "The {docs} have this {f}:",
    "You {could} write {f} like this:",
    "A {thing} for {f} {could} look like this:",
    "In {f} you {could} use:",
    "{For}, in {f}:",
    "First, in {f}:",
    "Then, in {f}:",
    "I tried this against {f}:",
    "This calls {f}:",
    "{f} {fails} with:",
    "Here is {part} {f}:",
    "Before, {f} looked like this:",
    "{f} {could} contain:",
    "Use {f} like this:",
    "What if {f} was:",
    "This is how to use {f}:",
    "To {do} {f}, run:",
    "The {thing} of {f} is:",
    "Instead of {f}, I have:",
    "Somebody pasted this as {f}:",
    "In essence, {f} does this:",
    "The problem in {f} is here:",
    "This line in {f} fails:",
    "{f} expects input like:",
    "When I open {f} I see:",
    "Similar to {f}:",
    "Not in {f}, but here:",
    "Another project has this {f}:",
    "My colleague's {f}:",
    "At line 10 of {f}:",
    "{f} imports this:",
    "The caller of {f}:",
    "Somewhere in {f}:",
    "Inspired by {f}:",
    "A common mistake in {f} {could} be:",
    "**Option A** ({f}):",
    "For comparison, the original {f}:",
    "Voici un test pour {f} :",
    "Hier ist ein Test für {f}:",
    "So benutzt man {f}:",
    "Antes, {f} era:",
    "{f} 的用法：",
    "Paste this into {f}:",
    "The diff of {f}:",
    "This {could} go into {f}:",
    "Delete this from {f}:",
    "The log of {f}:",
    "{f} says:",
    "Here is what {f} {prints}:",
    "Here is {f} with {flaw}:",
    "Here is the updated {f} with {flaw}:",
    "Here is {f} {that} {flaw}:",
]


def no_file(draw: Draw, path: str) -> str:
    return draw.choice(["", "", "", "Sure. ", "Good question! ", "I see. "]) + draw.choice(NO_FILE).format(
        f=draw.choice([path, f"`{path}`"]),
        thing=draw.choice(
            [
                "test",
                "simple test",
                "usage example",
                "stub",
                "sketch",
                "skeleton",
                "Dockerfile",
                "benchmark",
                "type definition",
                "patch",
                "wrapper",
                "config",
                "mock",
            ]
        ),
        prints=draw.choice(["prints", "gives", "shows", "outputs", "yields", "logs", "returns"]),
        Do=draw.choice(["Write", "Create", "Implement", "Generate", "Draft", "Scaffold"]),
        do=draw.choice(["run", "test", "build", "debug", "profile"]),
        doing=draw.choice(
            ["exporting one function", "with this signature", "so that this passes", "for this input", "using"]
        ),
        old=draw.choice(["old", "previous", "original", "earlier", "deprecated"]),
        docs=draw.choice(["Flask docs", "docs", "tutorial", "upstream sources", "specification", "blog posts"]),
        could=draw.choice(["could", "would", "might", "should", "may"]),
        For=draw.choice(["For example", "For instance", "As an example", "Say"]),
        flaw=draw.choice(
            [
                "the bug back in it",
                "the race that I mentioned",
                "a trap for the reader",
                "their naming",
                "dummy data",
                "a slower loop",
                "the patch reverted",
                "the fix taken out",
                "the changes that the reviewer refused",
                "Ruby idioms",
                "some lines missing",
                "the hypothetical `x` removed again",
            ]
        ),
        that=draw.choice(["that has", "which shows", "to demonstrate", "using", "containing", "and", "for"]),
        fails=draw.choice(["fails", "crashes", "stops", "complains", "dies"]),
        part=draw.choice(
            [
                "part of",
                "a part of",
                "an excerpt from",
                "the beginning of",
                "the interesting part of",
                "a snippet from",
                "one function of",
                "some of",
                "half of",
            ]
        ),
    )


# -- in so many words


def plain(draw: Draw, name: str) -> str:
    """A removal, plainly worded."""
    ask = draw.choice(
        [
            "Remove {n}.",
            "Please remove {n}.",
            "Delete {n}.",
            "Can you delete {n}?",
            "Could you please remove {n}?",
            "Drop {n}, it is unused.",
            "Remove {n} from src/fmt.py.",
            "In src/fmt.py, remove {n}.",
            "Get rid of {n}.",
            "I want you to remove {n}.",
            "Now remove {n} and add type hints to clean.",
            "Remove {n} and clean.",
            "Remove both {n} and clean.",
            "We don't need {n} any more, please remove it.",
            "{n} is not used anywhere, so delete it.",
            "Let's get rid of {n}.",
            "Rename {n} to fresh_name.",
            "Remove {n}. Keep everything else.",
            "Remove {n}, nobody calls it.",
            "Make clean faster. Also remove {n}.",
            "Remove the following functions: {n}, clean",
            "Refactor fmt.py: remove {n} and simplify clean.",
            "Remove {n} since it's dead code.",
            "Please clean up fmt.py and remove {n}.",
            "Add a docstring to clean, and delete {n}.",
            "Remove {n}, and update the tests accordingly.",
            "Please remove {n} completely.",
            "Thanks! Next, drop {n}.",
            "Remove {n}; we no longer need it.",
            "Delete {n} and its tests.",
        ]
    )
    return ask.format(
        n=draw.choice(
            [
                name,
                f"`{name}`",
                f"the function {name}",
                f"the {name} function",
                f"the unused helper `{name}`",
                f"`{name}()`",
            ]
        )
    )
