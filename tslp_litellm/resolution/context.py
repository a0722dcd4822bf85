"""What a judgement knows of the turn that it is made in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

from tslp_litellm.dialects.values import ApplierChat, Carrier
from tslp_litellm.placing.values import Play
from tslp_litellm.resolution import gates
from tslp_litellm.resolution.intent import Intent
from tslp_litellm.resolution.trust import Trust
from tslp_litellm.state.values import FileState, artifact_hash
from tslp_litellm.syntax.outline import Outline
from tslp_litellm.words.sentences import holds


@dataclass(frozen=True, slots=True)
class Earlier:
    """`said`: whether a text, or all that it shows, was said before what is current now; `shown`: whether all of that
    is the user's own showing; `once`: whether the text was the truth of its file, and was not merely proposed."""

    said: bool = False
    shown: bool = False
    once: bool = False


@dataclass(frozen=True, slots=True)
class Insisted:
    """What the answer before showed of a file, which was refused, and the user let stand. `renames`: names (old, new);
    `shrunk`: texts in which something had collapsed."""

    renames: frozenset[tuple[str, str]] = frozenset()
    shrunk: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """What judging needs to know of the turn. `root`: the stated working directory. `forms`: in which forms the client
    applies edits out of the model's text (empty: it edits by tools, and code in the text is only talk); None: any.
    `chat`: what it goes by where it does so itself; what it applies is then on its disk, whatever the gates say.
    `play`: what is in play. `trust`: whose word counts in it. `brought`: entities that the model's text brought in the
    turn before; `alone`: and it showed no other. `commented`: those above which it put a comment block. `going`: those
    that are DIRTY because they were asked to go. `left`: those that the answer has shown gone so far. `single`: whether
    it shows the code in question and no other. `elsewhere`: the lines that it brings to other files than the one in
    question. `shown`: the entities put in front of the prompt. `made_up`: the artifacts of a file that a model showed
    out of its head. `altered`: the entities of a file that answers alone left of unknown text. `insisted`: of a file.
    `shown_in_part`: whether the user has shown but a part of a file that nobody knows. `earlier`: what is known of a
    text, and of what it shows of a file otherwise than that is."""

    root: str | None = None
    intent: Intent = field(default_factory=Intent)
    forms: frozenset[Carrier] | None = None
    chat: ApplierChat | None = None
    play: Play = field(default_factory=Play)
    trust: Trust = Trust.PROOF
    brought: frozenset[str] = frozenset()
    alone: bool = False
    commented: Callable[[], Collection[str]] = lambda: ()
    going: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()
    single: bool = False
    elsewhere: gates.Lines = field(default_factory=gates.Lines)
    shown: frozenset[str] = frozenset()
    made_up: Callable[[str], Collection[str]] = lambda _: ()
    altered: Callable[[str], Collection[str]] = lambda _: ()
    insisted: Callable[[str], Insisted] = lambda _: Insisted()
    shown_in_part: Callable[[str], bool] = lambda _: False
    earlier: Callable[[str, str, Mapping[str, str]], Earlier] = lambda *_: Earlier()

    def about(self, path: str) -> Context:
        """The same turn, asked about one file."""
        return replace(self, intent=self.intent.at(path))

    def renames(self, path: str, old: str, new: str) -> bool:
        """Whether a file's definition is to have another name (§12): the prompt asks for it by both, or the user let it
        stand in one answer, and the next one has it again."""
        stands = (old, new) in self.let_stand(path).renames
        return stands or self.intent.at(path).asks_to_rename(old, new)

    def let_stand(self, path: str) -> Insisted:
        """What the user let stand of a file, though it was refused: he finds no fault."""
        return Insisted() if holds(self.intent.prompt, "fault") else self.insisted(path)

    def excuses(self, path: str, text: str) -> gates.Excuses:
        """Why a file's definitions may have shrunk. What says nothing but the same once more brings nothing that the
        user went on to."""
        again = self.let_stand(path).shrunk
        return gates.Excuses(self.elsewhere, () if text.strip() in {one.strip() for one in again} else again)

    def in_part(self, state: FileState) -> bool:
        """Whether nobody knows more of a file than parts that the user has shown."""
        return state.file is not None and not state.file.clean and self.shown_in_part(state.path)

    def did_not_see(self, state: FileState, name: str) -> bool:
        """Whether members of a type were put in front of the prompt, and neither the type nor its file is in sight."""
        of_type, own = state.symbols.get(name), state.entity(name)
        saw = any(entity.startswith(f"{own}.") for entity in self.shown)
        return saw and of_type is not None and of_type.clean and own not in self.shown | self.play.entities

    def makes_up(self, state: FileState, name: str, seen: Outline) -> bool:
        """Whether a text shows a type that the model did not see, or repeats what it made up of it then."""
        if state.entity(name) in self.shown | self.play.entities:
            return False
        parts = [symbol for symbol in seen.symbols if f"{symbol.name}.".startswith(f"{name}.")]
        made_up = self.made_up(state.path) if parts and name in state.symbols else ()
        repeats = bool(made_up) and any(artifact_hash(seen.slice(symbol)) in made_up for symbol in parts)
        return repeats or self.did_not_see(state, name)

    def applies(self, carrier: Carrier) -> bool:
        """Whether the client applies what the model's text says in this form."""
        return self.forms is None or carrier in self.forms
