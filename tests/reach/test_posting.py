"""Where a webhook may go: to nobody's private addresses, whatever their form, and nowhere that it is sent on to."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from tslp_litellm.reach import posting
from tslp_litellm.reach.posting import UndeliveredError, addresses, is_public, post


@pytest.mark.parametrize(
    "text",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "255.255.255.255", "198.18.0.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1",
        "::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::",
        "2001:0:7f00:1::", "2001:db8::1",
    ],
)  # fmt: skip
def test_what_is_not_everybodys(text: str) -> None:
    assert not is_public(text)


@pytest.mark.parametrize("text", ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_what_is(text: str) -> None:
    assert is_public(text)


def named(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    real = socket.getaddrinfo

    def found(host: str, port: int, *more: Any, **named: Any) -> Any:
        if host[0].isdigit():
            return real(host, port, *more, **named)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", found)


def test_one_private_address_of_a_name_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    named(monkeypatch, "1.1.1.1", "10.0.0.1")
    with pytest.raises(UndeliveredError, match="private address 10.0.0.1"):
        addresses("receiver.example", 80, False)
    assert addresses("receiver.example", 80, True) == ["1.1.1.1", "10.0.0.1"]


def test_another_address_of_a_name_where_one_does_not_answer(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    named(monkeypatch, "127.0.0.9", "127.0.0.1")  # the server listens on the second
    send(server, "/204")
    assert len(server.seen) == 1


class Answers(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen.append((self.path, self.headers["Host"], self.headers["x-a"], body))  # type: ignore[attr-defined]
        status = int(self.path.rpartition("/")[2].partition("?")[0])
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/204")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[HTTPServer]:
    with HTTPServer(("127.0.0.1", 0), Answers) as made:
        made.seen = []  # type: ignore[attr-defined]
        thread = threading.Thread(target=made.serve_forever, daemon=True)
        thread.start()
        yield made
        made.shutdown()


def send(server: Any, path: str, allow_private: bool = True) -> None:
    post(f"http://localhost:{server.server_port}{path}", {"x-a": "b"}, b"{}", allow_private)


def test_it_is_sent_where_it_may_go(server: Any) -> None:
    send(server, "/hook/204?a=b")
    assert server.seen == [("/hook/204?a=b", f"localhost:{server.server_port}", "b", b"{}")]
    with pytest.raises(UndeliveredError, match="allow_private"):
        send(server, "/hook/204", allow_private=False)
    assert len(server.seen) == 1


@pytest.mark.parametrize("status", [302, 400, 410, 500])
def test_only_a_success_is_one(server: Any, status: int) -> None:
    with pytest.raises(UndeliveredError, match=str(status)):
        send(server, f"/{status}")
    assert len(server.seen) == 1  # and nothing is followed


def test_who_is_not_there(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "TIMEOUT_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(UndeliveredError):
        post(f"http://127.0.0.1:{silent.getsockname()[1]}/", {}, b"{}", True)
    for url in (f"https://localhost:{server.server_port}/204", "http://nobody.invalid/", "http://127.0.0.1:1/"):
        with pytest.raises(UndeliveredError):
            post(url, {}, b"{}", True)
