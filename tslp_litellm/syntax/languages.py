"""The languages TSLP knows: which file is written in which, and what a fence's info string may call it.

Owns the table. One row a language; its definitions are described by `queries/<name>.scm`, and a language
without such a file has no symbols: its files are tracked whole, with a parse check where there is a grammar.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Nature(StrEnum):
    """What kind of text a language is."""

    CODE = "code"
    DATA = "data"  # configuration and markup: tracked whole, never "source code" in a notice
    PROSE = "prose"
    SHELL = "shell"
    DIFF = "diff"
    OUTPUT = "output"


@dataclass(frozen=True, slots=True)
class Language:
    """One row of the table.

    `wrappers` are node types that belong to the definition they enclose (`export …`, decorators);
    `otherwise` names the language to try where this one's grammar finds errors (a `.h` may be C or C++);
    `components` says that its files are markup with scripts of another language inside, `open_types` that methods stand
    outside of their types.
    """

    name: str
    grammar: str | None
    extensions: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    fences: tuple[str, ...] = ()
    wrappers: frozenset[str] = frozenset()
    nature: Nature = Nature.CODE
    family: str = ""
    otherwise: str | None = None
    components: bool = False
    open_types: bool = False

    @property
    def kin(self) -> str:
        """Languages of one family may stand in each other's fences (`js` for `.ts`, `c` for `.hpp`)."""
        return self.family or self.name


_ECMA = frozenset(
    {"export_statement", "ambient_declaration", "lexical_declaration", "variable_declaration", "expression_statement"}
)
_C = frozenset({"template_declaration", "linkage_specification", "type_definition"})
_CPP = _C | {"field_declaration", "friend_declaration", "declaration"}


def _row(
    name: str, grammar: str | None, extensions: str, fences: str = "", filenames: str = "", **more: Any
) -> Language:
    """A row, lists of words each in one text; a fence may always call a language by its name."""
    words = tuple(extensions.split()), tuple(filenames.split()), (name, *fences.split())
    return Language(name, grammar, *words, **more)


LANGUAGES: tuple[Language, ...] = (
    _row("python", "python", ".py .pyi .pyw", fences="py python3 py3", wrappers=frozenset({"decorated_definition"})),
    _row(
        "javascript",
        "javascript",
        ".js .jsx .mjs .cjs",
        fences="js jsx node mjs cjs ecmascript",
        wrappers=_ECMA,
        family="ecma",
    ),
    _row("typescript", "typescript", ".ts .mts .cts", fences="ts mts cts", wrappers=_ECMA, family="ecma"),
    _row("tsx", "tsx", ".tsx", wrappers=_ECMA, family="ecma"),
    _row(
        "go",
        "go",
        ".go",
        fences="golang",
        wrappers=frozenset({"const_declaration", "type_declaration", "var_declaration"}),
        open_types=True,
    ),
    _row("rust", "rust", ".rs", fences="rs", open_types=True),
    _row("java", "java", ".java"),
    _row("c", "c", ".c .h", fences="h", wrappers=_C, family="c", otherwise="cpp"),
    _row(
        "ruby",
        "ruby",
        ".rb .rake .gemspec .ru",
        fences="rb",
        filenames="Rakefile Gemfile Guardfile Vagrantfile",
        wrappers=frozenset({"argument_list", "call"}),
    ),
    _row("cpp", "cpp", ".cc .cpp .cxx .hpp .hh .hxx .ipp", fences="c++ cc cxx hpp", wrappers=_CPP, family="c"),
    _row("csharp", "csharp", ".cs", fences="cs c#", wrappers=frozenset({"global_statement"})),
    _row("php", "php", ".php", wrappers=frozenset({"const_declaration", "expression_statement"})),
    _row("kotlin", "kotlin", ".kt .kts", fences="kt kts"),
    _row("swift", "swift", ".swift"),
    _row("scala", "scala", ".scala .sc"),
    _row("lua", "lua", ".lua", wrappers=frozenset({"variable_declaration"})),
    _row("dart", "dart", ".dart"),
    _row("elixir", "elixir", ".ex .exs", fences="ex exs"),
    _row("sql", "sql", ".sql", fences="postgres postgresql mysql sqlite plsql", wrappers=frozenset({"statement"})),
    _row("vue", "vue", ".vue", family="ecma", components=True),
    _row("svelte", "svelte", ".svelte", family="ecma", components=True),
    _row("perl", None, ".pl .pm", fences="pl"),
    _row("r", None, ".r .R"),
    _row("julia", None, ".jl", fences="jl"),
    _row("haskell", None, ".hs", fences="hs"),
    _row("clojure", None, ".clj .cljs .cljc .edn", fences="clj"),
    _row("erlang", None, ".erl .hrl", fences="erl"),
    _row("groovy", None, ".groovy .gradle", fences="gradle", filenames="Jenkinsfile"),
    _row("powershell", None, ".ps1 .psm1", fences="ps1 pwsh", nature=Nature.SHELL),
    _row("zig", None, ".zig"),
    _row("nim", None, ".nim"),
    _row("ocaml", None, ".ml .mli", fences="ml"),
    _row("fsharp", None, ".fs .fsx", fences="f# fs"),
    _row("objc", None, ".m .mm", fences="objective-c objectivec"),
    _row("fortran", None, ".f90 .f95 .f03 .f08", fences="f90"),
    _row("cobol", None, ".cob .cbl .cpy"),
    _row(
        "bash",
        "bash",
        ".sh .bash .zsh .ksh .bats",
        fences="sh shell zsh ksh fish console terminal shell-session shellsession cmd bat batch dos",
        nature=Nature.SHELL,
    ),
    _row(
        "json",
        "json",
        ".json .webmanifest .ipynb",
        fences="jsonc json5",
        filenames=".prettierrc .eslintrc",
        nature=Nature.DATA,
    ),
    _row("jsonlines", None, ".jsonl .ndjson .jsonc .json5", nature=Nature.DATA),
    _row("yaml", "yaml", ".yml .yaml", fences="yml", nature=Nature.DATA),
    _row("toml", "toml", ".toml", filenames="Pipfile Cargo.lock", nature=Nature.DATA),
    _row("html", "html", ".html .htm .xhtml", fences="htm", nature=Nature.DATA),
    _row("css", "css", ".css", nature=Nature.DATA),
    _row("scss", None, ".scss .sass .less .styl", fences="sass less", nature=Nature.DATA),
    _row("xml", None, ".xml .svg .xsd .xsl .plist .csproj .fxml", fences="svg", nature=Nature.DATA),
    _row(
        "dockerfile",
        "dockerfile",
        ".dockerfile",
        fences="docker",
        filenames="Dockerfile Containerfile",
        nature=Nature.DATA,
    ),
    _row("makefile", "make", ".mk", fences="make", filenames="Makefile GNUmakefile makefile", nature=Nature.DATA),
    _row("hcl", "hcl", ".tf .hcl .tfvars", fences="terraform tf", nature=Nature.DATA),
    _row("proto", "proto", ".proto", fences="protobuf proto3", nature=Nature.DATA),
    _row("graphql", None, ".graphql .gql", fences="gql", nature=Nature.DATA),
    _row(
        "ini",
        None,
        ".ini .cfg .conf .properties .env .editorconfig",
        fences="cfg conf properties env",
        filenames=".gitignore .dockerignore .npmrc .env .editorconfig .gitattributes",
        nature=Nature.DATA,
    ),
    _row("csv", None, ".csv .tsv", fences="tsv", nature=Nature.DATA),
    _row("cmake", None, ".cmake", filenames="CMakeLists.txt", nature=Nature.DATA),
    _row("gomod", None, ".mod .sum", filenames="go.mod go.sum go.work", nature=Nature.DATA),
    _row("markdown", None, ".md .markdown .mdx", fences="md mdx", nature=Nature.PROSE),
    _row(
        "text",
        None,
        ".txt .rst .adoc .org .tex",
        fences="txt plaintext plain rst tex latex",
        filenames="LICENSE README COPYING NOTICE AUTHORS CHANGELOG requirements.txt",
        nature=Nature.PROSE,
    ),
    _row("diff", None, ".diff .patch", fences="patch udiff", nature=Nature.DIFF),
    _row("output", None, ".log", fences="log logs stdout stderr traceback", nature=Nature.OUTPUT),
)

_BY_NAME = {language.name: language for language in LANGUAGES}
_BY_EXTENSION = {extension: language for language in reversed(LANGUAGES) for extension in language.extensions}
_BY_FILENAME = {name: language for language in LANGUAGES for name in language.filenames}
_BY_FENCE = {fence: language for language in reversed(LANGUAGES) for fence in language.fences}


def language_named(name: str) -> Language:
    """The row of that name; KeyError where there is none."""
    return _BY_NAME[name]


def language_of_path(path: str) -> Language | None:
    """The language a file is written in, by its name alone."""
    name = posixpath.basename(path)
    if name in _BY_FILENAME:
        return _BY_FILENAME[name]
    stem, extension = posixpath.splitext(name)
    if stem in ("Dockerfile", "Containerfile", "Makefile"):  # Dockerfile.dev
        return _BY_FILENAME[stem]
    return _BY_EXTENSION.get(extension) or _BY_EXTENSION.get(extension.lower())


def language_of_fence(info: str) -> Language | None:
    """The language that the first word of a fence's info string names."""
    return _BY_FENCE.get(info.strip().strip("{}.").lower())
