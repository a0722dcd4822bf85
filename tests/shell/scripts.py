"""Scripts made at random, of everything that changes files and of what a shell does around it."""

from __future__ import annotations

import random
import shlex
from collections.abc import Callable

FILES = {
    "a.py": "A = 1\n",
    "b.py": "B = 1\n",
    "src/a.py": "SA = 1\n",
    "src/c.py": "SC = 1\n",
    "src/sub/d.py": "SD = 1\n",
    "lib/b.py": "LB = 1\n",
    "with space.txt": "blank\n",
    "tool.sh": "echo tool > a.py\n",
}
FOLDERS = ["src", "src/sub", "lib", "..", ".", "sub", "nodir", "src/../lib"]
NEW = ["n.py", "src/n.py", "nodir/x.py", "sub/d.py", "c.py", "d.py", "../a.py", "lib/new.txt"]
DEPTH_MAX = 4


class Scripts:
    """A source of scripts."""

    def __init__(self, seed: int, plain: bool = False) -> None:
        self.random, self.plain = random.Random(seed), plain
        self.functions: list[str] = []
        self.loops = 0

    def script(self) -> str:
        return self.separated([self.command(0) for _ in range(self.random.randint(1, 5))])

    def separated(self, commands: list[str]) -> str:
        """Commands one after the other; a here-document needs a line end."""
        said = ""
        for n, command in enumerate(commands):
            joint = "\n" if "<<" in command or n == len(commands) - 1 else self.random.choice(["\n", "; "])
            said += command + joint
        return said

    def command(self, depth: int) -> str:
        nested: list[Callable[[int], str]] = PLAIN_NESTED if self.plain else NESTED
        simple: list[Callable[[Scripts], str]] = PLAIN if self.plain else SIMPLE
        if depth < DEPTH_MAX and self.random.random() < (0.25 if self.plain else 0.4):
            return self.random.choice(nested)(self, depth + 1)  # type: ignore[arg-type,call-arg]
        said = self.random.choice(simple)(self)
        if not self.plain and "<<" not in said and self.random.random() < 0.12:
            said += self.random.choice(
                [" 2>/dev/null", " >/dev/null 2>&1", " 2>&1", " > out.txt", " 2> err.txt", " &> b.py", " >> a.py"]
            )
        return said

    def body(self, depth: int) -> str:
        return self.separated([self.command(depth) for _ in range(self.random.randint(1, 3))])

    # -- words

    def file(self) -> str:
        pick = self.random.random()
        if pick < 0.6 or self.plain:
            return shlex.quote(self.random.choice([*FILES] if pick < 0.5 else NEW[:2]))
        if pick < 0.8:
            return shlex.quote(self.random.choice(NEW))
        return self.random.choice(
            [
                '"$V"',
                "$V",
                '"$D/a.py"',
                "$D/c.py",
                '"${W}.py"',
                "*.py",
                "src/*.py",
                "{a,b}.py",
                "~/h.py",
                "$(echo a.py)",
                "`echo b.py`",
                '"$PWD/a.py"',
                "./b.py",
                "src//a.py",
                "$1",
                '"$UNKNOWN/a.py"',
                "${V:-a.py}",
                "[ab].py",
                "a\\.py",
            ]
        )

    def folder(self) -> str:
        if self.plain:
            return self.random.choice(FOLDERS[:3])
        return self.random.choice([*FOLDERS, *FOLDERS, '"$D"', "$D", "-", "", "$UNKNOWN", '"$(echo src)"', "~", "s*"])

    def text(self) -> str:
        return f"x{self.random.randint(0, 999)}"

    def document(self, head: str) -> str:
        quoted = self.random.random() < 0.6
        text = (
            self.text()
            if quoted or self.plain
            else self.random.choice([self.text(), "$V", "$(echo y)", "a\\$b", "`echo z`", "$UNKNOWN"])
        )
        mark = "'EOF'" if quoted else "EOF"
        return f"{head} <<{mark}\n{text}\n  more\nEOF"


def _choices(s: Scripts, *said: str) -> str:
    return s.random.choice(said)


PLAIN: list[Callable[[Scripts], str]] = [
    lambda s: s.document(f"cat > {s.file()}"),
    lambda s: s.document(f"cat > {s.file()}"),
    lambda s: f"echo {s.text()} > {s.file()}",
    lambda s: f"echo '{s.text()}' >> {_choices(s, 'a.py', 'b.py') if s.plain else s.file()}",
    lambda s: f"printf '%s\\n' {s.text()} > {s.file()}",
    lambda s: s.document(f"tee {s.file()} > /dev/null"),
    lambda s: f"rm -f {s.file()}",
    lambda s: f"cp {s.file()} {_choices(s, 'copy.py', 'lib/copy.py')}",
    lambda s: f"cd {s.folder()}",
    lambda s: f"mkdir -p {_choices(s, 'src', 'lib', 'newdir')}",
    lambda s: _choices(
        s, "ls > /dev/null", "true", "cat a.py > /dev/null", "git status > /dev/null", "grep -c x a.py b.py", "V=a.py"
    ),
]

SIMPLE: list[Callable[[Scripts], str]] = [
    *PLAIN,
    lambda s: f"rm {s.file()}",
    lambda s: f"rm -r {_choices(s, 'src', 'lib', 'src/sub', s.file())}",
    lambda s: f"mv {s.file()} {s.file()}",
    lambda s: f"mv {_choices(s, 'src', 'lib', 'src/sub')} {_choices(s, 'moved', 'lib', 'src/x.d')}",
    lambda s: f"mv {s.file()} {s.file()} {_choices(s, 'lib', 'src/', 'nodir')}",
    lambda s: f"cp {_choices(s, '', '-r ', '-n ', '-p ')}{s.file()} {_choices(s, s.file(), 'lib', 'src/')}",
    lambda s: f"sed -i 's/1/2/' {s.file()}",
    lambda s: (
        f"git {_choices(s, '', '-C src ', '-C lib ')}{_choices(s, 'rm -qf', 'checkout -q --', 'mv', 'restore')} {s.file()} {_choices(s, '', s.file())}"
    ),
    lambda s: f"cd {s.folder()}",
    lambda s: f"cd {s.folder()} && {SIMPLE[0](s)}",
    lambda s: f"cd {s.folder()} || {_choices(s, 'exit 1', 'exit 0', 'true', 'cd lib')}",
    lambda s: _choices(s, f"pushd {s.folder()}", "popd", "pushd", f"pushd {s.folder()} && popd"),
    lambda s: _choices(
        s,
        "false",
        "true",
        "nosuchprogram",
        "cat nofile",
        "test -f a.py",
        "[ -d lib ]",
        "[[ -f a.py ]]",
        "((1))",
        "((0))",
    ),
    lambda s: (
        f"V={_choices(s, 'a.py', 'src/a.py', 'b.py', '$(echo c.py)', '$V', '')} D={_choices(s, 'src', 'lib', '.', '$PWD')}"
    ),
    lambda s: f"W={_choices(s, 'a', 'src/c', '$W', '*')}",
    lambda s: _choices(s, "exit", "exit 0", "exit 3", "return 0", "break", "continue", "return 1", "exit $?"),
    lambda s: _choices(
        s,
        "set -e",
        "set +e",
        "set -u",
        "set -o pipefail",
        "set -euo pipefail",
        "set -C",
        "set -f",
        "set -- a.py b.py",
        "shopt -s nullglob",
    ),
    lambda s: f"eval {shlex.quote(s.command(DEPTH_MAX))}",
    lambda s: f"eval {_choices(s, 'echo', 'rm')} $V",
    lambda s: f"exec {_choices(s, '> a.py', '>> b.py', '2> err.txt', '> /dev/null', '3> a.py')}",
    lambda s: f"exec {_choices(s, 'true', 'false', 'rm a.py', 'cat a.py')}",
    lambda s: f"echo {s.text()} >&3",
    lambda s: _choices(s, *(s.functions or ["true"])) + _choices(s, "", " a.py", " src/c.py x", " $V"),
    lambda s: f"trap {shlex.quote('echo trapped > ' + s.file())} EXIT",
    lambda s: f"read V <<< {_choices(s, 'a.py', 'src', '$D')}",
    lambda s: (
        f"find {_choices(s, '.', 'src', '')} -name '*.py' {_choices(s, '-delete', '-exec sed -i s/1/3/ {} +', '-print', '-exec rm {} ;')}".replace(
            " ;", " \\;"
        )
    ),
    lambda s: f"ls *.py | xargs {_choices(s, 'rm', 'cat', 'sed -i s/1/4/', 'touch')}",
    lambda s: f"echo {s.file()} | xargs -I{{}} cp {{}} {s.file()}",
    lambda s: f"ln {_choices(s, '-s', '-sf')} {s.file()} {s.file()}",
    lambda s: f"dd if=/dev/null of={s.file()}",
    lambda s: f"truncate -s 0 {s.file()}",
    lambda s: f"touch {s.file()}",
    lambda s: f"sort -o {s.file()} {s.file()}",
    lambda s: f"bash tool.sh{_choices(s, '', ' a.py')}",
    lambda s: f"{_choices(s, 'source', '.')} ./tool.sh",
    lambda s: f"tee -a {s.file()} {s.file()} <<< {s.text()}",
    lambda s: f"echo {s.text()} | tee {s.file()} | cat > {s.file()}",
    lambda s: f"echo {s.text()} > {s.file()} &\nwait",
    lambda s: f"echo {s.text()} > {s.file()} &",
    lambda s: (
        f"{_choices(s, 'command', 'env', 'nice', 'timeout 5', 'env A=1', 'nohup')} {_choices(s, 'rm ' + s.file(), 'cp ' + s.file() + ' ' + s.file(), 'cd src', 'tee ' + s.file())}"
    ),
    lambda s: f"printf '%s %d\\n' {s.text()} 1 > {s.file()}",
    lambda s: f"echo -e 'a\\tb' > {s.file()}",
    lambda s: f"echo {s.file()} > {s.file()}",
    lambda s: f"cat {s.file()} {_choices(s, '>', '>>')} {s.file()}",
    lambda s: (
        f"{_choices(s, 'V=b.py', 'IFS=/', 'D=lib', 'HOME=src')} {_choices(s, 'cd', 'eval', 'bash -c')} {shlex.quote('echo x > ' + s.file())}"
    ),
    lambda s: f"echo $(( {_choices(s, '1+1', '1/0', 'V=3')} )) > {s.file()}",
    lambda s: f"echo ${{{_choices(s, 'V:=b.py', 'NONE:?gone', 'V%.py', '#V')}}} > {s.file()}",
    lambda s: f": > {s.file()}",
    lambda s: f"> {s.file()}",
    lambda s: f"! {PLAIN[2](s)}",
    lambda s: _choices(
        s, "unset V", "export V=src/a.py", "declare D=lib", "readonly Q=1; Q=2", "alias rm=true", "shift", "cd src lib"
    ),
]


def _function(s: Scripts, depth: int) -> str:
    name = f"f{len(s.functions)}"
    said = f"{name}() {_choices(s, '{', '{ local V=c.py;')}\n{s.body(depth)}}}\n"
    s.functions.append(name)
    return said + _choices(s, name, f"{name} a.py", f"{name} || true", f"{name} && true", "true")


def _piped(s: Scripts, depth: int) -> str:
    if s.random.random() < 0.5:
        return f"{{\n{s.body(depth)}}} | {_choices(s, 'cat', 'true', 'cat > ' + s.file(), 'tee ' + s.file())}"
    return f"echo x | {{\n{s.body(depth)}}}"


def _both(s: Scripts, depth: int) -> str:
    first, second = s.command(depth), s.command(depth)
    sign = _choices(s, "&&", "||", "&&")
    if "<<" in first:
        return f"{{\n{first}\n}} {sign} {{\n{second}\n}}"
    return f"{first} {sign} {second}"


NESTED: list[Callable[[Scripts, int], str]] = [
    _both,
    _both,
    _function,
    _piped,
    lambda s, d: f"(\n{s.body(d)})",
    lambda s, d: f"(cd {s.folder()} && {s.command(DEPTH_MAX)}\n)",
    lambda s, d: f"{{\n{s.body(d)}}}{_choices(s, '', ' > ' + s.file(), ' 2>/dev/null', ' >> a.py', ' < /dev/null')}",
    lambda s, d: (
        f"bash {_choices(s, '-c', '-lc', '-ec', '-euo pipefail -c', '-c')} {shlex.quote(s.body(d))}{_choices(s, '', ' a.py b.py')}"
    ),
    lambda s, d: f"sh -c {shlex.quote(s.command(DEPTH_MAX))}",
    lambda s, d: f"eval {shlex.quote(s.body(d))}",
    lambda s, d: f"bash <<'OUTER{d}'\n{s.body(d)}OUTER{d}",
    lambda s, d: (
        f"if {_choices(s, 'true', 'false', 'test -f a.py', 'cd src', 'grep -q zz a.py')}; then\n{s.body(d)}{_choices(s, '', f'else{chr(10)}{s.body(d)}')}fi"
    ),
    lambda s, d: (
        f"for V in {_choices(s, 'a.py src/a.py', '*.py', 'n.py', '$W', '', 'a.py *.py b.py')}; do\n{s.body(d)}done"
    ),
    lambda s, d: f"i{d}=0; while [ $i{d} -lt 2 ]; do\ni{d}=$((i{d}+1))\n{s.body(d)}done",
    lambda s, d: (
        f"case {_choices(s, '$V', 'a.py', '$UNKNOWN')} in\na.py) {s.command(DEPTH_MAX)}\n;;\n*.txt|b*)\n{s.body(d)};;\n*)\n{s.body(d)};;\nesac"
    ),
    lambda s, d: f"X=$(\n{s.body(d)})",
    lambda s, d: f"cat <(\n{s.body(d)}) > /dev/null",
    lambda s, d: f"! {{\n{s.body(d)}}}",
    lambda s, d: f"ls | while read V; do\n{s.body(d)}done",
    lambda s, d: f"timeout 5 bash -c {shlex.quote(s.body(d))}",
]

PLAIN_NESTED: list[Callable[[Scripts, int], str]] = [
    lambda s, d: f"(cd {s.folder()} && {PLAIN[0](s)}\n)",
    lambda s, d: f"cd {s.folder()} && {PLAIN[0](s)}\ncd -",
    lambda s, d: f"bash -c {shlex.quote(s.body(DEPTH_MAX))}",
    lambda s, d: f"for V in a.py n.py; do echo {s.text()} > $V; done",
    lambda s, d: f"{{\n{s.body(DEPTH_MAX)}}} > /dev/null",
    lambda s, d: f"{PLAIN[2](s)} && {PLAIN[4](s)}",
]
