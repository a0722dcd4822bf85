"""Heads as signed notes: C2SP's signed-note and tlog-checkpoint forms, signed by Ed25519 (SEMANTICS 12).

A note's text is three lines: origin, size, and the chain's head in base64. A signature is of the text with its last
newline; its line begins with an em dash and names the key.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

KEY_NAME = "tslp"
_ED25519 = b"\x01"
_DASH = "\u2014 "
_NOTE = re.compile(r"(?P<text>(?:[^\n]+\n){3})\n(?P<signed>(?:\u2014 [^\n]+\n)+)\n*")


class NoteError(ValueError):
    """A note or a key that can't be used; the message says why, for the user."""


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a workspace's chain: the place of its last event, and that one's hash (hex)."""

    tenant: str
    workspace: str
    size: int
    hash: str

    def text(self) -> str:
        """The note's text."""
        origin = "/".join(["tslp", quote(self.tenant, safe=""), quote(self.workspace, safe="")])
        return f"{origin}\n{self.size}\n{base64.b64encode(bytes.fromhex(self.hash)).decode()}\n"


@dataclass(frozen=True, slots=True)
class Key:
    """A signing key: its name, and the 32 bytes that it is made of."""

    name: str
    seed: bytes

    @classmethod
    def new(cls, name: str = KEY_NAME) -> Key:
        """A key that nobody had before."""
        return cls(name, Ed25519PrivateKey.generate().private_bytes_raw())

    @classmethod
    def of(cls, said: str) -> Key:
        """The reverse of `secret`."""
        kind, _, rest = said.strip().partition("+KEY+")
        name, number, encoded = _parts(rest, "no signing key")
        key = cls(name, encoded)
        if kind != "PRIVATE" or number != _number(name, key.public):
            raise NoteError("This is no signing key, or it was altered.")
        return key

    @property
    def secret(self) -> str:
        """The key as it is kept: `PRIVATE+KEY+name+number+base64`."""
        encoded = base64.b64encode(_ED25519 + self.seed).decode()
        return f"PRIVATE+KEY+{self.name}+{_number(self.name, self.public)}+{encoded}"

    @property
    def public(self) -> bytes:
        """The 32 bytes by which others check."""
        return Ed25519PrivateKey.from_private_bytes(self.seed).public_key().public_bytes_raw()

    @property
    def verifier(self) -> str:
        """What others check by: `name+number+base64`."""
        encoded = base64.b64encode(_ED25519 + self.public).decode()
        return f"{self.name}+{_number(self.name, self.public)}+{encoded}"

    def note(self, head: Head) -> str:
        """A head as a signed note."""
        text = head.text()
        signature = Ed25519PrivateKey.from_private_bytes(self.seed).sign(text.encode())
        number = bytes.fromhex(_number(self.name, self.public))
        return f"{text}\n{_DASH}{self.name} {base64.b64encode(number + signature).decode()}\n"


def heads(notes: str, verifier: str) -> list[Head]:
    """The heads in notes, one behind the other. NoteError where one is no note, or not signed by the verifier's key."""
    found, at = list[Head](), 0
    name, number, public = _parts(verifier.strip(), "no verifier key: name+number+base64")
    if number != _number(name, public):
        raise NoteError("This is no verifier key, or it was altered.")
    while at < len(notes.rstrip("\n")):
        match = _NOTE.match(notes, at)
        if match is None:
            raise NoteError(f"Note {len(found) + 1} is none: three lines, an empty one, and signatures.")
        if not _is_signed(match["text"], match["signed"], name, bytes.fromhex(number), public):
            raise NoteError(f"Note {len(found) + 1} is not signed by {name}+{number}, or it was altered since.")
        found.append(_head(match["text"]))
        at = match.end()
    return found


def _head(text: str) -> Head:
    origin, size, root = text.splitlines()
    parts = origin.split("/")
    try:
        if parts[0] != "tslp" or len(parts) != 3 or not re.fullmatch(r"[1-9]\d{0,9}", size):
            raise NoteError(f"{origin} is no workspace of TSLP.")
        return Head(unquote(parts[1]), unquote(parts[2]), int(size), base64.b64decode(root, validate=True).hex())
    except binascii.Error:
        raise NoteError(f"{origin}: its head is no base64.") from None


def _is_signed(text: str, signed: str, name: str, number: bytes, public: bytes) -> bool:
    """Whether one of a note's signatures is the key's; those of other keys say nothing."""
    for line in signed.splitlines():
        by, _, encoded = line.removeprefix(_DASH).partition(" ")
        try:
            signature = base64.b64decode(encoded, validate=True)
            if by == name and signature[:4] == number:
                Ed25519PublicKey.from_public_bytes(public).verify(signature[4:], text.encode())
                return True
        except (binascii.Error, InvalidSignature):
            return False
    return False


def _parts(said: str, wrong: str) -> tuple[str, str, bytes]:
    """Name, number and the 32 bytes of a key that is written out."""
    name, _, rest = said.partition("+")
    number, _, encoded = rest.partition("+")
    try:
        key = base64.b64decode(encoded, validate=True)
    except binascii.Error:
        key = b""
    if not name or len(key) != 33 or key[:1] != _ED25519:
        raise NoteError(f"This is {wrong}.")
    return name, number, key[1:]


def _number(name: str, public: bytes) -> str:
    """The number of a key (hex): by it a verifier finds the signatures that it can check."""
    return hashlib.sha256(f"{name}\n".encode() + _ED25519 + public).digest()[:4].hex()
