"""Heads as signed notes: C2SP's forms, byte for byte, and what is refused."""

from __future__ import annotations

import base64
import hashlib

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tslp_litellm.history.notes import Head, Key, NoteError, heads

KEY = Key("tslp", bytes(range(32)))
HEAD = Head("local", "/home/ann/a shop", 12, "ab" * 32)
OTHER = Head("team:x", "é+w/..", 1, "01" * 32)


def test_the_form_of_a_note() -> None:
    text, _, signed = KEY.note(HEAD).partition("\n\n")
    assert text == f"tslp/local/%2Fhome%2Fann%2Fa%20shop\n12\n{base64.b64encode(bytes.fromhex('ab' * 32)).decode()}"
    dash, name, encoded = signed.rstrip("\n").split(" ")
    signature = base64.b64decode(encoded)
    assert (dash, name, len(signature)) == ("\u2014", "tslp", 4 + 64)
    assert signature[:4] == hashlib.sha256(b"tslp\n\x01" + KEY.public).digest()[:4]
    Ed25519PublicKey.from_public_bytes(KEY.public).verify(signature[4:], (text + "\n").encode())


def test_notes_come_back() -> None:
    notes = KEY.note(HEAD) + "\n" + KEY.note(OTHER)
    assert heads(notes, KEY.verifier) == [HEAD, OTHER]
    assert heads("", KEY.verifier) == []
    assert Key.of(KEY.secret + "\n") == KEY
    assert Key.new() != Key.new()


def test_a_signature_of_somebody_else_beside_ours_says_nothing() -> None:
    theirs = Key.new("witness").note(HEAD).partition("\n\n")[2]
    assert heads(KEY.note(HEAD) + theirs, KEY.verifier) == [HEAD]


@pytest.mark.parametrize(
    "altered",
    [
        KEY.note(HEAD).replace("\n12\n", "\n13\n"),
        KEY.note(HEAD).replace("local", "locale"),
        Key.new().note(HEAD),
        KEY.note(HEAD).partition("\n\n")[0] + "\n",
        KEY.note(HEAD) + "and more\n",
        "nothing of the kind",
    ],
)
def test_what_is_not_signed_by_the_key_is_refused(altered: str) -> None:
    with pytest.raises(NoteError):
        heads(altered, KEY.verifier)


@pytest.mark.parametrize("said", ["", "tslp", "tslp+00000000+AQ==", KEY.verifier.replace("tslp", "tslq"), KEY.secret])
def test_what_is_no_verifier_key_is_refused(said: str) -> None:
    with pytest.raises(NoteError):
        heads(KEY.note(HEAD), said)
    with pytest.raises(NoteError):
        Key.of(said.replace("PRIVATE", "PRIV"))


def test_a_signed_note_of_another_kind_is_refused() -> None:
    class Foreign(Head):
        def text(self) -> str:
            return "example.com/log\n12\nq83v\n"

    with pytest.raises(NoteError, match="no workspace of TSLP"):
        heads(KEY.note(Foreign("a", "b", 1, "00")), KEY.verifier)
