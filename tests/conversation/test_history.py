"""What is new in a request: growing, edited, compacted, re-said and moved histories (SEMANTICS 2)."""

from collections import defaultdict

from tslp_litellm.conversation.history import Age, Alignment, Memory, align, digest, floating, standing_listings
from tslp_litellm.wire.turn import Item, ItemKind, Role

LISTING = "I have *added these files to the chat* so you can edit them.\n\na.py\n```\n{}```\n"
ACK = "Ok, any changes I propose will be to those files."


def user(text: str) -> Item:
    return Item(Role.USER, ItemKind.TEXT, text)


def model(text: str) -> Item:
    return Item(Role.ASSISTANT, ItemKind.TEXT, text)


def call(call_id: str, text: str = "{}") -> Item:
    return Item(Role.ASSISTANT, ItemKind.CALL, text, name="read", call_id=call_id)


def result(call_id: str, text: str) -> Item:
    return Item(Role.TOOL, ItemKind.RESULT, text, call_id=call_id)


def aligned_by(memory: Memory, *items: Item) -> Alignment:
    return align(items, [digest(item) for item in items], memory, floating(items), standing_listings(items))


class Memory:
    """A conversation, remembered as the store does it."""

    def __init__(self) -> None:
        self.ordinals: dict[bytes, list[int]] = defaultdict(list)
        self.next = 0

    def say(self, *items: Item) -> None:
        for item in items:
            self.ordinals[digest(item)].append(self.next)
            self.next += 1

    def request(self, *items: Item) -> str:
        """The ages of a request's items, as letters, and remember what was not seen."""
        ages = self.ages(*items)
        self.say(*(item for item, age in zip(items, ages, strict=True) if age != "s"))
        return ages

    def ages(self, *items: Item) -> str:
        aligned = aligned_by(self.ordinals, *items)
        return "".join({Age.NEW: "n", Age.SEEN: "s", Age.OLD: "o"}[age] for age in aligned.ages)


U1, A1 = user("Here is util.py, please make slug strip spaces."), model("util.py\n```python\ndef slug(s): ...\n```")
U2, A2 = user("Thanks. What does lower do?"), model("It lowers the case of all letters in the string.")
U3 = user("And strip?")


def test_a_growing_history_is_seen_but_for_its_tail() -> None:
    memory = Memory()
    assert memory.request(U1) == "n"
    memory.say(A1)
    assert memory.request(U1, A1, U2) == "ssn"
    memory.say(A2)
    assert memory.request(U1, A1, U2, A2, U3) == "ssssn"


def test_the_same_words_again_are_new() -> None:
    memory = Memory()
    memory.request(U1)
    memory.say(A1)
    assert memory.request(U1, A1, U1) == "ssn"
    memory.say(A2)
    assert memory.request(U1, A1, U1, A2, U1) == "ssssn"


def test_a_window_that_lost_its_beginning_is_still_known() -> None:
    memory = Memory()
    memory.request(U1)
    memory.say(A1)
    memory.request(U1, A1, U2)
    memory.say(A2)
    assert memory.request(U2, A2, U3) == "ssn"


def test_a_summary_is_history_of_unknown_age() -> None:
    memory = Memory()
    memory.request(U1)
    memory.say(A1)
    summary, ack = user("In short: we made slug strip."), model("Understood.")
    assert memory.ages(summary, ack, U3) == "oon"
    assert memory.ages(summary, ack, U2, A2, U3) == "oooon", "nothing known: another conversation"


def test_an_edited_history_brings_only_its_tail() -> None:
    memory = Memory()
    memory.request(U1)
    memory.say(A1)
    memory.request(U1, A1, U2)
    memory.say(A2)
    edited = user("Thanks! What does lower() do, exactly?")
    assert memory.ages(U1, A1, edited) == "ssn"
    assert memory.ages(U1, A1, edited, A2, U3) == "ssosn"


def test_a_mutated_old_message_is_not_new() -> None:
    memory = Memory()
    memory.request(U1)
    memory.say(A1)
    memory.request(U1, A1, U2)
    memory.say(A2)
    cleared = user("[Old message content cleared]")
    assert memory.ages(cleared, A1, U2, A2, U3) == "osssn"


def test_going_back_asserts_the_tail_anew() -> None:
    """The answer was thrown away and asked for again: what the user showed then holds again."""
    memory = Memory()
    memory.request(U1)
    memory.say(A1)
    memory.request(U1, A1, U2)
    memory.say(A2)
    assert memory.ages(U1, A1, U2) == "ssn"


def test_a_repeated_request_without_an_answer_in_between_is_seen() -> None:
    memory = Memory()
    memory.request(U1)
    memory.say(A1)
    memory.request(U1, A1, U2)
    assert memory.ages(U1, A1, U2) == "sss"


def test_tool_loops_bring_only_their_results() -> None:
    memory = Memory()
    memory.request(U1)
    memory.say(call("c1"), call("c2"))
    assert memory.request(U1, call("c1"), call("c2"), result("c1", "x"), result("c2", "y")) == "sssnn"
    memory.say(A1)
    assert memory.request(U1, call("c1"), call("c2"), result("c1", "x"), result("c2", "y"), A1, U2) == "ssssssn"


def test_echoed_arguments_may_change() -> None:
    memory = Memory()
    memory.request(U1)
    memory.say(call("c1", '{"a": 1}'))
    assert memory.request(U1, call("c1", '{"a": 1, "replace_all": false}'), result("c1", "x")) == "ssn"


def test_call_ids_that_servers_use_again() -> None:
    memory = Memory()
    memory.request(U1)
    memory.say(call("call_0"))
    assert memory.request(U1, call("call_0"), result("call_0", "ok")) == "ssn"
    memory.say(call("call_0"))
    assert memory.request(U1, call("call_0"), result("call_0", "ok"), call("call_0"), result("call_0", "ok")) == "ssssn"


def test_a_listing_that_changed_is_new_wherever_it_stands() -> None:
    memory = Memory()
    first = [user(LISTING.format("x = 1\n")), model(ACK)]
    assert memory.request(*first, U1) == "nnn"
    memory.say(A1)
    second = [user(LISTING.format("x = 2\n")), model(ACK)]
    assert memory.request(U1, A1, *second, U2)[:3] == "ssn"
    memory.say(A2)
    third = [user(LISTING.format("x = 3\n")), model(ACK)]
    assert memory.request(U1, A1, *third, U2, A2, user("# 1 SEARCH/REPLACE block failed"))[2] == "n", "a reflection"


def test_a_listing_that_moved_behind_newer_words_is_asserted_again() -> None:
    memory = Memory()
    listing = [user(LISTING.format("x = 1\n")), model(ACK)]
    memory.request(*listing, U1)
    memory.say(A1)
    ages = memory.request(U1, A1, *listing, U2)
    assert ages[2] == "n", "aider lists what is on the disk now: the edit was not applied, or was undone"


def test_a_listing_that_stays_as_it_was_is_asserted_by_every_request() -> None:
    memory = Memory()
    listing = [user(LISTING.format("x = 1\n")), model(ACK)]
    memory.request(*listing, U1)
    memory.say(A1)
    assert memory.request(*listing, U1, A1, U2) == "nsssn"
    assert memory.ages(*listing, U1, A1, *listing, U2)[0] == "s", "the last one of a kind speaks for all"


def test_short_phrases_prove_no_conversation() -> None:
    memory = Memory()
    memory.request(user("Hi"))
    memory.say(model("Understood."))
    assert memory.ages(user("In short: all is done."), model("Understood."), U1) == "oon"
    assert aligned_by(memory.ordinals, U1).weight == 0


def test_short_phrases_prove_something_only_behind_what_they_answer() -> None:
    """Agents say "Let me look." in every conversation, and each would be taken for the same."""
    memory = Memory()
    said = [model("Let me look."), model("Now the tests."), model("Done.")]
    memory.request(U1, said[0], call("1"), result("1", "a"), said[1], call("2"), result("2", "b"), said[2])
    other = [said[0], call("8"), result("8", "c"), said[1], call("9"), result("9", "d"), said[2]]
    assert aligned_by(memory.ordinals, U2, *other, U3).weight == 0
    assert aligned_by(memory.ordinals, user("Hi"), *said, U3).weight == 0
    assert aligned_by(memory.ordinals, U1, said[0], U3).weight > 0


def test_white_space_at_the_ends_and_reminders_do_not_matter() -> None:
    memory = Memory()
    memory.request(user("Add f.\n\n# *SEARCH/REPLACE block* Rules:\n\nEvery block …"))
    memory.say(model("Here is a long enough answer about the function f.\n\n"))
    assert memory.ages(user("Add f."), model("Here is a long enough answer about the function f."), U2) == "ssn"


def test_history_that_the_server_keeps_is_known_by_its_response() -> None:
    memory = Memory()
    memory.request(U1)
    response = Item(Role.ASSISTANT, ItemKind.RESPONSE, "resp_1")
    memory.say(A1, response)
    assert memory.request(response, U2) == "sn"
