"""The languages TSLP knows: which file is written in which, and what a fence's info string may call it.

Owns the table. One row a language; its definitions are described by `queries/<name>.scm`, and a language
without such a file has no symbols: its files are tracked whole, with a parse check where there is a grammar.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from enum import StrEnum


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
    `components` says that its files are markup with scripts of another language inside.
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

    @property
    def kin(self) -> str:
        """Languages of one family may stand in each other's fences (`js` for `.ts`, `c` for `.hpp`)."""
        return self.family or self.name


_ECMA = frozenset(
    {"export_statement", "ambient_declaration", "lexical_declaration", "variable_declaration", "expression_statement"}
)
_C = frozenset({"template_declaration", "linkage_specification", "type_definition"})
_CPP = _C | {"field_declaration", "friend_declaration", "declaration"}


def _code(
    name: str,
    grammar: str,
    extensions: str,
    *,
    fences: str = "",
    wrappers: frozenset[str] = frozenset(),
    family: str = "",
    filenames: str = "",
    otherwise: str | None = None,
) -> Language:
    return Language(
        name,
        grammar,
        tuple(extensions.split()),
        tuple(filenames.split()),
        (name, *fences.split()),
        wrappers,
        Nature.CODE,
        family,
        otherwise,
    )


def _other(
    nature: Nature,
    name: str,
    grammar: str | None,
    extensions: str,
    *,
    fences: str = "",
    filenames: str = "",
    family: str = "",
) -> Language:
    return Language(
        name,
        grammar,
        tuple(extensions.split()),
        tuple(filenames.split()),
        (name, *fences.split()),
        nature=nature,
        family=family,
    )


LANGUAGES: tuple[Language, ...] = (
    _code(
        "python",
        "python",
        ".py .pyi .pyw",
        fences="py python3 py3",
        wrappers=frozenset({"decorated_definition"}),
    ),
    _code(
        "javascript",
        "javascript",
        ".js .jsx .mjs .cjs",
        fences="js jsx node mjs cjs ecmascript",
        wrappers=_ECMA,
        family="ecma",
    ),
    _code("typescript", "typescript", ".ts .mts .cts", fences="ts mts cts", wrappers=_ECMA, family="ecma"),
    _code("tsx", "tsx", ".tsx", wrappers=_ECMA, family="ecma"),
    _code(
        "go",
        "go",
        ".go",
        fences="golang",
        wrappers=frozenset({"type_declaration", "const_declaration", "var_declaration"}),
    ),
    _code("rust", "rust", ".rs", fences="rs"),
    _code("java", "java", ".java"),
    _code("c", "c", ".c .h", fences="h", wrappers=_C, family="c", otherwise="cpp"),
    _code(
        "ruby",
        "ruby",
        ".rb .rake .gemspec .ru",
        fences="rb",
        filenames="Rakefile Gemfile Guardfile Vagrantfile",
        wrappers=frozenset({"argument_list", "call"}),
    ),
    _code("cpp", "cpp", ".cc .cpp .cxx .hpp .hh .hxx .ipp", fences="c++ cc cxx hpp", wrappers=_CPP, family="c"),
    _code("csharp", "csharp", ".cs", fences="cs c#", wrappers=frozenset({"global_statement"})),
    _code("php", "php", ".php", wrappers=frozenset({"expression_statement", "const_declaration"})),
    _code("kotlin", "kotlin", ".kt .kts", fences="kt kts"),
    _code("swift", "swift", ".swift"),
    _code("scala", "scala", ".scala .sc"),
    _code("lua", "lua", ".lua", wrappers=frozenset({"variable_declaration"})),
    _code("dart", "dart", ".dart"),
    _code("elixir", "elixir", ".ex .exs", fences="ex exs"),
    _code(
        "sql",
        "sql",
        ".sql",
        fences="postgres postgresql mysql sqlite plsql",
        wrappers=frozenset({"statement"}),
    ),
    Language("vue", "vue", (".vue",), (), ("vue",), family="ecma", components=True),
    Language("svelte", "svelte", (".svelte",), (), ("svelte",), family="ecma", components=True),
    Language("perl", None, (".pl", ".pm"), (), ("perl", "pl")),
    Language("r", None, (".r", ".R"), (), ("r",)),
    Language("julia", None, (".jl",), (), ("julia", "jl")),
    Language("haskell", None, (".hs",), (), ("haskell", "hs")),
    Language("clojure", None, (".clj", ".cljs", ".cljc", ".edn"), (), ("clojure", "clj")),
    Language("erlang", None, (".erl", ".hrl"), (), ("erlang", "erl")),
    Language("groovy", None, (".groovy", ".gradle"), ("Jenkinsfile",), ("groovy", "gradle")),
    Language("powershell", None, (".ps1", ".psm1"), (), ("powershell", "ps1", "pwsh"), nature=Nature.SHELL),
    Language("zig", None, (".zig",), (), ("zig",)),
    Language("nim", None, (".nim",), (), ("nim",)),
    Language("ocaml", None, (".ml", ".mli"), (), ("ocaml", "ml")),
    Language("fsharp", None, (".fs", ".fsx"), (), ("fsharp", "f#", "fs")),
    Language("objc", None, (".m", ".mm"), (), ("objc", "objective-c", "objectivec")),
    Language("fortran", None, (".f90", ".f95", ".f03", ".f08"), (), ("fortran", "f90")),
    Language("cobol", None, (".cob", ".cbl", ".cpy"), (), ("cobol",)),
    Language(
        "bash",
        "bash",
        (".sh", ".bash", ".zsh", ".ksh", ".bats"),
        (),
        (
            "bash",
            "sh",
            "shell",
            "zsh",
            "ksh",
            "fish",
            "console",
            "terminal",
            "shell-session",
            "shellsession",
            "cmd",
            "bat",
            "batch",
            "dos",
        ),
        nature=Nature.SHELL,
    ),
    _other(
        Nature.DATA,
        "json",
        "json",
        ".json .webmanifest .ipynb",
        fences="jsonc json5",
        filenames=".prettierrc .eslintrc",
    ),
    _other(Nature.DATA, "jsonlines", None, ".jsonl .ndjson .jsonc .json5"),
    _other(Nature.DATA, "yaml", "yaml", ".yml .yaml", fences="yml"),
    _other(Nature.DATA, "toml", "toml", ".toml", filenames="Pipfile Cargo.lock"),
    _other(Nature.DATA, "html", "html", ".html .htm .xhtml", fences="htm"),
    _other(Nature.DATA, "css", "css", ".css"),
    _other(Nature.DATA, "scss", None, ".scss .sass .less .styl", fences="sass less"),
    _other(Nature.DATA, "xml", None, ".xml .svg .xsd .xsl .plist .csproj .fxml", fences="svg"),
    _other(
        Nature.DATA, "dockerfile", "dockerfile", ".dockerfile", fences="docker", filenames="Dockerfile Containerfile"
    ),
    _other(Nature.DATA, "makefile", "make", ".mk", fences="make", filenames="Makefile GNUmakefile makefile"),
    _other(Nature.DATA, "hcl", "hcl", ".tf .hcl .tfvars", fences="terraform tf"),
    _other(Nature.DATA, "proto", "proto", ".proto", fences="protobuf proto3"),
    _other(Nature.DATA, "graphql", None, ".graphql .gql", fences="gql"),
    _other(
        Nature.DATA,
        "ini",
        None,
        ".ini .cfg .conf .properties .env .editorconfig",
        fences="cfg conf properties env",
        filenames=".gitignore .dockerignore .npmrc .env .editorconfig .gitattributes",
    ),
    _other(Nature.DATA, "csv", None, ".csv .tsv", fences="tsv"),
    _other(Nature.DATA, "cmake", None, ".cmake", filenames="CMakeLists.txt"),
    _other(Nature.DATA, "gomod", None, ".mod .sum", filenames="go.mod go.sum go.work"),
    _other(Nature.PROSE, "markdown", None, ".md .markdown .mdx", fences="md mdx"),
    _other(
        Nature.PROSE,
        "text",
        None,
        ".txt .rst .adoc .org .tex",
        fences="txt plaintext plain rst tex latex",
        filenames="LICENSE README COPYING NOTICE AUTHORS CHANGELOG requirements.txt",
    ),
    _other(Nature.DIFF, "diff", None, ".diff .patch", fences="patch udiff"),
    _other(Nature.OUTPUT, "output", None, ".log", fences="log logs stdout stderr traceback"),
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
