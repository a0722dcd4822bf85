"""Bodies that stand outside of what declares them: a header of C or C++, a type of Go or Rust (SEMANTICS 2)."""

from __future__ import annotations

import pytest

from .helpers import Session, sha


def fence(text: str, language: str) -> str:
    return f"```{language}\n{text}```\n"


HPP = "#pragma once\n#include <vector>\n\nclass Queue {\npublic:\n    void push(int v);\n\nprivate:\n    std::vector<int> items_;\n};\n"
CPP = '#include "queue.h"\n\nvoid Queue::push(int v) {\n    items_.push_back(v);\n}\n'
CPP_BODY = "int Queue::size() const {\n    return items_.size();\n}\n"
H = "#ifndef QUEUE_H\n#define QUEUE_H\n\nstruct queue;\n\nvoid queue_push(struct queue *q, int v);\n\n#endif\n"
C = '#include "queue.h"\n\nvoid queue_push(struct queue *q, int v) {\n    q->items[q->n++] = v;\n}\n'
C_BODY = "int queue_size(const struct queue *q) {\n    return q->n;\n}\n"
OF_CPP = ("cpp", HPP, HPP.replace("v);\n", "v);\n    int size() const;\n"), CPP, CPP_BODY, "Queue.size")
OF_C = ("c", H, H.replace("v);\n", "v);\nint queue_size(const struct queue *q);\n"), C, C_BODY, "queue_size")


@pytest.mark.parametrize("prompt", ["add a size() method", "the queue should tell how long it is"])
@pytest.mark.parametrize(("language", "header", "new", "source", "body", "name"), [OF_CPP, OF_C])
def test_a_body_beside_its_new_header_is_of_the_file_with_the_others(
    session: Session, prompt: str, language: str, header: str, new: str, source: str, body: str, name: str
) -> None:
    session.ask(f"src/queue.h\n{fence(header, language)}\nsrc/queue.{language}\n{fence(source, language)}")
    session.ask(prompt, f"Declare it:\n\n{fence(new, language)}\nAnd implement it:\n\n{fence(body, language)}")
    state = session.state()
    assert (state["src/queue.h"], state[f"src/queue.{language}"]) == (sha(new), "DIRTY")
    assert state[f"src/queue.{language}::{name}"] == sha(body.rstrip("\n"))
    assert f"src/queue.h::{name}" not in state


def test_and_so_it_is_in_a_new_chat_that_speaks_of_the_type_alone(session: Session) -> None:
    session.ask(f"include/queue.h\n{fence(HPP, 'cpp')}\nsrc/queue.cpp\n{fence(CPP, 'cpp')}")
    session.forget().ask("Add a method `size` to Queue.", fence(CPP_BODY, "cpp"))
    assert session.state()["src/queue.cpp::Queue.size"] == sha(CPP_BODY.rstrip("\n"))
    assert session.state()["include/queue.h"] == sha(HPP)


def test_where_several_files_hold_bodies_none_is_meant(session: Session) -> None:
    other = CPP.replace("push(int v)", "print()").replace("items_.push_back(v)", "show(items_)")
    session.ask("\n".join(f"{p}\n{fence(t, 'cpp')}" for p, t in (("q.h", HPP), ("q.cpp", CPP), ("io.cpp", other))))
    session.ask("add a size() method", f"{fence(OF_CPP[2], 'cpp')}\n\n{fence(CPP_BODY, 'cpp')}")
    state = session.state()
    assert (state["q.h"], state["q.cpp"], state["io.cpp"]) == (sha(OF_CPP[2]), sha(CPP), sha(other))


GO = "package q\n\ntype Queue struct {\n\titems []int\n}\n\nfunc (q *Queue) Push(v int) {\n\tq.items = append(q.items, v)\n}\n"
GO_BODY = "func (q *Queue) Size() int {\n\treturn len(q.items)\n}\n"
RUST = "pub struct Queue {\n    items: Vec<i32>,\n}\n\nimpl Queue {\n    pub fn push(&mut self, v: i32) {\n        self.items.push(v);\n    }\n}\n"
RUST_BODY = "impl Queue {\n    pub fn size(&self) -> usize {\n        self.items.len()\n    }\n}\n"
NAMED = [
    ("q.go", GO, GO_BODY, "Size"),
    ("q.rs", RUST, RUST_BODY, "size"),
    ("q.cpp", HPP + "\n" + CPP, CPP_BODY, "size"),
]


@pytest.mark.parametrize(("path", "text", "body", "name"), NAMED)
def test_a_new_method_that_the_prompt_names_says_itself_of_which_type_it_is(
    session: Session, path: str, text: str, body: str, name: str
) -> None:
    language = path.rpartition(".")[2]
    session.ask(f"{path}\n{fence(text, language)}")
    session.ask(f"add a {name}() method", fence(body, language))
    assert (session.state()[path], f"{path}::Queue.{name}" in session.state()) == ("DIRTY", True)


@pytest.mark.parametrize(("path", "text", "body", "name"), NAMED)
@pytest.mark.parametrize("prompt", ["How would a {}() method look?", "Thanks, that is all.", "What is a {}() for?"])
def test_but_an_example_that_nobody_asked_for_is_none(
    session: Session, path: str, text: str, body: str, name: str, prompt: str
) -> None:
    language = path.rpartition(".")[2]
    session.ask(f"{path}\n{fence(text, language)}")
    session.ask(prompt.format(name), f"You could add:\n\n{fence(body, language)}")
    assert (session.state()[path], f"{path}::Queue.{name}" in session.state()) == (sha(text), False)


def test_a_header_with_functions_of_its_own_keeps_what_they_use(session: Session) -> None:
    text = "#pragma once\n\nstatic inline int twice(int v) {\n    return v + v;\n}\n"
    new = text.replace("v + v", "times(v, 2)")
    body = "static inline int times(int v, int n) {\n    return v * n;\n}\n"
    source = '#include "m.h"\n\nint six(void) {\n    return twice(3);\n}\n'
    session.ask(f"m.h\n{fence(text, 'c')}\nm.c\n{fence(source, 'c')}")
    session.ask("Let `twice` use a multiplication.", f"{fence(new, 'c')}\n\n{fence(body, 'c')}")
    assert ("m.h::times" in session.state(), session.state()["m.c"]) == (True, sha(source))
