"""The user asks to go back, and the model shows the file as it was before the last turn, without a label."""

from __future__ import annotations

import pytest

from .helpers import Session

PATH = "cmd/shop/main.go"
OLD = (
    'package main\n\nimport (\n\t"log"\n\t"net/http"\n\t"os"\n)\n\nfunc main() {\n\taddr := os.Getenv("ADDR")\n\tif addr == "" {\n'
    '\t\taddr = ":8080"\n\t}\n\tlog.Fatal(http.ListenAndServe(addr, nil))\n}\n'
)
NEW = (
    'package main\n\nimport (\n\t"context"\n\t"log"\n\t"net/http"\n\t"os"\n\t"os/signal"\n\t"time"\n)\n\nfunc main() {\n'
    '\taddr := os.Getenv("ADDR")\n\tif addr == "" {\n\t\taddr = ":8080"\n\t}\n\tsrv := &http.Server{Addr: addr}\n\n'
    '\tgo func() {\n\t\tlog.Printf("listening on %s", addr)\n\t\tif err := srv.ListenAndServe(); err != http.ErrServerClosed {\n'
    "\t\t\tlog.Fatal(err)\n\t\t}\n\t}()\n\n\tstop := make(chan os.Signal, 1)\n\tsignal.Notify(stop, os.Interrupt)\n\t<-stop\n\n"
    "\tctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)\n\tdefer cancel()\n"
    "\tif err := srv.Shutdown(ctx); err != nil {\n\t\tlog.Fatal(err)\n\t}\n}\n"
)


@pytest.mark.parametrize(
    ("prompt", "undone"),
    [
        ("undo that", True),
        ("undo that, I want the simple version back", True),
        ("revert that please", True),
        ("undo the last change", True),
        ("Why would I undo that?", False),
        ("ok", False),
    ],
)
def test_the_text_before_is_the_files(session: Session, prompt: str, undone: bool) -> None:
    session.ask(f"{PATH}\n```go\n{OLD}```")
    session.ask(
        f"Add graceful shutdown to {PATH}, 10 seconds timeout", f"Here is the updated `main.go`:\n\n```go\n{NEW}```"
    )
    assert session.holds(PATH, NEW)
    session.ask(prompt, f"Here's the original version:\n\n```go\n{OLD}```")
    assert session.holds(PATH, OLD) is undone
    assert session.holds(PATH, NEW) is not undone
