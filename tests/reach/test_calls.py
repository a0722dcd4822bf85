"""The few lines of HTTP that hooks speak, against raw answers and over TLS."""

from __future__ import annotations

import datetime
import ipaddress
import json
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tslp_litellm.reach.calls import Gateway, RefusedError, UnansweredError

BODY = json.dumps({"choices": [{"message": {"content": "äöü " * 20_000}}]}).encode()
ASKED = [{"role": "user", "content": "x"}]
OK = b"HTTP/1.1 200 OK\r\n"


@contextmanager
def answering(answer: bytes, tls: ssl.SSLContext | None = None) -> Iterator[tuple[str, list[bytes]]]:
    """A server that reads one request and answers with these bytes; its address, and what it read."""
    seen: list[bytes] = []

    def serve() -> None:
        plain, _ = server.accept()
        try:
            with tls.wrap_socket(plain, server_side=True) if tls else plain as stream:
                request = b""
                while not request.endswith(b"}]}"):  # the messages are the last of the body
                    request += stream.recv(65_536)
                seen.append(request)
                stream.sendall(answer)
        except OSError:
            plain.close()

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http{'s' if tls else ''}://127.0.0.1:{server.getsockname()[1]}", seen
        thread.join(10)


def chunked(body: bytes, size: int) -> bytes:
    pieces = (body[at : at + size] for at in range(0, len(body), size))
    return b"".join(b"%x;ext=1\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


@pytest.mark.parametrize(
    "answer",
    [
        OK + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY + b"more than was announced",
        OK + b"transfer-encoding:chunked\r\n\r\n" + chunked(BODY, 7_001),
        b"HTTP/1.0 200 OK\r\n\r\n" + BODY,
    ],
    ids=["with its length", "in chunks", "up to the end"],
)
def test_an_answer_in_each_of_its_forms(answer: bytes) -> None:
    with answering(answer) as (url, seen):
        assert Gateway(url + "/", "sk-x", "w").relay(ASKED, [], "me") == "äöü " * 20_000
    head, _, body = seen[0].partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    assert lines[0] == "POST /v1/chat/completions HTTP/1.1"
    assert {"Authorization: Bearer sk-x", "x-tslp-workspace: w", f"Content-Length: {len(body)}"} < set(lines)


@pytest.mark.parametrize(
    "answer",
    [
        b"", b"SSH-2.0-OpenSSH_9.6\r\n", b"\xff" * 70_000, OK + b"Content-Length: 9\r\n\r\n{}",
        OK + b"Content-Length: x\r\n\r\n{}", OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{}",
    ],
)  # fmt: skip
def test_what_is_no_answer(answer: bytes) -> None:
    with answering(answer) as (url, _), pytest.raises(UnansweredError):
        Gateway(url).relay(ASKED, [], "me")


def test_a_refusal_says_its_status() -> None:
    said = b"HTTP/1.1 401 \r\nContent-Length: 4\r\n\r\nkey?"
    with answering(said) as (url, _), pytest.raises(RefusedError, match=r"HTTP 401: key\?"):
        Gateway(url).relay(ASKED, [], "me")


@pytest.mark.parametrize("gateway", [Gateway(key="a\r\nX: y"), Gateway(workspace="a\nb"), Gateway(workspace="вася")])
def test_what_no_header_can_hold_is_not_sent(gateway: Gateway) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        at = gateway._replace(url=f"http://127.0.0.1:{server.getsockname()[1]}")
        with pytest.raises(UnansweredError, match=r"\((ValueError|UnicodeEncodeError)\)"):
            at.relay(ASKED, [], "me")


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate of 127.0.0.1 with its key."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tests")])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .sign(key, hashes.SHA256())
    )
    form = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    file = tmp_path / "server.pem"
    file.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, *form) + made.public_bytes(serialization.Encoding.PEM)
    )
    return file


@pytest.mark.parametrize("trusted", [True, False])
def test_over_tls_the_certificate_is_checked(certificate: Path, monkeypatch: pytest.MonkeyPatch, trusted: bool) -> None:
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(certificate)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate) if trusted else "/dev/null")
    with answering(OK + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY, serving) as (url, _):
        if trusted:
            assert Gateway(url).relay(ASKED, [], "me").startswith("äöü")
        else:
            with pytest.raises(UnansweredError, match="SSLCertVerificationError"):
                Gateway(url).relay(ASKED, [], "me")
