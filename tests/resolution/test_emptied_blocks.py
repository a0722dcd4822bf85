"""Blocks, closures and declarations in place of code, in every language; and edits that only look like them."""

from __future__ import annotations

import pytest

from .test_stubs_by_language import is_taken

# A file with a block of which `§` lines are the body, and what may stand in its place, `¦` apart; `!` in front: an edit.
# fmt: off
BLOCKS = {
    "a.js": ("import a from 'a';\n\nexport function one(xs) {\n  for (const x of xs) {\n§    put(x);\n§    xs.add(x + 1);\n  }\n  return a(xs);\n}\n",
             "    break;¦    continue;¦    return undefined;¦    return null;¦    return false;¦    let _ = xs;¦    void xs;¦!    xs.add(x);¦!    if (!x) return null;\n    put(x);\n    xs.add(x + 1);"),
    "a.ts": ("import a from 'a';\n\nexport function one(xs: T[]): R {\n  xs.forEach((x) => {\n§    put(x);\n§    xs.push(x + 1);\n  });\n  return a(xs);\n}\n",
             "    return;¦    return undefined as any;¦    return false;¦    void x;¦!    a(x);"),
    "a.py": ("import re\n\n\ndef one(xs):\n    for x in xs:\n§        put(x)\n§        xs.add(x + 1)\n    return re.sub('a', xs)\n",
             "        break¦        continue¦        return False¦        return None¦        _ = x¦        _ = x, xs¦        del x¦        raise NotImplementedError¦!        put(xs)¦!        if not x:\n            return None\n        put(x)\n        xs.add(x + 1)"),
    "a.go": ("package a\n\nfunc F(xs []int) int {\n\tfor _, x := range xs {\n§\t\tput(x)\n§\t\txs = add(xs, x)\n\t}\n\treturn len(xs)\n}\n",
             "\t\tbreak¦\t\tcontinue¦\t\treturn 0¦\t\t_ = x¦!\t\tput(x + 1)"),
    "a.rs": ("use a::b;\n\npub fn f(xs: V) -> u32 {\n    for x in xs {\n§        put(x);\n§        b(x, &xs);\n    }\n    b(0, &xs)\n}\n",
             "        break;¦        continue;¦        let _ = x;¦        return 0;¦!        b(x, &xs);"),
    "A.java": ("package a;\n\nclass A {\n    int one(int x) {\n        switch (x) {\n            case 1:\n§                put(x);\n§                x += get(x);\n                break;\n            default:\n                x = 2;\n        }\n        return two(x);\n    }\n}\n",
               "¦                return 0;¦                throw new UnsupportedOperationException();¦!                put(x + 1);"),
    "a.c": ("#include <b.h>\n\nint one(int x) {\n    if (x > 1) {\n§        put(x);\n§        x += get(x);\n    }\n    return two(x);\n}\n",
            "¦        return 0;¦        (void)x;¦        (void) x; return 0;¦!        x += get(x + 1);"),
    "a.rb": ("require 'set'\n\ndef one(xs)\n  xs.each do |x|\n§    put x\n§    xs << x + 1\n  end\n  two(xs)\nend\n",
             "    next¦    break¦    nil¦!    put xs"),
    "a.kt": ("package a\n\nfun one(xs: L): Int {\n    xs.forEach { x ->\n§        put(x)\n§        xs.add(x + 1)\n    }\n    return two(xs)\n}\n",
             "        return@forEach¦        Unit¦!        put(x + 1)"),
    "a.pl": ("package A;\nuse strict;\n\nsub one {\n    for my $x (@_) {\n§        put($x);\n§        add($x, 1);\n    }\n    return two(@_);\n}\n\n1;\n",
             "        next;¦        last;¦!        put($x, 1);"),
    "q.sql": ("create table a (b int);\n\nCREATE FUNCTION one(x int) RETURNS int AS $$\nBEGIN\n§  INSERT INTO a VALUES (x);\n§  UPDATE a SET b = b + x;\nEND;\n$$ LANGUAGE plpgsql;\n",
              "¦  NULL;¦  RETURN NULL;¦  RETURN 0;¦!  INSERT INTO a VALUES (x + 1);"),
}
LINES = {  # a file, what of it stands for one line, and the line; `!` in front: an edit
    "a.js": ("import a from 'a';\n\nconst app = a();\n§app.get('/x', async (req, res) => {\n§  const y = req.id + 1;\n§  res.send(y);\n§});\napp.listen(80);\n",
             "app.get('/x', () => null);¦app.get('/x', (req, res) => undefined);¦app.get('/x', () => {});¦app.get('/x', function (req) {});¦app.get('/x', (req, res) => { return null; });¦!app.get('/x', (req, res) => send(req, res));¦!app.get('/x', send);"),
    "a.ts": ("import a from 'a';\n\nexport function one(x: number): number {\n§  if (x > 1) {\n§    put(x);\n§    x += a(x);\n§  }\n  return two(x);\n}\n",
             "  if (x > 1) { return 0; }¦  if (x > 1) {}¦!  if (x > 1) { x += a(x); }¦!  x += a(x);"),
    "a.rs": ("use a::b;\n\npub fn f(xs: V) -> V {\n    xs.iter()\n§        .map(|x| {\n§            put(x);\n§            b(x, 1)\n§        })\n        .collect()\n}\n",
             "        .map(|x| None)¦        .map(|_| {})¦!        .map(|x| b(x, 1))"),
    "a.rb": ("require 'set'\n\ndef one(xs)\n§  xs.each do |x|\n§    put x\n§    xs << x + 1\n§  end\n  two(xs)\nend\n",
             "  xs.each { |x| nil }¦  xs.each {}¦!  xs.each { |x| put x }"),
    "a.py": ("import re\n\n\ndef one(xs):\n§    if xs:\n§        put(xs)\n§        xs.add(1)\n    return re.sub('a', xs)\n",
             "    if xs: return None¦    if xs: pass¦!    if xs: put(xs)"),
    "a.swift": ("import A\n\nfunc one(_ xs: L) -> Int {\n§    xs.forEach { x in\n§        put(x)\n§        add(x, 1)\n§    }\n    return two(xs)\n}\n",
                "    xs.forEach { x in }¦    xs.forEach { _ in return }¦!    xs.forEach { x in put(x) }"),
    "a.lua": ("local a = require('a')\n\nlocal function one(x)\n§  a.on('x', function(y)\n§    put(y)\n§    x.add(y)\n§  end)\n  return x\nend\n\nreturn one\n",
              "  a.on('x', function() end)¦!  a.on('x', function(y) put(y) end)"),
    "q.sql": ("create table a (b int);\n\nCREATE FUNCTION one(x int) RETURNS int AS $$\n§BEGIN\n§  INSERT INTO a VALUES (x);\n§  UPDATE a SET b = b + x;\n§END;\n$$ LANGUAGE plpgsql;\n",
              "BEGIN END;¦BEGIN NULL; END;¦BEGIN RETURN NULL; END;"),
    "b.js": ("import a from 'a';\n\nexport function one(o) {\n§  useEffect(() => {\n§    a.sub(o);\n§    return () => a.unsub(o);\n§  }, [o]);\n  return a(o);\n}\n",
             "  useEffect(() => {}, [o]);¦  useEffect(() => undefined, [o]);¦!  useEffect(() => a.sub(o), [o]);"),
    "a.kt": ("package a\n\nfun one(x: Int): Int {\n    when (x) {\n§        1 -> {\n§            put(x)\n§            get(x)\n§        }\n        else -> put(2)\n    }\n    return two(x)\n}\n",
             "        1 -> Unit¦        1 -> null¦        1 -> {}¦        1 -> return 0¦!        1 -> get(x)"),
    "b.rb": ("require 'set'\n\ndef one(x)\n  case x\n§  when 1\n§    put x\n§    get x, 1\n  end\n  two(x)\nend\n",
             "  when 1 then nil¦  when 1\n    # wie gehabt¦!  when 1 then put(x)"),
    "a.ex": ("defmodule A do\n  import B\n\n  def one(x) do\n    case x do\n§      1 ->\n§        put(x)\n§        get(x)\n      _ -> x\n    end\n  end\nend\n",
             "      1 -> nil¦      1 -> :ok¦      1 -> {:error, :todo}¦!      1 -> put(x)"),
    "a.go": ("package a\n\nfunc F(n int) int {\n§\tgo func() {\n§\t\trun(n)\n§\t\tend(n)\n§\t}()\n\tswitch n {\n\tcase 1:\n\t\tput(n)\n\t}\n\treturn n\n}\n",
             "\tgo func() {}()¦\tgo func() { _ = n }()¦!\tgo func() { run(n) }()"),
    "a.sh": ("#!/bin/bash\nset -e\n\none() {\n  put \"$y\"\n}\n\n§for f in *; do\n§  put \"$f\"\n§  cp \"$f\" x\n§done\none a\n",
             "for f in *; do :; done¦for f in *; do\n  :\ndone¦for f in *; do\n  continue\ndone¦!for f in *; do put \"$f\"; done"),
    "A.cs": ("namespace A;\n\nclass A\n{\n    int One(int x)\n    {\n§        if (x > 1)\n§        {\n§            Put(x);\n§            Get(x, 1);\n§        }\n        return Two(x);\n    }\n\n    int Two(int z) => One(z);\n}\n",
             "        if (x > 1) { return 0; }¦        if (x > 1) { }¦        if (x > 1) return 0;¦        if (x > 1)\n        {\n        }¦!        if (x > 1) { Put(x); }"),
}
DECLARED = {  # a file, what of it stands for a declaration, and declarations
    "a.c": ("#include <b.h>\n\n§int add(int a, int b) {\n§    return a + b;\n§}\n\nint two(int z) {\n    return add(z, z + 1);\n}\n",
            "int add(int a, int b);¦extern int add(int a, int b);"),
    "a.hpp": ("#include <b>\n\nclass A {\npublic:\n§    int add(int a, int b) {\n§        int c = get(a);\n§        return c + b;\n§    }\n    int two(int z) { return add(z, z + 1); }\n};\n",
              "    int add(int a, int b);¦    int add(int a, int b) const;¦    virtual int add(int a, int b) = 0;¦    int add(int a, int b, int c);"),
    "c.hpp": ("#include <b>\n\nclass A {\npublic:\n§    A(int n) : n_(n) {\n§        alloc(n);\n§    }\n    int two(int z) { return add(z, z + 1); }\n    int n_;\n};\n",
              "    A(int n);¦    explicit A(int n);¦!    A(int n) : n_(n) { alloc(n + 1); }"),
    "d.hpp": ("#include <b>\n\nclass A {\n§  int add(int a)\n§  {\n§    return get(a);\n§  }\n\n  int two(int z)\n  {\n    return add(z);\n  }\n};\n",
              "  int add(int a);¦  virtual int add(int a) const = 0;"),
    "b.hpp": ("#include <b>\n\nclass A {\npublic:\n§    int add(int a, int b) { return get(a) + b; }\n    int two(int z) { return add(z, z + 1); }\n};\n",
              "    int add(int a, int b);"),
    "a.m": ("#import <A.h>\n\n@implementation A\n\n§- (int)one:(int)x {\n§    int y = x + 1;\n§    return put(y);\n§}\n\n- (int)two:(int)z {\n    return one(z) + one(z + 1);\n}\n\n@end\n",
            "- (int)one:(int)x;"),
    "a.ts": ("import a from 'a';\n\n§export function one(x: number): T {\n§  const y = x + 1;\n§  return a(y);\n§}\n\nexport function two(z: number) {\n  return one(z + 1);\n}\n",
             "export declare function one(x: number): T;¦export function one(x: number): T;¦export declare function one(x: number): { b: number };¦declare function one(x: number): T;"),
    "b.ts": ("import a from 'a';\n\nexport class A {\n§  one(x: number): number {\n§    return a(x, 1);\n§  }\n  two(z: number) {\n    return this.one(z + 1);\n  }\n}\n",
             "  one(x: number): number;¦  abstract one(x: number): number;"),
    "A.java": ("package a;\n\nabstract class A {\n§    int one(int x) {\n§        return put(x + 1);\n§    }\n\n    int two(int z) {\n        return one(z) + one(z + 1);\n    }\n}\n",
               "    abstract int one(int x);¦    int one(int x);¦    native int one(int x);"),
    "A.cs": ("namespace A;\n\nabstract class A\n{\n§    int One(int x)\n§    {\n§        return Put(x + 1);\n§    }\n\n    int Two(int z) => One(z) + One(z + 1);\n}\n",
             "    protected abstract int One(int x);¦    partial int One(int x);¦    extern int One(int x);"),
    "a.kt": ("package a\n\nabstract class A {\n§    fun one(x: Int): Int {\n§        return put(x + 1)\n§    }\n\n    fun two(z: Int) = one(z) + one(z + 1)\n}\n",
             "    abstract fun one(x: Int): Int¦    fun one(x: Int): Int¦    external fun one(x: Int): Int"),
    "a.rs": ("use a::b;\n\npub trait A {\n§    fn one(&self, x: u32) -> u32 {\n§        b(x, 1)\n§    }\n\n    fn two(&self, z: u32) -> u32 {\n        self.one(z) + self.one(z + 1)\n    }\n}\n",
             "    fn one(&self, x: u32) -> u32;"),
    "a.php": ("<?php\n\nnamespace A;\n\nabstract class B {\n§    public function one($x) {\n§        return put($x + 1);\n§    }\n\n    public function two($z) {\n        return $this->one($z) + 1;\n    }\n}\n",
              "    abstract public function one($x);¦    public function one($x);"),
    "a.swift": ("import A\n\nextension A {\n§    func one(_ x: Int) -> Int {\n§        return put(x + 1)\n§    }\n\n    func two(_ z: Int) -> Int {\n        return one(z) + one(z + 1)\n    }\n}\n",
                "    func one(_ x: Int) -> Int"),
    "A.scala": ("package a\n\ntrait A {\n§  def one(x: Int): Int = {\n§    put(x + 1)\n§  }\n\n  def two(z: Int): Int = one(z) + one(z + 1)\n}\n",
                "  def one(x: Int): Int"),
    "a.dart": ("import 'a.dart';\n\nabstract class A {\n§  int one(int x) {\n§    return put(x + 1);\n§  }\n\n  int two(int z) {\n    return one(z) + one(z + 1);\n  }\n}\n",
               "  int one(int x);¦  external int one(int x);"),
    "a.hs": ("module A where\n\nimport Data.List\n\none :: Int -> Int\n§one x =\n§  let y = x + f x\n§  in y\n\ntwo :: Int -> Int\ntwo z = one z + one (z + 1)\n",
             ""),
}
LAWFUL = [
    ("a.h", "int add(int a, int b);\nint two(int z);\n", "int add(int a, int b, int c);\nint two(int z);\nint three(void);\n"),
    ("a.ts", "import a from 'a';\n\nexport function one(x: any): any {\n  return a(x);\n}\n",
     "import a from 'a';\n\nexport function one(x: string): string;\nexport function one(x: number): number;\nexport function one(x: any): any {\n  return a(x);\n}\n"),
    ("a.c", "#include <b.h>\n\nint one(int x) {\n    int y = get(x);\n    return y + 1;\n}\n\nint two(int z) {\n    return one(z);\n}\n",
     "#include <b.h>\n\nint one(int x);\n\nint two(int z) {\n    return one(z);\n}\n\nint one(int x) {\n    int y = get(x);\n    return y + 1;\n}\n"),
    ("a.hpp", "#include <b>\n\nclass A {\npublic:\n    int one(int x) {\n        int y = get(x);\n        return y + 1;\n    }\n    int two;\n};\n",
     "#include <b>\n\nclass A {\npublic:\n    int one(int x);\n    int two;\n};\n\nint A::one(int x) {\n    int y = get(x);\n    return y + 1;\n}\n"),
    ("A.java", "package a;\n\ninterface A {\n    int one(int x);\n}\n", "package a;\n\ninterface A {\n    int one(int x, int y);\n    int two();\n}\n"),
    ("a.js", "import a from 'a';\n\nexport function one(x) {\n  const y = x + 1;\n  put(y);\n  return y * 2;\n}\n",
     "import a from 'a';\n\nexport function one(x) {\n  return twice(x + 1);\n}\n"),
    ("a.py", "import re\n\n\ndef one(xs):\n    put(xs)\n    return re.sub('a', xs)\n",
     "import re\n\n\ndef one(xs):\n    if not xs:\n        return None\n    put(xs)\n    return re.sub('a', xs)\n"),
    ("a.go", "package a\n\nfunc F(x int) int {\n\tfor {\n\t\tput(x)\n\t\tx = get(x)\n\t}\n}\n",
     "package a\n\nfunc F(x int) int {\n\tfor {\n\t\tif x == 0 {\n\t\t\tbreak\n\t\t}\n\t\tput(x)\n\t\tx = get(x)\n\t}\n}\n"),
    ("a.c", "#include <b.h>\n\nint one(int x) {\n    switch (x) {\n        case 1:\n            put(x);\n            get(x);\n            return 0;\n        case 2:\n            put(x);\n            x = put(2);\n    }\n    return two(x);\n}\n",
     "#include <b.h>\n\nint one(int x) {\n    switch (x) {\n        case 1:\n        case 2:\n            put(x);\n            x = put(2);\n    }\n    return two(x);\n}\n"),
    ("a.js", "const app = a();\ndescribe('a', function () {\n  put(app);\n  it('b', function (done) {\n    get(app);\n    end(done);\n  });\n});\n",
     "const app = a();\ndescribe('a', function (){\n  it('b', function (done){\n    one(app, done);\n  });\n});\n"),
    ("a.js", "const a = {\n  b: (x) => put(x),\n};\n\nexport function one(x) {\n  return a.b(x);\n}\n",
     "const a = {\n  b: (x) => null,\n};\n\nexport function one(x) {\n  return a.b(x);\n}\n"),
]
IDLE = {  # what does nothing in place of statements, in a block or behind what survives
    "a.py": ("import re\n\n\ndef one(xs, w):\n    xs.begin(w)\n§    xs.line(w)\n§    xs.line(w + 1)\n    xs.close()\n    return re.sub('a', xs)\n",
             "    Ellipsis¦    ys = ...¦    ys = Ellipsis¦    (lambda: ...)()¦    assert True¦    if False:\n        pass¦    if True:\n        pass¦    for _ in ():\n        pass¦    if w:\n        pass¦    while False:\n        xs.lines()¦    if False: pass¦    \"(unchanged)\"¦!    if w:\n        xs.line(w)¦!    for x in w:\n        xs.line(x)¦!    ys = xs.lines(w)"),
    "b.py": ("import re\n\n\ndef one(xs, w):\n    xs.begin(w)\n§    xs.close()\n§    xs.fill(w)\n    return re.sub('a', xs)\n",
             "    xs.close()  # then fill as before¦    xs.close()  # und so weiter¦    xs.close(w)  # xs.fill(...)¦!    xs.close()¦!    xs.close(w)  # fills, too¦!    xs.close()  # fills below\n    xs.fill(w + 1)"),
    "c.py": ("import re\n\nPAGE = \"\"\"\n<body>\n§<h1>{title}</h1>\n§<p>{text}</p>\n</body>\n\"\"\"\n\n\ndef one(xs):\n    return re.sub('a', xs)\n",
             "<!-- same as before -->¦[rest unchanged]¦!<h1>{title}!</h1>¦!<!-- the title -->\n<h1>{title}</h1>"),
    "a.js": ("import a from 'a';\n\nexport function one(x) {\n  const y = x + 1;\n§  log(y);\n§  save(y);\n  return a(y);\n}\n",
             "  ;¦  if (false) {}¦  if (0) {\n    more();\n  }¦!  save(y + 1);¦!  if (y) {\n    save(y);\n  }"),
    "b.js": ("import a from 'a';\n\nexport function one(x) {\n  const y = x + 1;\n§  log(y);\n§  save(y);\n§  return a(y);\n}\n",
             "  return a(y); // log and save first, as now¦!  return a(y);"),
    "a.c": ("#include <b.h>\n\nint one(int x) {\n    int s = 0;\n§    for (int i = 0; i < 8; i++)\n§        s += x * get(i);\n    put(s);\n    return s;\n}\n",
            "#if 0\n    loop\n#endif¦#pragma region unchanged\n#pragma endregion¦    ;¦!    s = get(x);¦!#pragma region sum\n    s += get(x);\n#pragma endregion"),
    "A.cs": ("using B;\n\nclass A\n{\n    int n;\n\n    int Dec()\n    {\n§        n--;\n§        Console.WriteLine(n);\n        return n;\n    }\n}\n",
             "        #region unchanged\n        #endregion¦!        #region down\n        n--;\n        #endregion¦!        n -= 2;"),
}
# fmt: on


def of(marked: str, put: str) -> tuple[str, str]:
    """A file whose lines with `§` in front are a part, and the same with another part."""
    lines = marked.split("\n")
    at = [n for n, line in enumerate(lines) if line.startswith("§")]
    base = "\n".join(line.removeprefix("§") for line in lines)
    return base, "\n".join([*lines[: at[0]], *([put] if put else []), *lines[at[-1] + 1 :]])


CASES = [
    (path, marked, put)
    for table in (BLOCKS, LINES, DECLARED, IDLE)
    for path, (marked, puts) in table.items()
    for put in puts.split("¦")
]


@pytest.mark.parametrize(("path", "marked", "put"), CASES)
def test_what_is_left_of_a_block(path: str, marked: str, put: str) -> None:
    base, text = of(marked, put.removeprefix("!"))
    assert is_taken(path, base, text) == put.startswith("!")


@pytest.mark.parametrize(("path", "base", "text"), LAWFUL)
def test_declarations_and_ends_that_take_nothing_away(path: str, base: str, text: str) -> None:
    assert is_taken(path, base, text)
