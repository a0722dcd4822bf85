"""Where names lead among known files, and nowhere by name alone."""

from __future__ import annotations

import pytest

from tests.uses.reading import known, uses
from tslp_litellm.state.names import Entity
from tslp_litellm.uses.following import Route
from tslp_litellm.uses.unknown import never_shown

MONEY = "def to_cents(amount):\n    return int(amount * 100)\n"
PUT = "\n\ndef put(price):\n    return to_cents(price)\n"


def told(path: str, files: dict[str, str]) -> list[tuple[str, str, str]]:
    return [(str(use.user), str(use.used), str(use.route)) for use in uses(path, known(files)) if use.user.symbol]


def routes(user: str, used: str, route: Route) -> list[tuple[str, str, str]]:
    return [(user, used, str(route))]


@pytest.mark.parametrize(
    ("importing", "path"),
    [
        ("from .money import to_cents", "src/money.py"),
        ("from money import to_cents", "src/money.py"),
        ("from src.money import to_cents", "src/money.py"),
        ("from ..money import to_cents", "money.py"),
        ("from shop.money import to_cents", "shop/money.py"),
        ("from shop.money import to_cents", "src/shop/money.py"),
        ("from .money import to_cents", "src/money/__init__.py"),
    ],
)
def test_an_import_leads_to_the_known_file_of_its_module(importing: str, path: str) -> None:
    files = {"src/cart.py": importing + PUT, path: MONEY}
    assert told("src/cart.py", files) == routes("src/cart.py::put", f"{path}::to_cents", Route.IMPORT)


@pytest.mark.parametrize(
    "files",
    [
        {"src/cart.py": PUT, "src/money.py": MONEY},  # by name alone
        {"src/cart.py": "from .money import *" + PUT, "src/money.py": MONEY},
        {"src/cart.py": "from .money import to_cents" + PUT},  # never shown
        {"src/cart.py": "from shop.money import to_cents" + PUT, "shop/money.py": MONEY, "src/shop/money.py": MONEY},
        {"src/cart.py": "from types import to_cents" + PUT, "src/types.py": MONEY},  # the standard library's
        {"src/cart.py": "from .money import to_cents" + PUT, "src/money.py": MONEY + MONEY},
        {"src/cart.py": "from .money import to_cents" + PUT, "src/money.py": MONEY, "src/money/__init__.py": MONEY},
        {"src/cart.py": "from money import to_cents" + PUT, "src/money.py": MONEY, "src/__init__.py": ""},
        {"src/a.py": MONEY, "src/cart.py": "import a" + "\n\ndef put(a):\n    return a.to_cents(1)\n"},
        {"src/cart.py": "from .cart import to_cents" + PUT},
        {"src/cart.py": "from .shop import money\n\n\ndef put(price):\n    return money.to_cents(price)\n",
         "src/shop/__init__.py": "money = 1\nmoney = wrapped(money)\n", "src/shop/money.py": MONEY},
        {"src/cart.py": "from .a import to_cents" + PUT, "src/a.py": "from .b import to_cents\n",
         "src/b.py": "from .a import to_cents\n"},
    ],
)  # fmt: skip
def test_what_is_not_bound_exactly_once_is_no_use(files: dict[str, str]) -> None:
    assert told("src/cart.py", files) == []


@pytest.mark.parametrize(
    ("importing", "called"),
    [
        ("import shop.money", "shop.money.to_cents"),
        ("import shop.money as m", "m.to_cents"),
        ("from shop import money", "money.to_cents"),
        ("from .shop import money as m", "m.to_cents"),
    ],
)
def test_a_member_of_an_imported_module_is_used(importing: str, called: str) -> None:
    files = {"cart.py": f"{importing}\n\n\ndef put(price):\n    return {called}(price)\n", "shop/money.py": MONEY}
    assert told("cart.py", files) == routes("cart.py::put", "shop/money.py::to_cents", Route.IMPORT)


def chain(length: int) -> dict[str, str]:
    files = {f"m{n}.py": f"from .m{n + 1} import to_cents\n" for n in range(length)}
    return {"cart.py": "from .m0 import to_cents" + PUT, **files, f"m{length}.py": MONEY}


def test_at_most_four_re_exports_are_followed() -> None:
    assert told("cart.py", chain(4)) == routes("cart.py::put", "m4.py::to_cents", Route.RE_EXPORT)
    assert told("cart.py", chain(5)) == []


def test_the_innermost_definition_uses_what_stands_in_its_text() -> None:
    text = "from .money import to_cents\n\n\nclass Cart:\n    def add(self, price):\n        return to_cents(price)\n"
    files = {"cart.py": text, "money.py": MONEY}
    assert {str(use.user) for use in uses("cart.py", known(files))} == {"cart.py::Cart.add"}


def test_a_type_that_defines_the_member_lends_it_and_nothing_uses_itself() -> None:
    price = "class Price:\n    @classmethod\n    def of(cls, text):\n        return Price(text)\n"
    text = "from .price import Price\n\n\ndef parse(text):\n    return Price.of(text), Price.unknown\n"
    assert told("cart.py", {"cart.py": text, "price.py": price}) == [
        ("cart.py::parse", "price.py::Price", "import"),
        ("cart.py::parse", "price.py::Price.of", "import"),
    ]
    assert told("price.py", {"price.py": price}) == []


SLUG = "export function slug(title) {\n  return title;\n}\n"
PAGE = "import { slug } from '%s';\n\nexport function url(title: string) {\n  return slug(title);\n}\n"


@pytest.mark.parametrize(
    ("module", "path"),
    [
        ("./slug", "lib/slug.ts"),
        ("./slug.js", "lib/slug.ts"),
        ("./slug.js", "lib/slug.js"),
        ("../slug", "slug.ts"),
        ("./slug", "lib/slug/index.ts"),
        (".", "lib/index.ts"),
    ],
)
def test_a_relative_module_of_typescript_is_a_known_file(module: str, path: str) -> None:
    files = {"lib/page.ts": PAGE % module, path: SLUG}
    assert told("lib/page.ts", files) == routes("lib/page.ts::url", f"{path}::slug", Route.IMPORT)


@pytest.mark.parametrize(
    ("page", "module", "path"),
    [
        ("app/page.ts", "@/lib/slug", "lib/slug.ts"),
        ("app/page.ts", "~/lib/slug.js", "src/lib/slug.ts"),
        ("web/src/app/page.ts", "@/slug", "web/src/slug/index.ts"),
        ("web/src/app/page.ts", "@/test/slug", "web/test/slug.ts"),
        ("src/routes/page.ts", "$lib/slug", "src/lib/slug.ts"),
    ],
)
def test_a_module_by_an_alias_of_the_projects_folder_is_a_known_file(page: str, module: str, path: str) -> None:
    found = routes(f"{page}::url", f"{path}::slug", Route.IMPORT)
    assert told(page, {page: PAGE % module, path: SLUG}) == found
    assert told(page, {page: PAGE % module, path: SLUG, f"src/app/{path}": SLUG}) == found
    files = known({page: PAGE % module})
    assert never_shown(Entity(page, "url"), files[page], files) == [f"`slug` of `{module}`"]


@pytest.mark.parametrize("module", ["slug", "lib/slug", "@/slug", "@/", "@lib/slug", "./other", "../lib"])
def test_other_modules_of_typescript_are_none(module: str) -> None:
    assert told("lib/page.ts", {"lib/page.ts": PAGE % module, "lib/slug.ts": SLUG}) == []


def test_two_files_that_a_module_may_be_are_none() -> None:
    assert told("lib/page.ts", {"lib/page.ts": PAGE % "./slug", "lib/slug.ts": SLUG, "lib/slug/index.ts": SLUG}) == []


def test_a_re_export_of_typescript_is_followed() -> None:
    files = {"lib/page.ts": PAGE % "./text", "lib/text/index.ts": "export { slug } from './slug';\n"}
    files["lib/text/slug.ts"] = SLUG
    assert told("lib/page.ts", files) == routes("lib/page.ts::url", "lib/text/slug.ts::slug", Route.RE_EXPORT)
    files["lib/text/index.ts"] = "import { slug } from './slug';\nexport { slug };\n"
    assert told("lib/page.ts", files) == routes("lib/page.ts::url", "lib/text/slug.ts::slug", Route.RE_EXPORT)
    files["lib/text/index.ts"] = "export * from './slug';\n"
    assert told("lib/page.ts", files) == []


POST = "%s\n\nfunction url(post) {\n  return '/p/' + %s(post.title);\n}\n"
SLUG_JS = "function slug(text) {\n  return text.trim();\n}\n\n"
GIVING = SLUG_JS + "module.exports = { slug };\n"


@pytest.mark.parametrize(
    ("requiring", "called"),
    [
        ("const { slug } = require('./slug');", "slug"),
        ("let { other, slug: s } = require('./slug.js');", "s"),
        ("var util = require('./slug');", "util.slug"),
        ('const fs = require("fs"),\n  slug = require("./slug").slug;', "slug"),
        ("const require = createRequire(import.meta.url);\nconst { slug } = require('./slug');", "slug"),
    ],
)
def test_a_name_that_is_bound_by_require_is_imported(requiring: str, called: str) -> None:
    files = {"lib/post.js": POST % (requiring, called), "lib/slug.js": GIVING}
    assert told("lib/post.js", files) == routes("lib/post.js::url", "lib/slug.js::slug", Route.IMPORT)


@pytest.mark.parametrize(
    ("requiring", "called"),
    [
        ("const { slug } = require('slug');", "slug"),  # a third party's
        ("const { slug = other } = require('./slug');", "slug"),
        ("const { slug } = require('./slug').inner;", "slug"),
        ("const { slug } = require('./slug')(1);", "slug"),
        ("const { slug } = require(`./${name}`);", "slug"),
        ("function later() {\n  const { slug } = require('./slug');\n}", "slug"),
        ("let util = require('./slug');\nutil = wrapped(util);", "util.slug"),
        ("const { slug } = require('./slug');\n\nfunction other(slug) {}", "slug"),
    ],
)
def test_what_is_required_otherwise_is_not_known(requiring: str, called: str) -> None:
    assert told("lib/post.js", {"lib/post.js": POST % (requiring, called), "lib/slug.js": GIVING}) == []


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("exports.slug = (text) => text.trim();\n", "slug"),
        ("module.exports.slug = function (text) {};\n", "slug"),
        ("exports.slug = function slug(text) {};\n", "slug"),
        ("module.exports = { slug(text) {} };\n", "slug"),
        ("exports = module.exports = { slug: slug };\n" + SLUG_JS, "slug"),
        ("const api = { slug(text) {} };\nmodule.exports = api;\n" + SLUG_JS, "api.slug"),
        (SLUG_JS + "exports.slug = wrapped(slug);\n", None),
        (SLUG_JS + "module.exports = { slug: other };\n", None),
        (SLUG_JS + "module.exports = { 'slug': other };\n", None),
        (SLUG_JS + "module.exports = made({ slug });\n", None),
        ("if (old) {\n  exports.slug = (text) => text;\n}\nmodule.exports = { slug() {} };\n", None),
    ],
)
def test_a_module_gives_out_what_its_exports_say(text: str, used: str | None) -> None:
    files = {"lib/post.js": POST % ("const { slug } = require('./slug');", "slug"), "lib/slug.js": text}
    found = routes("lib/post.js::url", f"lib/slug.js::{used}", Route.IMPORT) if used else []
    assert told("lib/post.js", files) == found


BY_DEFAULT = "import slug from './slug.js';"
WHOLE = "const slug = require('./slug');"


@pytest.mark.parametrize(
    ("importing", "text", "used"),
    [
        (BY_DEFAULT, "export default " + SLUG_JS, "slug"),
        (BY_DEFAULT, "export default function made(text) {}\n", "made"),
        (BY_DEFAULT, "export default class Slug {}\n", "Slug"),
        (BY_DEFAULT, "const made = (text) => text;\n\nexport default made;\n", "made"),
        (BY_DEFAULT, "function made(text) {}\nexport { made as default };\n", "made"),
        (BY_DEFAULT, "function made(text) {}\nmodule.exports = made;\n", "made"),
        ("import { default as slug } from './slug.js';", "export default " + SLUG_JS, "slug"),
        ("import { slug } from './slug.js';", "function made(text) {}\nexport { made as slug };\n", "made"),
        (WHOLE, "function made(text) {}\nmodule.exports = made;\n", "made"),
        ("import slug = require('./slug');", "class Made {}\nexport = Made;\n", "Made"),
        ("const { slug } = require('./slug');", "function made(text) {}\nmodule.exports = { slug: made };\n", "made"),
        ("const { slug } = require('./slug');", "function made(text) {}\nexports.slug = made;\n", "made"),
        (BY_DEFAULT, SLUG_JS, None),  # by its name alone
        (BY_DEFAULT, "export default wrapped(slug);\n" + SLUG_JS, None),
        (BY_DEFAULT, "export default function (text) {}\n" + SLUG_JS, None),
        (BY_DEFAULT, "export { one as default };\nexport default two;\nfunction one() {}\nfunction two() {}\n", None),
        ("import * as slug from './slug.js';", "export default " + SLUG_JS, None),
        (WHOLE, "export default " + SLUG_JS, None),
        (WHOLE, SLUG_JS + "module.exports = { slug };\n", None),
        ("const { slug } = require('./slug');", SLUG_JS + "module.exports = slug;\n", None),
    ],
)
def test_what_a_module_gives_out_by_another_name_is_followed_to_its_own(
    importing: str, text: str, used: str | None
) -> None:
    files = {"lib/post.ts": POST % (importing, "slug"), "lib/slug.ts": text}
    found = routes("lib/post.ts::url", f"lib/slug.ts::{used}", Route.IMPORT) if used else []
    assert told("lib/post.ts", files) == found


def test_what_is_given_out_without_a_name_is_passed_on() -> None:
    files = {"lib/post.js": POST % ("import { slug } from './text';", "slug"), "lib/slug.js": "export default " + SLUG_JS,
             "lib/text.js": "export { default as slug } from './slug';\n"}  # fmt: skip
    assert told("lib/post.js", files) == routes("lib/post.js::url", "lib/slug.js::slug", Route.RE_EXPORT)


def test_a_name_that_is_only_given_out_is_none_in_its_own_file() -> None:
    text = "exports.slug = (text) => text.trim();\n" + POST % ("", "slug")
    assert told("lib/slug.js", {"lib/slug.js": text}) == []


def test_what_a_module_requires_and_gives_out_is_followed() -> None:
    files = {"lib/post.js": POST % ("const text = require('./text');", "text.slug"), "lib/slug.js": GIVING,
             "lib/text.js": "const { slug } = require('./slug');\n\nmodule.exports = { slug };\n"}  # fmt: skip
    assert told("lib/post.js", files) == routes("lib/post.js::url", "lib/slug.js::slug", Route.RE_EXPORT)


def test_a_constant_that_is_required_stays_a_definition() -> None:
    files = known({"lib/post.js": POST % ("const util = require('./slug');", "util.slug")})
    assert set(files["lib/post.js"].definitions) == {"util", "url"}
    assert never_shown(Entity("lib/post.js", "url"), files["lib/post.js"], files) == ["`./slug`"]


def test_a_file_of_a_language_whose_imports_name_no_file_is_followed_no_further() -> None:
    files = {"main.c": '#include "rates.php"\nint main(void) { return rate(1); }\n',
             "rates.php": '<?php\nuse Shop\\Money;\nfunction other($n) { return $n; }\n'}  # fmt: skip
    assert told("main.c", files) == []
    files |= {"rates.h": "int rate(int n) { return n; }\n"}
    files["main.c"] = '#include "rates.h"\n' + files["main.c"]
    assert told("main.c", files) == routes("main.c::main", "rates.h::rate", Route.IMPORT)


PRICE = "package shop;\n\npublic class Price {\n}\n"
"""A type of the same package, which an import hides."""


@pytest.mark.parametrize(
    ("importing", "used"),
    [
        ("", ["shop/Price.java::Price"]),
        ("import money.Price;", ["money/Price.java::Price"]),
        ("import static coins.Coins.Price;", []),
        ("import coins.Coins.Price;", []),
        ("import money.*;", ["shop/Price.java::Price"]),
    ],
)
def test_a_type_of_java_is_no_package(importing: str, used: list[str]) -> None:
    cart = f"package shop;\n\n{importing}\n\npublic class Cart {{\n    Price price;\n}}\n"
    files = {"shop/Cart.java": cart, "shop/Price.java": PRICE, "money/Price.java": PRICE.replace("shop", "money"),
             "coins/Coins.java": "package coins;\n\npublic class Coins {\n    public static class Price {}\n}\n"}  # fmt: skip
    assert [to for _, to, _ in told("shop/Cart.java", files)] == used


@pytest.mark.parametrize(("importing", "used"), [("", 1), ("import money.Coin", 1), ("import money._", 0)])
def test_a_wildcard_import_of_scala_goes_before_what_its_package_defines(importing: str, used: int) -> None:
    cart = f"package shop\n\n{importing}\n\nobject Cart {{\n  def put(price: Price): Int = 1\n}}\n"
    files = {"shop/Cart.scala": cart, "shop/Price.scala": "package shop\n\nclass Price\n"}
    assert [to for _, to, _ in told("shop/Cart.scala", files)] == ["shop/Price.scala::Price"] * used


def test_what_stands_in_the_brackets_of_a_python_annotation_is_asked_for() -> None:
    files = {"cart.py": "from .price import Price\n\n\ndef put(x: dict[str, Price | None]) -> None: ...\n\n\n"
             "def make[Price](x: Price) -> list[Price]: ...\n", "price.py": "class Price: ...\n"}  # fmt: skip
    assert told("cart.py", files) == routes("cart.py::put", "price.py::Price", Route.IMPORT)


def test_what_another_file_of_the_package_binds_inside_is_none_of_its_names() -> None:
    files = {"cart/put.go": "package cart\n\nfunc put(n int) int {\n\treturn round(n)\n}\n",
             "cart/round.go": "package cart\n\nfunc round(n int) int {\n\treturn n\n}\n",
             "cart/size.go": "package cart\n\nfunc size(n int) int {\n\tround := n\n\treturn round\n}\n"}  # fmt: skip
    assert told("cart/put.go", files) == routes("cart/put.go::put", "cart/round.go::round", Route.IMPORT)
    files["cart/size.go"] = files["cart/round.go"] * 2  # and one that defines it twice defines it
    assert told("cart/put.go", files) == []


@pytest.mark.parametrize(
    ("head", "called", "route"),
    [
        ("", "crate::money::to_cents", "import"),
        ("", "super::money::to_cents", "import"),
        ("", "crate::money::Price::of", None),
        ("", "crate::coins::to_cents", None),
        ("", "to_cents", None),
        ("use super::to_cents;\n", "to_cents", "re-export"),
    ],
)
def test_a_path_of_rust_leads_where_its_modules_are(head: str, called: str, route: str | None) -> None:
    files = {"src/lib.rs": "mod cart;\nmod money;\npub use money::to_cents;\n",
             "src/money.rs": "pub fn to_cents(n: i64) -> i64 {\n    n\n}\n",
             "src/cart.rs": f"{head}pub fn put(n: i64) -> i64 {{\n    {called}(n)\n}}\n"}  # fmt: skip
    want = [("src/cart.rs::put", "src/money.rs::to_cents", route)] if route else []
    assert told("src/cart.rs", files) == want


@pytest.mark.parametrize(
    ("shown", "asked", "used"),
    [
        ("struct ring { int n; };", "struct ring", True),
        ("struct ring { int n; };", "ring", False),  # the name of a struct is no name of a type
        ("typedef struct ring { int n; } ring;", "ring", True),
        ("typedef struct ring { int n; } ring;", "struct ring", True),
        ("typedef struct { int n; } ring;", "ring", True),
    ],
)
def test_a_struct_of_c_is_asked_for_by_its_whole_name(shown: str, asked: str, used: bool) -> None:
    files = {"ring.c": f"{shown}\n\nint size({asked} *r)\n{{\n    return 1;\n}}\n"}
    assert told("ring.c", files) == (routes("ring.c::size", "ring.c::ring", Route.SAME_FILE) if used else [])


def test_a_star_import_of_java_is_none() -> None:
    files = {"shop/Cart.java": "package shop;\n\nimport money.*;\n\nclass Cart {\n    Price price;\n}\n",
             "money/Price.java": PRICE.replace("shop", "money")}  # fmt: skip
    assert told("shop/Cart.java", files) == []
